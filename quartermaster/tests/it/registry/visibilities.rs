//! `/v1/visibilities`: which platform sees which plan.

use crate::harness::answer::{fields, id, items};
use crate::harness::brokers::{broker, plan_named, register, show};
use crate::harness::{Client, Engine, Manager, Platform, query};
use qm_testkit::hostile::HostileBroker;
use serde_json::{Value, json};

on_both_engines!(
    a_visibility_is_made_read_and_removed,
    public_and_private_exclude_each_other,
    a_visibility_is_changed_within_the_rules,
    two_that_exclude_each_other_never_both_win,
    the_same_visibility_is_made_once,
    visibilities_are_removed_by_query,
);

const PATH: &str = "/v1/visibilities";

struct World {
    manager: Manager,
    admin: Client,
    _broker: HostileBroker,
    sync: Value,
    other: Value,
}

async fn world(engine: Engine) -> World {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let hostile = broker().await;
    let made = register(&admin, "db", &hostile).await;
    World {
        sync: plan_named(&admin, &made, "sync").await,
        other: plan_named(&admin, &made, "async").await,
        _broker: hostile,
        manager,
        admin,
    }
}

async fn a_visibility_is_made_read_and_removed(engine: Engine) {
    let World {
        manager,
        admin,
        sync,
        other,
        ..
    } = world(engine).await;
    let platform = Platform::register(&manager, "cf", "cloudfoundry").await;
    let body = json!({
        "service_plan_id": id(&sync), "platform_id": platform.id,
        "labels": {"organization_guid": ["org-1", "org-2"]},
    });
    let answer = admin.post(PATH, &body).await;
    assert_eq!(answer.header("location"), None);
    let made = answer.expect(201);
    assert_eq!(made["platform_id"], platform.id.as_str());
    assert_eq!(made["service_plan_id"], sync["id"]);
    assert_eq!(
        made["labels"]["organization_guid"],
        json!(["org-1", "org-2"])
    );
    assert_eq!(made["ready"], true);

    let public = show(&admin, &other, None).await.expect(201);
    assert_eq!(public["platform_id"], "", "public is the empty text");
    let one = format!("{PATH}/{}", id(&public));
    assert_eq!(admin.get(&one).await.expect(200)["platform_id"], "");
    let empty = query(PATH, &[("fieldQuery", "platform_id eq ''")]);
    let page = admin.get(&empty).await.expect(200);
    let nothing_else = fields(&page, "id");
    assert!(
        nothing_else.is_empty() || nothing_else == [id(&public)],
        "{page}"
    );

    for wrong in [
        json!({}),
        json!({"service_plan_id": ""}),
        json!({"service_plan_id": "nobody"}),
        json!({"service_plan_id": id(&other), "platform_id": "nobody"}),
    ] {
        let answer = admin.post(PATH, &wrong).await;
        assert_eq!(answer.status, 400, "{wrong}: {answer:#?}");
    }
    let asynchronous = format!("{PATH}?async=true");
    admin
        .post(&asynchronous, &body)
        .await
        .refused(400, "InvalidRequest");
    assert_eq!(admin.delete(&one).await.expect(200), json!({}));
    admin.get(&one).await.refused(404, "NotFound");
    admin.delete(&one).await.refused(404, "NotFound");

    // A platform sees its own and the public ones.
    let stranger = Platform::register(&manager, "k8s", "kubernetes").await;
    let public = show(&admin, &other, None).await.expect(201);
    let seen = platform.client().get(PATH).await.expect(200);
    let mut both = vec![id(&made), id(&public)];
    both.sort();
    assert_eq!(fields(&seen, "id"), both);
    let seen = stranger.client().get(PATH).await.expect(200);
    assert_eq!(fields(&seen, "id"), [id(&public)]);
    let hidden = stranger
        .client()
        .get(&format!("{PATH}/{}", id(&made)))
        .await;
    hidden.refused(404, "NotFound");
    // As the proxies ask.
    let criterion = format!("ready eq true and service_plan_id in ('{}','x')", id(&sync));
    let path = query(PATH, &[("fieldQuery", &criterion), ("max_items", "10")]);
    let seen = platform.client().get(&path).await.expect(200);
    assert_eq!(fields(&seen, "id"), [id(&made)]);
    let none = query(
        PATH,
        &[("fieldQuery", "ready eq true and service_plan_id in ('')")],
    );
    assert!(items(&platform.client().get(&none).await.expect(200)).is_empty());
}

async fn public_and_private_exclude_each_other(engine: Engine) {
    let World {
        manager,
        admin,
        sync,
        other,
        ..
    } = world(engine).await;
    let platform = Platform::register(&manager, "cf", "cloudfoundry").await;
    let second = Platform::register(&manager, "k8s", "kubernetes").await;

    show(&admin, &sync, Some(&platform.id)).await.expect(201);
    show(&admin, &sync, None).await.refused(400, "BadRequest");
    show(&admin, &sync, Some(&platform.id))
        .await
        .refused(409, "Conflict");
    show(&admin, &sync, Some(&second.id)).await.expect(201);

    show(&admin, &other, None).await.expect(201);
    show(&admin, &other, Some(&platform.id))
        .await
        .refused(400, "BadRequest");
    let again = show(&admin, &other, None).await;
    assert!([400, 409].contains(&again.status), "{again:#?}");
    assert_eq!(admin.get(PATH).await.expect(200)["num_items"], 3);
}

async fn a_visibility_is_changed_within_the_rules(engine: Engine) {
    let World {
        manager,
        admin,
        sync,
        other,
        ..
    } = world(engine).await;
    let platform = Platform::register(&manager, "cf", "cloudfoundry").await;
    let second = Platform::register(&manager, "k8s", "kubernetes").await;
    let mine = show(&admin, &sync, Some(&platform.id)).await.expect(201);
    let theirs = show(&admin, &sync, Some(&second.id)).await.expect(201);
    let one = format!("{PATH}/{}", id(&mine));
    for (change, status) in [
        (json!({"platform_id": second.id}), 409),
        (json!({"platform_id": ""}), 400),
        (json!({"service_plan_id": "nobody"}), 400),
        (json!({"platform_id": "nobody"}), 400),
        (json!({"service_plan_id": ""}), 400),
    ] {
        let answer = admin.patch(&one, &change).await;
        assert_eq!(answer.status, status, "{change}: {answer:#?}");
    }
    let moved = json!({"service_plan_id": id(&other)});
    let moved = admin.patch(&one, &moved).await.expect(200);
    assert_eq!(moved["service_plan_id"], other["id"]);
    assert_eq!(moved["platform_id"], platform.id.as_str());
    let labels = json!({"labels": [{"op": "add", "key": "organization_guid", "values": ["o"]}]});
    let labelled = admin.patch(&one, &labels).await.expect(200);
    assert_eq!(labelled["labels"], json!({"organization_guid": ["o"]}));

    // Made public: only when it is alone.
    let answer = admin.patch(&one, &json!({"platform_id": ""})).await;
    let shown = match answer.status {
        200 => answer.body["platform_id"].clone(),
        _ => panic!("{answer:#?}"),
    };
    assert_eq!(shown, "");
    let clash = json!({"service_plan_id": id(&other)});
    let two = format!("{PATH}/{}", id(&theirs));
    admin.patch(&two, &clash).await.refused(400, "BadRequest");
    let asynchronous = admin.patch(&format!("{one}?async=true"), &json!({})).await;
    asynchronous.refused(400, "InvalidRequest");
    admin
        .patch(&format!("{PATH}/nobody"), &json!({}))
        .await
        .refused(404, "NotFound");
}

async fn two_that_exclude_each_other_never_both_win(engine: Engine) {
    let World {
        manager,
        admin,
        sync,
        ..
    } = world(engine).await;
    let platform = Platform::register(&manager, "cf", "cloudfoundry").await;
    for round in 0..20 {
        let (public, private) = tokio::join!(
            show(&admin, &sync, None),
            show(&admin, &sync, Some(&platform.id)),
        );
        let statuses = [public.status, private.status];
        let won = statuses.iter().filter(|status| **status == 201).count();
        assert_eq!(won, 1, "round {round}: {public:#?} {private:#?}");
        assert!(statuses.contains(&400), "round {round}: {statuses:?}");
        assert_eq!(admin.get(PATH).await.expect(200)["num_items"], 1);
        admin.delete(PATH).await.expect(200);
    }
}

async fn the_same_visibility_is_made_once(engine: Engine) {
    let World {
        manager,
        admin,
        sync,
        ..
    } = world(engine).await;
    let platform = Platform::register(&manager, "cf", "cloudfoundry").await;
    for target in [Some(platform.id.as_str()), None] {
        for _ in 0..10 {
            let (a, b, c) = tokio::join!(
                show(&admin, &sync, target),
                show(&admin, &sync, target),
                show(&admin, &sync, target),
            );
            let mut statuses = [a.status, b.status, c.status];
            statuses.sort_unstable();
            assert_eq!(statuses[0], 201, "{statuses:?}");
            assert!(
                statuses[1..]
                    .iter()
                    .all(|status| [400, 409].contains(status)),
                "{statuses:?}"
            );
            admin.delete(PATH).await.expect(200);
        }
    }
}

async fn visibilities_are_removed_by_query(engine: Engine) {
    let World {
        manager,
        admin,
        sync,
        other,
        ..
    } = world(engine).await;
    let platform = Platform::register(&manager, "cf", "cloudfoundry").await;
    let mine = show(&admin, &sync, Some(&platform.id)).await.expect(201);
    show(&admin, &other, Some(&platform.id)).await.expect(201);
    let criterion = format!(
        "platform_id eq '{}' and service_plan_id eq '{}'",
        platform.id,
        id(&sync)
    );
    let path = query(PATH, &[("fieldQuery", &criterion)]);
    admin.delete(&path).await.expect(200);
    admin.delete(&path).await.refused(404, "NotFound");
    admin
        .get(&format!("{PATH}/{}", id(&mine)))
        .await
        .expect(404);
    assert_eq!(admin.get(PATH).await.expect(200)["num_items"], 1);
}
