//! Many at once: one of them does it, the others are told, and nothing is left that should not be.

use crate::desk::{Desk, Said, both};
use crate::puppet::{Deed, Gate};
use serde_json::json;
use std::collections::BTreeMap;

both!(
    identical_creates_run_once,
    identical_asynchronous_creates_share_an_operation,
    of_different_creates_one_wins,
    identical_binds_run_once,
    identical_deletes_run_once,
    of_different_updates_one_wins,
    no_binding_outlives_its_instance,
    create_and_delete_in_any_order_end_well,
);

const MANY: usize = 64;

/// Sends all at once and counts the codes.
async fn at_once<F: Future<Output = Said>>(calls: impl Iterator<Item = F>) -> BTreeMap<u16, usize> {
    let mut codes = BTreeMap::new();
    for said in together(calls).await {
        assert!(said.status < 500, "{}", said.body);
        *codes.entry(said.status).or_default() += 1;
    }
    codes
}

/// All of them, polled side by side.
async fn together<T, F: Future<Output = T>>(calls: impl Iterator<Item = F>) -> Vec<T> {
    let mut calls: Vec<_> = calls.map(|call| (Box::pin(call), None)).collect();
    std::future::poll_fn(|context| {
        let mut waiting = false;
        for (call, done) in &mut calls {
            if done.is_none() {
                match call.as_mut().poll(context) {
                    std::task::Poll::Ready(value) => *done = Some(value),
                    std::task::Poll::Pending => waiting = true,
                }
            }
        }
        if waiting {
            std::task::Poll::Pending
        } else {
            std::task::Poll::Ready(())
        }
    })
    .await;
    calls.into_iter().filter_map(|(_, done)| done).collect()
}

async fn identical_creates_run_once(desk: Desk) {
    let codes = at_once((0..MANY).map(|_| desk.provision("i", false))).await;
    assert_eq!(codes.get(&201), Some(&1), "{codes:?}");
    assert!(
        codes.keys().all(|code| [200, 201, 422].contains(code)),
        "{codes:?}"
    );
    assert_eq!(desk.world.called("provision"), 1);
    let codes = at_once((0..MANY).map(|_| desk.provision("i", true))).await;
    assert_eq!(codes, BTreeMap::from([(200, MANY)]));
}

async fn identical_asynchronous_creates_share_an_operation(desk: Desk) {
    let gate = Gate::shut();
    desk.world.set("provision", Deed::later().behind(&gate));
    let all = together((0..MANY).map(|_| desk.provision("i", true))).await;
    let operations: Vec<String> = all
        .into_iter()
        .map(|said| said.is(202).operation())
        .collect();
    assert!(
        operations
            .iter()
            .all(|operation| *operation == operations[0]),
        "{operations:?}"
    );
    gate.open();
    desk.ended("i", &operations[0]).await.has_state("succeeded");
    assert_eq!(desk.world.called("provision"), 1);
}

async fn of_different_creates_one_wins(desk: Desk) {
    let codes = at_once(
        (0..MANY).map(|n| desk.provision_with("i", false, json!({ "parameters": { "n": n } }))),
    )
    .await;
    assert_eq!(codes.get(&201), Some(&1), "{codes:?}");
    assert_eq!(codes.get(&409), Some(&(MANY - 1)), "{codes:?}");
    assert_eq!(desk.world.called("provision"), 1);
}

async fn identical_binds_run_once(desk: Desk) {
    desk.provision("i", false).await.is(201);
    let codes = at_once((0..MANY).map(|_| desk.bind("i", "b", false))).await;
    assert_eq!(codes.get(&201), Some(&1), "{codes:?}");
    assert!(
        codes.keys().all(|code| [200, 201, 422].contains(code)),
        "{codes:?}"
    );
    assert_eq!(desk.world.called("bind"), 1);
    let codes =
        at_once((0..MANY).map(|n| desk.bind("i", if n % 2 == 0 { "c" } else { "d" }, false))).await;
    assert_eq!(codes.get(&201), Some(&2), "{codes:?}");
    assert_eq!(desk.world.called("bind"), 3);
}

async fn identical_deletes_run_once(desk: Desk) {
    desk.provision("i", false).await.is(201);
    let codes = at_once((0..MANY).map(|_| desk.deprovision("i", false))).await;
    assert_eq!(codes.get(&200), Some(&1), "{codes:?}");
    assert!(
        codes.keys().all(|code| [200, 410, 422].contains(code)),
        "{codes:?}"
    );
    assert_eq!(desk.world.called("deprovision"), 1);
}

async fn of_different_updates_one_wins(desk: Desk) {
    desk.provision("i", false).await.is(201);
    let gate = Gate::shut();
    desk.world.set("update", Deed::later().behind(&gate));
    let codes =
        at_once((0..MANY).map(|n| desk.update("i", true, json!({ "parameters": { "n": n } }))))
            .await;
    assert_eq!(codes, BTreeMap::from([(202, 1), (422, MANY - 1)]));
    gate.open();
    desk.ended("i", "").await.has_state("succeeded");
    assert_eq!(desk.world.called("update"), 1);
}

/// Whatever wins: a binding that was made is on an instance that is there.
async fn no_binding_outlives_its_instance(desk: Desk) {
    let (mut bound_first, mut gone_first) = (0, 0);
    for round in 0..40 {
        let i = format!("i{round}");
        desk.provision(&i, false).await.is(201);
        let (bound, gone) = if round % 2 == 0 {
            tokio::join!(desk.bind(&i, "b", false), desk.deprovision(&i, false))
        } else {
            let (gone, bound) =
                tokio::join!(desk.deprovision(&i, false), desk.bind(&i, "b", false));
            (bound, gone)
        };
        match (bound.status, gone.status) {
            (201, 422) => {
                bound_first += 1;
                desk.unbind(&i, "b", false).await.is(200);
                desk.deprovision(&i, false).await.is(200);
            }
            (404 | 422, 200) => {
                gone_first += 1;
                desk.last_of_binding(&i, "b", "").await.is(404);
            }
            // One after the other, without touching.
            other => panic!("{other:?} {} {}", bound.body, gone.body),
        }
        assert!(desk.world.is_empty(), "round {round}");
    }
    println!("bind won {bound_first} times, delete {gone_first} times");
}

/// Creates and deletes of one id, all at once and asynchronous: in the end one more delete clears it.
async fn create_and_delete_in_any_order_end_well(desk: Desk) {
    desk.world.all(&Deed::later());
    for round in 0..10 {
        let i = format!("i{round}");
        let codes = at_once((0..16).map(|n| {
            let (desk, i) = (&desk, &i);
            async move {
                if n % 2 == 0 {
                    desk.provision(i, true).await
                } else {
                    desk.deprovision(i, true).await
                }
            }
        }))
        .await;
        assert!(
            codes.keys().all(|code| [200, 202, 410, 422].contains(code)),
            "{codes:?}"
        );
        desk.ended(&i, "").await;
        let said = desk.deprovision(&i, true).await;
        if said.status == 202 {
            desk.ended(&i, &said.operation())
                .await
                .has_state("succeeded");
        } else {
            said.is(410);
        }
        assert_eq!(desk.world.thing(&i), None);
    }
    assert_eq!(desk.world.overlaps(), 0);
}
