//! Everything that the registry shows a platform, read page by page as the proxies do.

use super::apply::{broker, labels, plan, text, visibility};
use super::{Held, rules};
use crate::harness::{Client, Platform, query};
use http::Method;
use serde_json::Value;
use std::collections::BTreeMap;

/// Reads everything that concerns the platform. An error: the manager did not answer, or not with a list.
pub(super) async fn everything(platform: &Platform) -> Result<Held, String> {
    let client = &platform.client();
    let brokers = all(client, "/v1/service_brokers").await?;
    let offerings = all(client, "/v1/service_offerings").await?;
    let plans = all(client, "/v1/service_plans").await?;
    let mut concern = BTreeMap::new();
    let mut broker_of = BTreeMap::new();
    for offering in &offerings {
        broker_of.insert(text(offering, "id")?, text(offering, "broker_id")?);
    }
    let mut plans_of: BTreeMap<String, BTreeMap<String, [String; 4]>> = BTreeMap::new();
    for shown in &plans {
        // Lists are read one after the other: an offering may have come in between, and is told of.
        if let Some(broker) = broker_of.get(&text(shown, "service_offering_id")?) {
            plans_of
                .entry(broker.clone())
                .or_default()
                .extend([plan(shown)?]);
            *concern.entry(broker.clone()).or_default() |=
                rules::supports(&rules::of(shown), platform);
        }
    }
    let mut held = Held::default();
    for shown in &brokers {
        let id = text(shown, "id")?;
        // Of Kubernetes' brokers not all plans are shown.
        if concern.get(&id) == Some(&false) && platform.kind != "kubernetes" {
            continue;
        }
        let plans = plans_of.remove(&id).unwrap_or_default();
        held.brokers
            .insert(id, broker(shown, labels(shown)?, plans)?);
    }
    for shown in &all(client, "/v1/visibilities").await? {
        let id = text(shown, "id")?;
        held.visibilities
            .insert(id, visibility(shown, labels(shown)?)?);
    }
    Ok(held)
}

/// All pages of a list of what is ready.
async fn all(client: &Client, path: &str) -> Result<Vec<Value>, String> {
    let mut items = Vec::new();
    let mut token = String::new();
    loop {
        let mut parameters = vec![("fieldQuery", "ready eq true"), ("max_items", "200")];
        if !token.is_empty() {
            parameters.push(("token", &token));
        }
        let path = query(path, &parameters);
        let answer = client.try_send(Method::GET, &path, &[], "").await;
        let answer = answer.map_err(|error| format!("{path}: {error}"))?;
        if answer.status != 200 {
            return Err(format!("{path}: {} {}", answer.status, answer.text));
        }
        items.extend(answer.body["items"].as_array().cloned().unwrap_or_default());
        match answer.body["token"].as_str() {
            Some(next) if !next.is_empty() => token = next.to_owned(),
            _ => return Ok(items),
        }
    }
}
