//! Platforms log in with their pair: the current one, or the one before until the current one is active.

use super::world::{World, on_both, person};
use qm_lifecycle::identity;
use qm_model::id::PlatformId;
use qm_model::identity::Role;
use qm_model::platform::{Credentials, Platform};
use qm_model::{Caller, Error, Kind, Labels, Meta};
use qm_store::platform::{self, Secrets};

on_both!(
    the_pair_must_match,
    two_pairs_are_good_until_activation,
    a_technical_platform_cannot_log_in
);

fn stored(pair: &Credentials) -> Secrets {
    Secrets {
        username: pair.username.clone(),
        hash: identity::hash(pair.password.expose()),
    }
}

async fn add(world: &World, id: &str, pair: Option<&Credentials>) -> PlatformId {
    let platform = Platform {
        id: PlatformId::new(id).unwrap(),
        name: id.to_owned(),
        platform_type: "kubernetes".to_owned(),
        description: String::new(),
        technical: pair.is_none(),
        suspended: false,
        active: false,
        last_active: None,
        version: String::new(),
        meta: Meta::new(world.clock.now(), Labels::new()),
    };
    let secret = pair.map(stored);
    let added = change(world, {
        let platform = platform.clone();
        async move |tx| Ok::<_, Error>(platform::insert(tx, &platform, secret.as_ref()).await?)
    })
    .await;
    assert!(added);
    platform.id
}

async fn change<T: Send + 'static>(
    world: &World,
    f: impl AsyncFnOnce(&qm_store::Tx<'_>) -> Result<T, Error> + Clone + Send + 'static,
) -> T {
    let settings = qm_policy::Settings {
        tenant_label: "tenant".to_owned(),
    };
    let permit =
        qm_policy::change(&person(&[Role::Admin], None), Kind::Platform, &settings).unwrap();
    world.store.change(&permit, f).await.unwrap()
}

/// The user of the pair, if the pair is good.
async fn login(world: &World, username: &str, password: &str) -> Option<String> {
    match identity::basic(&world.deeds, username, password).await {
        Ok(Caller::Platform(platform)) => {
            assert_eq!(
                (platform.id.as_str(), platform.platform_type.as_str()),
                ("k8s", "kubernetes")
            );
            Some(platform.username)
        }
        Ok(other) => panic!("{other:?}"),
        Err(error) => {
            assert_eq!(error.status(), 401);
            assert_eq!(error.to_string(), "the user name or the password is wrong");
            None
        }
    }
}

async fn the_pair_must_match(world: World) {
    let (pair, other) = (identity::new_pair().unwrap(), identity::new_pair().unwrap());
    assert_ne!(pair, other);
    add(&world, "k8s", Some(&pair)).await;
    let password = pair.password.expose();
    assert_eq!(
        login(&world, &pair.username, password).await,
        Some(pair.username.clone())
    );
    for (username, password) in [
        (pair.username.as_str(), other.password.expose().as_str()),
        (pair.username.as_str(), ""),
        (other.username.as_str(), password.as_str()),
        ("", ""),
        ("", password.as_str()),
        (password.as_str(), pair.username.as_str()),
    ] {
        assert_eq!(login(&world, username, password).await, None);
    }
}

async fn two_pairs_are_good_until_activation(world: World) {
    let (old, new) = (identity::new_pair().unwrap(), identity::new_pair().unwrap());
    let id = add(&world, "k8s", Some(&old)).await;
    let activate = |pair: &Credentials| {
        let (id, user) = (id.clone(), pair.username.clone());
        async move |tx: &qm_store::Tx<'_>| Ok::<_, Error>(platform::activate(tx, &id, &user).await?)
    };
    assert!(change(&world, activate(&old)).await);
    change(&world, {
        let (id, secret) = (id.clone(), stored(&new));
        async move |tx| Ok(platform::rotate(tx, &id, &secret).await?)
    })
    .await;
    assert_eq!(
        login(&world, &old.username, old.password.expose()).await,
        Some(old.username.clone())
    );
    assert_eq!(
        login(&world, &new.username, new.password.expose()).await,
        Some(new.username.clone())
    );
    assert_eq!(
        login(&world, &old.username, new.password.expose()).await,
        None,
        "pairs are not mixed"
    );
    assert!(!change(&world, activate(&old)).await, "another is current");
    assert!(change(&world, activate(&new)).await);
    assert_eq!(
        login(&world, &old.username, old.password.expose()).await,
        None
    );
    assert_eq!(
        login(&world, &new.username, new.password.expose()).await,
        Some(new.username.clone())
    );
}

async fn a_technical_platform_cannot_log_in(world: World) {
    add(&world, "k8s", None).await;
    assert_eq!(login(&world, "", "").await, None);
    assert_eq!(login(&world, "k8s", "").await, None);
}
