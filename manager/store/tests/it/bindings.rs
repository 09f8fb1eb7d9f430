//! The table of bindings.

use crate::engines::{World, change, on_both, read};
use crate::samples::{binding, instances, registry};
use qm_model::Secret;
use qm_model::binding::Binding;
use qm_model::id::BindingId;
use qm_policy::Scope;
use qm_store::{binding as table, resource};
use serde_json::json;

on_both!(is_stored_with_sealed_credentials);

async fn is_stored_with_sealed_credentials(world: World) {
    registry(&world).await;
    instances(&world, &[("i", "b1-p1", "k8s")]).await;
    let mut it = binding("b", "i");
    let given = Secret::new(json!({"uri": "postgres://canary"}));
    assert!(change!(world, [it, given], tx => table::insert(tx, &it, Some(&given)).await).unwrap());
    assert!(!change!(world, [it], tx => table::insert(tx, &it, None).await).unwrap());
    let orphan = binding("c", "no-instance");
    assert!(!change!(world, [orphan], tx => table::insert(tx, &orphan, None).await).unwrap());

    it.name = "renamed".to_owned();
    it.endpoints = Some(json!([{"host": "h"}]));
    let (found, credentials) = change!(world, [it], tx => {
        assert!(table::update(tx, &it, None).await?);
        let found = resource::get::<Binding>(tx, &Scope::All, "b").await?;
        Ok((found, table::credentials(tx, &it.id).await?))
    })
    .unwrap();
    assert_eq!(
        (found, credentials),
        (Some(it.clone()), Some(given)),
        "they stay when none are given"
    );
    let other = Secret::new(json!(null));
    let credentials = change!(world, [it, other], tx => {
        table::update(tx, &it, Some(&other)).await?;
        table::credentials(tx, &it.id).await
    });
    assert_eq!(credentials.unwrap(), Some(other));

    let stored = world
        .beneath()
        .await
        .query("SELECT credentials FROM binding", vec![])
        .await
        .unwrap();
    let bytes: Vec<u8> = stored[0].get(0).unwrap();
    assert!(!String::from_utf8_lossy(&bytes).contains("canary"));
    let none = BindingId::stored("none".to_owned());
    assert_eq!(
        read!(world, [none], tx => table::credentials(tx, &none).await).unwrap(),
        None
    );
    assert!(change!(world, [it], tx => table::delete(tx, &it.id).await).unwrap());
    assert!(!change!(world, [it], tx => table::delete(tx, &it.id).await).unwrap());
}
