//! Signing keys of the built-in issuer: shared, rotated, and kept as long as their tokens.

use super::world::{World, ask, on_both, who};
use qm_lifecycle::identity::{self, Issued, Settings};
use qm_model::Error;
use qm_store::signing_key;
use std::time::Duration;

on_both!(
    replicas_share_one_key,
    an_old_key_verifies_until_its_tokens_expired,
    the_private_half_is_sealed,
);

fn key_id(issued: &Issued) -> String {
    let header = jsonwebtoken::decode_header(issued.access_token.expose()).unwrap();
    header.kid.unwrap()
}

async fn published(world: &World) -> usize {
    let jwks = identity::jwks(&world.deeds).await.unwrap();
    jwks["keys"].as_array().unwrap().len()
}

async fn replicas_share_one_key(world: World) {
    let other = world.replica().await;
    let (_, password) = world.admin().await;
    let form = [
        ("grant_type", "password"),
        ("username", "admin"),
        ("password", password.as_str()),
    ];
    // Both need the first key at once.
    let (one, two) = tokio::join!(ask(&world.deeds, &form), ask(&other, &form));
    let (one, two) = (one.unwrap(), two.unwrap());
    assert_eq!(key_id(&one), key_id(&two));
    assert_eq!(published(&world).await, 1);
    assert_eq!(who(&other, &one).await, who(&world.deeds, &two).await);
}

async fn an_old_key_verifies_until_its_tokens_expired(world: World) {
    let other = world.replica().await;
    let (_, password) = world.admin().await;
    let age = Settings::default().key_age;
    let first = world.login("admin", &password).await.unwrap();
    // The other replica has seen this key.
    who(&other, &first).await;
    world.clock.forward(age - Duration::from_secs(2));
    let last = world.login("admin", &password).await.unwrap();
    assert_eq!(key_id(&first), key_id(&last));
    world.clock.forward(Duration::from_secs(2));
    let next = world.login("admin", &password).await.unwrap();
    assert_ne!(key_id(&last), key_id(&next));
    assert_eq!(published(&world).await, 2);
    for deeds in [&world.deeds, &other] {
        who(deeds, &last).await;
        who(deeds, &next).await;
    }

    identity::tidy(&world.deeds).await.unwrap();
    assert_eq!(published(&world).await, 2, "its tokens may still be around");
    world.clock.forward(Duration::from_secs(60 * 60));
    assert_eq!(published(&world).await, 1);
    identity::tidy(&world.deeds).await.unwrap();
    let kept = world
        .store
        .read(async |tx| Ok::<_, Error>(signing_key::all(tx).await?))
        .await
        .unwrap();
    assert_eq!(kept.len(), 1);
    assert_eq!(kept[0].id, key_id(&next));
}

async fn the_private_half_is_sealed(world: World) {
    let (_, password) = world.admin().await;
    world.login("admin", &password).await.unwrap();
    let keys = world
        .store
        .read(async |tx| Ok::<_, Error>(signing_key::all(tx).await?))
        .await
        .unwrap();
    assert_eq!(keys.len(), 1);
    assert!(format!("{keys:?}").contains("***"));
    // Another key ring does not open it.
    world
        .store
        .replace_keys(qm_store::KeyRing::generate().unwrap());
    let closed = world
        .store
        .read(async |tx| Ok::<_, Error>(signing_key::all(tx).await?))
        .await;
    assert!(closed.is_err());
}
