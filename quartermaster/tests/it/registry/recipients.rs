//! Which platform is told of which change.
//!
//! Silence cannot be waited for. Every test ends with a change that all hear (the last word), and looks at what
//! each platform heard before it.

use crate::harness::answer::{id, text};
use crate::harness::brokers::{
    broker, broker_with, hash, offering, plan, plan_for, plan_named, read, register,
    register_labelled, show,
};
use crate::harness::{Client, Engine, Manager, Platform, Socket};
use serde_json::{Value, json};

on_both_engines!(
    only_platforms_that_a_plan_supports_hear_of_a_broker,
    a_changed_rule_takes_and_gives,
    a_tenants_broker_is_told_to_its_tenant,
    a_visibility_is_told_to_its_platform,
    a_visibility_that_moves_is_taken_from_one_and_given_to_another,
    technical_platforms_and_unready_brokers_are_not_told_of,
);

/// What a platform heard before the last word: type and the resource's name, or its id.
async fn heard(stream: &mut Socket) -> Vec<(String, String)> {
    let mut heard = Vec::new();
    loop {
        let message = stream.next().await;
        let payload = &message["payload"];
        let side = payload.get("new").unwrap_or(&payload["old"]);
        let resource = &side["resource"];
        let name = resource.get("name").unwrap_or(&resource["id"]);
        let name = name.as_str().unwrap().to_owned();
        if name == "the last word" {
            return heard;
        }
        heard.push((text(&message, "type"), name));
    }
}

/// A change that every platform hears.
async fn last_word(admin: &Client) {
    let hostile = broker().await;
    register(admin, "the last word", &hostile).await;
}

fn told(words: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |(change, name): &(&str, &str)| ((*change).to_owned(), (*name).to_owned());
    words.iter().map(owned).collect()
}

fn catalog(plans: &[Value]) -> Value {
    json!({"services": [offering("o1", "db", plans)]})
}

async fn only_platforms_that_a_plan_supports_hear_of_a_broker(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let cf = Platform::register(&manager, "cf-eu", "cloudfoundry").await;
    let k8s = Platform::register(&manager, "k8s-us", "kubernetes").await;
    manager.settle().await;
    let (mut cf, mut k8s) = (cf.connect(None).await, k8s.connect(None).await);
    let brokers = [
        ("types", "supportedPlatforms", vec!["kubernetes"]),
        ("names", "supportedPlatformNames", vec!["cf-eu", "x"]),
        ("except", "excludedPlatformNames", vec!["cf-eu"]),
        ("nobody", "supportedPlatforms", vec!["abap"]),
    ];
    let mut running = Vec::new();
    for (name, key, values) in brokers {
        let plans = [plan_for("p1", "small", key, &values)];
        let hostile = broker_with(&catalog(&plans)).await;
        register(&admin, name, &hostile).await;
        running.push(hostile);
    }
    // One plan for everybody is enough.
    let mixed = [
        plan_for("p1", "small", "supportedPlatforms", &["abap"]),
        plan("p2", "large"),
    ];
    let hostile = broker_with(&catalog(&mixed)).await;
    register(&admin, "mixed", &hostile).await;
    last_word(&admin).await;
    let made = |names: &[&str]| {
        told(
            &names
                .iter()
                .map(|name| ("CREATED", *name))
                .collect::<Vec<_>>(),
        )
    };
    assert_eq!(heard(&mut cf).await, made(&["names", "mixed"]));
    assert_eq!(heard(&mut k8s).await, made(&["types", "except", "mixed"]));
}

async fn a_changed_rule_takes_and_gives(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let rule = |kind: &str| catalog(&[plan_for("p1", "small", "supportedPlatforms", &[kind])]);
    let hostile = broker_with(&rule("cloudfoundry")).await;
    let made = register(&admin, "db", &hostile).await;
    let cf = Platform::register(&manager, "cf", "cloudfoundry").await;
    let k8s = Platform::register(&manager, "k8s", "kubernetes").await;
    // What the platform that loses the broker used there must go too.
    let credential = json!({"broker_id": id(&made), "username": "u", "password_hash": hash("u")});
    let credential = cf
        .client()
        .put("/v1/credentials", &credential)
        .await
        .expect(200);
    manager.settle().await;
    let (mut to_cf, mut to_k8s) = (cf.connect(None).await, k8s.connect(None).await);
    hostile.set_catalog(read(&rule("kubernetes")));
    let path = format!("/v1/service_brokers/{}", id(&made));
    admin.patch(&path, &json!({})).await.expect(200);
    last_word(&admin).await;
    assert_eq!(heard(&mut to_cf).await, told(&[("DELETED", "db")]));
    let gained = heard(&mut to_k8s).await;
    assert_eq!(gained[0], told(&[("CREATED", "db")])[0], "{gained:?}");
    let activate = format!("/v1/credentials/{}/activate", id(&credential));
    cf.client()
        .put(&activate, &json!({}))
        .await
        .refused(404, "NotFound");
}

async fn a_tenants_broker_is_told_to_its_tenant(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let of = |name: &str, tenant: &str| json!({"name": name, "type": "cloudfoundry", "labels": {"tenant": [tenant]}});
    let red = Platform::register_as(&manager, &of("red", "red")).await;
    let blue = Platform::register_as(&manager, &of("blue", "blue")).await;
    let all = Platform::register(&manager, "all", "cloudfoundry").await;
    manager.settle().await;
    let mut red = red.connect(None).await;
    let mut blue = blue.connect(None).await;
    let mut all = all.connect(None).await;
    let hostile = broker().await;
    let labels = json!({"tenant": ["red"]});
    let made = register_labelled(&admin, "reds", &hostile, &labels).await;
    let path = format!("/v1/service_brokers/{}", id(&made));
    admin.patch(&path, &json!({})).await.expect(200);
    admin.delete(&path).await.expect(200);
    last_word(&admin).await;
    let whole = told(&[
        ("CREATED", "reds"),
        ("MODIFIED", "reds"),
        ("DELETED", "reds"),
    ]);
    assert_eq!(heard(&mut red).await, whole);
    assert_eq!(heard(&mut all).await, whole);
    assert_eq!(heard(&mut blue).await, []);

    // One that becomes another's is taken from those who may not have it any more.
    let shared = register(&admin, "shared", &hostile).await;
    let path = format!("/v1/service_brokers/{}", id(&shared));
    let change = json!({"labels": [{"op": "add", "key": "tenant", "values": ["red"]}]});
    admin.patch(&path, &change).await.expect(200);
    let word = register(&admin, "the last word of all", &hostile).await;
    let until = |heard: &mut Vec<Value>, message: Value| {
        let last = message["payload"]["new"]["resource"]["id"] == word["id"];
        heard.push(message["type"].clone());
        last
    };
    for (stream, second) in [(&mut red, "MODIFIED"), (&mut blue, "DELETED")] {
        let mut heard = Vec::new();
        while !until(&mut heard, stream.next().await) {}
        assert_eq!(heard, ["CREATED", second, "CREATED"]);
    }
}

async fn a_visibility_is_told_to_its_platform(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let hostile = broker().await;
    let made = register(&admin, "db", &hostile).await;
    let sync = plan_named(&admin, &made, "sync").await;
    let other = plan_named(&admin, &made, "async").await;
    let mine = Platform::register(&manager, "mine", "cloudfoundry").await;
    let theirs = Platform::register(&manager, "theirs", "kubernetes").await;
    manager.settle().await;
    let (mut here, mut there) = (mine.connect(None).await, theirs.connect(None).await);
    let private = show(&admin, &sync, Some(&mine.id)).await.expect(201);
    let public = show(&admin, &other, None).await.expect(201);
    for made in [&private, &public] {
        let path = format!("/v1/visibilities/{}", id(made));
        admin.delete(&path).await.expect(200);
    }
    last_word(&admin).await;
    let (private, public) = (id(&private), id(&public));
    let here = heard(&mut here).await;
    let both = [
        ("CREATED", private.as_str()),
        ("CREATED", &public),
        ("DELETED", &private),
        ("DELETED", &public),
    ];
    assert_eq!(here, told(&both));
    let there = heard(&mut there).await;
    assert_eq!(there, told(&[("CREATED", &public), ("DELETED", &public)]));
}

async fn a_visibility_that_moves_is_taken_from_one_and_given_to_another(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let hostile = broker().await;
    let made = register(&admin, "db", &hostile).await;
    let sync = plan_named(&admin, &made, "sync").await;
    let from = Platform::register(&manager, "from", "cloudfoundry").await;
    let to = Platform::register(&manager, "to", "cloudfoundry").await;
    let seen = show(&admin, &sync, Some(&from.id)).await.expect(201);
    manager.settle().await;
    let (mut from, mut there) = (from.connect(None).await, to.connect(None).await);
    let path = format!("/v1/visibilities/{}", id(&seen));
    let change = json!({"platform_id": to.id});
    admin.patch(&path, &change).await.expect(200);
    last_word(&admin).await;
    let name = id(&seen);
    assert_eq!(heard(&mut from).await, told(&[("DELETED", &name)]));
    let gained = heard(&mut there).await;
    assert_eq!(gained[0], told(&[("CREATED", &name)])[0], "{gained:?}");
}

async fn technical_platforms_and_unready_brokers_are_not_told_of(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let hostile = broker().await;
    let made = register(&admin, "db", &hostile).await;
    let sync = plan_named(&admin, &made, "sync").await;
    let listener = Platform::register(&manager, "cf", "cloudfoundry").await;
    let technical = json!({"name": "tech", "type": "cloudfoundry", "technical": true});
    let technical = admin.post("/v1/platforms", &technical).await.expect(201);
    manager.settle().await;
    let mut stream = listener.connect(None).await;

    show(&admin, &sync, Some(&id(&technical))).await.expect(201);
    let own = show(&admin, &sync, Some("service-manager")).await;
    own.expect(201);
    // A registration that fails is heard of by nobody.
    let nowhere = json!({
        "name": "nowhere", "broker_url": "http://127.0.0.1:1",
        "credentials": {"basic": {"username": "u", "password": "p"}},
    });
    let begun = admin.post("/v1/service_brokers?async=true", &nowhere).await;
    let location = begun.location();
    crate::harness::eventually("it has failed", async || {
        let operation = admin.get(&location).await.expect(200);
        (operation["state"] == "failed").then_some(())
    })
    .await;
    last_word(&admin).await;
    assert_eq!(heard(&mut stream).await, []);
}
