//! What a deed must know.

use super::{act, at, begun, bind, made, outcome, provision, settle};
use crate::engines::{World, change, on_both};
use crate::samples::{operation, registry};
use qm_model::Kind;
use qm_model::id::{BindingId, InstanceId, PlatformId};
use qm_model::operation::{Operation, Verb};
use qm_store::deed::{Effect, Next};
use qm_store::facts::{Facts, Phase, facts};
use qm_store::operation::{self as table, NewOperation};

on_both!(nothing, everything);

async fn look(world: &World, binding: Option<&str>) -> Facts {
    let instance = InstanceId::new("i").unwrap();
    let binding = binding.map(|id| BindingId::new(id).unwrap());
    let platform = PlatformId::new("k8s").unwrap();
    facts(&world.store, &instance, binding.as_ref(), Some(&platform))
        .await
        .unwrap()
}

async fn nothing(world: World) {
    registry(&world).await;
    let none = Facts {
        instance: None,
        binding: None,
        operation: None,
        instance_operation: None,
        terminating: false,
    };
    assert_eq!(look(&world, None).await, none);
    assert_eq!(look(&world, Some("b")).await, none);
    begun(&world, act(Verb::Delete, Kind::Instance, "i")).await;
    let unknown = look(&world, None).await;
    assert!(unknown.instance.is_none());
    assert_eq!(unknown.operation.unwrap().operation.verb, Verb::Delete);
    let of_binding = look(&world, Some("b")).await;
    assert!(of_binding.operation.is_none());
    assert_eq!(
        of_binding.instance_operation.unwrap().operation.verb,
        Verb::Delete
    );
}

async fn everything(world: World) {
    registry(&world).await;
    made(&world, "i").await;
    made(&world, "other").await;
    let held = begun(&world, bind("b", "i")).await;
    let polling = Next::Polling {
        broker_operation: Some("task".to_owned()),
        due: at(70),
        description: "making it".to_owned(),
    };
    settle(&world, outcome(&held, polling, Effect::None))
        .await
        .unwrap();
    begun(&world, provision("elsewhere")).await;
    let found = look(&world, Some("b")).await;
    let instance = found.instance.unwrap();
    assert!(instance.resource.meta.ready && instance.resource.usable);
    assert_eq!(
        instance.answer.as_deref(),
        Some("{\"dashboard_url\":\"http://new.example\"}")
    );
    assert_eq!(found.binding.unwrap().resource.id.as_str(), "b");
    let work = found.operation.unwrap();
    assert_eq!(work.operation.id, held.id);
    assert_eq!(
        (
            work.phase,
            work.broker_operation.as_deref(),
            work.lease_until
        ),
        (Phase::Polling, Some("task"), None)
    );
    assert_eq!(work.operation.description, "making it");
    assert!(found.instance_operation.is_none(), "it has ended");
    let about_instance = look(&world, None).await;
    assert_eq!(about_instance.operation.unwrap().phase, Phase::Done);
    assert!(about_instance.binding.is_none());

    begun(&world, act(Verb::Delete, Kind::Instance, "i")).await;
    let found = look(&world, Some("b")).await;
    assert_eq!(
        found.instance_operation.unwrap().operation.verb,
        Verb::Delete
    );
    assert_eq!(found.operation.unwrap().operation.id, held.id);
    assert_eq!(
        look(&world, None).await.operation.unwrap().phase,
        Phase::Intent,
        "the last one"
    );

    let changes = |verb, id: &str| NewOperation {
        operation: Operation {
            verb,
            ..operation(id, Kind::Platform, "k8s")
        },
        tenant: None,
        work: vec![],
        keep_on_failure: false,
        owner: "me".to_owned(),
        lease_until: at(100),
    };
    assert!(!found.terminating);
    let goes = changes(Verb::Delete, "goes");
    change!(world, [goes], tx => table::insert(tx, &goes).await).unwrap();
    assert!(look(&world, Some("b")).await.terminating);
    assert!(look(&world, None).await.terminating);
}
