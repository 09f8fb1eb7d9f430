//! Hooks: `before` may refuse, `after` hears every outcome at least once, also after a crash.

use crate::desk::{Desk, until};
use crate::puppet::{Deed, End, Gate, LARGE, World};
use quartermaster_sdk::auth::Basic;
use quartermaster_sdk::hooks::{Ended, Event, HookFuture, Hooks};
use quartermaster_sdk::{Failure, Store};
use serde_json::json;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A hook that writes down what it hears.
#[derive(Clone, Default)]
struct Ear(Arc<Heard>);

#[derive(Default)]
struct Heard {
    lines: Mutex<Vec<String>>,
    refuses: AtomicBool,
    deaf: AtomicBool,
    panics: AtomicBool,
}

impl Ear {
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lines.lock().unwrap())
    }
}

impl Hooks for Ear {
    fn before<'a>(&'a self, event: &'a Event) -> HookFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            self.0
                .lines
                .lock()
                .unwrap()
                .push(format!("before {}", event.verb.as_str()));
            if self.0.refuses.load(Ordering::SeqCst) {
                return Err(Failure::status(http::StatusCode::FORBIDDEN, "over quota"));
            }
            Ok(())
        })
    }

    fn after<'a>(&'a self, event: &'a Event, ended: &'a Ended) -> HookFuture<'a, ()> {
        Box::pin(async move {
            let description = ended.description.as_deref().unwrap_or("-");
            let line = format!(
                "{} {} {} {} {description} by {:?}",
                event.verb.as_str(),
                event
                    .binding
                    .as_ref()
                    .map_or("-", |binding| binding.as_str()),
                event.plan,
                ended.state.as_str(),
                event.asked.caller,
            );
            assert!(!self.0.panics.load(Ordering::SeqCst), "the hook panics");
            if self.0.deaf.load(Ordering::SeqCst) {
                std::future::pending::<()>().await;
            }
            self.0.lines.lock().unwrap().push(line);
        })
    }
}

async fn desk(ear: &Ear) -> Desk {
    Desk::tuned(|builder| builder.hooks(ear.clone())).await
}

#[tokio::test]
async fn before_refuses_and_nothing_happens() {
    let ear = Ear::default();
    let desk = desk(&ear).await;
    desk.provision("i", false).await.is(201);
    desk.bind("i", "b", false).await.is(201);
    ear.take();
    ear.0.refuses.store(true, Ordering::SeqCst);
    let refused = desk.provision("j", false).await.is(403);
    assert_eq!(refused.description(), "over quota");
    desk.last("j", "").await.is(404);
    desk.update("i", false, json!({ "plan_id": LARGE }))
        .await
        .is(403);
    desk.bind("i", "c", false).await.is(403);
    desk.rotate("i", "c", "b", false).await.is(403);
    desk.unbind("i", "b", false).await.is(403);
    desk.deprovision("i", false).await.is(403);
    let verbs = [
        "provision",
        "update",
        "bind",
        "bind",
        "unbind",
        "deprovision",
    ];
    assert_eq!(ear.take(), verbs.map(|verb| format!("before {verb}")));
    assert_eq!(desk.world.called("provision"), 1);
    desk.fetch_binding("i", "b").await.is(200);
}

#[tokio::test]
async fn after_hears_every_outcome_once() {
    let ear = Ear::default();
    let desk = desk(&ear).await;
    desk.provision("i", false).await.is(201);
    desk.provision("i", false).await.is(200);
    desk.world.set("update", Deed::later());
    let operation = desk
        .update("i", true, json!({ "plan_id": LARGE }))
        .await
        .is(202)
        .operation();
    desk.ended("i", &operation).await.has_state("succeeded");
    desk.world.set("bind", Deed::now().ends(End::Break));
    desk.bind_with("i", "b", false, json!({ "plan_id": LARGE }))
        .await
        .is(500);
    // A refusal is no outcome: nothing happened.
    desk.world.set("unbind", Deed::now().ends(End::Refuse(422)));
    desk.unbind("i", "b", false).await.is(422);
    desk.world.set("unbind", Deed::now());
    desk.unbind("i", "b", false).await.is(200);
    desk.world.set("deprovision", Deed::later());
    let operation = desk.deprovision("i", true).await.is(202).operation();
    desk.ended("i", &operation).await.has_state("succeeded");
    let wanted = [
        "provision - plan-small succeeded - by \"anonymous\"",
        "update - plan-large succeeded - by \"anonymous\"",
        "bind b plan-large failed the puppet broke by \"anonymous\"",
        "unbind b plan-large succeeded - by \"anonymous\"",
        "deprovision - plan-large succeeded - by \"anonymous\"",
    ];
    let heard = until(async || {
        let lines = ear.0.lines.lock().unwrap();
        let after: Vec<String> = lines
            .iter()
            .filter(|line| !line.starts_with("before"))
            .cloned()
            .collect();
        (after.len() >= wanted.len()).then_some(after)
    })
    .await;
    assert_eq!(heard, wanted);
}

/// Runs something in a process that dies while its hook has not answered, and then another process.
fn through_a_crash(first: &impl AsyncFn(&Desk), second: &impl AsyncFn(&Desk, &Ear)) {
    let folder = tempfile::tempdir().unwrap();
    let (ear, world) = (Ear::default(), World::new());
    let path = folder.path().join("broker.db");
    let open = async |ear: &Ear| {
        let store = until(async || Store::file(&path).await.ok()).await;
        let who = Basic::new("alice", "secret");
        let mut desk = Desk::built(Some(store), &world, |builder| {
            builder.hooks(ear.clone()).auth(who)
        })
        .await;
        let value = http::HeaderValue::from_static("Basic YWxpY2U6c2VjcmV0");
        desk.authorization = Some(value);
        desk
    };
    let crashing = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .unwrap();
    let desk = crashing.block_on(open(&ear));
    crashing.block_on(first(&desk));
    ear.0.deaf.store(true, Ordering::SeqCst);
    let until_then = world.called("deprovision");
    let dying = async {
        tokio::select! {
            said = desk.deprovision("i", false) => panic!("{said:?}"),
            () = async {
                until(async || (world.called("deprovision") > until_then).then_some(())).await;
                until(async || (desk.fetch("i").await.status == 404).then_some(())).await;
            } => {}
        }
    };
    crashing.block_on(dying);
    crashing.shutdown_timeout(Duration::from_secs(10));
    drop(desk);
    ear.0.deaf.store(false, Ordering::SeqCst);
    ear.take();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async { second(&open(&ear).await, &ear).await });
}

#[test]
fn after_is_told_again_after_a_crash() {
    through_a_crash(
        &async |desk: &Desk| {
            desk.provision("i", false).await.is(201);
        },
        &async |desk: &Desk, ear: &Ear| {
            desk.fetch("i").await.is(404);
            let heard = until(async || ear.take().pop()).await;
            assert_eq!(heard, "deprovision - plan-small succeeded - by \"alice\"");
            tokio::time::sleep(Duration::from_secs(2)).await;
            assert_eq!(ear.take(), [""; 0]);
        },
    );
}

/// The next operation on the same id does not hide the one before.
#[test]
fn after_is_told_before_the_next_operation_begins() {
    through_a_crash(
        &async |desk: &Desk| {
            desk.provision("i", false).await.is(201);
        },
        &async |desk: &Desk, ear: &Ear| {
            desk.provision_with("i", false, json!({ "plan_id": LARGE }))
                .await
                .is(201);
            let heard = ear.take();
            assert_eq!(
                heard,
                [
                    "before provision",
                    "deprovision - plan-small succeeded - by \"alice\"",
                    "provision - plan-large succeeded - by \"alice\"",
                ]
            );
        },
    );
}

#[tokio::test]
async fn a_hook_that_panics_is_told_again_and_harms_nobody() {
    let ear = Ear::default();
    let desk = desk(&ear).await;
    ear.0.panics.store(true, Ordering::SeqCst);
    desk.provision("i", false).await.is(201);
    desk.provision("i", false).await.is(200);
    desk.deprovision("i", false)
        .await
        .has_word(422, "ConcurrencyError");
    // Other work is not held up.
    let gate = Gate::shut();
    desk.world.set("provision", Deed::later().behind(&gate));
    let operation = desk.provision("j", true).await.is(202).operation();
    gate.open();
    desk.ended("j", &operation).await.has_state("succeeded");
    ear.take();
    ear.0.panics.store(false, Ordering::SeqCst);
    desk.deprovision("i", false).await.is(200);
    let heard = ear.take();
    assert_eq!(
        heard[1],
        "provision - plan-small succeeded - by \"anonymous\""
    );
}
