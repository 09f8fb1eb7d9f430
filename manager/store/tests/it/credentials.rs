//! The table of broker-platform credentials.

use crate::engines::{World, change, on_both, read};
use crate::samples::{NOW, registry};
use qm_model::credential::{Credential, Pair};
use qm_model::id::{BrokerId, CredentialId, EventId, PlatformId};
use qm_model::{Secret, Time};
use qm_store::credential as table;

on_both!(is_stored_changed_and_found, a_user_belongs_to_one_platform);

fn pair(username: &str) -> Pair {
    Pair {
        username: username.to_owned(),
        password_hash: Secret::new(format!("$2a$canary-{username}")),
    }
}

fn credential(id: &str, platform: &str, username: &str) -> Credential {
    Credential {
        id: CredentialId::stored(id.to_owned()),
        broker_id: BrokerId::stored("b1".to_owned()),
        platform_id: PlatformId::stored(platform.to_owned()),
        current: pair(username),
        old: None,
        notification_id: None,
        active: false,
        created_at: NOW,
        updated_at: NOW,
    }
}

async fn put(world: &World, it: &Credential) -> bool {
    change!(world, [it], tx => table::put(tx, &it).await).unwrap()
}

async fn is_stored_changed_and_found(world: World) {
    registry(&world).await;
    let mut it = credential("c", "k8s", "one");
    assert!(put(&world, &it).await);
    it.old = Some(it.current.clone());
    it.current = pair("two");
    it.active = true;
    it.notification_id = Some(EventId::stored("e".to_owned()));
    it.updated_at = Time(NOW.0 + 1);
    assert!(put(&world, &it).await);
    let (by_id, of, two, one, nobody) = read!(world, [it], tx => {
        Ok((
            table::get(tx, &it.id).await?,
            table::of(tx, &it.platform_id, &it.broker_id).await?,
            table::by_username(tx, &it.broker_id, "two").await?,
            table::by_username(tx, &it.broker_id, "one").await?,
            table::by_username(tx, &BrokerId::stored("b2".to_owned()), "two").await?,
        ))
    })
    .unwrap();
    assert_eq!((by_id, of), (Some(it.clone()), Some(it.clone())));
    assert_eq!(
        (two, one, nobody),
        (Some((it.clone(), false)), Some((it.clone(), true)), None)
    );
    let stored = world
        .beneath()
        .await
        .query("SELECT password_hash FROM credential", vec![])
        .await
        .unwrap();
    let bytes: Vec<u8> = stored[0].get(0).unwrap();
    assert!(!String::from_utf8_lossy(&bytes).contains("canary"));

    let delete = async || {
        change!(world, [it], tx => table::delete_of(tx, &it.platform_id, &it.broker_id).await)
            .unwrap()
    };
    assert!(delete().await);
    assert!(!delete().await);
}

async fn a_user_belongs_to_one_platform(world: World) {
    registry(&world).await;
    assert!(put(&world, &credential("c1", "k8s", "user")).await);
    assert!(
        !put(&world, &credential("c2", "cf", "user")).await,
        "the user is another's"
    );
    assert!(
        !put(&world, &credential("c2", "k8s", "other")).await,
        "the platform has one"
    );
    assert!(
        !put(&world, &credential("c1", "cf", "user")).await,
        "one does not change hands"
    );
    assert!(put(&world, &credential("c2", "cf", "other")).await);
}
