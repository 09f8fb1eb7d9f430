//! On whose behalf a broker is called, and who may ask for what.

use super::world::{BINDINGS, INSTANCES, Person, World, plain};
use crate::harness::answer::{id, items};
use crate::harness::{Engine, Platform};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::Method;
use quartermaster_osb::Verb;
use serde_json::{Value, json};

on_both_engines!(
    the_user_behind_the_caller_is_told_to_the_broker,
    roles_decide_who_may_ask_and_who_sees_credentials,
    platforms_neither_see_nor_change_what_is_the_managers,
);

/// What a broker hears of the user.
fn heard(header: Option<&str>) -> (String, Value) {
    let (platform, value) = header.unwrap().split_once(' ').unwrap();
    let value = STANDARD.decode(value).unwrap();
    (platform.to_owned(), serde_json::from_slice(&value).unwrap())
}

async fn the_user_behind_the_caller_is_told_to_the_broker(engine: Engine) {
    let world = World::start(engine).await;
    let admin = world.manager.admin();
    let user =
        json!({"username": "jürgen \"x\"", "uid": "1", "groups": ["g"], "extra": {"k": ["v"]}});
    let header = user.to_string();
    let with = [
        ("content-type", "application/json"),
        ("x-originating-identity", header.as_str()),
    ];
    let send = async |method: Method, path: &str, body: Value| {
        let body = if body.is_null() {
            String::new()
        } else {
            body.to_string()
        };
        let answer = admin.send(method, path, &with, body).await;
        assert!(answer.status < 300, "{answer:#?}");
        answer.body
    };
    let made = send(Method::POST, INSTANCES, world.wish("n")).await;
    let one = format!("{INSTANCES}/{}", id(&made));
    send(Method::PATCH, &one, json!({"parameters": {"a": 1}})).await;
    let bind = json!({"name": "b", "service_instance_id": made["id"]});
    let bound = send(Method::POST, BINDINGS, bind).await;
    send(
        Method::DELETE,
        &format!("{BINDINGS}/{}", id(&bound)),
        Value::Null,
    )
    .await;
    send(Method::DELETE, &one, Value::Null).await;
    let calls = world.broker.calls();
    let mut told = 0;
    for call in calls.iter().filter(|call| call.verb != Some(Verb::Catalog)) {
        let (platform, value) = heard(call.header("x-broker-api-originating-identity"));
        assert_eq!(
            (platform.as_str(), &value),
            ("service-manager", &user),
            "{call:?}"
        );
        told += 1;
    }
    assert_eq!(told, 5);
    // Without the header it is the caller itself, also when the work is done later.
    let location = world
        .person()
        .create("?async=true", &world.slow_wish("m"))
        .await
        .location();
    world.person().good_end(&location).await;
    for verb in [Verb::Provision, Verb::PollInstance] {
        let call = world.broker.calls_of(verb).pop().unwrap();
        let (platform, value) = heard(call.header("x-broker-api-originating-identity"));
        assert_eq!(platform, "service-manager");
        assert_eq!(value["username"], "admin");
    }
    // What is no JSON object is not passed on, and not guessed at.
    let before = world.asked();
    for bad in [
        "ada",
        "[]",
        "kubernetes eyJhIjoxfQ==",
        "{\"a\":1,\"a\":2}",
        "{",
    ] {
        let headers = [
            ("content-type", "application/json"),
            ("x-originating-identity", bad),
        ];
        let answer = admin
            .send(
                Method::POST,
                INSTANCES,
                &headers,
                world.wish("x").to_string(),
            )
            .await;
        plain(answer, 400, "BadRequest", &["X-Originating-Identity"]);
    }
    assert_eq!(world.asked(), before);
}

async fn roles_decide_who_may_ask_and_who_sees_credentials(engine: Engine) {
    let world = World::start(engine).await;
    let developer = world.somebody("dora", "developer", None).await;
    let viewer = world.somebody("vera", "viewer", None).await;
    let made = id(&developer.create("", &world.wish("n")).await.expect(201));
    let bound = developer.bind("", &made, "b").await.expect(201);
    let secret = bound["credentials"]["password"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(secret, format!("secret-of-{}", id(&bound)));
    let before = world.asked();
    // A viewer sees that it is there, and what it is for; not what lets one in.
    let shown = viewer.binding(&id(&bound)).await;
    assert!(!shown.text.contains(&secret), "{shown:#?}");
    assert_eq!(shown.expect(200)["name"], "b");
    let listed = viewer.0.get(BINDINGS).await;
    assert!(!listed.text.contains(&secret), "{listed:#?}");
    assert_eq!(items(&listed.expect(200)).len(), 1);
    viewer.instance(&made).await.expect(200);
    // And changes nothing.
    let refused = [
        viewer.create("", &world.wish("x")).await,
        viewer.bind("", &made, "x").await,
        viewer.change(&made, &json!({"name": "x"})).await,
        viewer.delete(&made).await,
        viewer.unbind(&id(&bound)).await,
        viewer.repair(&made, "undelete").await,
        viewer.repair(&made, "retry").await,
        viewer.repair(&made, "rollback").await,
        viewer
            .0
            .delete(&format!("{INSTANCES}/{made}?cascade=true&force=true"))
            .await,
    ];
    for answer in refused {
        plain(answer, 403, "Forbidden", &["developer", "vera"]);
    }
    let anybody = Person(world.manager.anybody());
    anybody
        .create("", &world.wish("x"))
        .await
        .refused(401, "Unauthorized");
    anybody
        .binding(&id(&bound))
        .await
        .refused(401, "Unauthorized");
    assert_eq!(world.asked(), before);
    for who in [&developer, &world.person()] {
        let shown = who.binding(&id(&bound)).await.expect(200);
        assert_eq!(shown["credentials"]["password"], secret);
        let page = who.0.get(BINDINGS).await.expect(200);
        assert_eq!(items(&page)[0]["credentials"]["password"], secret);
    }
}

async fn platforms_neither_see_nor_change_what_is_the_managers(engine: Engine) {
    let world = World::start(engine).await;
    let made = world.made("n").await;
    let bound = world.bound(&made, "b").await;
    let platform = Platform::register(&world.manager, "k", "kubernetes").await;
    let client = Person(platform.client());
    client.instance(&made).await.refused(404, "NotFound");
    client.binding(&bound).await.refused(404, "NotFound");
    for path in [INSTANCES, BINDINGS, "/v1/operations"] {
        assert!(
            items(&client.0.get(path).await.expect(200)).is_empty(),
            "{path}"
        );
    }
    client
        .create("", &world.wish("x"))
        .await
        .refused(401, "Unauthorized");
    client.delete(&made).await.refused(401, "Unauthorized");
    // Not through its door either.
    let door = format!("/v1/osb/{}/v2/service_instances/{made}", world.broker_id);
    let ids = format!(
        "service_id={}&plan_id={}",
        qm_testkit::hostile::SERVICE,
        qm_testkit::hostile::SYNC_PLAN
    );
    let before = world.asked();
    let answer = client.0.delete(&format!("{door}?{ids}")).await;
    assert_eq!(answer.status, 404, "{answer:#?}");
    let answer = client.0.get(&door).await;
    assert_eq!(answer.status, 404, "{answer:#?}");
    assert_eq!(world.asked(), before);
    world.agree().await;
}
