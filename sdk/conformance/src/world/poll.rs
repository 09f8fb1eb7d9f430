//! Waiting as a platform waits: last_operation until it is final, and patience with ConcurrencyError.
//!
//! `Retry-After` is honoured up to the cap of the options, so that a run stays short.

use super::World;
use crate::client::Reply;
use crate::evidence::Finding;
use crate::request::Request;
use crate::verdict::Stop;
use std::time::{Duration, Instant};

/// How often a busy broker is asked again before the refusal counts.
const PATIENCE: u32 = 20;

/// Where an operation ended.
#[derive(Debug, Clone)]
pub(crate) enum Settled {
    /// Done.
    Succeeded(Reply),
    /// 410: a delete is done.
    Gone(Reply),
    /// last_operation said `failed`.
    Failed(Reply),
    /// The first answer was neither a success nor a 202.
    Refused(Reply),
    /// A poll was answered with something else than a state.
    Odd(Reply),
    /// Still in progress when time was up.
    Late(Reply),
}

impl Settled {
    /// The answer that says so.
    pub(crate) fn reply(&self) -> &Reply {
        match self {
            Self::Succeeded(reply)
            | Self::Gone(reply)
            | Self::Failed(reply)
            | Self::Refused(reply)
            | Self::Odd(reply)
            | Self::Late(reply) => reply,
        }
    }

    /// One line for a reason.
    pub(crate) fn line(&self) -> String {
        let exchange = &self.reply().exchange;
        let line = exchange.received.line();
        match self {
            Self::Late(_) => format!("still in progress at the deadline: {line}"),
            _ => format!("{} answered {line}", exchange.sent.method),
        }
    }

    /// Fails unless the operation succeeded.
    pub(crate) fn succeeded(&self, what: &str) -> Result<&Reply, Stop> {
        match self {
            Self::Succeeded(reply) => Ok(reply),
            other => Err(other.fail(format!("{what} to succeed"))),
        }
    }

    /// Fails unless a delete is done, in either of the two readings.
    pub(crate) fn deleted(&self, what: &str) -> Result<&Reply, Stop> {
        match self {
            Self::Succeeded(reply) | Self::Gone(reply) => Ok(reply),
            other => Err(other.fail(format!("{what} to succeed"))),
        }
    }

    fn fail(&self, expected: String) -> Stop {
        self.reply().fail_seen(expected, self.line())
    }
}

impl World {
    /// Polls until the operation is final.
    pub(crate) async fn settle(&mut self, poll: Request) -> Result<Settled, Stop> {
        let deadline = Instant::now() + self.longest_wait();
        let mut pause = self.scene.options.poll_floor;
        loop {
            let mut request = poll.clone();
            request.identity = Some(uuid::Uuid::new_v4().to_string().into_bytes());
            let reply = self.send(request).await?;
            match (reply.status, reply.text("state")) {
                (410, _) => return Ok(Settled::Gone(reply)),
                (200, Some("succeeded")) => return Ok(Settled::Succeeded(reply)),
                (200, Some("failed")) => return Ok(Settled::Failed(reply)),
                (200, Some("in progress")) => {}
                _ => return Ok(Settled::Odd(reply)),
            }
            if Instant::now() >= deadline {
                return Ok(Settled::Late(reply));
            }
            tokio::time::sleep(self.pause(&reply, pause)).await;
            pause = (pause * 2).min(self.scene.options.poll_cap);
        }
    }

    /// Sends a request, and again while the broker says that it is busy.
    pub(crate) async fn send_patiently(&mut self, request: Request) -> Result<Reply, Stop> {
        let mut pause = self.scene.options.poll_floor;
        for _ in 0..PATIENCE {
            let reply = self.send(request.clone()).await?;
            if !reply.is_busy() {
                return Ok(reply);
            }
            for poll in request.polls_of_what_runs() {
                self.exchange(&poll).await;
            }
            tokio::time::sleep(self.pause(&reply, pause)).await;
            pause = (pause * 2).min(self.scene.options.poll_cap);
        }
        self.send(request).await
    }

    /// The operation that runs now, or a skip when it is already over.
    pub(crate) fn still_running(&self, reply: &Reply) -> Result<(), Stop> {
        self.need(
            reply.status == 202,
            "the broker did it synchronously, so there is no time in between to look at",
        )
    }

    fn pause(&self, reply: &Reply, usual: Duration) -> Duration {
        let options = &self.scene.options;
        let wanted = reply
            .header("retry-after")
            .and_then(|text| text.parse().ok())
            .map_or(usual, Duration::from_secs);
        wanted.clamp(options.poll_floor, options.poll_cap.max(options.poll_floor))
    }

    fn longest_wait(&self) -> Duration {
        let deadline = self.scene.options.poll_deadline;
        match self.stage().ok().and_then(|stage| stage.plan.max_polling) {
            Some(seconds) => deadline.min(Duration::from_secs(seconds)),
            None => deadline,
        }
    }
}

impl Stop {
    /// One line for a reason.
    pub(crate) fn line(&self) -> String {
        match self {
            Self::Skipped(reason) => reason.clone(),
            Self::Failed(findings) => findings
                .first()
                .map(|Finding { seen, .. }| seen.clone())
                .unwrap_or_default(),
        }
    }
}
