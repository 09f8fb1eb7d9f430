//! The deletion of what others may refer to.

use super::{act, begin, begun};
use crate::engines::{World, change, on_both};
use crate::samples::{instance, instances, registry};
use qm_model::Kind;
use qm_model::id::InstanceId;
use qm_model::instance::Instance;
use qm_model::operation::Verb;
use qm_store::deed::{Begun, Intent};
use qm_store::{operation, reference, share};

on_both!(
    what_is_referred_to_stays,
    of_a_deletion_and_a_reference_one_comes_first
);

fn deletion(id: &str) -> Intent {
    Intent {
        unreferenced: true,
        ..act(Verb::Delete, Kind::Instance, id)
    }
}

fn refers(name: &str, to: &str) -> Instance {
    Instance {
        referenced_instance_id: Some(InstanceId::new(to).unwrap()),
        ..instance(name, "b1-p2", "cf")
    }
}

async fn what_is_referred_to_stays(world: World) {
    registry(&world).await;
    instances(&world, &[("i", "b1-p1", "k8s")]).await;
    let row = refers("r", "i");
    change!(world, [row], tx => reference::insert(tx, &row, None, None).await).unwrap();
    let refused = begin(&world.store, deletion("i")).await.unwrap();
    assert_eq!(refused, Begun::Referenced(vec![row.id.clone()]));
    assert_eq!(world.number("SELECT count(*) FROM operation").await, 0);
    change!(world, [row], tx => qm_store::instance::delete(tx, &row.id).await).unwrap();
    begun(&world, deletion("i")).await;
}

async fn of_a_deletion_and_a_reference_one_comes_first(world: World) {
    registry(&world).await;
    for round in 0..8 {
        let name = format!("i{round}");
        instances(&world, &[(&name, "b1-p1", "k8s")]).await;
        let row = refers(&format!("r{round}"), &name);
        let refer = {
            let (store, permit, to) = (world.store.clone(), world.permit.clone(), name.clone());
            tokio::spawn(async move {
                let made = store.change::<_, qm_store::Error, _>(&permit, async move |tx| {
                    share::hold(tx, &InstanceId::new(to.as_str()).unwrap()).await?;
                    if operation::under_way(tx, Kind::Instance, &to)
                        .await?
                        .is_some()
                    {
                        return Ok(false);
                    }
                    reference::insert(tx, &row, None, None).await?;
                    Ok(true)
                });
                made.await.unwrap()
            })
        };
        let delete = {
            let store = world.store.clone();
            tokio::spawn(async move { begin(&store, deletion(&name)).await.unwrap() })
        };
        let (referred, deleted) = (refer.await.unwrap(), delete.await.unwrap());
        let deleted = matches!(deleted, Begun::Begun(_));
        assert!(referred != deleted, "round {round}: {referred} {deleted}");
    }
}
