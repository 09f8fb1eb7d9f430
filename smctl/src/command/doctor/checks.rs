//! What is looked at, from near to far. Each look stands on the one before.

use crate::client::{Client, Query};
use crate::doc::Doc;
use crate::global::Global;
use crate::problem::Problem;
use crate::session;
use qm_manager_api::{broker, health, info, operation, platform};
use std::time::{Duration, Instant};

/// What one look found.
#[derive(Debug)]
pub(super) struct Finding {
    pub(super) what: &'static str,
    pub(super) good: bool,
    pub(super) detail: String,
    pub(super) hint: Option<String>,
}

fn good(what: &'static str, detail: impl Into<String>) -> Finding {
    Finding {
        what,
        good: true,
        detail: detail.into(),
        hint: None,
    }
}

fn bad(what: &'static str, detail: impl Into<String>, hint: impl Into<String>) -> Finding {
    Finding {
        what,
        good: false,
        detail: detail.into(),
        hint: Some(hint.into()),
    }
}

fn problem(what: &'static str, problem: Problem) -> Finding {
    let why = problem
        .why
        .map(|why| format!(": {why}"))
        .unwrap_or_default();
    Finding {
        what,
        good: false,
        detail: format!("{}{why}", problem.what),
        hint: problem.hint,
    }
}

pub(super) async fn all(global: &Global) -> Vec<Finding> {
    let mut found = Vec::new();
    match config(global) {
        Ok(finding) => found.push(finding),
        Err(wrong) => found.push(problem("config", wrong)),
    }
    let mut client = match session::open(global).await {
        Ok(client) => {
            found.push(good("login", "the token is valid, or was renewed"));
            client
        }
        Err(wrong) => {
            found.push(problem("login", wrong));
            return found;
        }
    };
    client.patience = Some(Duration::from_secs(10));
    let begun = Instant::now();
    match client.get(info::PATH, &Query::new()).await {
        Ok(doc) => found.push(good(
            "manager",
            format!(
                "{} answers in {} ms; tokens come from {}",
                client.url(),
                begun.elapsed().as_millis(),
                doc.str("token_issuer_url")
            ),
        )),
        Err(wrong) => {
            found.push(problem("manager", wrong));
            return found;
        }
    }
    match client
        .list_up_to(platform::PATH, &Query::new(), Some(1))
        .await
    {
        Ok(_) => found.push(good("access", "the manager takes the token")),
        Err(wrong) => {
            found.push(problem("access", wrong));
            return found;
        }
    }
    found.push(health(&client).await);
    found.extend(brokers(&client).await);
    found.push(operations(&client).await);
    found
}

fn config(global: &Global) -> Result<Finding, Problem> {
    let config = global.config()?;
    let Some(settings) = config.settings(global.context.as_deref())? else {
        return Ok(match session::variable("SMCTL_TOKEN") {
            Some(_) => good("config", "there is none; SMCTL_TOKEN is used"),
            None => bad("config", "there is none", "smctl login -a URL"),
        });
    };
    if settings.ssl_disabled {
        return Ok(bad(
            "config",
            "certificates are not checked (--skip-ssl-validation)",
            "log in again without it, with the CA in SSL_CERT_FILE",
        ));
    }
    Ok(good(
        "config",
        format!("{} as {}", settings.url, settings.user),
    ))
}

async fn health(client: &Client) -> Finding {
    match client.get(health::PATH, &Query::new()).await {
        Ok(doc) if doc.str("status") == "UP" => good("health", "the manager says it is well"),
        Ok(doc) => bad(
            "health",
            unwell(&doc),
            "ask the manager's administrator: quartermaster doctor",
        ),
        Err(wrong) => problem("health", wrong),
    }
}

fn unwell(doc: &Doc) -> String {
    let down = doc
        .get("details")
        .entries()
        .iter()
        .filter(|(_, one)| one.str("status") != "UP");
    let words =
        down.map(|(name, one)| format!("{name} is {} {}", one.str("status"), one.str("error")));
    let words: Vec<_> = words.collect();
    if words.is_empty() {
        format!("the manager says {}", doc.str("status"))
    } else {
        words.join("; ")
    }
}

async fn brokers(client: &Client) -> Vec<Finding> {
    let brokers = match client.list(broker::PATH, &Query::new()).await {
        Ok(brokers) => brokers,
        Err(wrong) => return vec![problem("brokers", wrong)],
    };
    let mut found = Vec::new();
    for one in &brokers {
        let name = one.str("name");
        let catalog = one.get("catalog");
        if !catalog.str("error").is_empty() {
            let detail = format!(
                "the catalog of {name} cannot be fetched: {}",
                catalog.str("error")
            );
            found.push(bad(
                "brokers",
                detail,
                format!("smctl broker refresh {name}"),
            ));
        } else if !catalog.get("held").is_null() {
            let detail = format!(
                "a catalog change of {name} is held: {}",
                catalog.at(&["held", "reason"]).as_str()
            );
            found.push(bad(
                "brokers",
                detail,
                format!("smctl broker describe {name}"),
            ));
        }
    }
    if found.is_empty() {
        found.push(good(
            "brokers",
            format!("{} with catalogs that could be fetched", brokers.len()),
        ));
    }
    found
}

async fn operations(client: &Client) -> Finding {
    let state = |state: &str| Query::new().fields(&[format!("state eq '{state}'")]);
    let (running, failed) = (state("in progress"), state("failed"));
    let asked = tokio::try_join!(
        client.list_up_to(operation::PATH, &running, Some(1000)),
        client.list_up_to(operation::PATH, &failed, Some(1000))
    );
    match asked {
        Ok((running, failed)) => good(
            "operations",
            format!(
                "{} under way, {} failed and kept",
                running.len(),
                failed.len()
            ),
        ),
        Err(wrong) => problem("operations", wrong),
    }
}
