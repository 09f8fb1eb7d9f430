//! Deeds on users: who may, what is refused, and that an administrator is always left.

use super::world::{World, anonymous, on_both, person};
use qm_lifecycle::identity::{self, NewUser, UserChange};
use qm_model::id::UserId;
use qm_model::identity::{Role, User};
use qm_model::{Ctx, Error, Secret};
use std::collections::BTreeSet;

on_both!(
    added_listed_changed_removed,
    a_name_is_taken_once,
    an_administrator_is_always_left,
    two_administrators_cannot_unmake_each_other,
    a_user_changes_the_own_password,
    only_administrators_may,
);

fn new(name: &str, roles: &[Role]) -> NewUser {
    NewUser {
        name: name.to_owned(),
        password: Some(Secret::new("correct horse".to_owned())),
        roles: roles.iter().copied().collect(),
        tenant: None,
    }
}

async fn admin_user(world: &World) -> User {
    let users = identity::list_users(&world.deeds, &person(&[Role::Admin], None))
        .await
        .unwrap();
    users.into_iter().find(|user| user.name == "admin").unwrap()
}

async fn added_listed_changed_removed(world: World) {
    let (admin, _) = world.admin().await;
    let deeds = &world.deeds;
    let added = identity::add_user(deeds, &admin, new("ann", &[Role::Viewer]))
        .await
        .unwrap();
    assert!(added.password.is_none(), "it was chosen");
    let ann = added.user;
    assert_eq!(
        identity::get_user(deeds, &admin, &ann.id).await.unwrap(),
        ann
    );
    let names: Vec<_> = identity::list_users(deeds, &admin)
        .await
        .unwrap()
        .into_iter()
        .map(|user| user.name)
        .collect();
    assert_eq!(names, ["admin", "ann"]);

    let change = UserChange {
        password: None,
        roles: Some(BTreeSet::from([Role::Developer, Role::Purge])),
        tenant: Some(Some("acme".to_owned())),
    };
    let changed = identity::change_user(deeds, &admin, &ann.id, change)
        .await
        .unwrap();
    assert_eq!(changed.tenant.as_deref(), Some("acme"));
    assert_eq!(
        identity::get_user(deeds, &admin, &ann.id).await.unwrap(),
        changed
    );
    let change = UserChange {
        tenant: Some(None),
        ..UserChange::default()
    };
    let changed = identity::change_user(deeds, &admin, &ann.id, change)
        .await
        .unwrap();
    assert_eq!((changed.tenant, changed.roles.len()), (None, 2));

    identity::remove_user(deeds, &admin, &ann.id).await.unwrap();
    assert!(matches!(
        identity::get_user(deeds, &admin, &ann.id).await,
        Err(Error::Missing(_))
    ));
    assert!(matches!(
        identity::remove_user(deeds, &admin, &ann.id).await,
        Err(Error::Missing(_))
    ));
    let records = world.audit().await;
    let done: Vec<_> = records
        .iter()
        .filter(|r| r.object_id == ann.id.as_str())
        .map(|r| r.action.as_str())
        .collect();
    assert_eq!(done, ["create", "update", "update", "delete"]);
    assert!(!format!("{records:?}").contains("correct horse"));
}

async fn a_name_is_taken_once(world: World) {
    let (admin, _) = world.admin().await;
    let (one, two) = tokio::join!(
        identity::add_user(&world.deeds, &admin, new("ann", &[])),
        identity::add_user(&world.deeds, &admin, new("ann", &[])),
    );
    let won = u8::from(one.is_ok()) + u8::from(two.is_ok());
    assert_eq!(won, 1);
    let lost = one.and(two).unwrap_err();
    assert_eq!(lost.status(), 409, "{lost}");
    for (name, password) in [
        ("", "correct horse"),
        (" ann", "correct horse"),
        ("a\nb", "correct horse"),
        ("bob", "short"),
    ] {
        let user = NewUser {
            password: Some(Secret::new(password.to_owned())),
            ..new(name, &[])
        };
        let error = identity::add_user(&world.deeds, &admin, user)
            .await
            .unwrap_err();
        assert_eq!(error.status(), 400, "{name:?} {error}");
    }
}

async fn an_administrator_is_always_left(world: World) {
    let (admin, _) = world.admin().await;
    let id = admin_user(&world).await.id;
    let deeds = &world.deeds;
    let change = |roles: Option<&[Role]>, tenant: Option<&str>| UserChange {
        roles: roles.map(|roles| roles.iter().copied().collect()),
        tenant: tenant.map(|tenant| Some(tenant.to_owned())),
        ..UserChange::default()
    };
    let demoted = change(Some(&[Role::Developer, Role::Purge]), None);
    let confined = change(None, Some("acme"));
    // A tenant's administrator is none for the others.
    let tenant = NewUser {
        tenant: Some("acme".to_owned()),
        ..new("tess", &[Role::Admin])
    };
    identity::add_user(deeds, &admin, tenant).await.unwrap();
    for change in [demoted.clone(), confined.clone()] {
        let error = identity::change_user(deeds, &admin, &id, change)
            .await
            .unwrap_err();
        assert_eq!(error.status(), 409);
        assert!(error.to_string().contains("last administrator"), "{error}");
    }
    assert_eq!(
        identity::remove_user(deeds, &admin, &id)
            .await
            .unwrap_err()
            .status(),
        409
    );
    assert_eq!(
        admin_user(&world).await.roles,
        BTreeSet::from([Role::Admin])
    );

    identity::add_user(deeds, &admin, new("bob", &[Role::Viewer, Role::Admin]))
        .await
        .unwrap();
    identity::change_user(deeds, &admin, &id, demoted)
        .await
        .unwrap();
    identity::remove_user(deeds, &admin, &id).await.unwrap();
}

async fn two_administrators_cannot_unmake_each_other(world: World) {
    let (admin, _) = world.admin().await;
    let one = admin_user(&world).await.id;
    let two = identity::add_user(&world.deeds, &admin, new("bob", &[Role::Admin]))
        .await
        .unwrap()
        .user
        .id;
    let other = world.replica().await;
    let (a, b) = tokio::join!(
        identity::remove_user(&world.deeds, &admin, &one),
        identity::remove_user(&other, &admin, &two),
    );
    assert_eq!(u8::from(a.is_ok()) + u8::from(b.is_ok()), 1, "{a:?} {b:?}");
}

async fn a_user_changes_the_own_password(world: World) {
    let (admin, _) = world.admin().await;
    identity::add_user(&world.deeds, &admin, new("ann", &[]))
        .await
        .unwrap();
    let issued = world.login("ann", "correct horse").await.unwrap();
    let ann = Ctx {
        caller: qm_model::Caller::Person(world.who(&issued).await),
        ..anonymous()
    };
    let change = |ctx: Ctx, old: &str, new: &str| {
        let (old, new) = (Secret::new(old.to_owned()), Secret::new(new.to_owned()));
        let deeds = &world.deeds;
        async move {
            identity::change_own_password(deeds, &ctx, old, new)
                .await
                .map_err(|error| error.status())
        }
    };
    assert_eq!(
        change(ann.clone(), "wrong", "battery staple").await,
        Err(403)
    );
    assert_eq!(
        change(ann.clone(), "correct horse", "short").await,
        Err(400)
    );
    assert_eq!(
        change(admin.clone(), "correct horse", "battery staple").await,
        Err(403),
        "of another issuer"
    );
    assert_eq!(
        change(anonymous(), "correct horse", "battery staple").await,
        Err(403)
    );
    assert_eq!(change(ann, "correct horse", "battery staple").await, Ok(()));
    let refresh = issued.refresh_token.unwrap();
    assert!(world.refresh(refresh.expose()).await.is_err());
    assert!(world.login("ann", "battery staple").await.is_ok());
}

async fn only_administrators_may(world: World) {
    world.admin().await;
    let deeds = &world.deeds;
    let id = UserId::new("u").unwrap();
    for (ctx, status) in [
        (anonymous(), 401),
        (person(&[], None), 403),
        (person(&[Role::Viewer], None), 403),
        (person(&[Role::Developer, Role::Purge], None), 403),
        (person(&[Role::Admin], Some("acme")), 403),
    ] {
        let refused = [
            identity::add_user(deeds, &ctx, new("eve", &[Role::Admin]))
                .await
                .map(|_| ())
                .unwrap_err(),
            identity::list_users(deeds, &ctx)
                .await
                .map(|_| ())
                .unwrap_err(),
            identity::get_user(deeds, &ctx, &id)
                .await
                .map(|_| ())
                .unwrap_err(),
            identity::change_user(deeds, &ctx, &id, UserChange::default())
                .await
                .map(|_| ())
                .unwrap_err(),
            identity::remove_user(deeds, &ctx, &id).await.unwrap_err(),
        ];
        assert!(
            refused.iter().all(|error| error.status() == status),
            "{ctx:?} {refused:?}"
        );
    }
}
