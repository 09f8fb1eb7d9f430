//! Operations that have ended are counted when that is committed, and only then.

use crate::engines::{World, change, on_both};
use crate::samples::{NOW, operation};
use qm_model::Kind;
use qm_model::operation::{Operation, State, Verb};
use qm_store::Error;
use qm_store::operation::{self as table, Began, NewOperation};

on_both!(what_is_committed_counts);

async fn what_is_committed_counts(world: World) {
    let done = |id: &str| Operation {
        verb: Verb::Update,
        state: State::Succeeded,
        ..operation(id, Kind::Platform, id)
    };
    assert!(world.store.ended().is_empty());
    for id in ["o1", "o2"] {
        let it = done(id);
        change!(world, [it], tx => table::record(tx, &it, None).await).unwrap();
    }
    let it = done("o3");
    let undone: Result<(), Error> = change!(world, [it], tx => {
        table::record(tx, &it, None).await?;
        Err(Error::Fenced)
    });
    undone.unwrap_err();
    let it = NewOperation {
        operation: Operation {
            verb: Verb::Create,
            ..operation("o4", Kind::Broker, "r")
        },
        tenant: None,
        work: Vec::new(),
        keep_on_failure: false,
        owner: "me".to_owned(),
        lease_until: NOW,
    };
    change!(world, [it], tx => {
        let Began::Begun(held) = table::insert(tx, &it).await? else {
            panic!("nobody else is here");
        };
        table::finish(tx, &held, State::Failed, None, "", NOW).await
    })
    .unwrap();
    let mut counted: Vec<_> = world
        .store
        .ended()
        .into_iter()
        .map(|(ended, n)| (ended.kind, ended.verb, ended.state, n))
        .collect();
    counted.sort();
    assert_eq!(
        counted,
        [
            (Kind::Broker, Verb::Create, State::Failed, 1),
            (Kind::Platform, Verb::Update, State::Succeeded, 2),
        ]
    );
}
