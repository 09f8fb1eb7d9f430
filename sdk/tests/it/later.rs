//! Asynchronous work: who is refused, what polling shows, when it must end (B21, B24, B71).

use crate::desk::{Desk, both, until};
use crate::puppet::{Deed, End, Gate, LARGE, OTHER_PLAN, OTHER_SERVICE, SHORT, SMALL};
use serde_json::json;

both!(
    whoever_cannot_wait_is_refused_and_nothing_happens,
    polling_shows_progress,
    the_dashboard_is_in_the_first_answer,
    an_operation_ends_in_time,
    a_second_platform_that_waits_is_told_how_the_first_fared,
);

async fn whoever_cannot_wait_is_refused_and_nothing_happens(desk: Desk) {
    let word = "AsyncRequired";
    desk.world.all(&Deed::later());
    desk.provision("i", false).await.has_word(422, word);
    desk.last("i", "").await.is(404);
    desk.world.set("provision", Deed::now());
    desk.provision("i", false).await.is(201);
    desk.bind("i", "b", false).await.has_word(422, word);
    desk.last_of_binding("i", "b", "").await.is(404);
    desk.update("i", false, json!({ "plan_id": LARGE }))
        .await
        .has_word(422, word);
    assert_eq!(desk.fetch("i").await.is(200).body["plan_id"], SMALL);
    desk.world.set("bind", Deed::now());
    desk.bind("i", "b", false).await.is(201);
    desk.rotate("i", "c", "b", false).await.has_word(422, word);
    desk.last_of_binding("i", "c", "").await.is(404);
    desk.unbind("i", "b", false).await.has_word(422, word);
    desk.fetch_binding("i", "b").await.is(200);
    desk.world.set("unbind", Deed::now());
    desk.unbind("i", "b", false).await.is(200);
    desk.deprovision("i", false).await.has_word(422, word);
    desk.fetch("i").await.is(200);
    desk.last("i", "").await.has_state("succeeded");
}

async fn polling_shows_progress(desk: Desk) {
    let gate = Gate::shut();
    desk.world
        .set("provision", Deed::later().says("half way").behind(&gate));
    let operation = desk.provision("i", true).await.is(202).operation();
    desk.world.entered("provision", 1).await;
    let said = desk.last("i", &operation).await.has_state("in progress");
    assert_eq!(said.description(), "half way");
    assert_eq!(said.headers["retry-after"], "1");
    gate.open();
    let said = desk.ended("i", &operation).await.has_state("succeeded");
    assert!(said.headers.get("retry-after").is_none());
    assert!(said.body.get("description").is_none(), "{}", said.body);
}

#[tokio::test]
async fn retry_after_is_the_authors_choice() {
    for (wanted, shown) in [(Some(30), Some("30")), (None, None)] {
        let desk = Desk::tuned(|builder| builder.retry_after(wanted)).await;
        let gate = Gate::shut();
        desk.world.set("provision", Deed::later().behind(&gate));
        let operation = desk.provision("i", true).await.is(202).operation();
        let said = desk.last("i", &operation).await.has_state("in progress");
        let header = said
            .headers
            .get("retry-after")
            .map(|value| value.to_str().unwrap().to_owned());
        assert_eq!(header.as_deref(), shown);
    }
}

async fn the_dashboard_is_in_the_first_answer(desk: Desk) {
    let gate = Gate::shut();
    desk.world.set(
        "provision",
        Deed::later().dashboard("http://dashboard/i").behind(&gate),
    );
    let first = desk.provision("i", true).await.is(202);
    assert_eq!(first.body["dashboard_url"], "http://dashboard/i");
    assert_eq!(desk.provision("i", true).await.is(202).body, first.body);
    gate.open();
    desk.ended("i", &first.operation())
        .await
        .has_state("succeeded");
    assert_eq!(
        desk.provision("i", true).await.is(200).body["dashboard_url"],
        "http://dashboard/i"
    );
    assert_eq!(
        desk.fetch("i").await.is(200).body["dashboard_url"],
        "http://dashboard/i"
    );
}

async fn an_operation_ends_in_time(desk: Desk) {
    let gate = Gate::shut();
    desk.world.all(&Deed::later().behind(&gate));
    let with = json!({ "plan_id": SHORT });
    let operation = desk
        .provision_with("i", true, with)
        .await
        .is(202)
        .operation();
    let ended = desk.ended("i", &operation).await.has_state("failed");
    assert!(ended.description().contains("longer than its plan allows"));
    desk.world.set("deprovision", Deed::now());
    desk.deprovision("i", true).await.is(200);
    assert!(desk.world.is_empty());
}

#[tokio::test]
async fn the_authors_deadline_counts_where_the_plan_sets_none() {
    let desk = Desk::tuned(|builder| builder.deadline(std::time::Duration::from_millis(50))).await;
    desk.world
        .set("provision", Deed::later().behind(&Gate::shut()));
    let operation = desk.provision("i", true).await.is(202).operation();
    desk.ended("i", &operation).await.has_state("failed");
}

/// Credentials that could never be fetched are waited for instead (B52).
#[tokio::test]
async fn a_binding_that_cannot_be_fetched_is_awaited() {
    let desk = Desk::new().await;
    let other = json!({ "service_id": OTHER_SERVICE, "plan_id": OTHER_PLAN });
    desk.provision_with("i", false, other.clone()).await.is(201);
    desk.world.set("bind", Deed::later());
    let bound = desk.bind_with("i", "b", true, other.clone()).await.is(201);
    assert_eq!(bound.body["credentials"]["key"], "i/b");
    desk.fetch_binding("i", "b").await.is(404);
    desk.fetch("i").await.is(404);
    desk.bind_with("i", "c", false, other)
        .await
        .has_word(422, "AsyncRequired");
}

/// A synchronous call is under way and refused in the end. Somebody who was told 202 meanwhile must not
/// read that an older operation succeeded, nor that the instance never was.
async fn a_second_platform_that_waits_is_told_how_the_first_fared(desk: Desk) {
    let gate = Gate::shut();
    desk.world
        .all(&Deed::now().ends(End::Refuse(422)).behind(&gate));
    let (first, operation) = tokio::join!(desk.provision("i", false), async {
        desk.world.entered("provision", 1).await;
        desk.provision("i", false)
            .await
            .has_word(422, "ConcurrencyError");
        let operation = desk.provision("i", true).await.is(202).operation();
        gate.open();
        operation
    });
    first.is(422);
    let ended = desk.ended("i", &operation).await.has_state("failed");
    assert_eq!(ended.description(), "the puppet refuses");
    desk.deprovision("i", false).await.is(422);
    desk.world.set("deprovision", Deed::now());
    desk.deprovision("i", false).await.is(200);

    desk.world.set("provision", Deed::now());
    desk.provision("j", false).await.is(201);
    let gate = Gate::shut();
    desk.world
        .set("update", Deed::now().ends(End::Refuse(422)).behind(&gate));
    let change = json!({ "plan_id": LARGE });
    let (first, operation) = tokio::join!(desk.update("j", false, change.clone()), async {
        desk.world.entered("update", 1).await;
        let operation = desk
            .update("j", true, change.clone())
            .await
            .is(202)
            .operation();
        gate.open();
        operation
    });
    first.is(422);
    desk.ended("j", &operation).await.has_state("failed");
    assert_eq!(desk.fetch("j").await.is(200).body["plan_id"], SMALL);
}

/// Work that says something after its end (a task that the author started and forgot) is not heard.
#[tokio::test]
async fn progress_after_the_end_is_not_shown() {
    use quartermaster_sdk::prelude::*;
    struct Talker(std::sync::Mutex<Option<quartermaster_sdk::Progress>>);
    impl Broker for Handle {
        type Parameters = Object;
        type Changes = Object;
        type BindParameters = Object;
        fn catalog(&self) -> Result<Catalog, CatalogError> {
            crate::puppet::Puppet(crate::puppet::World::new()).catalog()
        }
        async fn provision(self: Arc<Self>, call: Provision<Object>) -> Reply<Provisioned> {
            *self.0.0.lock().unwrap() = Some(call.progress);
            Ok(now(Provisioned::default()))
        }
        async fn update(self: Arc<Self>, _: Update<Object>) -> Reply<Updated> {
            Ok(now(Updated::default()))
        }
        async fn deprovision(self: Arc<Self>, _: Deprovision) -> Reply<()> {
            Ok(now(()))
        }
        async fn bind(self: Arc<Self>, _: Bind<Object>) -> Reply<Binding> {
            Ok(now(Binding::default()))
        }
        async fn unbind(self: Arc<Self>, _: Unbind) -> Reply<()> {
            Ok(now(()))
        }
    }
    struct Handle(Arc<Talker>);
    let talker = Arc::new(Talker(std::sync::Mutex::new(None)));
    let platform = quartermaster_sdk::testing::Platform::of(Handle(talker.clone()))
        .await
        .unwrap();
    platform
        .provision("i", "puppet", "small", json!({}))
        .await
        .unwrap();
    let progress = talker.0.lock().unwrap().take().unwrap();
    progress.say("still at it").await;
    let said = until(async || platform.poll("i", None, None).await.ok()).await;
    assert!(!format!("{said:?}").contains("still at it"), "{said:?}");
}
