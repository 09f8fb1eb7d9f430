//! `--wait`, `--watch` and `--timeout`: follows an operation to its end, and shows what happens on the way.
//!
//! Every command that begins something uses it. The rule: waiting never changes anything; when it ends early, by time or
//! by Ctrl-C, the operation goes on, and the person is told how to look again.

mod timeline;

use crate::client::{Client, Query};
use crate::doc::Doc;
use crate::exit::Exit;
use crate::problem::Problem;
use clap::Args;
use std::time::{Duration, Instant};
use timeline::Timeline;

/// How often is asked: at once at first, then more and more seldom.
const FIRST: Duration = Duration::from_millis(100);
const LAST: Duration = Duration::from_secs(2);

/// Whether to wait, and how long.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Flags {
    /// Wait for the end of the operation.
    #[arg(long)]
    pub(crate) wait: bool,
    /// Wait, and show every step of the operation with its time.
    #[arg(long)]
    pub(crate) watch: bool,
    /// Wait no longer than this, as in 30s, 5m or 1h.
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "30m")]
    pub(crate) timeout: Duration,
}

impl Flags {
    /// Whether the person wants to see the end.
    pub(crate) fn waits(&self) -> bool {
        self.wait || self.watch
    }

    /// To the end, quietly.
    pub(crate) fn quietly() -> Self {
        Self {
            wait: true,
            watch: false,
            timeout: Duration::from_secs(30 * 60),
        }
    }
}

/// A time as people write it.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let number: u64 = digits
        .parse()
        .map_err(|_| "write a number and a unit, as in 30s, 5m or 1h".to_owned())?;
    let unit = match text.get(digits.len()..).unwrap_or_default() {
        "" | "s" => 1,
        "m" => 60,
        "h" => 3600,
        "d" => 86400,
        other => return Err(format!("{other} is no unit; take s, m, h or d")),
    };
    Ok(Duration::from_secs(number.saturating_mul(unit)))
}

/// The resource that an operation's path belongs to.
pub(crate) fn resource_of(location: &str) -> &str {
    location
        .split_once("/operations/")
        .map_or(location, |(resource, _)| resource)
}

/// Follows the operation at `location` to its good end.
pub(crate) async fn follow(client: &Client, location: &str, flags: &Flags) -> Result<Doc, Problem> {
    let end = Instant::now() + flags.timeout;
    let mut timeline = Timeline::new(flags.watch);
    let mut pause = FIRST;
    // One listener for the whole time, so that no Ctrl-C is lost between two looks.
    let mut stop = std::pin::pin!(tokio::signal::ctrl_c());
    loop {
        let operation = client.get(location, &Query::new()).await?;
        timeline.show(&operation);
        match operation.str("state") {
            "succeeded" => {
                timeline.end();
                return Ok(operation);
            }
            "failed" => {
                timeline.end();
                return Err(failed(&operation));
            }
            _ => {}
        }
        if Instant::now() + pause > end {
            timeline.end();
            return Err(Problem::new(
                Exit::Timeout,
                format!(
                    "the operation is not done after {} s",
                    flags.timeout.as_secs()
                ),
            )
            .why("it goes on in the background")
            .hint(format!("smctl operation watch {}", operation.str("id"))));
        }
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            _ = &mut stop => {
                timeline.end();
                return Err(Problem::new(Exit::Interrupted, "no longer waiting")
                    .why("the operation goes on in the background")
                    .hint(format!("smctl operation watch {}", operation.str("id"))));
            }
        }
        pause = (pause * 3 / 2).min(LAST);
    }
}

fn failed(operation: &Doc) -> Problem {
    let errors = operation.get("errors");
    let mut reasons = Vec::new();
    for text in [
        errors.str("description"),
        operation.str("first_error"),
        operation.str("last_error"),
    ] {
        if !text.is_empty() && !reasons.iter().any(|known: &String| known.contains(text)) {
            reasons.push(text.to_owned());
        }
    }
    for error in errors.get("cascade_errors").items() {
        reasons.push(format!(
            "{} {}: {}",
            error.str("resource_type"),
            error.str("resource_id"),
            error.str("message")
        ));
    }
    let kind = operation.str("type");
    let (resource, id) = (operation.str("resource_type"), operation.str("resource_id"));
    let hint = match (resource, kind) {
        ("/v1/service_instances", "create") => {
            format!("smctl instance retry {id}, or smctl instance delete {id}")
        }
        ("/v1/service_instances", "update") => {
            format!("smctl instance retry {id}, or smctl instance rollback {id}")
        }
        ("/v1/service_instances", "delete") => {
            format!("smctl instance retry {id}, or smctl instance undelete {id}")
        }
        _ => format!("smctl operation get {}", operation.str("id")),
    };
    let mut problem = Problem::new(Exit::OperationFailed, format!("{kind} failed")).hint(hint);
    if reasons.is_empty() {
        reasons.push(errors.plain());
    }
    problem.why = Some(reasons.join("\n"));
    let correlation = operation.str("correlation_id");
    problem.correlation = (!correlation.is_empty()).then(|| correlation.into());
    problem
}

#[cfg(test)]
mod tests {
    use super::{duration, resource_of};
    use std::time::Duration;

    #[test]
    fn times_are_read_as_people_write_them() {
        assert_eq!(duration("5m"), Ok(Duration::from_secs(300)));
        assert_eq!(duration("7"), Ok(Duration::from_secs(7)));
        assert!(duration("m").is_err());
        assert!(duration("5x").is_err());
    }

    #[test]
    fn an_operation_belongs_to_a_resource() {
        assert_eq!(
            resource_of("/v1/platforms/a/operations/b"),
            "/v1/platforms/a"
        );
    }
}
