//! Clients in the field, request by request: smctl, the Go broker proxy and the SAP BTP service operator, as they
//! were observed to send them.

mod operator;
mod people;

use crate::harness::answer::{id, items, text};
use crate::harness::brokers::{broker, hash, plan_named, register, show};
use crate::harness::{Client, Engine, Manager, Platform, Setup, eventually, query};
use http::Method;
use serde_json::{Value, json};
use std::collections::BTreeMap;

on_both_engines!(
    smctl_walks_through_the_registry,
    a_proxy_resyncs_and_follows,
    answers_smctl_can_read
);

/// smctl's list: it follows `token`, sends no `max_items`, and a correlation id with every page.
async fn smctl_list(client: &Client, path: &str, parameters: &[(&str, &str)]) -> Vec<Value> {
    let mut all = Vec::new();
    let mut token: Option<String> = None;
    loop {
        let mut parameters = parameters.to_vec();
        if let Some(token) = &token {
            parameters.push(("token", token));
        }
        let path = query(path, &parameters);
        let headers = [("X-CorrelationID", "6ba7b810-9dad-11d1-80b4-00c04fd430c8")];
        let page = client
            .send(Method::GET, &path, &headers, "")
            .await
            .expect(200);
        all.extend(items(&page));
        token = page
            .get("token")
            .map(|next| next.as_str().unwrap().to_owned());
        if token.as_ref().is_none_or(String::is_empty) {
            return all;
        }
    }
}

async fn smctl_walks_through_the_registry(engine: Engine) {
    let manager = Setup::new(engine)
        .set("QM_API_DEFAULT_PAGE_SIZE", "2")
        .start()
        .await;
    let smctl = manager.admin();
    let hostile = broker().await;
    // register-platform; a second one with the same name tells why not.
    let body = json!({"id": "", "name": "cf", "type": "cloudfoundry", "description": ""});
    let made = smctl.post("/v1/platforms", &body).await.expect(201);
    assert!(made["credentials"]["basic"]["password"].is_string());
    smctl.post("/v1/platforms", &body).await.expect(409);
    // register-broker, waiting and not.
    let body = json!({
        "name": "db", "broker_url": hostile.url(), "description": "d",
        "credentials": {"basic": {"username": "user", "password": "password"}},
    });
    smctl
        .post("/v1/service_brokers?async=false", &body)
        .await
        .expect(201);
    let mut other = body.clone();
    other["name"] = json!("later");
    let begun = smctl.post("/v1/service_brokers?async=true", &other).await;
    // status: it puts its own base before the path.
    let location = begun.location();
    eventually("the operation has succeeded", async || {
        let status = smctl.get(&location).await.expect(200);
        (status["state"] == "succeeded").then_some(())
    })
    .await;
    // get-broker, with the mode on the look-up too.
    let found = smctl_list(
        &smctl,
        "/v1/service_brokers",
        &[("async", "false"), ("fieldQuery", "name eq 'db'")],
    )
    .await;
    let one = format!("/v1/service_brokers/{}", id(&found[0]));
    let shown = smctl.get(&format!("{one}?async=false")).await.expect(200);
    assert_eq!(shown["name"], "db");
    // marketplace
    let offerings = smctl_list(
        &smctl,
        "/v1/service_offerings",
        &[("environment", "cloudfoundry")],
    )
    .await;
    assert_eq!(offerings.len(), 2);
    for offering in &offerings {
        let criterion = format!("service_offering_id eq '{}'", id(offering));
        let plans = smctl_list(&smctl, "/v1/service_plans", &[("fieldQuery", &criterion)]).await;
        assert_eq!(plans.len(), 2, "the second page too");
        smctl
            .get(&format!(
                "/v1/service_brokers/{}",
                text(offering, "broker_id")
            ))
            .await
            .expect(200);
    }
    // label
    let labels = json!({"labels": [{"op": "add", "key": "env", "values": ["dev"]}]});
    smctl.patch(&one, &labels).await.expect(200);
    // register-visibility, update-visibility, and the deletes: 200, never 204.
    let plan = plan_named(&smctl, &found[0], "sync").await;
    let visibility = json!({"platform_id": id(&made), "service_plan_id": id(&plan)});
    let seen = smctl
        .post("/v1/visibilities", &visibility)
        .await
        .expect(201);
    let path = format!("/v1/visibilities/{}", id(&seen));
    smctl.patch(&path, &visibility).await.expect(200);
    let criterion = format!("id eq '{}'", id(&seen));
    smctl
        .delete(&query("/v1/visibilities", &[("fieldQuery", &criterion)]))
        .await
        .expect(200);
    smctl
        .delete(&format!("{one}?async=false"))
        .await
        .expect(200);
    let named = query("/v1/platforms", &[("fieldQuery", "name eq 'cf'")]);
    smctl.delete(&named).await.expect(200);
    let nobody = smctl.delete(&named).await;
    assert_eq!(nobody.status, 404);
}

/// What a proxy holds: brokers by id, and visibilities by id, as it got them by resync or by notification.
#[derive(Debug, Default, PartialEq)]
struct Held {
    brokers: BTreeMap<String, String>,
    visibilities: BTreeMap<String, String>,
}

impl Held {
    /// A full resync, with the queries of the Go proxy.
    async fn resync(proxy: &Client) -> Self {
        let ready = [("fieldQuery", "ready eq true")];
        let brokers = smctl_list(proxy, "/v1/service_brokers", &ready).await;
        let offerings = smctl_list(proxy, "/v1/service_offerings", &ready).await;
        let plans = smctl_list(proxy, "/v1/service_plans", &ready).await;
        for plan in &plans {
            assert!(
                offerings
                    .iter()
                    .any(|offering| offering["id"] == plan["service_offering_id"])
            );
            assert!(plan["catalog_id"].is_string());
        }
        let ids: Vec<_> = plans.iter().map(|plan| format!("'{}'", id(plan))).collect();
        let criterion = format!("ready eq true and service_plan_id in ({})", ids.join(","));
        let chunk = [("fieldQuery", &*criterion), ("max_items", "1")];
        let visibilities = smctl_list(proxy, "/v1/visibilities", &chunk).await;
        Self {
            brokers: brokers
                .iter()
                .map(|broker| (id(broker), text(broker, "name")))
                .collect(),
            visibilities: visibilities
                .iter()
                .map(|seen| (id(seen), text(seen, "service_plan_id")))
                .collect(),
        }
    }

    fn apply(&mut self, message: &Value) {
        let payload = &message["payload"];
        let side = payload.get("new").or(payload.get("old")).unwrap();
        let resource = &side["resource"];
        let (held, field) = match message["resource"].as_str().unwrap() {
            "/v1/service_brokers" => (&mut self.brokers, "name"),
            "/v1/visibilities" => (&mut self.visibilities, "service_plan_id"),
            other => panic!("a proxy knows nothing of {other}"),
        };
        match message["type"].as_str().unwrap() {
            "DELETED" => drop(held.remove(&id(resource))),
            _ => drop(held.insert(id(resource), text(resource, field))),
        }
    }
}

async fn a_proxy_resyncs_and_follows(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let hostile = broker().await;
    let first = register(&admin, "first", &hostile).await;
    let sync = plan_named(&admin, &first, "sync").await;
    let platform = Platform::register(&manager, "cf", "cloudfoundry").await;
    show(&admin, &sync, Some(&platform.id)).await.expect(201);
    let proxy = platform.client();
    let headers = [("X-CorrelationID", "-")];
    manager.settle().await;
    let mut stream = platform.try_connect(None, &headers).await.unwrap();
    let mut held = Held::resync(&proxy).await;
    assert_eq!((held.brokers.len(), held.visibilities.len()), (1, 1));
    // In a resync the proxy offers credentials; active ones stay (409), and it goes on.
    let body = json!({"broker_id": id(&first), "username": "u", "password_hash": hash("u")});
    let put = proxy.put("/v1/credentials", &body).await.expect(200);
    let activate = format!("/v1/credentials/{}/activate", id(&put));
    proxy.put(&activate, &json!({})).await.expect(200);
    proxy.put("/v1/credentials", &body).await.expect(409);

    let second = register(&admin, "second", &hostile).await;
    let other = plan_named(&admin, &second, "async").await;
    let public = show(&admin, &other, None).await.expect(201);
    let path = format!("/v1/service_brokers/{}", id(&first));
    admin
        .patch(&path, &json!({"name": "renamed"}))
        .await
        .expect(200);
    admin
        .delete(&format!("/v1/visibilities/{}", id(&public)))
        .await
        .expect(200);
    admin
        .delete(&format!("/v1/service_brokers/{}", id(&second)))
        .await
        .expect(200);
    for _ in 0..5 {
        held.apply(&stream.next().await);
    }
    assert_eq!(
        held,
        Held::resync(&proxy).await,
        "by notification and by resync the same"
    );
    assert_eq!(held.brokers.values().collect::<Vec<_>>(), ["renamed"]);
}

/// What a strict decoder needs: times are times, and nothing is `null` where it wants a text.
async fn answers_smctl_can_read(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let hostile = broker().await;
    let made = register(&admin, "db", &hostile).await;
    let plan = plan_named(&admin, &made, "sync").await;
    show(&admin, &plan, None).await.expect(201);
    Platform::register(&manager, "cf", "cloudfoundry").await;
    for collection in [
        "service_brokers",
        "platforms",
        "visibilities",
        "service_offerings",
        "service_plans",
        "operations",
    ] {
        let path = format!("/v1/{collection}?attach_last_operations=true");
        let page = admin.get(&path).await.expect(200);
        assert!(!items(&page).is_empty(), "{collection}");
        for item in items(&page) {
            strict(&item);
            if let Some(operation) = item.get("last_operation") {
                strict(operation);
                for moment in ["reschedule_timestamp", "deletion_scheduled"] {
                    time(&text(operation, moment));
                }
            }
        }
    }
}

fn strict(item: &Value) {
    let nulls = item
        .as_object()
        .unwrap()
        .iter()
        .filter(|(_, value)| value.is_null());
    assert_eq!(nulls.count(), 0, "{item}");
    assert!(item["ready"].is_boolean(), "{item}");
    for moment in ["created_at", "updated_at"] {
        time(&text(item, moment));
    }
    if let Some(labels) = item.get("labels") {
        assert!(
            labels.as_object().unwrap().values().all(Value::is_array),
            "{item}"
        );
    }
}

/// RFC 3339: `2024-05-01T10:00:00[.123]Z`.
fn time(text: &str) {
    let body = text.strip_suffix('Z').unwrap_or_else(|| panic!("{text}"));
    let (date, clock) = body.split_once('T').unwrap_or_else(|| panic!("{text}"));
    let numbers = |text: &str, parts: &[usize], by: char| {
        let lengths: Vec<_> = text.split(by).map(str::len).collect();
        assert_eq!(lengths, parts, "{text}");
        assert!(
            text.chars().all(|c| c.is_ascii_digit() || c == by),
            "{text}"
        );
    };
    numbers(date, &[4, 2, 2], '-');
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    numbers(clock, &[2, 2, 2], ':');
    assert!(fraction.chars().all(|c| c.is_ascii_digit()), "{text}");
}
