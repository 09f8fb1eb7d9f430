//! The table of operations: alone on a resource, leases and fences, looks.

use crate::engines::{World, change, on_both, read};
use crate::samples::{NOW, operation};
use qm_model::id::OperationId;
use qm_model::operation::{Operation, State};
use qm_model::{Kind, Time};
use qm_policy::Scope;
use qm_store::operation::{self as table, Began, Held, NewOperation};
use qm_store::{Error, broker, resource};
use serde_json::json;

on_both!(
    one_at_a_time,
    is_claimed_when_its_lease_ran_out,
    who_lost_the_lease_is_refused,
    is_found_by_its_resource,
    many_workers_share_the_work,
);

fn new(id: &str, resource: &str) -> NewOperation {
    NewOperation {
        operation: operation(id, Kind::Broker, resource),
        tenant: Some("acme".to_owned()),
        work: b"how to go on".to_vec(),
        keep_on_failure: true,
        owner: "first".to_owned(),
        lease_until: at(100),
    }
}

fn at(millis: i64) -> Time {
    Time(NOW.0 + millis)
}

async fn begin(world: &World, id: &str, resource: &str) -> Began {
    let it = new(id, resource);
    change!(world, [it], tx => table::insert(tx, &it).await).unwrap()
}

async fn begun(world: &World, id: &str, resource: &str) -> Held {
    match begin(world, id, resource).await {
        Began::Begun(held) => held,
        Began::Busy(other) => panic!("{other:?}"),
    }
}

async fn one_at_a_time(world: World) {
    let held = begun(&world, "o1", "r").await;
    let busy = begin(&world, "o2", "r").await;
    assert!(matches!(busy, Began::Busy(other) if other.id.as_str() == "o1"));
    begun(&world, "o3", "another").await;
    let now = read!(world, [], tx => table::under_way(tx, Kind::Broker, "r").await).unwrap();
    assert_eq!(now, Some(new("o1", "r").operation));
    let errors = json!({"error": "E", "description": "d"});
    let ended = change!(world, [held, errors], tx => {
        table::finish(tx, &held, State::Failed, Some(&errors), "it failed", at(5)).await
    })
    .unwrap();
    assert_eq!(
        (ended.state, ended.errors, ended.updated_at, ended.due_at),
        (State::Failed, Some(errors), at(5), None)
    );
    assert_eq!(ended.description, "it failed");
    let now = read!(world, [], tx => table::under_way(tx, Kind::Broker, "r").await).unwrap();
    assert_eq!(now, None);
    let kept = "SELECT count(*) FROM operation WHERE resource_id = 'r' AND work IS NOT NULL";
    assert_eq!(
        world.number(kept).await,
        0,
        "what was needed to go on is erased"
    );
    begun(&world, "o4", "r").await;
}

async fn is_claimed_when_its_lease_ran_out(world: World) {
    let first = begun(&world, "o", "r").await;
    let claim = async |owner: &str, now| {
        table::claim(&world.store, owner, now, at(1_000), 10)
            .await
            .unwrap()
    };
    assert!(claim("second", at(99)).await.is_empty(), "still held");
    table::renew(&world.store, &first, at(200)).await.unwrap();
    assert!(claim("second", at(150)).await.is_empty(), "held for longer");
    let taken = claim("second", at(200)).await;
    assert_eq!(taken.len(), 1);
    assert_eq!(
        (taken[0].work.as_slice(), taken[0].keep_on_failure),
        (b"how to go on".as_slice(), true)
    );
    assert_eq!(taken[0].operation, new("o", "r").operation);
    assert!(claim("third", at(300)).await.is_empty());
    assert_eq!(claim("third", at(1_000)).await.len(), 1);
}

async fn who_lost_the_lease_is_refused(world: World) {
    let first = begun(&world, "o", "r").await;
    let second = table::claim(&world.store, "second", at(100), at(900), 1)
        .await
        .unwrap()
        .remove(0)
        .held;
    let fenced = |result: Result<(), Error>| matches!(result, Err(Error::Fenced));
    assert!(fenced(table::renew(&world.store, &first, at(500)).await));
    let late = change!(world, [first], tx => {
        // What it did before it asked is undone with the rest.
        broker::insert(tx, &crate::samples::broker("late"), &crate::samples::access("x")).await?;
        table::finish(tx, &first, State::Succeeded, None, "", at(1)).await.map(drop)
    });
    assert!(fenced(late));
    assert_eq!(world.number("SELECT count(*) FROM broker").await, 0);
    change!(world, [second], tx => {
        table::finish(tx, &second, State::Succeeded, None, "", at(1)).await.map(drop)
    })
    .unwrap();
    let ended = table::renew(&world.store, &second, at(500)).await;
    assert!(fenced(ended), "it has ended");
}

async fn is_found_by_its_resource(world: World) {
    let record = async |id: &str, kind, resource: &str, tenant: Option<&'static str>| {
        let it = Operation {
            state: State::Succeeded,
            due_at: None,
            ..operation(id, kind, resource)
        };
        change!(world, [it], tx => table::record(tx, &it, tenant).await).unwrap();
        it
    };
    record("o1", Kind::Broker, "r", Some("acme")).await;
    let second = record("o2", Kind::Broker, "r", None).await;
    let other = record("o3", Kind::Platform, "r", None).await;
    let third = record("o4", Kind::Broker, "s", None).await;
    let ids = vec!["r".to_owned(), "s".to_owned(), "none".to_owned()];
    let (last, none, many) = read!(world, [ids], tx => {
        Ok((
            table::last_of(tx, Kind::Broker, "r").await?,
            table::last_of(tx, Kind::Plan, "r").await?,
            table::last_of_many(tx, Kind::Broker, &ids).await?,
        ))
    })
    .unwrap();
    assert_eq!((last, none), (Some(second.clone()), None));
    assert_eq!(many.len(), 2);
    assert!(many.contains(&second) && many.contains(&third) && !many.contains(&other));

    let tenant = Scope::Tenant {
        key: "tenant".to_owned(),
        value: "acme".to_owned(),
    };
    let (own, others) = read!(world, [tenant], tx => {
        let own = resource::get::<Operation>(tx, &tenant, "o1").await?;
        Ok((own.is_some(), resource::get::<Operation>(tx, &tenant, "o2").await?.is_some()))
    })
    .unwrap();
    assert_eq!((own, others), (true, false));

    begun(&world, "o5", "t").await;
    let counts = read!(world, [], tx => table::counts(tx).await).unwrap();
    assert_eq!(
        counts,
        [(State::Pending, 0, None), (State::InProgress, 1, Some(NOW))]
    );
    let delete = async |id: &str| {
        let id = OperationId::stored(id.to_owned());
        change!(world, [id], tx => table::delete(tx, &id).await).unwrap()
    };
    assert!(delete("o1").await);
    assert!(!delete("o1").await);
    assert!(!delete("o5").await, "it is under way");
}

async fn many_workers_share_the_work(world: World) {
    for n in 0..40 {
        begun(&world, &format!("o{n}"), &format!("r{n}")).await;
    }
    let other = world.another().await;
    let mut workers = tokio::task::JoinSet::new();
    for n in 0..8 {
        let store = if n % 2 == 0 {
            world.store.clone()
        } else {
            other.clone()
        };
        workers.spawn(async move {
            let mut got = Vec::new();
            loop {
                let taken = table::claim(&store, &format!("w{n}"), at(100), at(900), 3)
                    .await
                    .unwrap();
                if taken.is_empty() {
                    return got;
                }
                got.extend(
                    taken
                        .into_iter()
                        .map(|taken| taken.operation.id.to_string()),
                );
            }
        });
    }
    let mut all: Vec<String> = workers.join_all().await.into_iter().flatten().collect();
    all.sort_unstable();
    let claimed = all.len();
    all.dedup();
    assert_eq!((claimed, all.len()), (40, 40), "each by one worker");
}
