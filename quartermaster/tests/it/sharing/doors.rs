//! References of platforms, and bindings of references.

use super::shop::{Shop, path, share};
use crate::harness::answer::id;
use crate::harness::{Engine, Platform, eventually};
use qm_testkit::hostile::{ASYNC_PLAN, Call, SERVICE, SYNC_PLAN};
use quartermaster_osb::Verb;
use serde_json::{Value, json};

on_both_engines!(
    a_reference_at_a_door,
    defect_10_bindings_of_a_reference_are_the_shared_instances,
    defect_10_bindings_for_people,
    a_bind_that_nobody_polls_is_followed_at_the_shared_instance,
    of_many_who_refer_under_one_id_one_does,
    a_cascade_takes_references_along_and_asks_only_for_what_is_there,
);

async fn a_reference_at_a_door(engine: Engine) {
    let shop = Shop::open(engine).await;
    let admin = shop.admin();
    shop.door().provision("theirs").await.expect(201);
    let other = Platform::register(&shop.world.manager, "k2", "kubernetes").await;
    let door = shop.world.door_of(&other);
    let wanted = shop.wanted(&json!({"referenced_instance_id": "theirs"}));
    door.provision_as("r", &wanted)
        .await
        .refused(400, "BadRequest");
    share(&admin, "theirs", true).await.expect(200);
    let calls = shop.world.broker.calls().len();

    assert_eq!(door.provision_as("r", &wanted).await.expect(201), json!({}));
    assert_eq!(door.provision_as("r", &wanted).await.expect(200), json!({}));
    let another = shop.wanted(&json!({"selectors": {"plan_name_selector": "sync"}}));
    door.provision_as("r", &another).await.expect(409);
    shop.door().provision_as("r", &wanted).await.expect(409);
    let fetched = door.client.get(&door.url("r")).await.expect(200);
    assert_eq!(fetched["service_id"], SERVICE);
    assert_eq!(fetched["plan_id"], shop.reference_plan());
    assert_eq!(
        fetched["parameters"],
        json!({"referenced_instance_id": "theirs"})
    );
    assert_eq!(door.poll("r").await.expect(200)["state"], "succeeded");
    let shown = admin.get(&path("r")).await.expect(200);
    assert_eq!(shown["platform_id"], other.id.as_str());
    assert_eq!(shown["referenced_instance_id"], "theirs");
    assert_eq!(shown["last_operation"]["type"], "create");
    assert_eq!(shown["last_operation"]["state"], "succeeded");

    let context = json!({"context": {"platform": "kubernetes", "instance_name": "renamed"}});
    assert_eq!(door.update("r", &context).await.expect(200), json!({}));
    let shown = admin.get(&path("r")).await.expect(200);
    assert_eq!(shown["name"], "renamed");
    assert_eq!(shown["last_operation"]["type"], "update");
    let kept = json!({"plan_id": shop.reference_plan()});
    door.update("r", &kept).await.expect(200);
    for change in [
        json!({"plan_id": SYNC_PLAN}),
        json!({"parameters": {"referenced_instance_id": "*"}}),
        json!({"parameters": {"size": 5}}),
    ] {
        door.update("r", &change).await.expect(400);
    }
    // Nobody else's affair.
    shop.door().client.get(&door.url("r")).await.expect(404);
    shop.door().update("r", &kept).await.expect(404);
    shop.door().deprovision("r").await.expect(404);
    assert_eq!(door.deprovision("r").await.expect(200), json!({}));
    admin.get(&path("r")).await.expect(404);
    assert_eq!(door.poll("r").await.expect(200)["state"], "succeeded");
    assert_eq!(shop.world.broker.calls().len(), calls, "no broker is asked");
    let audit = admin.get("/v1/audit?max_items=200").await.expect(200);
    let of_it = audit["items"].as_array().unwrap().iter();
    let words: Vec<_> = of_it
        .filter(|entry| entry["resource_id"] == "r" || entry["object_id"] == "r")
        .filter_map(|entry| entry["action"].as_str())
        .collect();
    for word in ["create", "update", "delete"] {
        assert!(words.contains(&word), "no {word} in {words:?}");
    }
}

/// That a call about a binding names the shared instance and its plan, and has a body only where one belongs.
#[track_caller]
fn is_about(call: &Call, shared: &str, plan: &str) {
    assert_eq!(call.instance.as_deref(), Some(shared), "{call:?}");
    if let Some(named) = call.query_value("plan_id") {
        assert_eq!(named, plan, "{call:?}");
    }
    match call.method.as_str() {
        "GET" | "DELETE" => assert!(call.bytes.is_empty(), "{call:?}"),
        _ => assert_eq!(call.body.as_ref().unwrap()["plan_id"], plan, "{call:?}"),
    }
}

/// The old server asked for the operation at the reference, and kept the reference's plan in queries.
async fn defect_10_bindings_of_a_reference_are_the_shared_instances(engine: Engine) {
    let shop = Shop::open(engine).await;
    let admin = shop.admin();
    let own = shop.door();
    own.provision_slowly("theirs").await.expect(202);
    assert_eq!(own.end_of("theirs").await, "succeeded");
    share(&admin, "theirs", true).await.expect(200);
    let other = Platform::register(&shop.world.manager, "k2", "kubernetes").await;
    let door = shop.world.door_of(&other);
    let wanted = shop.wanted(&json!({"referenced_instance_id": "theirs"}));
    door.provision_as("r", &wanted).await.expect(201);

    let plan = shop.reference_plan();
    let ids = format!("service_id={SERVICE}&plan_id={plan}");
    let binding = door.binding_url("r", "b");
    let body = json!({
        "service_id": SERVICE, "plan_id": plan, "parameters": {"role": "reader"},
        "context": {"platform": "kubernetes", "namespace": "another"},
    });
    let begun = door.bind_as("r", "b", &body).await.expect(202);
    let operation = begun["operation"].as_str().unwrap().to_owned();
    let poll = format!("{binding}/last_operation?{ids}&operation={operation}");
    let ended = async || {
        eventually("the operation ends", async || {
            let answer = door.client.get(&poll).await;
            let state = answer.body["state"].as_str().unwrap_or_default().to_owned();
            (answer.status == 410 || state != "in progress").then_some(answer)
        })
        .await
    };
    assert_eq!(ended().await.expect(200)["state"], "succeeded");
    let fetched = door
        .client
        .get(&format!("{binding}?{ids}"))
        .await
        .expect(200);
    assert_eq!(fetched["credentials"]["instance"], "theirs");
    let stored = admin.get("/v1/service_bindings/b").await.expect(200);
    assert_eq!(
        stored["service_instance_id"], "r",
        "it is stored under the reference"
    );
    assert_eq!(stored["ready"], true);
    // What is not of the protocol goes there as well.
    let adapt = format!("{binding}/adapt_credentials");
    let asked = json!({"service_id": SERVICE, "plan_id": plan, "credentials": {"user": "u"}});
    door.client.post(&adapt, &asked).await.expect(404);
    let calls = shop.world.broker.calls();
    let adapted = calls
        .iter()
        .find(|call| call.path.ends_with("/adapt_credentials"));
    let adapted = adapted.expect("the broker is asked");
    assert_eq!(adapted.method, "POST");
    let there = "/v2/service_instances/theirs/service_bindings/b/adapt_credentials";
    assert_eq!(adapted.path, there);
    let sent = adapted.body.as_ref().unwrap();
    assert_eq!(
        (&sent["plan_id"], &sent["credentials"]),
        (&json!(ASYNC_PLAN), &asked["credentials"])
    );
    // The same again is the same.
    let again = door.bind_as("r", "b", &body).await.expect(200);
    assert_eq!(again["credentials"], fetched["credentials"]);
    let said = door.deprovision_of("r", &plan).await.expect(400);
    assert!(
        said.to_string().contains("\"b\"") || said.to_string().contains(": b"),
        "{said}"
    );
    let gone = format!("{binding}?accepts_incomplete=true&{ids}");
    door.client.delete(&gone).await.expect(202);
    let last = ended().await;
    assert!(
        last.status == 410 || last.body["state"] == "succeeded",
        "{last:#?}"
    );
    eventually("the binding is gone", async || {
        (admin.get("/v1/service_bindings/b").await.status == 404).then_some(())
    })
    .await;
    door.deprovision_of("r", &plan).await.expect(200);

    let calls = shop.world.broker.calls();
    let about: Vec<&Call> = calls.iter().filter(|call| call.binding.is_some()).collect();
    for verb in [
        Verb::Bind,
        Verb::PollBinding,
        Verb::FetchBinding,
        Verb::Unbind,
    ] {
        assert!(
            about.iter().any(|call| call.verb == Some(verb)),
            "no {verb:?}"
        );
    }
    for call in about {
        is_about(call, "theirs", ASYNC_PLAN);
    }
    let bound = shop.world.broker.calls_of(Verb::Bind);
    let sent = bound[0].body.as_ref().unwrap();
    assert_eq!(
        sent["context"]["namespace"], "n",
        "the shared instance's own: {sent}"
    );
    assert_eq!(sent["parameters"], json!({"role": "reader"}));
    assert_eq!(shop.calls_about("r"), 0);
}

async fn defect_10_bindings_for_people(engine: Engine) {
    let shop = Shop::open(engine).await;
    let admin = shop.admin();
    let shared = shop.make_shared(&admin, "one", "async").await;
    let reference = shop.referred(&admin, "mine", "*").await;
    let before = shop.world.broker.calls().len();
    let body = json!({"name": "key", "service_instance_id": reference});
    let made = admin.post("/v1/service_bindings?async=false", &body).await;
    let made = made.expect(201);
    assert_eq!(made["service_instance_id"], reference.as_str());
    assert_eq!(made["credentials"]["instance"], shared.as_str());
    admin
        .delete(&path(&reference))
        .await
        .refused(400, "BadRequest");
    let one = format!("/v1/service_bindings/{}", id(&made));
    admin
        .delete(&format!("{one}?async=false"))
        .await
        .expect(200);
    admin.get(&one).await.expect(404);
    let calls = shop.world.broker.calls();
    let about = &calls[before..];
    for verb in [
        Verb::Bind,
        Verb::PollBinding,
        Verb::FetchBinding,
        Verb::Unbind,
    ] {
        assert!(
            about.iter().any(|call| call.verb == Some(verb)),
            "no {verb:?}"
        );
    }
    for call in about {
        is_about(call, &shared, ASYNC_PLAN);
    }
    let sent = about[0].body.as_ref().unwrap();
    assert_eq!(sent["context"]["instance_name"], "one", "{sent}");
    admin.delete(&path(&reference)).await.expect(200);
}

/// The worker that follows what a platform does not ask about knows where to ask.
async fn a_bind_that_nobody_polls_is_followed_at_the_shared_instance(engine: Engine) {
    let shop = Shop::open(engine).await;
    let door = shop.door();
    door.provision_slowly("theirs").await.expect(202);
    assert_eq!(door.end_of("theirs").await, "succeeded");
    share(&shop.admin(), "theirs", true).await.expect(200);
    let wanted = shop.wanted(&json!({"referenced_instance_id": "theirs"}));
    door.provision_as("r", &wanted).await.expect(201);
    let body: Value = json!({"service_id": SERVICE, "plan_id": shop.reference_plan()});
    door.bind_as("r", "b", &body).await.expect(202);
    let own = shop.admin();
    eventually("the binding is ready", async || {
        let shown = own.get("/v1/service_bindings/b").await.expect(200);
        (shown["ready"] == true).then_some(())
    })
    .await;
    for call in shop.world.broker.calls_of(Verb::PollBinding) {
        is_about(&call, "theirs", ASYNC_PLAN);
    }
    assert_eq!(shop.calls_about("r"), 0);
}

async fn of_many_who_refer_under_one_id_one_does(engine: Engine) {
    let shop = Shop::open(engine).await;
    let door = shop.door();
    door.provision("theirs").await.expect(201);
    share(&shop.admin(), "theirs", true).await.expect(200);
    let wanted = shop.wanted(&json!({"referenced_instance_id": "theirs"}));
    let mut asking = tokio::task::JoinSet::new();
    for _ in 0..20 {
        let (door, wanted) = (door.clone(), wanted.clone());
        asking.spawn(async move { door.provision_as("r", &wanted).await.status });
    }
    let mut statuses = asking.join_all().await;
    statuses.sort_unstable();
    assert_eq!(statuses[19], 201, "{statuses:?}");
    assert!(
        statuses[..19].iter().all(|status| *status == 200),
        "{statuses:?}"
    );
    let operations = "SELECT count(*) || '' FROM operation WHERE resource_id = 'r'";
    assert_eq!(shop.world.manager.sql(operations), ["1"]);
}

async fn a_cascade_takes_references_along_and_asks_only_for_what_is_there(engine: Engine) {
    let shop = Shop::open(engine).await;
    let admin = shop.admin();
    let shared = shop.make_shared(&admin, "one", "sync").await;
    let reference = shop.referred(&admin, "mine", &shared).await;
    for (name, instance) in [("own", &shared), ("theirs", &reference)] {
        let body = json!({"name": name, "service_instance_id": instance});
        admin.post("/v1/service_bindings", &body).await.expect(201);
    }
    let wanted = shop.wanted(&json!({"referenced_instance_id": shared}));
    shop.door().provision_as("r", &wanted).await.expect(201);
    let place = format!("{}?cascade=true", path(&shared));
    let operation = admin.delete(&place).await.location();
    let ended = eventually("the cascade ends", async || {
        let shown = admin.get(&operation).await.expect(200);
        let state = shown["state"].as_str().unwrap_or_default().to_owned();
        ["succeeded", "failed"]
            .contains(&state.as_str())
            .then_some(shown)
    })
    .await;
    assert_eq!(ended["state"], "succeeded", "{ended}");
    assert!(shop.world.agree().await.is_empty());
    assert_eq!(shop.calls_about(&reference) + shop.calls_about("r"), 0);
    assert_eq!(shop.world.broker.calls_of(Verb::Deprovision).len(), 1);
}
