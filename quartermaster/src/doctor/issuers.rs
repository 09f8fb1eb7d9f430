//! Whether issuers answer, and whether their clock agrees with ours.

use super::{Report, clock};
use crate::config::{Builtin, Config};
use http_body_util::Empty;
use hyper_rustls::HttpsConnectorBuilder;
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use hyper_util::rt::TokioTimer;
use qm_model::Chain;
use qm_relay::Relay;
use std::time::Duration;

const NAME: &str = "issuers";
const PATIENCE: Duration = Duration::from_secs(10);

pub(super) async fn look(config: &Config, relay: &Relay, report: &mut Report) {
    let issuers = &config.identity.issuers;
    let built_in = match config.identity.builtin {
        Builtin::On => true,
        Builtin::Off => false,
        Builtin::Auto => issuers.is_empty(),
    };
    if built_in {
        report.ok(NAME, "the built-in issuer is on");
    }
    for issuer in issuers {
        let url = &issuer.url;
        let discovery = match relay.discover(url).await {
            Ok(discovery) => discovery,
            Err(error) => {
                let what = format!("{url}: {}", Chain(&error));
                report.problem(
                    NAME,
                    what,
                    "nobody can log in there: mend its url or the way to it",
                );
                continue;
            }
        };
        match relay.keys(&discovery.jwks_uri).await {
            Ok(_) => report.ok(NAME, format!("{url} answers and shows its keys")),
            Err(error) => {
                let what = format!("{url} answers, but its keys do not: {}", Chain(&error));
                report.problem(
                    NAME,
                    what,
                    "its tokens cannot be judged; look at its jwks_uri",
                );
            }
        }
        let before = clock::now();
        match date(url).await {
            // The header has whole seconds.
            Some(theirs) => clock::compare(&format!("issuer {url}"), theirs, before, 1000, report),
            None => report.skipped(
                "clock",
                format!("issuer {url} does not say what time it is"),
            ),
        }
    }
}

/// What time it is there, in milliseconds, as its answers say.
async fn date(url: &str) -> Option<i64> {
    let connector = HttpsConnectorBuilder::new()
        .with_provider_and_native_roots(rustls::crypto::aws_lc_rs::default_provider())
        .ok()?
        .https_or_http()
        .enable_http1()
        .build();
    let client: Client<_, Empty<bytes::Bytes>> = Client::builder(TokioExecutor::new())
        .pool_timer(TokioTimer::new())
        .build(connector);
    let uri = format!(
        "{}/.well-known/openid-configuration",
        url.trim_end_matches('/')
    );
    let asked = tokio::time::timeout(PATIENCE, client.get(uri.parse().ok()?)).await;
    let answer = asked.ok()?.ok()?;
    let text = answer.headers().get(http::header::DATE)?.to_str().ok()?;
    let moment = jiff::fmt::rfc2822::parse(text).ok()?;
    Some(moment.timestamp().as_millisecond())
}
