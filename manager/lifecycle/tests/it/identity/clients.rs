//! Programs that log in with a secret of their own, as the operator does.

use super::world::{World, anonymous, on_both, person};
use qm_lifecycle::identity::{self, AddedClient, ClientChange, NewClient};
use qm_model::id::ClientId;
use qm_model::identity::Role;
use qm_model::{Ctx, Error};
use std::collections::BTreeSet;

on_both!(
    a_client_logs_in_with_its_secret,
    added_listed_changed_rotated_removed,
    only_administrators_may
);

fn new(id: Option<&str>, roles: &[Role], tenant: Option<&str>) -> NewClient {
    NewClient {
        id: id.map(|id| ClientId::new(id).unwrap()),
        description: "the operator of a cluster".to_owned(),
        roles: roles.iter().copied().collect(),
        tenant: tenant.map(str::to_owned),
    }
}

fn admin() -> Ctx {
    person(&[Role::Admin], None)
}

async fn login(world: &World, id: &str, secret: &str) -> Result<identity::Issued, &'static str> {
    let form = [
        ("grant_type", "client_credentials"),
        ("client_id", id),
        ("client_secret", secret),
    ];
    world.ask(&form).await.map_err(|error| error.word())
}

async fn a_client_logs_in_with_its_secret(world: World) {
    let AddedClient { client, secret } = identity::add_client(
        &world.deeds,
        &admin(),
        new(Some("op"), &[Role::Developer], Some("acme")),
    )
    .await
    .unwrap();
    let issued = login(&world, "op", secret.expose()).await.unwrap();
    assert!(issued.refresh_token.is_none(), "it has its secret");
    let who = world.who(&issued).await;
    assert_eq!((who.subject.as_str(), who.name.as_str()), ("op", "op"));
    assert_eq!(
        (who.roles, who.tenant.as_deref()),
        (BTreeSet::from([Role::Developer]), Some("acme"))
    );
    assert_eq!(client.id.as_str(), "op");
    for (id, typed) in [
        ("op", "wrong"),
        ("op", ""),
        ("nobody", secret.expose().as_str()),
    ] {
        assert_eq!(
            login(&world, id, typed).await.unwrap_err(),
            "invalid_client"
        );
    }
    let records = world.audit().await;
    let told: Vec<_> = records
        .iter()
        .filter(|record| record.action == "login")
        .map(|record| (record.object_id.as_str(), record.outcome.word()))
        .collect();
    assert_eq!(
        told,
        [
            ("op", "succeeded"),
            ("op", "refused"),
            ("op", "refused"),
            ("", "refused")
        ]
    );
    assert!(!format!("{records:?}").contains(secret.expose().as_str()));

    // A user may log in through it.
    let first = identity::first_admin(&world.deeds).await.unwrap().unwrap();
    let form = [
        ("grant_type", "password"),
        ("username", "admin"),
        ("password", first.password.expose().as_str()),
        ("client_id", "op"),
        ("client_secret", secret.expose().as_str()),
    ];
    assert_eq!(
        world.who(&world.ask(&form).await.unwrap()).await.name,
        "admin"
    );
}

async fn added_listed_changed_rotated_removed(world: World) {
    let deeds = &world.deeds;
    let made_up = identity::add_client(deeds, &admin(), new(None, &[], None))
        .await
        .unwrap();
    assert!(!made_up.client.id.as_str().is_empty());
    let op = identity::add_client(deeds, &admin(), new(Some("op"), &[Role::Viewer], None))
        .await
        .unwrap();
    let id = op.client.id.clone();
    assert_eq!(
        identity::get_client(deeds, &admin(), &id).await.unwrap(),
        op.client
    );
    assert_eq!(
        identity::list_clients(deeds, &admin()).await.unwrap().len(),
        2
    );
    let taken = identity::add_client(deeds, &admin(), new(Some("op"), &[], None))
        .await
        .unwrap_err();
    assert_eq!(taken.status(), 409);
    for reserved in ["cf", "smctl"] {
        let error = identity::add_client(deeds, &admin(), new(Some(reserved), &[], None))
            .await
            .unwrap_err();
        assert_eq!(error.status(), 400);
    }

    let change = ClientChange {
        roles: Some(BTreeSet::from([Role::Admin])),
        ..ClientChange::default()
    };
    let changed = identity::change_client(deeds, &admin(), &id, change)
        .await
        .unwrap();
    assert_eq!(changed.description, op.client.description);
    let issued = login(&world, "op", op.secret.expose()).await.unwrap();
    assert_eq!(issued.scope, "admin");

    let rotated = identity::rotate_client(deeds, &admin(), &id).await.unwrap();
    assert_eq!(
        login(&world, "op", op.secret.expose()).await.unwrap_err(),
        "invalid_client"
    );
    assert!(login(&world, "op", rotated.secret.expose()).await.is_ok());
    assert!(!format!("{rotated:?}").contains(rotated.secret.expose().as_str()));

    identity::remove_client(deeds, &admin(), &id).await.unwrap();
    assert_eq!(
        login(&world, "op", rotated.secret.expose())
            .await
            .unwrap_err(),
        "invalid_client"
    );
    assert!(matches!(
        identity::rotate_client(deeds, &admin(), &id).await,
        Err(Error::Missing(_))
    ));
    assert!(matches!(
        identity::remove_client(deeds, &admin(), &id).await,
        Err(Error::Missing(_))
    ));
}

async fn only_administrators_may(world: World) {
    let deeds = &world.deeds;
    let id = ClientId::new("op").unwrap();
    for (ctx, status) in [
        (anonymous(), 401),
        (person(&[Role::Developer], None), 403),
        (person(&[Role::Admin], Some("t")), 403),
    ] {
        let refused = [
            identity::add_client(deeds, &ctx, new(None, &[Role::Admin], None))
                .await
                .map(|_| ())
                .unwrap_err(),
            identity::list_clients(deeds, &ctx)
                .await
                .map(|_| ())
                .unwrap_err(),
            identity::get_client(deeds, &ctx, &id)
                .await
                .map(|_| ())
                .unwrap_err(),
            identity::change_client(deeds, &ctx, &id, ClientChange::default())
                .await
                .map(|_| ())
                .unwrap_err(),
            identity::rotate_client(deeds, &ctx, &id)
                .await
                .map(|_| ())
                .unwrap_err(),
            identity::remove_client(deeds, &ctx, &id).await.unwrap_err(),
        ];
        assert!(
            refused.iter().all(|error| error.status() == status),
            "{ctx:?} {refused:?}"
        );
    }
}
