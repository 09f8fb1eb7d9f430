//! Names: one of a tenant's instances has it, one of an instance's bindings has it, whoever was quicker.

use super::world::{BINDINGS, World, plain};
use crate::harness::Engine;
use crate::harness::answer::id;
use qm_testkit::hostile::Fault;
use quartermaster_osb::Verb;
use serde_json::json;
use tokio::task::JoinSet;

on_both_engines!(
    of_many_callers_one_gets_the_name,
    a_name_is_free_again_when_its_bearer_is_gone,
    a_new_name_must_be_free_too,
);

const CALLERS: usize = 8;

async fn of_many_callers_one_gets_the_name(engine: Engine) {
    let world = World::start(engine).await;
    for (name, query) in [("a", ""), ("b", "?async=true"), ("c", "?async=false")] {
        let mut asking = JoinSet::new();
        for _ in 0..CALLERS {
            let (person, wish) = (world.person(), world.wish(name));
            asking.spawn(async move { person.create(query, &wish).await });
        }
        let mut made = 0;
        while let Some(answer) = asking.join_next().await {
            let answer = answer.unwrap();
            if matches!(answer.status, 201 | 202) {
                made += 1;
            } else {
                plain(answer, 409, "Conflict", &["name"]);
            }
        }
        assert_eq!(made, 1, "{name}");
    }
    let there = world.agree().await;
    assert_eq!(there.len(), 3);
    assert_eq!(world.broker.calls_of(Verb::Provision).len(), 3);

    let instance = world.made("host").await;
    let mut asking = JoinSet::new();
    for _ in 0..CALLERS {
        let (person, instance) = (world.person(), instance.clone());
        asking.spawn(async move { person.bind("", &instance, "b").await.status });
    }
    let mut statuses = Vec::new();
    while let Some(status) = asking.join_next().await {
        statuses.push(status.unwrap());
    }
    statuses.sort_unstable();
    let mut wanted = vec![409; CALLERS - 1];
    wanted.insert(0, 201);
    assert_eq!(statuses, wanted);
    // Another instance's binding may have it.
    let other = world.made("other").await;
    world.bound(&other, "b").await;
    world.agree().await;
}

async fn a_name_is_free_again_when_its_bearer_is_gone(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let first = world.made("n").await;
    plain(
        person.create("", &world.wish("n")).await,
        409,
        "Conflict",
        &["name"],
    );
    // While it is being deleted it has its name.
    world
        .broker
        .on(Verb::Deprovision)
        .times(1)
        .then(Fault::status(400));
    person.delete(&first).await.expect(502);
    plain(
        person.create("", &world.wish("n")).await,
        409,
        "Conflict",
        &["name"],
    );
    person.delete(&first).await.expect(200);
    let second = world.made("n").await;
    assert_ne!(first, second, "an id is never used again");
    // What is cleaned up after a failure that its caller has heard of is in nobody's way.
    let hangs = world.broker.on(Verb::Deprovision).always();
    hangs.then(Fault::status(500));
    world
        .broker
        .on(Verb::Provision)
        .times(1)
        .then(Fault::status(500));
    person.create("", &world.wish("m")).await.expect(502);
    let third = world.made("m").await;
    world.broker.behave();
    let there = world.agree().await;
    assert_eq!(there.len(), 2, "{there:?}");
    assert!(there.contains(&second) && there.contains(&third));
}

async fn a_new_name_must_be_free_too(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let (a, b) = (world.made("a").await, world.made("b").await);
    let rename = json!({"name": "a"});
    plain(person.change(&b, &rename).await, 409, "Conflict", &["name"]);
    // With a change that the broker is asked for, too.
    let more = json!({"name": "a", "parameters": {"x": 1}});
    let before = world.broker.calls_of(Verb::Update).len();
    plain(person.change(&b, &more).await, 409, "Conflict", &["name"]);
    assert_eq!(world.broker.calls_of(Verb::Update).len(), before);
    // A change that fails leaves the old name, and the new one free.
    world
        .broker
        .on(Verb::Update)
        .times(1)
        .then(Fault::status(400));
    person
        .change(&b, &json!({"name": "c", "parameters": {"x": 1}}))
        .await
        .expect(502);
    assert_eq!(person.instance(&b).await.expect(200)["name"], "b");
    plain(
        person.create("", &world.wish("b")).await,
        409,
        "Conflict",
        &["name"],
    );
    let c = world.made("c").await;
    person.change(&b, &json!({"name": "d"})).await.expect(200);
    world.made("b").await;
    // Its own name is nobody else's.
    person.change(&a, &rename).await.expect(200);

    let (x, y) = (world.bound(&c, "x").await, world.bound(&c, "y").await);
    let path = format!("{BINDINGS}/{y}");
    let refused = person.0.patch(&path, &json!({"name": "x"})).await;
    plain(refused, 409, "Conflict", &["name"]);
    let renamed = person
        .0
        .patch(&path, &json!({"name": "z"}))
        .await
        .expect(200);
    assert_eq!((id(&renamed), &renamed["name"]), (y, &json!("z")));
    person.unbind(&x).await.expect(200);
    world.agree().await;
}
