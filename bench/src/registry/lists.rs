//! A page of a list with a query, among 1,000 rows and among 1,000,000, in turns, on both engines.
//!
//! The rule: the questions are those that clients ask (facts of the proxies and operators): a field, a label, one of
//! a list, a path into the context, a page from the middle; what matches grows with the table. A page costs the same
//! when the rate does not fall below half.

use super::catalogs::Catalogs;
use crate::fill::{self, Depth};
use crate::load;
use crate::manager::Manager;
use crate::report::{Report, Wanted};
use anyhow::{Context, Result, bail};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::{Request, StatusCode, header};
use http_body_util::Full;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use qm_testkit::postgres::{self, Server};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const SMALL: i64 = 1_000;
const LARGE: i64 = 1_000_000;
const CONNECTIONS: usize = 4;
const LENGTH: Duration = Duration::from_millis(1_000);
const ROUNDS: usize = 3;
const RATIO: f64 = 0.5;

pub(super) async fn measure(report: &mut Report) -> Result<()> {
    // It stays: the managers look at it again at their start.
    let catalogs = Catalogs::start().await?;
    let folder = tempfile::tempdir()?;
    let (small, large) = (folder.path().join("small"), folder.path().join("large"));
    for (data, count) in [(&small, SMALL), (&large, LARGE)] {
        found(data, None, &catalogs).await?;
        let file = data.join("manager.db");
        tokio::task::spawn_blocking(move || fill::sqlite(&file, count, Depth::Lists)).await??;
    }
    compare(
        report,
        "SQLite",
        Manager::start(&small, None).await?,
        Manager::start(&large, None).await?,
    )
    .await?;
    drop(folder);

    let Some(server) = start_postgres().await? else {
        bail!("there is no PostgreSQL on this machine to measure");
    };
    let folder = tempfile::tempdir()?;
    let databases = [server.database()?, server.database()?];
    let mut managers = Vec::new();
    for ((database, count), name) in databases.iter().zip([SMALL, LARGE]).zip(["small", "large"]) {
        let (data, url) = (folder.path().join(name), database.url());
        found(&data, Some(&url), &catalogs).await?;
        fill::postgres(&url, count, Depth::Lists).await?;
        managers.push(Manager::start(&data, Some(&url)).await?);
    }
    let large = managers.pop().context("two managers")?;
    let small = managers.pop().context("two managers")?;
    compare(report, "PostgreSQL", small, large).await
}

/// A registry with ten plans and ten platforms, as the manager makes it.
async fn found(data: &Path, database: Option<&str>, catalogs: &Catalogs) -> Result<()> {
    let manager = Manager::start(data, database).await?;
    manager
        .post("/v1/service_brokers", &catalogs.registration(1))
        .await?;
    let bodies = (0..10)
        .map(|n| json!({"name": format!("platform-{n}"), "type": "kubernetes"}))
        .collect();
    manager.post_all("/v1/platforms", bodies).await?;
    Ok(())
}

async fn compare(report: &mut Report, engine: &str, small: Manager, large: Manager) -> Result<()> {
    report.part(&format!(
        "a page of 50 instances of {LARGE} beside the same of {SMALL}, {engine}, {CONNECTIONS} connections, {ROUNDS} rounds in turns"
    ));
    for (name, question) in QUESTIONS {
        let (few, many) = (ask(&small, question).await?, ask(&large, question).await?);
        let (mut at_few, mut at_many) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            at_few.push(drive(&small, &few).await?);
            at_many.push(drive(&large, &many).await?);
        }
        let ratios = at_many
            .iter()
            .zip(&at_few)
            .map(|(many, few)| many / few)
            .collect();
        let (few, many) = (load::median(at_few), load::median(at_many));
        let beside = format!("{many:.0} and {few:.0} pages/s");
        report.beside(
            name,
            load::median(ratios),
            "ratio",
            Wanted::AtLeast(RATIO),
            &beside,
        );
    }
    Ok(())
}

/// What is asked: which parameter, and its value once the ids are known.
type Question = fn(&Known) -> String;

/// What a question can be about.
struct Known {
    plans: Vec<String>,
    platform: String,
    instance: String,
    /// A token from the middle of the list.
    middle: String,
}

const QUESTIONS: [(&str, Question); 9] = [
    ("no query", |_| String::new()),
    ("no query, a page from the middle", |known| {
        format!("token={}", escaped(&known.middle))
    }),
    ("name eq (one matches)", |_| field("name eq 'name-777'")),
    ("service_plan_id eq (a twentieth matches)", |known| {
        field(&format!("service_plan_id eq '{}'", known.plans[0]))
    }),
    ("service_plan_id in (three)", |known| {
        field(&format!(
            "service_plan_id in ('{}', '{}', '{}')",
            known.plans[0], known.plans[1], known.plans[2]
        ))
    }),
    ("platform_id eq and ready eq true", |known| {
        field(&format!(
            "platform_id eq '{}' and ready eq true",
            known.platform
        ))
    }),
    ("context/clusterid eq (a tenth matches)", |_| {
        field("context/clusterid eq 'c-7'")
    }),
    ("label env eq (a quarter matches)", |_| {
        label("env eq 'dev'")
    }),
    ("label team in (three) and label env eq", |_| {
        label("team in ('t-1','t-2','t-3') and env eq 'prod'")
    }),
];

fn field(query: &str) -> String {
    format!("fieldQuery={}", escaped(query))
}

fn label(query: &str) -> String {
    format!("labelQuery={}", escaped(query))
}

fn escaped(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

/// The path of the question; it must have an answer with something in it.
async fn ask(manager: &Manager, question: Question) -> Result<String> {
    let plans = manager.get("/v1/service_plans").await?;
    let platforms = manager
        .get("/v1/platforms?fieldQuery=type%20eq%20%27kubernetes%27")
        .await?;
    let ids = |page: &Value| -> Vec<String> {
        let items = page["items"].as_array().into_iter().flatten();
        items
            .filter_map(|item| item["id"].as_str().map(str::to_owned))
            .collect()
    };
    let first = manager.get("/v1/service_instances?max_items=1").await?;
    let count = manager.get("/v1/service_instances?max_items=0").await?["num_items"]
        .as_i64()
        .context("no number")?;
    let known = Known {
        plans: ids(&plans),
        platform: ids(&platforms).first().context("no platform")?.clone(),
        instance: ids(&first).first().context("no instance")?.clone(),
        middle: STANDARD.encode((count / 2).to_string()),
    };
    anyhow::ensure!(
        known.plans.len() >= 3 && !known.instance.is_empty(),
        "too little to ask about"
    );
    let path = format!("/v1/service_instances?{}", question(&known));
    let page = manager.get(&path).await?;
    if ids(&page).is_empty() {
        bail!("{path} finds nothing");
    }
    Ok(path)
}

/// Pages per second.
async fn drive(manager: &Manager, path: &str) -> Result<f64> {
    let (path, bearer) = (path.to_owned(), format!("Bearer {}", manager.token));
    let request = move |_| {
        let request = Request::builder()
            .uri(&path)
            .header(header::HOST, "manager")
            .header(header::AUTHORIZATION, &bearer);
        request.body(Full::<Bytes>::default()).unwrap_or_default()
    };
    let round = load::drive(
        manager.address(),
        CONNECTIONS,
        LENGTH,
        StatusCode::OK,
        Arc::new(request),
    )
    .await?;
    Ok(round.rate)
}

async fn start_postgres() -> Result<Option<Server>> {
    let options = postgres::Options {
        fsync: true,
        settings: vec![
            ("shared_buffers".to_owned(), "256MB".to_owned()),
            ("max_wal_size".to_owned(), "8GB".to_owned()),
        ],
    };
    match tokio::task::spawn_blocking(move || Server::start(options)).await? {
        Ok(server) => Ok(Some(server)),
        Err(postgres::Error::Absent { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
