//! Login on another machine's browser: RFC 8628, the device grant.

use super::Issuer;
use super::grant::{Program, Token, post, read};
use crate::client::Query;
use crate::doc::Doc;
use crate::exit::Exit;
use crate::problem::Problem;
use crate::transport::Transport;
use std::time::{Duration, Instant};

pub(crate) async fn log_in(
    transport: &Transport,
    issuer: &Issuer,
    program: &Program,
) -> Result<Token, Problem> {
    if issuer.device.is_empty() {
        return Err(
            Problem::new(Exit::Auth, "the issuer gives no codes for devices")
                .hint("smctl login without --device"),
        );
    }
    let form = Query::new().with("scope", "openid offline_access");
    let reply = post(transport, &issuer.device, &form, program).await?;
    if !reply.status.is_success() {
        return read(&reply);
    }
    let doc = Doc::parse(&reply.body).unwrap_or_default();
    let number = |key: &str, otherwise: u64| match doc.get(key) {
        Doc::Number(number) => number.as_u64().unwrap_or(otherwise),
        _ => otherwise,
    };
    let whole = doc.str("verification_uri_complete");
    eprintln!(
        "Go to {} and enter the code {}",
        doc.str("verification_uri"),
        doc.str("user_code")
    );
    if !whole.is_empty() {
        eprintln!("or go to {whole}");
    }
    let question = Query::new()
        .with("grant_type", "urn:ietf:params:oauth:grant-type:device_code")
        .with("device_code", doc.str("device_code"));
    let end = Instant::now() + Duration::from_secs(number("expires_in", 600));
    let mut pause = Duration::from_secs(number("interval", 5));
    while Instant::now() < end {
        tokio::time::sleep(pause).await;
        let reply = post(transport, &issuer.token, &question, program).await?;
        let error = Doc::parse(&reply.body).unwrap_or_default();
        match error.str("error") {
            "authorization_pending" => {}
            "slow_down" => pause += Duration::from_secs(5),
            _ => return read(&reply),
        }
    }
    Err(Problem::new(Exit::Timeout, "nobody entered the code in time").hint("smctl login --device"))
}
