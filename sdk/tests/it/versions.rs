//! Which versions of the protocol are served, and what each of them is shown (B2, T1, T8, B16).

use crate::desk::{Desk, Said};
use crate::puppet::{Deed, End, LARGE};
use bytes::Bytes;
use quartermaster_sdk::MissingVersion;
use serde_json::{Value, json};

async fn catalog(desk: &Desk, version: Option<&str>) -> Said {
    let mut request = http::Request::builder().uri("/v2/catalog");
    if let Some(version) = version {
        request = request.header("X-Broker-API-Version", version);
    }
    desk.raw(request.body(Bytes::new()).unwrap()).await
}

#[tokio::test]
async fn old_versions_and_other_majors_are_refused() {
    let desk = Desk::new().await;
    for good in [
        "2.11", "2.12", "2.13", "2.14", "2.15", "2.16", "2.17", "2.18", "2.99", "2.1000",
    ] {
        catalog(&desk, Some(good)).await.is(200);
    }
    for bad in ["2.10", "2.0", "1.17", "3.0", "0.0"] {
        let refused = catalog(&desk, Some(bad)).await.is(412);
        assert!(
            refused.description().contains("2.11"),
            "{}",
            refused.description()
        );
    }
    for broken in [
        "",
        "2",
        "two",
        "2.x",
        "2.17.1",
        "-2.17",
        "2.99999999999999999999",
    ] {
        let refused = catalog(&desk, Some(broken)).await;
        assert!(
            [400, 412].contains(&refused.status),
            "{broken} {}",
            refused.status
        );
        assert!(!refused.description().is_empty());
    }
}

#[tokio::test]
async fn a_missing_version_is_the_authors_choice() {
    let desk = Desk::new().await;
    catalog(&desk, None).await.is(412);
    let desk = Desk::tuned(|builder| builder.missing_version(MissingVersion::BadRequest)).await;
    let refused = catalog(&desk, None).await.is(400);
    assert!(
        refused.description().contains("x-broker-api-version"),
        "{}",
        refused.description()
    );
}

fn plan(catalog: &Said) -> &Value {
    &catalog.body["services"][0]["plans"][0]
}

#[tokio::test]
async fn answers_show_what_the_version_knows() {
    let mut desk = Desk::new().await;
    let new = catalog(&desk, Some("2.17")).await.is(200);
    assert_eq!(plan(&new)["binding_rotatable"], true);
    assert_eq!(new.body["services"][0]["instances_retrievable"], true);
    let middle = catalog(&desk, Some("2.15")).await.is(200);
    assert!(
        plan(&middle).get("binding_rotatable").is_none(),
        "{}",
        middle.body
    );
    assert_eq!(plan(&middle)["maintenance_info"]["version"], "1.0.0");
    let old = catalog(&desk, Some("2.12")).await.is(200);
    assert!(plan(&old).get("maintenance_info").is_none(), "{}", old.body);
    // The same again, from what was kept.
    assert_eq!(catalog(&desk, Some("2.12")).await.is(200).bytes, old.bytes);

    desk.world.expire("2999-01-01T00:00:00.0Z");
    for (version, shown) in [("2.15", false), ("2.16", true), ("2.17", true)] {
        desk.version = version;
        let i = format!("i{version}");
        assert_eq!(
            desk.provision(&i, false)
                .await
                .is(201)
                .body
                .get("metadata")
                .is_some(),
            shown
        );
        assert_eq!(
            desk.fetch(&i).await.is(200).body.get("metadata").is_some(),
            shown
        );
        let bound = desk
            .bind_with(&i, "b", false, json!({ "parameters": { "a": 1 } }))
            .await
            .is(201);
        assert_eq!(
            bound.body.get("metadata").is_some(),
            shown,
            "{}",
            bound.body
        );
        let fetched = desk.fetch_binding(&i, "b").await.is(200);
        assert_eq!(
            fetched.body.get("parameters").is_some(),
            shown,
            "{}",
            fetched.body
        );
        desk.world.set("update", Deed::now().ends(End::Ruin));
        let failed = desk
            .update(&i, false, json!({ "plan_id": LARGE }))
            .await
            .is(500);
        assert_eq!(failed.body.get("instance_usable").is_some(), shown);
        let failed = desk.last(&i, "").await.has_state("failed");
        assert_eq!(failed.body.get("update_repeatable").is_some(), shown);
    }
}

#[tokio::test]
async fn the_catalog_has_a_tag() {
    let desk = Desk::new().await;
    let first = catalog(&desk, Some("2.17")).await.is(200);
    let tag = first.headers["etag"].clone();
    let asked = async |tags: &str| {
        let request = http::Request::builder()
            .uri("/v2/catalog")
            .header("X-Broker-API-Version", "2.17")
            .header("If-None-Match", tags)
            .body(Bytes::new());
        desk.raw(request.unwrap()).await
    };
    let same = asked(tag.to_str().unwrap()).await.is(304);
    assert!(same.bytes.is_empty());
    assert_eq!(same.headers["etag"], tag);
    asked(&format!("\"other\", W/{}", tag.to_str().unwrap()))
        .await
        .is(304);
    asked("\"other\"").await.is(200);

    let mut next = desk.platform.catalog().await.unwrap();
    next.services[0].description = "Another".to_owned();
    desk.platform.endpoint().set_catalog(next.clone()).unwrap();
    let changed = asked(tag.to_str().unwrap()).await.is(200);
    assert_ne!(changed.headers["etag"], tag);
    // What breaks the protocol is refused and the old one stays.
    next.services[1].id = next.services[0].id.clone();
    assert!(desk.platform.endpoint().set_catalog(next).is_err());
    assert_eq!(
        catalog(&desk, Some("2.17")).await.is(200).bytes,
        changed.bytes
    );
}

/// What left the catalog can still be deleted, and nothing new can be made of it.
#[tokio::test]
async fn a_plan_that_left_the_catalog_can_be_deleted() {
    let desk = Desk::new().await;
    desk.provision("i", false).await.is(201);
    desk.bind("i", "b", false).await.is(201);
    let mut next = desk.platform.catalog().await.unwrap();
    next.services[0].plans.remove(0);
    desk.platform.endpoint().set_catalog(next).unwrap();
    desk.provision("j", false).await.is(400);
    desk.bind("i", "c", false).await.is(400);
    desk.update("i", false, json!({ "parameters": { "a": 1 } }))
        .await
        .is(422);
    desk.fetch("i").await.is(200);
    desk.fetch_binding("i", "b").await.is(200);
    desk.unbind("i", "b", false).await.is(200);
    desk.deprovision("i", false).await.is(200);
    assert!(desk.world.is_empty());
}

#[tokio::test]
async fn the_request_identity_is_echoed_on_every_answer() {
    let desk = Desk::new().await;
    for (method, path, version) in [
        ("GET", "/v2/catalog", "2.17"),
        ("GET", "/v2/catalog", "1.0"),
        ("GET", "/nowhere", "2.17"),
        ("POST", "/v2/catalog", "2.17"),
        ("PUT", "/v2/service_instances/i", "2.17"),
        (
            "DELETE",
            "/v2/service_instances/i?service_id=s&plan_id=p",
            "2.17",
        ),
    ] {
        let request = http::Request::builder()
            .method(method)
            .uri(path)
            .header("X-Broker-API-Version", version)
            .header(
                "X-Broker-API-Request-Identity",
                "e26cee84-6b38-4456-b34e-d1a9f002c956",
            );
        let said = desk.raw(request.body(Bytes::new()).unwrap()).await;
        let echo = &said.headers["x-broker-api-request-identity"];
        assert_eq!(
            echo, "e26cee84-6b38-4456-b34e-d1a9f002c956",
            "{method} {path}"
        );
    }
}
