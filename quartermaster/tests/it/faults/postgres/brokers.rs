//! A caller that registers, changes and removes brokers while the database comes and goes. Such a deed lasts: the
//! database may go between its intent and its outcome, and then somebody takes it up.

use crate::faults::catalogs;
use crate::harness::brokers::{broker_with, plans, registration};
use crate::harness::{Answer, Client, eventually, query};
use qm_testkit::hostile::HostileBroker;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What was said of a broker.
#[derive(Debug, Clone, Default)]
pub(super) struct Said {
    /// Whether it is there, if that was said.
    there: Option<bool>,
    /// Whether the change of its description was answered.
    changed: Option<bool>,
}

const PLANS: usize = 3;

/// Goes on until told to stop; gives what was said of each broker, by its id, and the broker itself: it must be there
/// when what was begun is taken up.
pub(super) async fn write(
    admin: Client,
    n: usize,
    stop: Arc<AtomicBool>,
) -> (BTreeMap<String, Said>, HostileBroker) {
    let host = broker_with(&catalogs::steady(&format!("b{n}"), PLANS)).await;
    let mut said = BTreeMap::new();
    for turn in 0.. {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let id = format!("broker-{n}-{turn}");
        let mut body = registration(&id, &host);
        body["id"] = json!(id);
        let one: &mut Said = said.entry(id.clone()).or_default();
        let made = admin.post("/v1/service_brokers", &body).await;
        one.there = told(&made, 201).then_some(true);
        if one.there.is_none() {
            continue;
        }
        let path = format!("/v1/service_brokers/{id}");
        let changed = admin.patch(&path, &json!({"description": "changed"})).await;
        one.changed = told(&changed, 200).then_some(true);
        if turn % 2 == 0 {
            continue;
        }
        let gone = admin.delete(&path).await;
        // The change may still be under way, though nobody could be told.
        if gone.status != 422 || one.changed.is_some() {
            one.there = told(&gone, 200).then_some(false);
        }
    }
    (said, host)
}

/// True: done. False: the database is away, and it may be done or not. Nothing else may be said.
fn told(answer: &Answer, done: u16) -> bool {
    assert!([done, 503].contains(&answer.status), "{answer:?}");
    answer.status == done
}

/// Waits until nothing is under way.
pub(super) async fn ended(admin: &Client) {
    let criterion = "state in ('pending','in progress')";
    let path = query("/v1/operations", &[("fieldQuery", criterion)]);
    eventually("all operations have ended", async || {
        let page = admin.get(&path).await;
        (page.status == 200 && page.body["num_items"] == 0).then_some(())
    })
    .await;
}

/// What was said is so; of what was not said it is whole or absent. Gives how many deeds were said to be done.
pub(super) async fn check(admin: &Client, said: BTreeMap<String, Said>) -> usize {
    let mut sure = 0;
    for (id, Said { there, changed }) in said {
        let found = admin.get(&format!("/v1/service_brokers/{id}")).await;
        assert!([200, 404].contains(&found.status), "{found:?}");
        if let Some(there) = there {
            sure += 1;
            assert_eq!(found.status == 200, there, "{id}: {found:?}");
        }
        if found.status == 404 {
            continue;
        }
        assert_eq!(found.body["ready"], true, "{found:?}");
        assert_eq!(
            plans(admin, &found.body).await.len(),
            PLANS,
            "{id} is not whole"
        );
        if changed == Some(true) {
            assert_eq!(found.body["description"], "changed", "{found:?}");
        }
    }
    sure
}
