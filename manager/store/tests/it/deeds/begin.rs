//! Intents.

use super::{act, at, begin, begun, bind, made, outcome, permit, provision, settle};
use crate::engines::{World, change, on_both, read};
use crate::samples::{NOW, operation, registry};
use qm_model::instance::Instance;
use qm_model::operation::{State, Verb};
use qm_model::{Kind, Query};
use qm_policy::Scope;
use qm_store::deed::{Begun, Effect, Intent, NewRow, Next};
use qm_store::facts::Phase;
use qm_store::operation::{self as table, NewOperation};
use qm_store::{Error, deed, resource};

on_both!(
    an_instance_comes_with_its_operation,
    a_binding_comes_with_its_operation,
    what_is_taken_leaves_no_trace,
    a_platform_that_goes_begins_nothing,
    nothing_is_made_for_a_tenant_that_goes,
    a_delete_takes_over,
    a_bad_one_fails_alone,
    everything_long_is_stored_whole,
);

const COUNTS: &str = "SELECT (SELECT count(*) FROM instance) + 100 * (SELECT count(*) FROM binding)
    + 10000 * (SELECT count(*) FROM operation) + 1000000 * (SELECT count(*) FROM label WHERE kind <> 'broker')";

async fn an_instance_comes_with_its_operation(world: World) {
    registry(&world).await;
    let intent = provision("i");
    let held = begun(&world, intent.clone()).await;
    assert_eq!((held.fence, held.owner.as_str()), (1, "me"));
    let NewRow::Instance(row) = &intent.row else {
        panic!()
    };
    let facts = qm_store::facts::facts(&world.store, &row.id, None, None)
        .await
        .unwrap();
    let known = facts.instance.unwrap();
    assert_eq!(known.resource, **row);
    assert_eq!(known.fingerprint.as_deref(), Some(&b"what was asked"[..]));
    assert_eq!(known.answer, None);
    let work = facts.operation.unwrap();
    assert_eq!(work.operation, intent.operation);
    assert_eq!(
        (work.phase, work.fence, work.lease_until),
        (Phase::Intent, 1, Some(at(100)))
    );
    assert_eq!(work.fingerprint.as_deref(), Some(&b"what was asked"[..]));
    let labelled = Query::parse(
        qm_model::query::columns(Kind::Instance),
        None,
        Some("tenant eq 'acme'"),
    )
    .unwrap();
    let found = read!(world, [labelled], tx => resource::matching::<Instance>(tx, &Scope::All, &labelled).await);
    assert_eq!(
        found.unwrap(),
        [(**row).clone()],
        "its labels are asked for"
    );
    let taken = table::claim(&world.store, "w", at(100), at(900), 10)
        .await
        .unwrap();
    assert_eq!(taken.len(), 1);
    assert_eq!(taken[0].work, b"how to go on");
    assert_eq!(
        (taken[0].phase, taken[0].broker_id.as_ref()),
        (Phase::Intent, Some(&intent.broker_id))
    );
    world.kept_numbers_agree().await;
}

async fn a_binding_comes_with_its_operation(world: World) {
    registry(&world).await;
    made(&world, "i").await;
    let intent = bind("b", "i");
    begun(&world, intent.clone()).await;
    let NewRow::Binding(row) = &intent.row else {
        panic!()
    };
    let facts = qm_store::facts::facts(&world.store, &row.instance_id, Some(&row.id), None)
        .await
        .unwrap();
    let known = facts.binding.unwrap();
    assert_eq!(known.resource, **row);
    assert_eq!(known.fingerprint.as_deref(), Some(&b"what was asked"[..]));
    assert_eq!(facts.operation.unwrap().operation, intent.operation);
    let platform = "SELECT count(*) FROM binding WHERE platform_id = 'k8s'";
    assert_eq!(world.number(platform).await, 1, "its instance's");
    world.kept_numbers_agree().await;
}

async fn what_is_taken_leaves_no_trace(world: World) {
    registry(&world).await;
    let taken = async |intent: Intent| {
        let before = world.number(COUNTS).await;
        let answer = begin(&world.store, intent).await.unwrap();
        assert_eq!(answer, Begun::Taken);
        assert_eq!(world.number(COUNTS).await, before);
    };
    taken(bind("b", "gone")).await;
    let held = begun(&world, provision("i")).await;
    taken(provision("i")).await;
    taken(act(Verb::Delete, Kind::Instance, "i")).await;
    settle(&world, outcome(&held, super::done(), super::ready("i")))
        .await
        .unwrap();
    taken(provision("i")).await;
    begun(&world, bind("b", "i")).await;
    taken(bind("b", "i")).await;
    // Unknown to us, but something is being done to it.
    begun(&world, act(Verb::Delete, Kind::Instance, "unknown")).await;
    taken(provision("unknown")).await;
    begun(&world, act(Verb::Update, Kind::Instance, "i")).await;
}

async fn a_platform_that_goes_begins_nothing(world: World) {
    registry(&world).await;
    made(&world, "i").await;
    let goes = NewOperation {
        operation: qm_model::operation::Operation {
            verb: Verb::Delete,
            ..operation("goes", Kind::Platform, "k8s")
        },
        tenant: None,
        work: vec![],
        keep_on_failure: false,
        owner: "me".to_owned(),
        lease_until: at(100),
    };
    change!(world, [goes], tx => table::insert(tx, &goes).await).unwrap();
    let before = world.number(COUNTS).await;
    for intent in [
        provision("j"),
        bind("b", "i"),
        act(Verb::Update, Kind::Instance, "i"),
    ] {
        assert_eq!(
            begin(&world.store, intent).await.unwrap(),
            Begun::Terminating
        );
    }
    let mut elsewhere = provision("j");
    elsewhere.operation.platform_id = qm_model::id::PlatformId::new("cf").unwrap();
    assert_eq!(world.number(COUNTS).await, before);
    begun(&world, elsewhere).await;
}

async fn nothing_is_made_for_a_tenant_that_goes(world: World) {
    registry(&world).await;
    made(&world, "i").await;
    let goes = NewOperation {
        operation: qm_model::operation::Operation {
            verb: Verb::Delete,
            ..operation("goes", Kind::Tenant, "acme")
        },
        tenant: None,
        work: vec![],
        keep_on_failure: false,
        owner: "me".to_owned(),
        lease_until: at(100),
    };
    change!(world, [goes], tx => table::family::insert(tx, &goes).await).unwrap();
    let of = |tenant: Option<&str>, intent: Intent| Intent {
        tenant: tenant.map(str::to_owned),
        ..intent
    };
    let before = world.number(COUNTS).await;
    for intent in [provision("j"), bind("b", "i")] {
        let refused = begin(&world.store, of(Some("acme"), intent)).await.unwrap();
        assert_eq!(refused, Begun::Terminating);
    }
    assert_eq!(world.number(COUNTS).await, before);
    begun(&world, of(Some("other"), provision("k"))).await;
    begun(&world, of(None, provision("l"))).await;
    let delete = act(Verb::Delete, Kind::Instance, "i");
    begun(&world, of(Some("acme"), delete)).await;
}

async fn a_delete_takes_over(world: World) {
    registry(&world).await;
    let first = provision("i");
    let held = begun(&world, first.clone()).await;
    let polling = Next::Polling {
        broker_operation: Some("task-1".to_owned()),
        due: at(60),
        description: String::new(),
    };
    settle(&world, outcome(&held, polling, Effect::None))
        .await
        .unwrap();
    let over = |fence| Intent {
        over: Some((first.operation.id.clone(), fence)),
        ..act(Verb::Delete, Kind::Instance, "i")
    };
    let claimed = deed::take(&world.store, &held.id, 1, "worker", at(60), at(160))
        .await
        .unwrap()
        .unwrap();
    let before = world.number(COUNTS).await;
    assert_eq!(begin(&world.store, over(1)).await.unwrap(), Begun::Taken);
    assert_eq!(
        world.number(COUNTS).await,
        before,
        "somebody has taken it up since"
    );
    let mut other = over(2);
    other.operation.resource_id = "j".to_owned();
    assert_eq!(
        begin(&world.store, other).await.unwrap(),
        Begun::Taken,
        "of another resource"
    );
    let delete = begun(&world, over(2)).await;
    let ended = read!(world, [first], tx => {
        resource::get::<qm_model::operation::Operation>(tx, &Scope::All, first.operation.id.as_str()).await
    })
    .unwrap()
    .unwrap();
    assert_eq!(
        (ended.state, ended.description.as_str(), ended.due_at),
        (State::Failed, "cancelled by a delete", None)
    );
    let late = settle(
        &world,
        outcome(&claimed.held, super::done(), super::ready("i")),
    )
    .await;
    assert!(matches!(late, Err(Error::Fenced)), "{late:?}");
    let gone = Effect::RemoveInstance(qm_model::id::InstanceId::new("i").unwrap());
    settle(&world, outcome(&delete, super::done(), gone))
        .await
        .unwrap();
    assert_eq!(world.number("SELECT count(*) FROM instance").await, 0);
    assert_eq!(
        begin(&world.store, over(2)).await.unwrap(),
        Begun::Taken,
        "it has ended"
    );
}

/// Many at once, so that they share statements; what is wrong with one is told to that one.
async fn a_bad_one_fails_alone(world: World) {
    registry(&world).await;
    begun(&world, provision("there")).await;
    let mut callers = tokio::task::JoinSet::new();
    for n in 0..120 {
        let mut intent = provision(&format!("i{n}"));
        let NewRow::Instance(row) = &mut intent.row else {
            panic!()
        };
        match n % 30 {
            3 => row.plan_id = qm_model::id::PlanId::new("none").unwrap(),
            7 => row.name = "with \0 in it".to_owned(),
            11 => intent.operation.id = qm_model::id::OperationId::new("same").unwrap(),
            13 => intent = provision("there"),
            _ => {}
        }
        let store = world.store.clone();
        callers.spawn(async move { (n, deed::begin(&store, &permit(), intent).await) });
    }
    let mut same = 0;
    for (n, answer) in callers.join_all().await {
        use qm_db::Error as Db;
        match (n % 30, answer) {
            (3, Err(Error::Database(Db::ForeignKey { .. }))) => {}
            (7, Err(Error::Nul)) => {}
            (11, Ok(Begun::Begun(_))) => same += 1,
            (11, Err(Error::Database(Db::Unique { .. }))) => {}
            (13, Ok(Begun::Taken)) => {}
            (n, Ok(Begun::Begun(_))) if ![3, 7, 11, 13].contains(&n) => {}
            (n, other) => panic!("{n}: {other:?}"),
        }
    }
    assert_eq!(same, 1, "one of those with the same id");
    let rows = world.number("SELECT count(*) FROM instance").await;
    assert_eq!(rows, 1 + 120 - 4 * 4 + 1);
    assert_eq!(world.number("SELECT count(*) FROM operation").await, rows);
    world.kept_numbers_agree().await;
}

async fn everything_long_is_stored_whole(world: World) {
    registry(&world).await;
    // Not to be compressed: an engine that keeps the beginning only, or has no room in an index, shows.
    let long = |many: usize, seed: u64| {
        let mut state = seed;
        let letters = std::iter::from_fn(|| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            char::from_u32(0x61 + u32::try_from(state >> 59).unwrap() % 26)
        });
        letters.take(many).collect::<String>()
    };
    let id = long(1_024, 1);
    let mut intent = provision(&id);
    intent.operation.correlation_id = long(2_000, 2);
    intent.operation.description = long(20_000, 3);
    intent.work = vec![7; 200_000];
    let NewRow::Instance(row) = &mut intent.row else {
        panic!()
    };
    row.name = long(2_000, 4);
    row.context = Some(serde_json::json!({"namespace": long(500, 5), "more": long(50_000, 6)}));
    let row = row.clone();
    let held = begun(&world, intent.clone()).await;
    let facts = qm_store::facts::facts(&world.store, &row.id, None, None)
        .await
        .unwrap();
    assert_eq!(facts.instance.unwrap().resource, *row);
    assert_eq!(facts.operation.unwrap().operation, intent.operation);
    let mut settlement = outcome(&held, super::done(), super::ready(&id));
    let told = settlement.event.as_mut().unwrap();
    told.correlation_id = long(2_000, 7);
    told.payload = long(300_000, 8);
    let entry = settlement.audit.as_mut().unwrap();
    entry.correlation_id = long(2_000, 9);
    entry.object_id = id.clone();
    settle(&world, settlement).await.unwrap();
    let lengths = "SELECT length(e.payload) + length(e.correlation_id) + length(a.correlation_id) FROM event e, audit a WHERE e.id LIKE 'e-%'";
    assert_eq!(world.number(lengths).await, 304_000);
    assert_eq!(NOW, intent.operation.created_at);
}
