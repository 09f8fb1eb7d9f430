//! What an administrator and a platform do before the first call, over REST as they do it: register the broker and
//! the platform, show the platform the plans, give it a credential of its own for the broker.

use super::caller::Door;
use crate::manager::{Manager, authorization, basic};
use anyhow::{Context, Result, bail};
use bytes::Bytes;
use http::{Method, Request, StatusCode, header};
use qm_testkit::http::{Client, json};
use serde_json::{Value, json};
use std::net::SocketAddr;

pub(crate) const BROKER_USER: &str = "manager";
pub(crate) const BROKER_PASSWORD: &str = "the-brokers-password";

const CREDENTIAL_USER: &str = "bench-user";
const CREDENTIAL_PASSWORD: &str = "bench-password";
/// bcrypt of that password at the cost that proxies use.
const CREDENTIAL_HASH: &str = "$2b$10$dtIzExrxestYUAQWXKw0E.jqd5dCvufCtBliw.TV6RDC.Tu3NTZEG";

/// Who was registered.
pub(crate) struct Registered {
    pub(crate) broker_id: String,
    pub(crate) platforms: Vec<Value>,
}

impl Registered {
    /// The way of all these platforms to the broker, with their own credentials.
    pub(crate) fn door(&self, manager: &Manager) -> Result<Door> {
        let authorizations = self.platforms.iter().map(authorization);
        Ok(Door {
            address: manager.address(),
            prefix: format!("/v1/osb/{}", self.broker_id),
            authorizations: authorizations.collect::<Result<_>>()?,
        })
    }

    /// The same with the credential that the first platform has for this broker alone, which is made now.
    pub(crate) async fn door_by_credential(&self, manager: &Manager) -> Result<Door> {
        let platform = self.platforms.first().context("no platform")?;
        let client = Client::new(&format!("http://{}", manager.address()), "", "");
        let mine = authorization(platform)?;
        let new = json!({
            "broker_id": self.broker_id, "username": CREDENTIAL_USER, "password_hash": CREDENTIAL_HASH,
        });
        let made = put(&client, &mine, "/v1/credentials", &new).await?;
        let id = made["id"].as_str().context("a credential without id")?;
        let path = format!("/v1/credentials/{id}/activate");
        put(&client, &mine, &path, &json!({})).await?;
        Ok(Door {
            authorizations: vec![basic(CREDENTIAL_USER, CREDENTIAL_PASSWORD)],
            ..self.door(manager)?
        })
    }
}

/// Registers the broker and so many platforms. One platform gets visibilities of its own; for many, the plans are
/// made public.
pub(crate) async fn register(
    manager: &Manager,
    broker: SocketAddr,
    platforms: usize,
) -> Result<Registered> {
    let new = json!({
        "name": "bench", "broker_url": format!("http://{broker}"),
        "credentials": {"basic": {"username": BROKER_USER, "password": BROKER_PASSWORD}},
    });
    let made = manager.post("/v1/service_brokers", &new).await?;
    let broker_id = made["id"].as_str().context("a broker without id")?;
    let bodies = (0..platforms)
        .map(|number| json!({"name": format!("platform-{number}"), "type": "cloudfoundry"}))
        .collect();
    let platforms = manager.post_all("/v1/platforms", bodies).await?;
    let plans = manager.get("/v1/service_plans?max_items=200").await?;
    let plans = plans["items"].as_array().context("no list of plans")?;
    if plans.is_empty() {
        bail!("the broker's catalog brought no plans");
    }
    let shown = plans.iter().map(|plan| {
        let mut shown = json!({"service_plan_id": plan["id"]});
        if let [only] = &platforms[..] {
            shown["platform_id"] = only["id"].clone();
        }
        shown
    });
    manager
        .post_all("/v1/visibilities", shown.collect())
        .await?;
    Ok(Registered {
        broker_id: broker_id.to_owned(),
        platforms,
    })
}

async fn put(client: &Client, authorization: &str, path: &str, body: &Value) -> Result<Value> {
    let request = Request::builder()
        .method(Method::PUT)
        .uri(path)
        .header(header::AUTHORIZATION, authorization)
        .header(header::CONTENT_TYPE, "application/json")
        .body(Bytes::from(body.to_string()))?;
    let answer = client.send(request).await?;
    if answer.status() != StatusCode::OK {
        let words = String::from_utf8_lossy(answer.body()).into_owned();
        bail!("PUT {path}: {} {words}", answer.status());
    }
    Ok(json(&answer))
}
