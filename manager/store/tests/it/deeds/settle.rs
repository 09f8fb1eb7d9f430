//! Outcomes.

use super::{act, at, begun, bind, done, event, made, outcome, provision, ready, settle};
use crate::engines::{World, on_both, read};
use crate::samples::{labels, registry};
use qm_model::Kind;
use qm_model::binding::Binding;
use qm_model::event::Event;
use qm_model::id::{BindingId, InstanceId, PlanId};
use qm_model::instance::Instance;
use qm_model::operation::{Operation, State, Verb};
use qm_policy::Scope;
use qm_store::deed::{self, Effect, NewRow, Next};
use qm_store::facts::{Phase, Work, facts};
use qm_store::operation::Held;
use qm_store::{Ended, Error, operation as table, outbox, resource};
use serde_json::json;

on_both!(
    an_instance_is_ready,
    an_instance_changes,
    an_instance_goes_with_its_bindings,
    a_binding_is_ready_and_goes,
    every_next,
    an_old_fence_writes_nothing,
    a_bad_one_fails_alone,
);

async fn instance(world: &World, id: &'static str) -> Option<Instance> {
    read!(world, [], tx => resource::get::<Instance>(tx, &Scope::All, id).await).unwrap()
}

async fn work(world: &World, id: &str) -> Work {
    let id = InstanceId::new(id).unwrap();
    let facts = facts(&world.store, &id, None, None).await.unwrap();
    facts.operation.unwrap()
}

async fn an_instance_is_ready(world: World) {
    registry(&world).await;
    let intent = provision("i");
    let held = begun(&world, intent.clone()).await;
    let mut heard = world.store.appended();
    heard.mark_unchanged();
    let operation = settle(&world, outcome(&held, done(), ready("i")))
        .await
        .unwrap();
    let expected = Operation {
        state: State::Succeeded,
        description: "done".to_owned(),
        updated_at: at(50),
        due_at: None,
        ..intent.operation
    };
    assert_eq!(operation, expected);
    assert!(heard.has_changed().unwrap(), "the stream is told");
    let NewRow::Instance(row) = intent.row else {
        panic!()
    };
    let mut wanted = *row;
    wanted.usable = true;
    wanted.dashboard_url = Some("http://new.example".to_owned());
    wanted.meta.ready = true;
    wanted.meta.updated_at = at(50);
    assert_eq!(instance(&world, "i").await.unwrap(), wanted);
    outbox::sequence(&world.store).await.unwrap();
    let told = read!(world, [], tx => outbox::after(tx, 0, 10).await).unwrap();
    let ours = |event: &Event| event.id.as_str().starts_with("e-");
    let told: Vec<Event> = told.into_iter().filter(ours).collect();
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].correlation_id, "c".repeat(200));
    assert_eq!(told[0].created_at, at(50));
    let noted =
        world.number("SELECT count(*) FROM audit WHERE detail = 'in words' AND action = 'create'");
    assert_eq!(noted.await, 1);
    let erased = "SELECT count(*) FROM operation WHERE work IS NULL AND lease_owner IS NULL AND lease_until IS NULL";
    assert_eq!(world.number(erased).await, 1);
    let ended = Ended {
        kind: Kind::Instance,
        verb: Verb::Create,
        state: State::Succeeded,
    };
    assert_eq!(world.store.ended(), [(ended, 1)]);
    let late = settle(&world, outcome(&held, done(), ready("i"))).await;
    assert!(matches!(late, Err(Error::Fenced)), "once only");
}

async fn an_instance_changes(world: World) {
    registry(&world).await;
    made(&world, "i").await;
    let held = begun(&world, act(Verb::Update, Kind::Instance, "i")).await;
    let mut changed = instance(&world, "i").await.unwrap();
    changed.plan_id = PlanId::new("b1-p2").unwrap();
    changed.meta.labels = labels(&[("tenant", "other")]);
    changed.meta.updated_at = at(51);
    let effect = Effect::InstanceChanged {
        parameters: None,
        instance: Box::new(changed.clone()),
        fingerprint: b"another".to_vec(),
        answer: None,
    };
    settle(&world, outcome(&held, done(), effect))
        .await
        .unwrap();
    let found = facts(&world.store, &changed.id, None, None).await.unwrap();
    let found = found.instance.unwrap();
    assert_eq!(found.resource, changed);
    assert_eq!(found.fingerprint.as_deref(), Some(&b"another"[..]));
    assert!(found.answer.is_some(), "the last good answer stays");
    let labelled = "SELECT count(*) FROM label WHERE kind = 'instance' AND value = 'other'";
    assert_eq!(world.number(labelled).await, 1);
    for usable in [false, true] {
        let held = begun(&world, act(Verb::Update, Kind::Instance, "i")).await;
        let effect = Effect::InstanceUsable {
            id: changed.id.clone(),
            usable,
        };
        settle(&world, outcome(&held, done(), effect))
            .await
            .unwrap();
        assert_eq!(instance(&world, "i").await.unwrap().usable, usable);
    }
}

async fn an_instance_goes_with_its_bindings(world: World) {
    registry(&world).await;
    for id in ["i", "j"] {
        made(&world, id).await;
        for n in 0..3 {
            let id = format!("{id}-{n}");
            let held = begun(&world, bind(&id, &id[..1])).await;
            settle(&world, outcome(&held, done(), Effect::None))
                .await
                .unwrap();
        }
    }
    let held = begun(&world, act(Verb::Delete, Kind::Instance, "i")).await;
    let gone = Effect::RemoveInstance(InstanceId::new("i").unwrap());
    settle(&world, outcome(&held, done(), gone)).await.unwrap();
    assert!(instance(&world, "i").await.is_none());
    assert!(instance(&world, "j").await.is_some());
    assert_eq!(world.number("SELECT count(*) FROM binding").await, 3);
    let left = "SELECT count(*) FROM label WHERE kind IN ('instance', 'binding')";
    assert_eq!(world.number(left).await, 4, "labels go along");
    world.kept_numbers_agree().await;
    made(&world, "i").await;
}

async fn a_binding_is_ready_and_goes(world: World) {
    registry(&world).await;
    made(&world, "i").await;
    let intent = bind("b", "i");
    let held = begun(&world, intent.clone()).await;
    let NewRow::Binding(row) = intent.row else {
        panic!()
    };
    let mut answered = *row;
    answered.syslog_drain_url = Some("syslog://x".to_owned());
    answered.volume_mounts = Some(json!([{"driver": "d"}]));
    answered.endpoints = Some(json!([{"host": "h", "ports": ["1"]}]));
    answered.route_service_url = None;
    let effect = Effect::BindingReady {
        binding: Box::new(answered.clone()),
        credentials: None,
    };
    settle(&world, outcome(&held, done(), effect))
        .await
        .unwrap();
    answered.meta.ready = true;
    answered.meta.updated_at = at(50);
    let found = async || {
        read!(world, [], tx => resource::get::<Binding>(tx, &Scope::All, "b").await).unwrap()
    };
    assert_eq!(found().await.unwrap(), answered);
    let held = begun(&world, act(Verb::Delete, Kind::Binding, "b")).await;
    let effect = Effect::RemoveBinding(BindingId::new("b").unwrap());
    settle(&world, outcome(&held, done(), effect))
        .await
        .unwrap();
    assert!(found().await.is_none());
    assert!(instance(&world, "i").await.is_some());
}

async fn every_next(world: World) {
    registry(&world).await;
    let mut held = begun(&world, provision("i")).await;
    let mut fence = 1;
    let mut go = async |next: Next| -> Work {
        let mut settlement = outcome(&held, next, Effect::None);
        (settlement.event, settlement.audit) = (None, None);
        let operation = settle(&world, settlement).await.unwrap();
        let work = work(&world, "i").await;
        assert_eq!(work.operation, operation);
        assert_eq!(work.lease_until, None, "the lease is given back");
        if work.phase != Phase::Done {
            let taken = deed::take(&world.store, &held.id, fence, "me", at(60), at(200))
                .await
                .unwrap()
                .unwrap();
            assert_eq!(taken.work, b"how to go on");
            held = taken.held;
            fence += 1;
        }
        work
    };
    let again = |due, error: &str| Next::Again {
        due: at(due),
        error: Some(error.to_owned()),
        failed: None,
    };
    let polling = |task: Option<&str>, due| Next::Polling {
        broker_operation: task.map(str::to_owned),
        due: at(due),
        description: format!("until {due}"),
    };
    let it = go(again(500, "away")).await;
    assert_eq!((it.phase, it.operation.attempts), (Phase::Intent, 1));
    assert_eq!(it.operation.due_at, Some(at(500)));
    let it = go(polling(Some("task"), 600)).await;
    assert_eq!((it.phase, it.operation.attempts), (Phase::Polling, 0));
    assert_eq!(it.operation.state, State::InProgress);
    let it = go(polling(None, 700)).await;
    assert_eq!(it.operation.attempts, 1);
    assert_eq!(it.operation.description, "until 700");
    assert_eq!(it.broker_operation.as_deref(), Some("task"), "it stays");
    let it = go(again(800, "still away")).await;
    assert_eq!((it.phase, it.operation.attempts), (Phase::Polling, 2));
    let errors = json!({"error": "E", "description": "d"});
    let it = go(Next::Mitigating {
        state: None,
        due: at(900),
        errors: errors.clone(),
        description: "to be removed".to_owned(),
    })
    .await;
    assert_eq!((it.phase, it.operation.attempts), (Phase::Mitigating, 0));
    assert_eq!(it.operation.errors, Some(errors.clone()));
    let it = go(again(950, "not yet")).await;
    assert_eq!(it.operation.errors, Some(errors.clone()), "they stay");
    let it = go(Next::Done {
        state: State::Failed,
        errors: Some(errors.clone()),
        description: "it failed".to_owned(),
    })
    .await;
    assert_eq!((it.phase, it.operation.state), (Phase::Done, State::Failed));
    assert_eq!(it.operation.errors, Some(errors));
    let texts = "SELECT first_error, last_error FROM operation";
    let rows = world.beneath().await.query(texts, vec![]).await.unwrap();
    assert_eq!(rows[0].get::<String>(0).unwrap(), "away");
    assert_eq!(rows[0].get::<String>(1).unwrap(), "it failed");
}

async fn an_old_fence_writes_nothing(world: World) {
    registry(&world).await;
    made(&world, "there").await;
    let first = begun(&world, provision("i")).await;
    let second = table::claim(&world.store, "second", at(100), at(900), 1)
        .await
        .unwrap()
        .remove(0)
        .held;
    let everything = "SELECT (SELECT count(*) FROM event WHERE id LIKE 'e-%') + 100 * (SELECT count(*) FROM audit)
        + 10000 * (SELECT count(*) FROM instance WHERE ready) + 1000000 * (SELECT count(*) FROM instance)
        + 100000000 * (SELECT count(*) FROM operation WHERE phase = 'done')
        + CAST((SELECT sum(updated_at) FROM operation) + (SELECT sum(updated_at) FROM instance) AS BIGINT)";
    let before = world.number(everything).await;
    let wrong = Held {
        owner: "thief".to_owned(),
        ..second.clone()
    };
    let unknown = Held {
        id: qm_model::id::OperationId::new("none").unwrap(),
        ..second.clone()
    };
    let there = InstanceId::new("there").unwrap();
    for held in [first, wrong, unknown] {
        for effect in [
            ready("i"),
            Effect::RemoveInstance(there.clone()),
            Effect::InstanceUsable {
                id: there.clone(),
                usable: false,
            },
            Effect::InstanceChanged {
                parameters: None,
                instance: Box::new(instance(&world, "there").await.unwrap()),
                fingerprint: vec![],
                answer: None,
            },
        ] {
            let late = settle(&world, outcome(&held, done(), effect)).await;
            assert!(matches!(late, Err(Error::Fenced)), "{late:?}");
            assert_eq!(world.number(everything).await, before);
        }
    }
    settle(&world, outcome(&second, done(), ready("i")))
        .await
        .unwrap();
}

/// Many at once, so that they share statements; one's event has an id that is taken, another's text cannot be kept.
async fn a_bad_one_fails_alone(world: World) {
    registry(&world).await;
    made(&world, "there").await;
    let taken = world
        .beneath()
        .await
        .query("SELECT id FROM event WHERE id LIKE 'e-%'", vec![])
        .await
        .unwrap();
    let taken: String = taken[0].get(0).unwrap();
    let mut helds = Vec::new();
    for n in 0..60 {
        helds.push(begun(&world, provision(&format!("i{n}"))).await);
    }
    let mut callers = tokio::task::JoinSet::new();
    for (n, held) in helds.into_iter().enumerate() {
        let mut settlement = outcome(&held, done(), ready(&format!("i{n}")));
        match n % 20 {
            3 => settlement.event = Some(event(&taken)),
            7 => settlement.audit.as_mut().unwrap().detail = "a \0".to_owned(),
            11 => settlement.held.fence = 9,
            _ => {}
        }
        let store = world.store.clone();
        callers.spawn(async move { (n, deed::settle(&store, &super::permit(), settlement).await) });
    }
    for (n, answer) in callers.join_all().await {
        match (n % 20, answer) {
            (3, Err(Error::Database(qm_db::Error::Unique { .. }))) => {}
            (7, Err(Error::Nul)) => {}
            (11, Err(Error::Fenced)) => {}
            (n, Ok(_)) if ![3, 7, 11].contains(&n) => {}
            (n, other) => panic!("{n}: {other:?}"),
        }
    }
    for (sql, many) in [
        ("SELECT count(*) FROM instance WHERE ready", 52),
        ("SELECT count(*) FROM operation WHERE phase = 'done'", 52),
        ("SELECT count(*) FROM event WHERE id LIKE 'e-%'", 52),
        ("SELECT count(*) FROM audit", 52),
    ] {
        assert_eq!(world.number(sql).await, many, "{sql}");
    }
}
