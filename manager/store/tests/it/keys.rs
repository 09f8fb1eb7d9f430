//! The keys: a store is opened with its own, and what was sealed with an old one is sealed anew.

use crate::engines::{World, change, on_both, read};
use crate::samples::{NOW, access, binding, broker, instances, operation, registry};
use qm_db::Options;
use qm_model::id::{BindingId, BrokerId};
use qm_model::{Kind, Secret, Time};
use qm_store::operation::NewOperation;
use qm_store::rotate::{self, Resealed};
use qm_store::{
    Error, KeyRing, Store, binding as bindings, broker as brokers, catalog, deed, fact,
    operation as operations,
};
use serde_json::json;

on_both!(other_keys_are_refused, all_is_sealed_anew, facts);

async fn open(world: &World, keys: KeyRing) -> Result<Store, Error> {
    Store::open(Options::parse(&world.address).unwrap(), keys).await
}

async fn other_keys_are_refused(world: World) {
    let refused = open(&world, KeyRing::generate().unwrap())
        .await
        .unwrap_err();
    assert!(matches!(refused, Error::OtherKeys));
    // The same id with another key.
    let text = world.keys.to_text();
    let id = text.split(':').next().unwrap().to_owned();
    let forged = KeyRing::generate().unwrap().to_text();
    let forged = format!("{id}:{}", forged.split_once(':').unwrap().1);
    let refused = open(&world, KeyRing::parse(&forged).unwrap())
        .await
        .unwrap_err();
    assert!(matches!(refused, Error::OtherKeys));
    open(&world, world.keys.clone()).await.unwrap();
    open(&world, world.keys.rotated().unwrap()).await.unwrap();
}

async fn all_is_sealed_anew(world: World) {
    registry(&world).await;
    instances(&world, &[("i", "b1-p1", "k8s")]).await;
    let bound = binding("b", "i");
    let begun = NewOperation {
        operation: operation("o", Kind::Broker, "b1"),
        tenant: None,
        work: b"work".to_vec(),
        keep_on_failure: false,
        owner: "w".to_owned(),
        lease_until: Time(0),
    };
    change!(world, [bound, begun], tx => {
        bindings::insert(tx, &bound, Some(&Secret::new(json!({"uri": "u"})))).await?;
        operations::insert(tx, &begun).await
    })
    .unwrap();

    let rotated = world.keys.rotated().unwrap();
    world.store.replace_keys(rotated.clone());
    // Two brokers, two offerings, a binding, an operation, the keys' own fact, the fingerprints' key.
    let print = deed::fingerprint(&world.store, &[b"asked"]);
    let mut left = 8;
    while left > 0 {
        let Resealed { done, left: now } = rotate::reseal(&world.store, 2).await.unwrap();
        assert!((1..=2).contains(&done), "{done}");
        assert_eq!(now, left - done);
        left = now;
    }
    assert_eq!(
        rotate::reseal(&world.store, 2).await.unwrap(),
        Resealed { done: 0, left: 0 }
    );

    // The new key alone is enough now.
    let newest = rotated.to_text().lines().next().unwrap().to_owned();
    let store = open(&world, KeyRing::parse(&newest).unwrap())
        .await
        .unwrap();
    let found = store
        .read::<_, Error, _>(async |tx: &qm_store::Tx<'_>| {
            let id = BrokerId::stored("b1".to_owned());
            Ok((
                brokers::access(tx, &id).await?,
                bindings::credentials(tx, &BindingId::stored("b".to_owned())).await?,
                catalog::raw_of_broker(tx, &id).await?.len(),
            ))
        })
        .await
        .unwrap();
    let expected = (
        Some(access("secret")),
        Some(Secret::new(json!({"uri": "u"}))),
        1,
    );
    assert_eq!(found, expected);
    let now = Time(NOW.0 + 1);
    let taken = operations::claim(&store, "w", now, now, 1).await.unwrap();
    assert_eq!(taken[0].work, b"work");
    assert_eq!(deed::fingerprint(&store, &[b"asked"]), print);
    let moved =
        "UPDATE broker SET access = (SELECT access FROM broker WHERE id = 'b2') WHERE id = 'b1'";
    world.beneath().await.execute(moved, vec![]).await.unwrap();
    let id = broker("b1").id;
    let refused = read!(world, [id], tx => brokers::access(tx, &id).await);
    assert!(
        matches!(refused, Err(Error::Sealed(_))),
        "a secret of another row does not open"
    );
}

async fn facts(world: World) {
    let found = change!(world, [], tx => {
        assert_eq!(fact::get(tx, "f").await?, None);
        fact::put(tx, "f", b"1").await?;
        fact::put(tx, "f", b"2").await?;
        fact::get(tx, "f").await
    });
    assert_eq!(found.unwrap(), Some(b"2".to_vec()));
}
