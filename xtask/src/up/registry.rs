//! What `up` puts into the manager: the broker, the visibility of its plans, a platform. Looks before
//! it adds, so that a second start changes nothing but what has changed.

use std::fs;
use std::net::SocketAddr;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::client::Client;
use super::home::Home;
use super::{broker, manager, secret};

pub(super) const BROKER: &str = "postgres";
pub(super) const PLATFORM: &str = "demo";

pub(super) fn fill(
    manager: SocketAddr,
    home: &Home,
    broker: SocketAddr,
    broker_password: &str,
) -> Result<()> {
    let anybody = Client::new(manager);
    let token = log_in(&anybody, &manager::password(home)?)?;
    let client = anybody.bearer(&token);
    let broker_id =
        register(&client, broker, broker_password).context("the broker cannot be registered")?;
    make_visible(&client, &broker_id).context("its plans cannot be made visible")?;
    platform(&client, home).context("the platform cannot be registered")
}

/// As a client that knows only the manager's address: information, discovery, token.
fn log_in(client: &Client, password: &str) -> Result<String> {
    let info = client.get("/v1/info")?;
    let issuer = text(&info, "token_issuer_url")?;
    let discovery = format!(
        "{}/.well-known/openid-configuration",
        path_of(issuer.trim_end_matches('/'))
    );
    let token_url = text(&client.get(&discovery)?, "token_endpoint")?.to_owned();
    let answer = client
        .form(
            path_of(&token_url),
            &[
                ("grant_type", "password"),
                ("username", manager::USER),
                ("password", password),
            ],
        )
        .context("the administrator cannot log in")?;
    Ok(text(&answer, "access_token")?.to_owned())
}

fn register(client: &Client, broker: SocketAddr, password: &str) -> Result<String> {
    let url = format!("http://{broker}");
    let wanted = json!({
        "name": BROKER,
        "broker_url": url,
        "description": "databases on a scratch PostgreSQL server",
        "credentials": {"basic": {"username": broker::USER, "password": password}},
    });
    let found = client.list("/v1/service_brokers", &format!("name eq '{BROKER}'"))?;
    let registered = match found.first() {
        None => client.post("/v1/service_brokers", &wanted)?,
        Some(known) => {
            let path = format!("/v1/service_brokers/{}", text(known, "id")?);
            // Also when nothing changed: the broker may offer more than it did.
            client.patch(&path, &wanted)?
        }
    };
    Ok(text(&registered, "id")?.to_owned())
}

/// A visibility without a platform is for all of them.
fn make_visible(client: &Client, broker: &str) -> Result<()> {
    let mut plans = 0;
    for offering in client.list("/v1/service_offerings", &format!("broker_id eq '{broker}'"))? {
        let query = format!("service_offering_id eq '{}'", text(&offering, "id")?);
        for plan in client.list("/v1/service_plans", &query)? {
            let id = text(&plan, "id")?;
            let query = format!("service_plan_id eq '{id}'");
            if client.list("/v1/visibilities", &query)?.is_empty() {
                client.post("/v1/visibilities", &json!({"service_plan_id": id}))?;
            }
            plans += 1;
        }
    }
    ensure!(plans > 0, "the broker offers nothing");
    Ok(())
}

/// A platform whose credentials lie beside everything else. When they do not fit any more, it gets
/// new ones.
fn platform(client: &Client, home: &Home) -> Result<()> {
    let file = home.file("platform");
    let found = client.list("/v1/platforms", &format!("name eq '{PLATFORM}'"))?;
    let shown = match found.first() {
        Some(_) if file.exists() => return Ok(()),
        Some(known) => {
            let id = text(known, "id")?;
            let path = format!("/v1/platforms/{id}?regenerateCredentials=true");
            client.patch(&path, &json!({}))?
        }
        None => client.post(
            "/v1/platforms",
            &json!({"name": PLATFORM, "type": "kubernetes", "description": "made by xtask up"}),
        )?,
    };
    let basic = &shown["credentials"]["basic"];
    let pair = format!("{}:{}", text(basic, "username")?, text(basic, "password")?);
    if file.exists() {
        fs::remove_file(&file)?;
    }
    secret::keep(&file, &pair)
}

fn text<'a>(value: &'a Value, key: &str) -> Result<&'a str> {
    value[key]
        .as_str()
        .with_context(|| format!("the manager's answer lacks {key}"))
}

/// `/b/c` of `http://a/b/c`.
fn path_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.find('/').map_or("", |at| &rest[at..])
}

#[cfg(test)]
mod tests {
    use super::path_of;

    #[test]
    fn a_path_is_what_follows_the_host() {
        assert_eq!(path_of("http://a:1/b/c"), "/b/c");
        assert_eq!(path_of("http://a:1"), "");
        assert_eq!(path_of("/b"), "/b");
    }
}
