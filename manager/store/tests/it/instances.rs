//! The table of instances.

use crate::engines::{World, change, on_both, read};
use crate::samples::{binding, instance, instances, labels, registry};
use qm_model::id::{InstanceId, PlatformId};
use qm_model::instance::Instance;
use qm_policy::Scope;
use qm_store::{binding as bindings, instance as table, resource};

on_both!(is_stored_and_changed, bindings_follow_it);

async fn is_stored_and_changed(world: World) {
    registry(&world).await;
    instances(&world, &[("i/1 ?", "b1-p1", "k8s")]).await;
    let mut it = instance("i/1 ?", "b1-p2", "cf");
    assert!(!change!(world, [it], tx => table::insert(tx, &it).await).unwrap());
    it.name = "n".repeat(300);
    it.context = None;
    it.usable = false;
    it.referenced_instance_id = Some(InstanceId::stored("other".to_owned()));
    it.meta.labels = labels(&[]);
    let found = change!(world, [it], tx => {
        assert!(table::update(tx, &it).await?);
        resource::get::<Instance>(tx, &Scope::All, "i/1 ?").await
    });
    assert_eq!(found.unwrap(), Some(it.clone()));
    assert!(change!(world, [it], tx => table::delete(tx, &it.id).await).unwrap());
    assert!(!change!(world, [it], tx => table::delete(tx, &it.id).await).unwrap());
    assert!(!change!(world, [it], tx => table::update(tx, &it).await).unwrap());
    world.kept_numbers_agree().await;
}

async fn bindings_follow_it(world: World) {
    registry(&world).await;
    instances(&world, &[("i", "b1-p1", "k8s")]).await;
    let bound = binding("b", "i");
    change!(world, [bound], tx => bindings::insert(tx, &bound, None).await).unwrap();
    let id = InstanceId::stored("i".to_owned());
    assert!(
        change!(world, [id], tx => table::delete(tx, &id).await).is_err(),
        "it has a binding"
    );
    let moved = instance("i", "b1-p1", "cf");
    change!(world, [moved], tx => table::update(tx, &moved).await).unwrap();
    let of = |id: &str| Scope::Platform {
        id: PlatformId::stored(id.to_owned()),
        by_visibility: false,
        tenant_key: "tenant".to_owned(),
    };
    let (cf, k8s) = (of("cf"), of("k8s"));
    let (new, old) = read!(world, [cf, k8s], tx => {
        let new = resource::get::<qm_model::binding::Binding>(tx, &cf, "b").await?;
        Ok((new, resource::get::<qm_model::binding::Binding>(tx, &k8s, "b").await?))
    })
    .unwrap();
    assert_eq!(
        (new, old),
        (Some(bound), None),
        "seen where the instance is now"
    );
}
