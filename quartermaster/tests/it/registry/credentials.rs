//! Broker-platform credentials, as the Go proxy puts them: `/v1/credentials`.

use crate::harness::answer::{id, text};
use crate::harness::brokers::{broker, hash, register};
use crate::harness::{Engine, Manager, Platform, Setup};
use serde_json::{Value, json};

on_both_engines!(
    a_proxy_answers_a_notification_with_credentials,
    without_a_notification_active_credentials_stay,
    a_notification_must_be_about_the_broker,
    what_is_wrong_with_credentials_is_said,
);

const PATH: &str = "/v1/credentials";

/// A body as the Go proxy sends it, with the empty fields of its struct.
fn body(broker: &Value, user: &str, notification: &str) -> Value {
    json!({
        "id": "", "created_at": "0001-01-01T00:00:00Z", "updated_at": "0001-01-01T00:00:00Z",
        "ready": false, "username": user, "password_hash": hash(user),
        "old_username": "", "old_password_hash": "", "platform_id": "", "broker_id": id(broker),
        "notification_id": notification, "active": false,
    })
}

async fn a_proxy_answers_a_notification_with_credentials(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let platform = Platform::register(&manager, "cf", "cloudfoundry").await;
    let proxy = platform.client();
    let mut stream = platform.connect(None).await;
    let hostile = broker().await;
    let made = register(&admin, "db", &hostile).await;
    let created = stream.next().await;

    // CREATED: with force, as the proxy does it.
    let forced = format!("{PATH}?force=true");
    let put = proxy
        .put(&forced, &body(&made, "one", &id(&created)))
        .await
        .expect(200);
    assert_eq!(put["platform_id"], platform.id.as_str());
    assert_eq!(put["broker_id"], made["id"]);
    assert_eq!(put["username"], "one");
    assert_eq!(put["active"], false);
    let activate = format!("{PATH}/{}/activate", id(&put));
    let active = proxy.put(&activate, &json!({})).await;
    assert_eq!(active.status, 200, "{active:#?}");

    // MODIFIED: without force, but with the notification. The old pair stays until the new one is active.
    let path = format!("/v1/service_brokers/{}", id(&made));
    admin.patch(&path, &json!({})).await.expect(200);
    let modified = stream.next().await;
    let put = proxy
        .put(PATH, &body(&made, "two", &id(&modified)))
        .await
        .expect(200);
    assert_eq!(put["username"], "two");
    assert_eq!(put["old_username"], "one");
    assert_eq!(put["active"], false);
    proxy.put(&activate, &json!({})).await.expect(200);
    // Twice in a row without activation: the pair that works is kept, not the unused one between.
    admin.patch(&path, &json!({})).await.expect(200);
    let again = id(&stream.next().await);
    proxy
        .put(PATH, &body(&made, "three", &again))
        .await
        .expect(200);
    let put = proxy
        .put(PATH, &body(&made, "four", &again))
        .await
        .expect(200);
    assert_eq!(put["username"], "four");
    assert_eq!(put["old_username"], "two");
}

async fn without_a_notification_active_credentials_stay(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let hostile = broker().await;
    let made = register(&admin, "db", &hostile).await;
    let platform = Platform::register(&manager, "cf", "cloudfoundry").await;
    let proxy = platform.client();
    let put = proxy.put(PATH, &body(&made, "one", "")).await.expect(200);
    // Not active yet: may be replaced.
    proxy.put(PATH, &body(&made, "two", "")).await.expect(200);
    let activate = format!("{PATH}/{}/activate", id(&put));
    proxy.put(&activate, &json!({})).await.expect(200);
    let told = proxy.put(PATH, &body(&made, "three", "")).await;
    told.refused(409, "CredentialsError");
    let forced = format!("{PATH}?force=true");
    proxy
        .put(&forced, &body(&made, "three", ""))
        .await
        .expect(200);

    // Another platform has its own.
    let other = Platform::register(&manager, "k8s", "cloudfoundry").await;
    let theirs = other
        .client()
        .put(PATH, &body(&made, "four", ""))
        .await
        .expect(200);
    assert_eq!(theirs["platform_id"], other.id.as_str());
    assert_ne!(theirs["id"], put["id"]);
    // They go with their broker.
    admin
        .delete(&format!("/v1/service_brokers/{}", id(&made)))
        .await
        .expect(200);
    proxy
        .put(&activate, &json!({}))
        .await
        .refused(404, "NotFound");
}

async fn a_notification_must_be_about_the_broker(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let platform = Platform::register(&manager, "cf", "cloudfoundry").await;
    let restricted = json!({"name": "red", "type": "cloudfoundry", "labels": {"tenant": ["red"]}});
    let restricted = Platform::register_as(&manager, &restricted).await;
    let mut stream = platform.connect(None).await;
    let hostile = broker().await;
    let first = register(&admin, "first", &hostile).await;
    let about_first = id(&stream.next().await);
    let mut blue = crate::harness::brokers::registration("blue", &hostile);
    blue["labels"] = json!({"tenant": ["blue"]});
    let second = admin.post("/v1/service_brokers", &blue).await.expect(201);
    let about_second = id(&stream.next().await);
    let plan = crate::harness::brokers::plan_named(&admin, &first, "sync").await;
    crate::harness::brokers::show(&admin, &plan, None)
        .await
        .expect(201);
    let about_visibility = stream.next().await;
    assert_eq!(text(&about_visibility, "resource"), "/v1/visibilities");

    let proxy = platform.client();
    for (made, notification) in [
        (&first, about_second.as_str()),
        (&first, &id(&about_visibility)),
        (&first, "no-such"),
        (&second, &about_first),
    ] {
        let answer = proxy.put(PATH, &body(made, "u", notification)).await;
        answer.refused(400, "CredentialsError");
    }
    proxy
        .put(PATH, &body(&first, "u", &about_first))
        .await
        .expect(200);
    // A notification that went to others proves nothing.
    let answer = restricted
        .client()
        .put(PATH, &body(&second, "u", &about_second))
        .await;
    assert!([400, 404].contains(&answer.status), "{answer:#?}");
}

async fn what_is_wrong_with_credentials_is_said(engine: Engine) {
    let manager = Setup::new(engine).start().await;
    let admin = manager.admin();
    let hostile = broker().await;
    let made = register(&admin, "db", &hostile).await;
    let platform = Platform::register(&manager, "cf", "cloudfoundry").await;
    let proxy = platform.client();
    for missing in ["broker_id", "username", "password_hash"] {
        let mut wrong = body(&made, "u", "");
        wrong[missing] = json!("");
        let answer = proxy.put(PATH, &wrong).await;
        assert_eq!(answer.status, 400, "without {missing}: {answer:#?}");
    }
    let mut nowhere = body(&made, "u", "");
    nowhere["broker_id"] = json!("nobody");
    let answer = proxy.put(PATH, &nowhere).await;
    assert!([400, 404].contains(&answer.status), "{answer:#?}");
    // The platform is the caller, whatever the body says.
    let other = Platform::register(&manager, "other", "cloudfoundry").await;
    let mut forged = body(&made, "u", "");
    forged["platform_id"] = json!(other.id);
    let put = proxy.put(PATH, &forged).await.expect(200);
    assert_eq!(put["platform_id"], platform.id.as_str());
    let missing = format!("{PATH}/nobody/activate");
    proxy
        .put(&missing, &json!({}))
        .await
        .refused(404, "NotFound");
    admin
        .put(PATH, &body(&made, "u", ""))
        .await
        .refused(401, "Unauthorized");
    manager
        .anybody()
        .put(PATH, &body(&made, "u", ""))
        .await
        .expect(401);
}
