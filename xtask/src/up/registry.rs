//! What `up` puts into the manager: the broker, the visibility of its plans, a platform. Looks before
//! it adds, so that a second start changes nothing but what has changed.

use std::fs;
use std::net::SocketAddr;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::client::Client;
use super::home::Home;
use super::{broker, manager, secret};

pub(super) const BROKER: &str = "postgres";
pub(super) const PLATFORM: &str = "demo";

/// What the printed lines use.
pub(super) struct Registered {
    /// Where tokens are given.
    pub(super) token_url: String,
    pub(super) broker: SocketAddr,
    /// The manager's id of the broker, which is in the address of its door.
    pub(super) broker_id: String,
    pub(super) plan: Plan,
}

/// A plan that can be made invisible and visible, and that instances are made of.
pub(super) struct Plan {
    /// The manager's id.
    pub(super) id: String,
    /// The broker's own ids of the offering and of the plan.
    pub(super) catalog_ids: (String, String),
}

pub(super) fn fill(
    manager: SocketAddr,
    home: &Home,
    broker: SocketAddr,
    broker_password: &str,
) -> Result<Registered> {
    let anybody = Client::new(manager);
    let (token_url, token) = log_in(&anybody, &manager::password(home)?)?;
    let client = anybody.bearer(&token);
    let broker_id =
        register(&client, broker, broker_password).context("the broker cannot be registered")?;
    let plan = make_visible(&client, &broker_id).context("its plans cannot be made visible")?;
    platform(&client, home).context("the platform cannot be registered")?;
    Ok(Registered {
        token_url,
        broker,
        broker_id,
        plan,
    })
}

/// As a client that knows only the manager's address: information, discovery, token.
fn log_in(client: &Client, password: &str) -> Result<(String, String)> {
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
    let token = text(&answer, "access_token")?.to_owned();
    Ok((token_url, token))
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

/// A visibility without a platform is for all of them. Returns the first plan.
fn make_visible(client: &Client, broker: &str) -> Result<Plan> {
    let mut first = None;
    for offering in client.list("/v1/service_offerings", &format!("broker_id eq '{broker}'"))? {
        let service = text(&offering, "catalog_id")?;
        let query = format!("service_offering_id eq '{}'", text(&offering, "id")?);
        for plan in client.list("/v1/service_plans", &query)? {
            let id = text(&plan, "id")?;
            let query = format!("service_plan_id eq '{id}'");
            if client.list("/v1/visibilities", &query)?.is_empty() {
                client.post("/v1/visibilities", &json!({"service_plan_id": id}))?;
            }
            if first.is_none() {
                first = Some(Plan {
                    id: id.to_owned(),
                    catalog_ids: (service.to_owned(), text(&plan, "catalog_id")?.to_owned()),
                });
            }
        }
    }
    first.context("the broker offers nothing")
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
