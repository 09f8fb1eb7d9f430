//! The stream `/v1/notifications`: the handshake, revisions, pings, and what the messages say.

use crate::harness::answer::{id, text};
use crate::harness::brokers::{broker, plan_named, register, show};
use crate::harness::{Client, Engine, Manager, Platform, Setup, Socket, eventually};
use serde_json::{Value, json};

on_both_engines!(
    the_handshake_says_what_a_proxy_needs,
    changes_arrive_in_order_and_whole,
    a_platform_that_was_away_hears_what_it_missed,
    a_revision_that_is_not_kept_is_gone,
    old_notifications_are_forgotten,
    every_connection_hears_everything,
    a_silent_platform_is_closed,
    a_platform_is_active_while_it_pings,
    only_a_platform_may_listen,
);

async fn the_handshake_says_what_a_proxy_needs(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let platform = Platform::register(&manager, "cf", "cloudfoundry").await;
    let stream = platform.connect(None).await;
    assert_eq!(stream.ping_period(), "30s");
    // A proxy takes a revision that is not above zero for an error.
    assert!(stream.revision().is_none_or(|revision| revision > 0));
    stream.close().await;

    let hostile = broker().await;
    register(&admin, "db", &hostile).await;
    let stream = eventually("the change has its revision", async || {
        let stream = platform.connect(None).await;
        stream.revision().map(|_| stream)
    })
    .await;
    assert!(stream.revision().unwrap() > 0);
}

async fn changes_arrive_in_order_and_whole(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    // With one platform alone, what is for it is for everyone.
    Platform::register(&manager, "other", "cloudfoundry").await;
    let platform = Platform::register(&manager, "cf", "cloudfoundry").await;
    let mut stream = platform.connect(None).await;
    let hostile = broker().await;
    let made = register(&admin, "db", &hostile).await;

    let created = stream.next().await;
    assert_eq!(created["resource"], "/v1/service_brokers");
    assert_eq!(created["type"], "CREATED");
    assert_eq!(created["ready"], true);
    for field in ["id", "created_at", "updated_at", "correlation_id"] {
        assert!(!text(&created, field).is_empty(), "{field} in {created}");
    }
    let payload = &created["payload"];
    assert_eq!(payload.get("old"), None);
    let resource = &payload["new"]["resource"];
    assert_eq!(resource["id"], made["id"]);
    assert_eq!(resource["name"], "db");
    assert_eq!(resource["broker_url"], hostile.url());
    assert_eq!(resource.get("credentials"), None);
    let services = payload["new"]["additional"]["services"].as_array().unwrap();
    assert_eq!(services.len(), 1);
    assert_eq!(services[0]["broker_id"], made["id"]);
    let plans = services[0]["plans"].as_array().unwrap();
    assert_eq!(plans.len(), 2);
    for field in [
        "id",
        "name",
        "catalog_id",
        "catalog_name",
        "service_offering_id",
        "description",
    ] {
        assert!(!text(&plans[0], field).is_empty(), "{field}");
    }

    let sync = plan_named(&admin, &made, "sync").await;
    let seen = show(&admin, &sync, Some(&platform.id)).await.expect(201);
    let created = stream.next().await;
    assert_eq!(created["resource"], "/v1/visibilities");
    assert_eq!(created["type"], "CREATED");
    assert_eq!(created["platform_id"], platform.id.as_str());
    let new = &created["payload"]["new"];
    assert_eq!(new["resource"]["id"], seen["id"]);
    assert_eq!(new["resource"]["service_plan_id"], sync["id"]);
    assert_eq!(new["additional"]["broker_id"], made["id"]);
    assert_eq!(new["additional"]["broker_name"], "db");
    for field in [
        "id",
        "name",
        "catalog_id",
        "catalog_name",
        "service_offering_id",
        "description",
    ] {
        assert_eq!(
            new["additional"]["service_plan"][field], sync[field],
            "{field}"
        );
    }

    let one = format!("/v1/visibilities/{}", id(&seen));
    let change = json!([{"op": "add", "key": "organization_guid", "values": ["org-1"]}]);
    admin
        .patch(&one, &json!({"labels": change}))
        .await
        .expect(200);
    let modified = stream.next().await;
    assert_eq!(modified["type"], "MODIFIED");
    // `add` and `add_values` are the same to a proxy; a word that it does not know never comes.
    let told = &modified["payload"]["label_changes"][0];
    assert!(
        ["add", "add_values"].contains(&told["op"].as_str().unwrap()),
        "{told}"
    );
    assert_eq!(told["key"], change[0]["key"]);
    assert_eq!(told["values"], change[0]["values"]);
    assert_eq!(modified["payload"]["new"]["resource"]["id"], seen["id"]);
    assert_eq!(modified["payload"]["old"]["resource"]["id"], seen["id"]);

    let broker = format!("/v1/service_brokers/{}", id(&made));
    let rename = json!({"name": "databases"});
    let headers = [
        ("content-type", "application/json"),
        ("x-correlation-id", "c-42"),
    ];
    let renamed = admin
        .send(http::Method::PATCH, &broker, &headers, rename.to_string())
        .await;
    renamed.expect(200);
    let modified = stream.next().await;
    assert_eq!(modified["resource"], "/v1/service_brokers");
    assert_eq!(modified["type"], "MODIFIED");
    assert_eq!(modified["correlation_id"], "c-42");
    assert_eq!(modified["payload"]["old"]["resource"]["name"], "db");
    assert_eq!(modified["payload"]["new"]["resource"]["name"], "databases");
    let old = &modified["payload"]["old"]["additional"]["services"];
    assert!(
        !old.as_array().unwrap().is_empty(),
        "a proxy wants both sides whole"
    );

    // An empty PATCH of a broker says that it was looked at.
    admin.patch(&broker, &json!({})).await.expect(200);
    assert_eq!(stream.next().await["type"], "MODIFIED");

    admin.delete(&one).await.expect(200);
    let deleted = stream.next().await;
    assert_eq!(deleted["type"], "DELETED");
    assert_eq!(deleted["payload"].get("new"), None);
    assert_eq!(deleted["payload"]["old"]["resource"]["id"], seen["id"]);
    let labels = &deleted["payload"]["old"]["resource"]["labels"];
    assert_eq!(
        labels,
        &json!({"organization_guid": ["org-1"]}),
        "to know whom to take it from"
    );
    admin.delete(&broker).await.expect(200);
    let deleted = stream.next().await;
    assert_eq!(deleted["resource"], "/v1/service_brokers");
    assert_eq!(deleted["type"], "DELETED");
    assert_eq!(deleted["payload"]["old"]["resource"]["name"], "databases");
    let services = &deleted["payload"]["old"]["additional"]["services"];
    assert!(!services.as_array().unwrap().is_empty(), "{deleted}");
}

async fn a_platform_that_was_away_hears_what_it_missed(engine: Engine) {
    let mut manager = Manager::start(engine).await;
    let admin = manager.admin();
    let platform = Platform::register(&manager, "cf", "cloudfoundry").await;
    let hostile = broker().await;
    let mut stream = platform.connect(None).await;
    register(&admin, "b0", &hostile).await;
    let mut last = stream.next().await["revision"].as_i64().unwrap();
    stream.close().await;
    for name in ["b1", "b2", "b3"] {
        register(&admin, name, &hostile).await;
    }
    let mut stream = platform.connect(Some(last)).await;
    let mut heard = Vec::new();
    for _ in 0..3 {
        let message = stream.next().await;
        let revision = message["revision"].as_i64().unwrap();
        assert!(revision > last, "{revision} after {last}");
        last = revision;
        heard.push(text(&message["payload"]["new"]["resource"], "name"));
    }
    assert_eq!(heard, ["b1", "b2", "b3"]);
    // Live again, without a gap.
    register(&admin, "b4", &hostile).await;
    let message = stream.next().await;
    assert_eq!(message["payload"]["new"]["resource"]["name"], "b4");
    last = message["revision"].as_i64().unwrap();
    stream.close().await;

    // Also over a restart of the manager.
    register(&admin, "b5", &hostile).await;
    manager.restart().await;
    let mut stream = platform.connect(Some(last)).await;
    let message = stream.next().await;
    assert_eq!(message["payload"]["new"]["resource"]["name"], "b5");
    // Who names no revision hears only what is new.
    let mut fresh = platform.connect(None).await;
    register(&manager.admin(), "b6", &hostile).await;
    let message = fresh.next().await;
    assert_eq!(message["payload"]["new"]["resource"]["name"], "b6");
}

async fn a_revision_that_is_not_kept_is_gone(engine: Engine) {
    let setup = Setup::new(engine).set("QM_NOTIFICATIONS_QUEUE", "3");
    let manager = setup.start().await;
    let admin = manager.admin();
    let platform = Platform::register(&manager, "cf", "cloudfoundry").await;
    let hostile = broker().await;
    let made = register(&admin, "db", &hostile).await;
    manager.settle().await;
    let last = eventually("a revision is known", async || {
        let stream = platform.connect(None).await;
        let revision = stream.revision();
        stream.close().await;
        revision
    })
    .await;
    // The first connection activates the platform's pair, and the other replicas are told of that.
    eventually("the pair is activated", async || {
        let active = "SELECT count(*) FROM platform WHERE name = 'cf' AND credentials_active";
        (manager.sql(active) == ["1"]).then_some(())
    })
    .await;
    manager.settle().await;
    let stream = platform.connect(Some(last)).await;
    let last = stream.revision().unwrap();
    stream.close().await;
    for gone in [0, -1, last + 1, last + 1000] {
        let refused = platform.try_connect(Some(gone), &[]).await.err().unwrap();
        assert_eq!(refused.status, 410, "{gone}: {refused:?}");
    }
    let url = manager.url();
    let caller = platform.client();
    let refused = Socket::connect(&caller, &url, Some("word"), &[])
        .await
        .err()
        .unwrap();
    assert_eq!(refused.status, 400, "{refused:?}");

    // More missed than a queue holds: read everything anew.
    let broker = format!("/v1/service_brokers/{}", id(&made));
    for _ in 0..5 {
        admin.patch(&broker, &json!({})).await.expect(200);
    }
    eventually("too much was missed", async || {
        let refused = platform.try_connect(Some(last), &[]).await.err()?;
        (refused.status == 410).then_some(())
    })
    .await;
}

async fn old_notifications_are_forgotten(engine: Engine) {
    let setup = Setup::new(engine)
        .set("QM_NOTIFICATIONS_KEEP_FOR", "1s")
        .set("QM_NOTIFICATIONS_CLEAN_INTERVAL", "1s");
    let mut manager = setup.start().await;
    let admin = manager.admin();
    let platform = Platform::register(&manager, "cf", "cloudfoundry").await;
    let mut stream = platform.connect(None).await;
    let hostile = broker().await;
    for name in ["a", "b"] {
        register(&admin, name, &hostile).await;
    }
    let first = stream.next().await["revision"].as_i64().unwrap();
    let last = stream.next().await["revision"].as_i64().unwrap();
    stream.close().await;
    eventually("the first one is forgotten", async || {
        let refused = platform.try_connect(Some(first), &[]).await.err()?;
        (refused.status == 410).then_some(())
    })
    .await;
    // Who has heard all misses nothing, however old that is; also after a restart, which cleans too.
    platform.connect(Some(last)).await.close().await;
    manager.restart().await;
    let mut stream = platform.connect(Some(last)).await;
    register(&admin, "c", &hostile).await;
    let message = stream.next().await;
    assert_eq!(message["payload"]["new"]["resource"]["name"], "c");
    assert!(
        message["revision"].as_i64().unwrap() > last,
        "numbers are never given twice"
    );
}

async fn every_connection_hears_everything(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let platform = Platform::register(&manager, "cf", "cloudfoundry").await;
    let mut first = platform.connect(None).await;
    let mut second = platform.connect(None).await;
    let hostile = broker().await;
    register(&admin, "db", &hostile).await;
    let (a, b) = (first.next().await, second.next().await);
    assert_eq!(a, b);
}

async fn a_silent_platform_is_closed(engine: Engine) {
    let setup = Setup::new(engine).set("QM_NOTIFICATIONS_PING_TIMEOUT", "1s");
    let manager = setup.start().await;
    let platform = Platform::register(&manager, "cf", "cloudfoundry").await;
    let mut silent = platform.connect(None).await;
    assert_eq!(silent.ping_period(), "1s");
    assert_eq!(silent.close_code().await, Some(1001));
}

async fn a_platform_is_active_while_it_pings(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let platform = Platform::register(&manager, "cf", "cloudfoundry").await;
    let active = async |wanted: &str| {
        let criterion = format!("active eq {wanted} and id eq '{}'", platform.id);
        let path = crate::harness::query("/v1/platforms", &[("fieldQuery", &criterion)]);
        eventually("activity is known", async || {
            let page: Value = admin.get(&path).await.expect(200);
            (page["num_items"] == 1).then_some(())
        })
        .await;
    };
    active("false").await;
    let mut stream = platform.connect(None).await;
    stream.ping(b"echo me").await;
    active("true").await;
    stream.close().await;
    active("false").await;
}

async fn only_a_platform_may_listen(engine: Engine) {
    let manager = Manager::start(engine).await;
    let url = manager.url();
    let platform = Platform::register(&manager, "cf", "cloudfoundry").await;
    let nobody = Client::anonymous(&url);
    let wrong = Client::basic(&url, &platform.user, "wrong");
    for caller in [nobody, wrong] {
        let refused = Socket::connect(&caller, &url, None, &[])
            .await
            .err()
            .unwrap();
        assert_eq!(refused.status, 401, "{refused:?}");
    }
    // A person has no platform: refused, and not with a 500 as the old server did.
    let refused = Socket::connect(&manager.admin(), &url, None, &[])
        .await
        .err()
        .unwrap();
    assert!([401, 403].contains(&refused.status), "{refused:?}");
    let plain = platform.client().get("/v1/notifications").await;
    plain.refused(400, "WebsocketUpgradeError");
}
