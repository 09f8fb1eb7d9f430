//! The two hottest writes, intent and outcome, and what a deed must know. On PostgreSQL most of it goes the way that
//! serves many callers with one statement.

mod begin;
mod facts;
mod load;
mod races;
mod settle;
mod take;
mod unreferenced;

use crate::engines::World;
use crate::samples::{NOW, binding, instance, operation};
use qm_model::audit::{Entry, Outcome};
use qm_model::event::NewEvent;
use qm_model::id::{BrokerId, EventId, InstanceId, PlatformId};
use qm_model::operation::{Operation, State, Verb};
use qm_model::{Ctx, Kind, Time};
use qm_policy::{Door, Permit};
use qm_store::deed::{self, Begun, Effect, Intent, NewRow, Next, Settlement};
use qm_store::operation::Held;
use qm_store::{Error, Store};

fn permit() -> Permit<Door> {
    qm_policy::door::resume(&Ctx::system("test", String::new())).unwrap()
}

fn at(millis: i64) -> Time {
    Time(NOW.0 + millis)
}

/// Makes the instance `id`.
fn provision(id: &str) -> Intent {
    let mut row = instance(id, "b1-p1", "k8s");
    row.meta.ready = false;
    row.usable = false;
    of(
        Verb::Create,
        Kind::Instance,
        id,
        NewRow::Instance(Box::new(row)),
    )
}

/// Makes the binding `id`.
fn bind(id: &str, instance: &str) -> Intent {
    let mut row = binding(id, instance);
    row.meta.ready = false;
    of(
        Verb::Create,
        Kind::Binding,
        id,
        NewRow::Binding(Box::new(row)),
    )
}

/// Does something to what exists.
fn act(verb: Verb, kind: Kind, id: &str) -> Intent {
    of(verb, kind, id, NewRow::None)
}

fn of(verb: Verb, kind: Kind, id: &str, row: NewRow) -> Intent {
    static NEXT: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
    let n = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    Intent {
        operation: Operation {
            verb,
            platform_id: PlatformId::new("k8s").unwrap(),
            ..operation(&format!("op-{n}"), kind, id)
        },
        tenant: Some("acme".to_owned()),
        broker_id: BrokerId::new("b1").unwrap(),
        work: b"how to go on".to_vec(),
        fingerprint: b"what was asked".to_vec(),
        row,
        phase: qm_store::operation::Phase::Intent,
        keep_on_failure: false,
        name_key: None,
        parameters: None,
        owner: "me".to_owned(),
        lease_until: at(100),
        unreferenced: false,
        over: None,
    }
}

async fn begin(store: &Store, intent: Intent) -> Result<Begun, Error> {
    deed::begin(store, &permit(), intent).await
}

async fn begun(world: &World, intent: Intent) -> Held {
    match begin(&world.store, intent).await.unwrap() {
        Begun::Begun(held) => held,
        other => panic!("{other:?}"),
    }
}

fn outcome(held: &Held, next: Next, effect: Effect) -> Settlement {
    Settlement {
        said: None,
        held: held.clone(),
        next,
        effect,
        event: Some(event(&format!("e-{}", held.id))),
        audit: Some(entry(held.id.as_str())),
        now: at(50),
    }
}

fn event(id: &str) -> NewEvent {
    NewEvent {
        id: EventId::new(id).unwrap(),
        ..crate::samples::event("any")
    }
}

fn entry(id: &str) -> Entry {
    let ctx = Ctx::system("test", "c".repeat(200));
    Entry::of(
        &ctx,
        at(50),
        "create",
        Some(Kind::Instance),
        id,
        Outcome::Succeeded,
        "in words",
    )
}

fn done() -> Next {
    Next::Done {
        state: State::Succeeded,
        errors: None,
        description: "done".to_owned(),
    }
}

fn ready(id: &str) -> Effect {
    Effect::InstanceReady {
        id: InstanceId::new(id).unwrap(),
        dashboard_url: Some("http://new.example".to_owned()),
        answer: Some("{\"dashboard_url\":\"http://new.example\"}".to_owned()),
    }
}

async fn settle(world: &World, settlement: Settlement) -> Result<Operation, Error> {
    deed::settle(&world.store, &permit(), settlement).await
}

/// An instance that is there.
async fn made(world: &World, id: &str) {
    let held = begun(world, provision(id)).await;
    settle(world, outcome(&held, done(), ready(id)))
        .await
        .unwrap();
}
