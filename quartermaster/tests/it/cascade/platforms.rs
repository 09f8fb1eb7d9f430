//! Platforms with their instances and bindings.

use super::{cascade, end, populate, puts_off, start, succeeded, told, tree};
use crate::harness::answer::text;
use crate::harness::{Engine, Platform, eventually};
use qm_testkit::hostile::Fault;
use quartermaster_osb::Verb;
use serde_json::json;

on_both_engines!(
    a_platform_goes_with_all_it_has,
    while_it_goes_nothing_new_comes,
    what_cannot_go_is_told_and_the_rest_goes,
    a_platform_in_use_is_not_meant,
    what_others_refer_to_is_theirs_as_well,
);

async fn a_platform_goes_with_all_it_has(engine: Engine) {
    let world = start(engine).await;
    let ids = populate(&world, "i", 30).await;
    let other = Platform::register(&world.manager, "other", "kubernetes").await;
    world.door_of(&other).provision("kept").await.expect(201);
    let admin = world.manager.admin();
    let path = format!("/v1/platforms/{}", world.platform.id);
    let location = cascade(&admin, &path).await.location();
    let operation = end(&admin, &location).await;
    succeeded(&operation);
    assert_eq!(operation["type"], "delete");
    assert_eq!(operation["description"], "all of it is gone");
    let root = text(&operation, "id");
    assert_eq!(operation["cascade_root_id"], root.as_str());
    assert_eq!(operation.get("parent_id"), None, "{operation:#}");
    admin.get(&path).await.refused(404, "NotFound");
    let there = world.agree().await;
    assert_eq!(there.keys().collect::<Vec<_>>(), ["kept"]);

    // One operation for each: the platform, its instances, the two bindings of the first.
    let tree = tree(&admin, &root).await;
    assert_eq!(tree.len(), 1 + ids.len() + 2);
    for node in &tree {
        assert_eq!(node["state"], "succeeded", "{node:#}");
    }
    let of = |id: &str| tree.iter().find(|node| node["resource_id"] == id).unwrap();
    assert_eq!(of("i-1")["parent_id"], root.as_str());
    assert_eq!(of("i-0-b1")["parent_id"], of("i-0")["id"]);
    cascade(&admin, &path).await.refused(404, "NotFound");
}

async fn while_it_goes_nothing_new_comes(engine: Engine) {
    let world = start(engine).await;
    populate(&world, "i", 3).await;
    let admin = world.manager.admin();
    let path = format!("/v1/platforms/{}", world.platform.id);
    puts_off(&world.broker);
    let location = cascade(&admin, &path).await.location();
    assert_eq!(
        cascade(&admin, &path).await.location(),
        location,
        "a second wish joins the first"
    );
    let shown = eventually("it says how far it is", async || {
        let shown = admin.get(&location).await.expect(200);
        (shown["state"] == "in progress").then_some(shown)
    })
    .await;
    assert_eq!(shown["description"], "0 of 5 gone", "{shown:#}");
    assert!(
        shown["steps"]
            .as_array()
            .is_some_and(|steps| steps.len() > 1)
    );
    let why = world
        .door()
        .provision("new")
        .await
        .refused(422, "ConcurrentOperationInProgress");
    assert!(why.contains("being removed"), "{why}");
    let why = admin
        .delete(&path)
        .await
        .refused(422, "ConcurrentOperationInProgress");
    assert!(why.contains("in progress"), "{why}");
    world.broker.behave();
    succeeded(&end(&admin, &location).await);
    assert!(world.agree().await.is_empty());
}

async fn what_cannot_go_is_told_and_the_rest_goes(engine: Engine) {
    let world = start(engine).await;
    populate(&world, "i", 25).await;
    let admin = world.manager.admin();
    let no = || Fault::answer(400, json!({"description": "not today"}));
    let broker = &world.broker;
    broker.on(Verb::Unbind).for_binding("i-0-b1").then(no());
    broker.on(Verb::Deprovision).for_instance("i-7").then(no());
    let path = format!("/v1/platforms/{}", world.platform.id);
    let location = cascade(&admin, &path).await.location();
    let operation = end(&admin, &location).await;
    assert_eq!(operation["state"], "failed", "{operation:#}");
    let platform = &world.platform.id;
    let mut wanted = vec!["i-0 > i-0-b1".to_owned(), format!("{platform} > i-7")];
    wanted.sort();
    assert_eq!(told(&operation), wanted);
    let why = text(&operation["errors"], "description");
    assert!(
        why.starts_with("2 of what depends on this platform"),
        "{why}"
    );
    admin.get(&path).await.expect(200);
    let there = world.agree().await;
    assert_eq!(
        there.keys().collect::<Vec<_>>(),
        ["i-0", "i-0-b1", "i-7"],
        "the others are gone"
    );
    // What failed is mended, and asked for again.
    broker.behave();
    let again = cascade(&admin, &path).await.location();
    assert_ne!(again, location);
    succeeded(&end(&admin, &again).await);
    assert!(world.agree().await.is_empty());
    admin.get(&path).await.refused(404, "NotFound");
}

async fn a_platform_in_use_is_not_meant(engine: Engine) {
    let world = start(engine).await;
    populate(&world, "i", 1).await;
    let admin = world.manager.admin();
    let path = format!("/v1/platforms/{}", world.platform.id);
    let socket = world.platform.connect(None).await;
    eventually("its agent is there", async || {
        let active = "SELECT count(*) FROM platform WHERE active";
        (world.manager.sql(active) == ["1"]).then_some(())
    })
    .await;
    let why = cascade(&admin, &path)
        .await
        .refused(422, "UnprocessableEntity");
    assert!(
        why.contains("is active; disconnect its agent first"),
        "{why}"
    );
    assert_eq!(world.agree().await.len(), 3, "nothing was removed");
    drop(socket);
    let location = eventually("its agent has left", async || {
        let answer = cascade(&admin, &path).await;
        (answer.status == 202).then(|| answer.location())
    })
    .await;
    succeeded(&end(&admin, &location).await);
    assert!(world.agree().await.is_empty());
    let force = format!("{path}?cascade=true&force=true");
    admin.delete(&force).await.expect(400);
}

async fn what_others_refer_to_is_theirs_as_well(engine: Engine) {
    let world = start(engine).await;
    populate(&world, "i", 2).await;
    let other = Platform::register(&world.manager, "other", "kubernetes").await;
    world.door_of(&other).provision("r").await.expect(201);
    world
        .manager
        .sql("UPDATE instance SET shared = TRUE WHERE id = 'i-1'");
    let refer = |to: &str| {
        let sql = format!("UPDATE instance SET referenced_instance_id = {to} WHERE id = 'r'");
        world.manager.sql(&sql);
    };
    refer("'i-1'");
    let admin = world.manager.admin();
    let path = format!("/v1/platforms/{}", world.platform.id);
    let why = cascade(&admin, &path)
        .await
        .refused(422, "UnprocessableEntity");
    assert!(
        why.contains("i-1") && why.contains("other platforms"),
        "{why}"
    );
    refer("NULL");
    let location = cascade(&admin, &path).await.location();
    succeeded(&end(&admin, &location).await);
    assert_eq!(world.agree().await.keys().collect::<Vec<_>>(), ["r"]);
}
