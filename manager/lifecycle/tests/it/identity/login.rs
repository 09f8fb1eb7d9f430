//! The password grant: what is refused, in which words, how it is slowed down and written down.

use super::world::{World, anonymous, on_both, person, with};
use qm_lifecycle::identity::{self, Grant, NewUser, OAuthError, Settings};
use qm_model::identity::Role;
use qm_model::{Ctx, Error, Secret};
use std::collections::BTreeSet;
use std::time::Duration;

on_both!(
    a_wrong_password_and_an_unknown_user_are_told_alike,
    logins_are_written_down,
    a_scope_narrows_and_gives_no_refresh_token,
    a_tenant_is_in_the_token,
);

async fn a_wrong_password_and_an_unknown_user_are_told_alike(world: World) {
    let (_, password) = world.admin().await;
    let wrong = world.login("admin", "not this one").await.unwrap_err();
    let unknown = world.login("nobody", &password).await.unwrap_err();
    assert_eq!((wrong.word(), wrong.status()), ("invalid_grant", 400));
    assert_eq!(wrong.to_string(), unknown.to_string());
    assert_eq!(unknown.word(), "invalid_grant");
    let long = world.login("admin", &"x".repeat(5000)).await.unwrap_err();
    assert_eq!(long.word(), "invalid_grant");
    assert!(world.login("admin", &password).await.is_ok());
    assert!(world.login("ADMIN", &password).await.is_err());
}

async fn logins_are_written_down(world: World) {
    let (_, password) = world.admin().await;
    world.login("admin", &password).await.unwrap();
    world.login("admin", "not this one").await.unwrap_err();
    world
        .login("hunter2", "oops, the wrong field")
        .await
        .unwrap_err();
    let records = world.audit().await;
    let logins: Vec<_> = records
        .iter()
        .filter(|record| record.action == "login")
        .collect();
    let admin = logins[0].actor_id.clone();
    assert!(!admin.is_empty());
    let told: Vec<_> = logins
        .iter()
        .map(|record| {
            (
                record.actor_kind.as_str(),
                record.object_id.as_str(),
                record.outcome.word(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("person", admin.as_str(), "succeeded"),
            ("anonymous", admin.as_str(), "refused"),
            ("anonymous", "", "refused"),
        ]
    );
    assert!(
        logins
            .iter()
            .all(|record| record.remote == anonymous().remote)
    );
    let all = format!("{records:?}");
    for secret in [password.as_str(), "not this one", "hunter2", "oops"] {
        assert!(!all.contains(secret));
    }
}

async fn a_scope_narrows_and_gives_no_refresh_token(world: World) {
    let (admin, _) = world.admin().await;
    let new = NewUser {
        name: "ann".to_owned(),
        password: Some(Secret::new("correct horse".to_owned())),
        roles: BTreeSet::from([Role::Developer, Role::Viewer]),
        tenant: None,
    };
    identity::add_user(&world.deeds, &admin, new).await.unwrap();
    let ask = |scope: &'static str| {
        let form = [
            ("grant_type", "password"),
            ("username", "ann"),
            ("password", "correct horse"),
            ("scope", scope),
        ];
        let world = &world;
        async move { world.ask(&form).await }
    };
    let all = ask("viewer developer").await.unwrap();
    assert_eq!(all.scope, "viewer developer");
    assert!(all.refresh_token.is_some());
    let narrow = ask("viewer").await.unwrap();
    assert_eq!(
        world.who(&narrow).await.roles,
        BTreeSet::from([Role::Viewer])
    );
    assert!(
        narrow.refresh_token.is_none(),
        "it would stand for all roles"
    );
    for scope in ["admin", "viewer admin", "openid", "Viewer"] {
        assert_eq!(
            ask(scope).await.unwrap_err().word(),
            "invalid_scope",
            "{scope}"
        );
    }
}

async fn a_tenant_is_in_the_token(world: World) {
    let (admin, _) = world.admin().await;
    let new = NewUser {
        name: "tess".to_owned(),
        password: None,
        roles: BTreeSet::from([Role::Admin]),
        tenant: Some("acme".to_owned()),
    };
    let added = identity::add_user(&world.deeds, &admin, new).await.unwrap();
    let password = added.password.unwrap();
    let issued = world.login("tess", password.expose()).await.unwrap();
    let who = world.who(&issued).await;
    assert_eq!(who.tenant.as_deref(), Some("acme"));
    assert_eq!(who.subject, added.user.id.as_str());
}

#[tokio::test]
async fn clients_without_a_secret_are_known_by_name_only() {
    let world = with(Settings::default()).await;
    let (_, password) = world.admin().await;
    let login = |client: &'static [(&'static str, &'static str)]| {
        let mut form = vec![
            ("grant_type", "password"),
            ("username", "admin"),
            ("password", password.as_str()),
        ];
        form.extend_from_slice(client);
        let world = &world;
        async move {
            world
                .ask(&form)
                .await
                .map_err(|error| (error.word(), error.status()))
        }
    };
    assert!(login(&[]).await.is_ok());
    assert!(login(&[("client_id", "cf")]).await.is_ok());
    assert!(
        login(&[("client_id", "smctl"), ("client_secret", "")])
            .await
            .is_ok()
    );
    let wrong = ("invalid_client", 401);
    assert_eq!(
        login(&[("client_id", "cf"), ("client_secret", "x")])
            .await
            .unwrap_err(),
        wrong
    );
    assert_eq!(login(&[("client_id", "other")]).await.unwrap_err(), wrong);
    // smctl of old tries this when it has no refresh token: it would be somebody else.
    let as_itself = [("grant_type", "client_credentials"), ("client_id", "cf")];
    assert_eq!(
        world.ask(&as_itself).await.unwrap_err().word(),
        "invalid_client"
    );
}

#[tokio::test]
async fn guessing_is_slowed_down_by_name_and_address() {
    let world = with(Settings::default()).await;
    let (_, password) = world.admin().await;
    let from = |remote: &str, user: &str, typed: &str| {
        let ctx = Ctx {
            remote: remote.to_owned(),
            ..anonymous()
        };
        let grant = Grant::Password {
            user: user.to_owned(),
            password: Secret::new(typed.to_owned()),
            client: None,
            scope: None,
        };
        let deeds = &world.deeds;
        async move { identity::token(deeds, &ctx, "http://m", grant).await }
    };
    let free = Settings::default().login.free;
    for _ in 0..=free {
        assert_eq!(
            from("192.0.2.1:1", "admin", "wrong")
                .await
                .unwrap_err()
                .word(),
            "invalid_grant"
        );
    }
    let audited = world.audit().await.len();
    // The right password does not help, from nowhere.
    for remote in ["192.0.2.1:2", "198.51.100.1:1"] {
        let Err(OAuthError::Other(Error::Throttled { until })) =
            from(remote, "admin", &password).await
        else {
            panic!("not throttled");
        };
        assert!(until > world.clock.now());
    }
    assert_eq!(world.audit().await.len(), audited, "who waits fills no log");
    world.clock.forward(Duration::from_secs(1));
    assert!(from("192.0.2.1:3", "admin", &password).await.is_ok());
    assert!(from("192.0.2.1:3", "admin", "wrong").await.is_err());
    assert!(
        from("192.0.2.1:3", "admin", &password).await.is_ok(),
        "success starts anew"
    );
}

#[tokio::test]
async fn deeds_of_users_need_the_built_in_issuer() {
    let settings = Settings {
        built_in: Some(false),
        ..Settings::default()
    };
    let world = with(settings).await;
    let new = NewUser {
        name: "ann".to_owned(),
        password: None,
        roles: BTreeSet::new(),
        tenant: None,
    };
    let error = identity::add_user(&world.deeds, &person(&[Role::Admin], None), new)
        .await
        .unwrap_err();
    assert!(matches!(error, Error::NotImplemented(_)));
}

/// Whoever is many at once is not somebody who guesses.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_good_logins_at_once_are_no_guesses() {
    let world = with(Settings::default()).await;
    let (_, password) = world.admin().await;
    let mut logins = tokio::task::JoinSet::new();
    for _ in 0..50 {
        let (deeds, password) = (world.deeds.clone(), Secret::new(password.clone()));
        logins.spawn(async move {
            let grant = Grant::Password {
                user: "admin".to_owned(),
                password,
                client: None,
                scope: None,
            };
            identity::token(&deeds, &anonymous(), "http://m", grant).await
        });
    }
    assert!(logins.join_all().await.iter().all(Result::is_ok));
}

/// Guesses made at once do not slip through before the first has failed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_guesses_at_once_are_as_slow_as_one_by_one() {
    let world = with(Settings::default()).await;
    world.admin().await;
    let mut guesses = tokio::task::JoinSet::new();
    for n in 0..50 {
        let deeds = world.deeds.clone();
        guesses.spawn(async move {
            let grant = Grant::Password {
                user: "admin".to_owned(),
                password: Secret::new(format!("guess {n}")),
                client: None,
                scope: None,
            };
            identity::token(&deeds, &anonymous(), "http://m", grant)
                .await
                .unwrap_err()
        });
    }
    let refused = guesses.join_all().await;
    let looked_at = refused
        .iter()
        .filter(|error| error.word() == "invalid_grant")
        .count();
    // Two may be under way when the last free one fails.
    let free = Settings::default().login.free as usize;
    assert!((free + 1..=free + 3).contains(&looked_at), "{looked_at}");
}

#[tokio::test]
async fn a_client_that_guesses_waits_and_keeps_nobody_out() {
    let world = with(Settings::default()).await;
    let admin = person(&[Role::Admin], None);
    let new = identity::NewClient {
        id: None,
        description: String::new(),
        roles: BTreeSet::new(),
        tenant: None,
    };
    let op = identity::add_client(&world.deeds, &admin, new)
        .await
        .unwrap();
    let from = |remote: &str, secret: &str| {
        let ctx = Ctx {
            remote: remote.to_owned(),
            ..anonymous()
        };
        let client = identity::ClientAuth {
            id: op.client.id.to_string(),
            secret: Secret::new(secret.to_owned()),
        };
        let grant = Grant::ClientCredentials {
            client,
            scope: None,
        };
        let deeds = &world.deeds;
        async move {
            identity::token(deeds, &ctx, "http://m", grant)
                .await
                .map_err(|error| error.status())
        }
    };
    let mut told = Vec::new();
    for _ in 0..100 {
        told.push(from("192.0.2.1:1", "wrong").await.unwrap_err());
    }
    assert!(told.contains(&401) && told.ends_with(&[429]), "{told:?}");
    assert!(from("192.0.2.2:1", op.secret.expose()).await.is_ok());
}
