//! Refresh tokens: each is good once, a second use ends the login, and they end with what they stand for.

use super::world::{World, anonymous, on_both, person};
use qm_lifecycle::identity::{
    self, ClientAuth, Issued, NewClient, NewUser, Revocation, Settings, UserChange,
};
use qm_model::Secret;
use qm_model::identity::{Role, User};
use std::collections::BTreeSet;
use std::time::Duration;

on_both!(
    a_refresh_token_is_good_once,
    a_second_use_revokes_the_family,
    two_at_once_cannot_both_win,
    expired_and_made_up_tokens,
    revoked_tokens,
    only_its_client_may_use_or_revoke_it,
    roles_are_those_of_now,
    a_new_password_ends_logins,
    a_user_who_is_gone_cannot_go_on,
    a_wrong_scope_costs_nothing,
    what_expired_is_removed,
);

fn held(issued: &Issued) -> String {
    issued.refresh_token.clone().unwrap().into_exposed()
}

fn cf() -> ClientAuth {
    ClientAuth {
        id: "cf".to_owned(),
        secret: Secret::new(String::new()),
    }
}

async fn ann(world: &World) -> (User, Issued) {
    world.admin().await;
    let new = NewUser {
        name: "ann".to_owned(),
        password: Some(Secret::new("correct horse".to_owned())),
        roles: BTreeSet::from([Role::Developer]),
        tenant: None,
    };
    let added = identity::add_user(&world.deeds, &person(&[Role::Admin], None), new)
        .await
        .unwrap();
    let issued = world.login("ann", "correct horse").await.unwrap();
    (added.user, issued)
}

async fn dead(world: &World, token: &str) {
    let error = world.refresh(token).await.unwrap_err();
    assert_eq!((error.word(), error.status()), ("invalid_grant", 400));
}

async fn a_refresh_token_is_good_once(world: World) {
    let (user, first) = ann(&world).await;
    let second = world.refresh(&held(&first)).await.unwrap();
    assert_ne!(held(&first), held(&second));
    assert_eq!(world.who(&second).await.subject, user.id.as_str());
    let third = world.refresh(&held(&second)).await.unwrap();
    assert!(world.refresh(&held(&third)).await.is_ok());
}

async fn a_second_use_revokes_the_family(world: World) {
    let (user, first) = ann(&world).await;
    let other = world.login("ann", "correct horse").await.unwrap();
    let second = world.refresh(&held(&first)).await.unwrap();
    dead(&world, &held(&first)).await;
    dead(&world, &held(&second)).await;
    assert!(
        world.refresh(&held(&other)).await.is_ok(),
        "another login is another family"
    );
    let records = world.audit().await;
    let twice: Vec<_> = records
        .iter()
        .filter(|record| record.detail.contains("twice"))
        .collect();
    assert_eq!(twice.len(), 1);
    assert_eq!(
        (twice[0].object_id.as_str(), twice[0].outcome.word()),
        (user.id.as_str(), "refused")
    );
}

async fn two_at_once_cannot_both_win(world: World) {
    let (_, first) = ann(&world).await;
    let token = held(&first);
    let (one, two) = tokio::join!(world.refresh(&token), world.refresh(&token));
    assert_eq!(u8::from(one.is_ok()) + u8::from(two.is_ok()), 1);
    dead(&world, &held(&one.or(two).unwrap())).await;
}

async fn expired_and_made_up_tokens(world: World) {
    let (_, first) = ann(&world).await;
    dead(&world, "made up").await;
    dead(&world, first.access_token.expose()).await;
    world.clock.forward(Settings::default().refresh_token_age);
    dead(&world, &held(&first)).await;
}

async fn revoked_tokens(world: World) {
    let (_, first) = ann(&world).await;
    let second = world.refresh(&held(&first)).await.unwrap();
    let revoke = |token: String| {
        let revocation = Revocation {
            token: Secret::new(token),
            client: Some(cf()),
        };
        let deeds = &world.deeds;
        async move {
            identity::revoke(deeds, &anonymous(), revocation)
                .await
                .map_err(|error| error.word())
        }
    };
    assert_eq!(revoke("unknown".to_owned()).await, Ok(()));
    assert!(world.refresh(&held(&second)).await.is_ok());
    let access = first.access_token.clone().into_exposed();
    assert_eq!(revoke(access).await, Err("unsupported_token_type"));
    let third = world.login("ann", "correct horse").await.unwrap();
    assert_eq!(revoke(held(&third)).await, Ok(()));
    dead(&world, &held(&third)).await;
    assert!(
        world
            .audit()
            .await
            .iter()
            .any(|record| record.action == "logout")
    );
}

async fn only_its_client_may_use_or_revoke_it(world: World) {
    let (_, first) = ann(&world).await;
    let new = NewClient {
        id: None,
        description: "a web page".to_owned(),
        roles: BTreeSet::new(),
        tenant: None,
    };
    let page = identity::add_client(&world.deeds, &person(&[Role::Admin], None), new)
        .await
        .unwrap();
    let page = ClientAuth {
        id: page.client.id.to_string(),
        secret: page.secret,
    };
    let smctl = ClientAuth {
        id: "smctl".to_owned(),
        ..cf()
    };
    let go_on = async |token: String, client: Option<&ClientAuth>| {
        let mut form = vec![
            ("grant_type", "refresh_token"),
            ("refresh_token", token.as_str()),
        ];
        if let Some(ClientAuth { id, secret }) = client {
            form.extend([
                ("client_id", id.as_str()),
                ("client_secret", secret.expose()),
            ]);
        }
        world.ask(&form).await.map_err(|error| error.to_string())
    };
    const OTHER: &str = "the refresh token was given to another client";
    for other in [None, Some(&smctl), Some(&page)] {
        let refused = go_on(held(&first), other).await.unwrap_err();
        assert_eq!(refused, OTHER, "{other:?}");
        let revocation = Revocation {
            token: Secret::new(held(&first)),
            client: other.cloned(),
        };
        let refused = identity::revoke(&world.deeds, &anonymous(), revocation).await;
        assert_eq!(refused.unwrap_err().to_string(), OTHER, "{other:?}");
    }
    // Nothing was used up by those, and what comes of it is bound as well.
    let second = go_on(held(&first), Some(&cf())).await.unwrap();
    assert_eq!(go_on(held(&second), Some(&page)).await.unwrap_err(), OTHER);

    let (id, secret) = (page.id.as_str(), page.secret.expose().as_str());
    let form = [
        ("grant_type", "password"),
        ("username", "ann"),
        ("password", "correct horse"),
        ("client_id", id),
        ("client_secret", secret),
    ];
    let third = world.ask(&form).await.unwrap();
    assert_eq!(go_on(held(&third), Some(&cf())).await.unwrap_err(), OTHER);
    assert!(go_on(held(&third), Some(&page)).await.is_ok());
}

async fn roles_are_those_of_now(world: World) {
    let (user, first) = ann(&world).await;
    let change = UserChange {
        roles: Some(BTreeSet::from([Role::Viewer])),
        ..UserChange::default()
    };
    identity::change_user(
        &world.deeds,
        &person(&[Role::Admin], None),
        &user.id,
        change,
    )
    .await
    .unwrap();
    let second = world.refresh(&held(&first)).await.unwrap();
    assert_eq!(
        world.who(&second).await.roles,
        BTreeSet::from([Role::Viewer])
    );
}

async fn a_new_password_ends_logins(world: World) {
    let (user, first) = ann(&world).await;
    let change = UserChange {
        password: Some(Secret::new("battery staple".to_owned())),
        ..UserChange::default()
    };
    identity::change_user(
        &world.deeds,
        &person(&[Role::Admin], None),
        &user.id,
        change,
    )
    .await
    .unwrap();
    dead(&world, &held(&first)).await;
    assert!(world.login("ann", "correct horse").await.is_err());
    assert!(world.login("ann", "battery staple").await.is_ok());
}

async fn a_user_who_is_gone_cannot_go_on(world: World) {
    let (user, first) = ann(&world).await;
    identity::remove_user(&world.deeds, &person(&[Role::Admin], None), &user.id)
        .await
        .unwrap();
    dead(&world, &held(&first)).await;
}

async fn a_wrong_scope_costs_nothing(world: World) {
    let (_, first) = ann(&world).await;
    let token = held(&first);
    let form = [
        ("grant_type", "refresh_token"),
        ("refresh_token", token.as_str()),
        ("client_id", "cf"),
        ("scope", "admin"),
    ];
    assert_eq!(world.ask(&form).await.unwrap_err().word(), "invalid_scope");
    assert!(world.refresh(&token).await.is_ok());
}

async fn what_expired_is_removed(world: World) {
    let (_, first) = ann(&world).await;
    let token = held(&first);
    world.clock.forward(Settings::default().refresh_token_age);
    identity::tidy(&world.deeds).await.unwrap();
    world.clock.forward(Duration::from_millis(1));
    identity::tidy(&world.deeds).await.unwrap();
    // With the clock set back it would still be good, if it were there.
    world.clock.back(Settings::default().refresh_token_age);
    dead(&world, &token).await;
}
