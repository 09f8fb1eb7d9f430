//! The audit log.

use crate::engines::{World, change, on_both, read};
use crate::samples::NOW;
use qm_model::audit::{Entry, Outcome};
use qm_model::{Kind, Time};
use qm_store::audit::{self, Filter};

on_both!(
    is_read_newest_first,
    only_grows,
    what_is_too_old_can_go_and_nothing_else
);

fn entry(n: i64, actor: &str, object: &str) -> Entry {
    Entry {
        at: Time(NOW.0 + n),
        actor_kind: "person",
        actor_id: actor.to_owned(),
        actor_name: format!("{actor}'s name"),
        action: "create",
        kind: (n % 2 == 0).then_some(Kind::Broker),
        object_id: object.to_owned(),
        remote: "127.0.0.1".to_owned(),
        correlation_id: format!("c{n}"),
        outcome: Outcome::Refused,
        detail: "in words".to_owned(),
    }
}

async fn fill(world: &World) {
    for n in 0..6 {
        let it = entry(
            n,
            if n < 3 { "ann" } else { "bob" },
            if n == 4 { "x" } else { "y" },
        );
        change!(world, [it], tx => audit::append(tx, &it).await).unwrap();
    }
}

async fn is_read_newest_first(world: World) {
    fill(&world).await;
    let list = async |filter: Filter, before: Option<i64>, limit| {
        let found =
            read!(world, [filter], tx => audit::list(tx, &filter, before, limit).await).unwrap();
        found
            .into_iter()
            .map(|record| (record.seq, record.correlation_id))
            .collect::<Vec<_>>()
    };
    let numbers = |list: Vec<(i64, String)>| list.into_iter().map(|(_, id)| id).collect::<Vec<_>>();
    let first = list(Filter::default(), None, 2).await;
    let second = list(Filter::default(), Some(first[1].0), 10).await;
    assert_eq!(numbers(first), ["c5", "c4"]);
    assert_eq!(numbers(second), ["c3", "c2", "c1", "c0"]);
    let cases = [
        (
            Filter {
                kind: Some(Kind::Broker),
                ..Filter::default()
            },
            vec!["c4", "c2", "c0"],
        ),
        (
            Filter {
                object_id: Some("x".to_owned()),
                ..Filter::default()
            },
            vec!["c4"],
        ),
        (
            Filter {
                actor_id: Some("ann".to_owned()),
                ..Filter::default()
            },
            vec!["c2", "c1", "c0"],
        ),
        (
            Filter {
                correlation_id: Some("c3".to_owned()),
                ..Filter::default()
            },
            vec!["c3"],
        ),
        (
            Filter {
                from: Some(Time(NOW.0 + 1)),
                until: Some(Time(NOW.0 + 3)),
                ..Filter::default()
            },
            vec!["c2", "c1"],
        ),
        (
            Filter {
                actor_id: Some("' OR 1=1 --".to_owned()),
                ..Filter::default()
            },
            vec![],
        ),
    ];
    for (filter, expected) in cases {
        assert_eq!(
            numbers(list(filter.clone(), None, 10).await),
            expected,
            "{filter:?}"
        );
    }
    let all = read!(world, [], tx => audit::list(tx, &Filter::default(), None, 10).await).unwrap();
    let (record, given) = (&all[1], entry(4, "bob", "x"));
    assert_eq!(
        (record.at, record.outcome, record.actor_name.as_str()),
        (given.at, given.outcome, "bob's name")
    );
    assert_eq!(
        (record.resource_type.as_str(), record.object_id.as_str()),
        ("/v1/service_brokers", "x")
    );
    assert_eq!(all[0].resource_type, "");
}

async fn only_grows(world: World) {
    fill(&world).await;
    let beneath = world.beneath().await;
    assert!(
        beneath
            .execute("UPDATE audit SET detail = ''", vec![])
            .await
            .is_err()
    );
    assert!(beneath.execute("DELETE FROM audit", vec![]).await.is_err());
    assert_eq!(
        world
            .number("SELECT count(*) FROM audit WHERE detail = 'in words'")
            .await,
        6
    );
}

async fn what_is_too_old_can_go_and_nothing_else(world: World) {
    fill(&world).await;
    let expire = async |before: i64, limit: u32| {
        let before = Time(NOW.0 + before);
        change!(world, [], tx => audit::expire(tx, before, limit).await).unwrap()
    };
    assert_eq!(expire(0, 10).await, 0, "nothing is older");
    assert_eq!(expire(3, 2).await, 2);
    assert_eq!(expire(3, 2).await, 1, "the rest of what is older");
    let left = read!(world, [], tx => audit::list(tx, &Filter::default(), None, 10).await).unwrap();
    let left: Vec<_> = left.iter().map(|record| record.at.0 - NOW.0).collect();
    assert_eq!(left, [5, 4, 3]);
    // The door is shut again.
    let beneath = world.beneath().await;
    assert!(beneath.execute("DELETE FROM audit", vec![]).await.is_err());
    let update = "UPDATE audit SET detail = ''";
    assert!(beneath.execute(update, vec![]).await.is_err());
    assert_eq!(world.number("SELECT count(*) FROM audit").await, 3);
}
