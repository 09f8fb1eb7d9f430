//! A thousand brokers in one: `/N/v2/catalog` answers a catalog of about 25 kB that is N's own and says another
//! version of itself at every fetch, so that a manager that asks again finds a change.

use anyhow::{Context, Result};
use axum::extract::{Path, State};
use axum::routing::get;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::task::JoinHandle;

const OFFERINGS: usize = 5;
const PLANS: usize = 4;
/// Filled up with words like those of real catalogs to the size that is wanted.
const BYTES: usize = 25_000;

/// The running brokers; they end with this value.
pub(crate) struct Catalogs {
    url: String,
    serving: JoinHandle<()>,
}

impl Catalogs {
    pub(crate) async fn start() -> Result<Self> {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}", listener.local_addr()?);
        let app = axum::Router::new()
            .route("/{broker}/v2/catalog", get(answer))
            .with_state(Arc::new(AtomicU64::new(1)));
        let serving = tokio::spawn(async move {
            // Ends only with its task.
            let _ = axum::serve(listener, app).await;
        });
        Ok(Self { url, serving })
    }

    /// What registers the broker of this number.
    pub(crate) fn registration(&self, number: usize) -> Value {
        json!({
            "name": format!("broker-{number}"),
            "description": "a broker of the benchmark",
            "broker_url": format!("{}/{number}", self.url),
            "credentials": {"basic": {"username": "bench", "password": "bench"}},
            "labels": {"region": [format!("r{}", number % 10)]},
        })
    }
}

impl Drop for Catalogs {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn answer(
    Path(broker): Path<String>,
    State(version): State<Arc<AtomicU64>>,
) -> axum::Json<Value> {
    let version = version.fetch_add(1, Ordering::Relaxed);
    axum::Json(catalog(&broker, version, filler()))
}

/// A catalog whose JSON has about [`BYTES`] bytes, given the right length of filler per plan.
fn catalog(broker: &str, version: u64, filler: usize) -> Value {
    let words: String = "a plan for people who want to know what they get; "
        .chars()
        .cycle()
        .take(filler)
        .collect();
    let plan = |offering: usize, plan: usize| {
        json!({
            "id": format!("{broker}-{offering}-{plan}"),
            "name": format!("plan-{plan}"),
            "description": format!("plan {plan}, version {version}"),
            "free": plan == 0,
            "metadata": {"displayName": format!("Plan {plan}"), "bullets": [words], "costs": [{"amount": {"eur": 9.99}, "unit": "MONTHLY"}]},
            "schemas": {"service_instance": {"create": {"parameters": {
                "$schema": "http://json-schema.org/draft-06/schema#",
                "type": "object",
                "properties": {"size": {"type": "integer", "minimum": 1}, "region": {"type": "string"}},
            }}}},
        })
    };
    let services: Vec<Value> = (0..OFFERINGS)
        .map(|offering| {
            json!({
                "id": format!("{broker}-{offering}"),
                "name": format!("service-{broker}-{offering}"),
                "description": "a service of the benchmark",
                "bindable": true,
                "tags": ["bench", "database"],
                "metadata": {"displayName": "Service", "documentationUrl": "https://example.com/docs"},
                "plans": (0..PLANS).map(|number| plan(offering, number)).collect::<Vec<_>>(),
            })
        })
        .collect();
    json!({ "services": services })
}

fn filler() -> usize {
    static FILLER: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    *FILLER.get_or_init(|| {
        let bare = catalog("500", 1_000, 0).to_string().len();
        BYTES.saturating_sub(bare) / (OFFERINGS * PLANS)
    })
}

/// How large such a catalog is.
pub(super) fn size() -> Result<usize> {
    let text = serde_json::to_vec(&catalog("500", 1_000, filler())).context("writing a catalog")?;
    Ok(text.len())
}
