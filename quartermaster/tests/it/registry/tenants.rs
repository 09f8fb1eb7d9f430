//! Callers that are confined to a tenant: they see what bears its label, and what they make bears it.

use crate::harness::answer::{fields, id};
use crate::harness::brokers::{broker, register, register_labelled, registration};
use crate::harness::{Client, Engine, Manager, login, query};
use serde_json::json;

on_both_engines!(
    a_tenant_sees_and_makes_its_own,
    a_tenant_cannot_reach_over_the_fence
);

/// A user of a tenant with a role.
async fn user(manager: &Manager, name: &str, role: &str, tenant: &str) -> Client {
    let body = json!({"name": name, "password": "correct horse battery", "roles": [role], "tenant": tenant});
    manager.admin().post("/v1/users", &body).await.expect(201);
    let token = login::access_token(&manager.url(), name, "correct horse battery").await;
    Client::bearer(&manager.url(), &token)
}

async fn a_tenant_sees_and_makes_its_own(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let hostile = broker().await;
    let red = user(&manager, "ruby", "admin", "red").await;
    register(&admin, "everybody's", &hostile).await;
    register_labelled(&admin, "blue's", &hostile, &json!({"tenant": ["blue"]})).await;
    let own = register(&red, "red's", &hostile).await;
    assert_eq!(
        own["labels"],
        json!({"tenant": ["red"]}),
        "what a tenant makes bears its label"
    );

    let page = red.get("/v1/service_brokers").await.expect(200);
    assert_eq!(fields(&page, "name"), ["red's"]);
    assert_eq!(page["num_items"], 1);
    let all = admin.get("/v1/service_brokers").await.expect(200);
    assert_eq!(all["num_items"], 3);
    // Offerings and plans: its own and those that no tenant owns, never another tenant's.
    let offerings = red.get("/v1/service_offerings").await.expect(200);
    assert_eq!(offerings["num_items"], 2);
    assert_eq!(
        red.get("/v1/service_plans").await.expect(200)["num_items"],
        4
    );

    let platform = json!({"name": "red-cf", "type": "cloudfoundry"});
    let platform = red.post("/v1/platforms", &platform).await.expect(201);
    assert_eq!(platform["labels"], json!({"tenant": ["red"]}));
    let page = red.get("/v1/platforms").await.expect(200);
    assert_eq!(fields(&page, "name"), ["red-cf"]);
    let one = format!("/v1/service_brokers/{}", id(&own));
    red.patch(&one, &json!({"description": "mine"}))
        .await
        .expect(200);
    red.delete(&one).await.expect(200);
}

async fn a_tenant_cannot_reach_over_the_fence(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let hostile = broker().await;
    let red = user(&manager, "ruby", "admin", "red").await;
    let blue = register_labelled(&admin, "blue's", &hostile, &json!({"tenant": ["blue"]})).await;
    let one = format!("/v1/service_brokers/{}", id(&blue));
    red.get(&one).await.refused(404, "NotFound");
    red.patch(&one, &json!({})).await.refused(404, "NotFound");
    red.delete(&one).await.refused(404, "NotFound");
    red.delete("/v1/service_brokers")
        .await
        .refused(404, "NotFound");
    let named = query(
        "/v1/service_brokers",
        &[("fieldQuery", "name eq 'blue''s'")],
    );
    assert_eq!(red.get(&named).await.expect(200)["num_items"], 0);
    let labelled = query("/v1/service_brokers", &[("labelQuery", "tenant eq 'blue'")]);
    assert_eq!(red.get(&labelled).await.expect(200)["num_items"], 0);

    // Neither by claiming the label of another, nor by giving up its own.
    let mut forged = registration("forged", &hostile);
    forged["labels"] = json!({"tenant": ["blue"]});
    let answer = red.post("/v1/service_brokers", &forged).await;
    if answer.status == 201 {
        assert_eq!(
            answer.body["labels"],
            json!({"tenant": ["red"]}),
            "{answer:#?}"
        );
    } else {
        assert!([400, 403].contains(&answer.status), "{answer:#?}");
    }
    let own = register(&red, "own", &hostile).await;
    let path = format!("/v1/service_brokers/{}", id(&own));
    for change in [
        json!([{"op": "add", "key": "tenant", "values": ["blue"]}]),
        json!([{"op": "remove", "key": "tenant"}]),
        json!([{"op": "replace", "key": "tenant", "values": ["blue"]}]),
    ] {
        let answer = red.patch(&path, &json!({"labels": change})).await;
        assert!([400, 403].contains(&answer.status), "{change}: {answer:#?}");
        let kept = admin.get(&path).await.expect(200);
        assert_eq!(kept["labels"], json!({"tenant": ["red"]}));
    }
    // What concerns all tenants is not a tenant's.
    let visibility = json!({"service_plan_id": "x"});
    red.post("/v1/visibilities", &visibility)
        .await
        .refused(403, "Forbidden");
    red.get("/v1/users").await.refused(403, "Forbidden");
    red.get("/v1/config").await.refused(403, "Forbidden");
    red.get("/v1/audit").await.refused(403, "Forbidden");
}
