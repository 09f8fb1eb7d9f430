//! Users, clients, refresh tokens and signing keys as rows. What they mean is tested with the deeds.

use crate::engines::{World, change, on_both, read};
use qm_model::id::{ClientId, UserId};
use qm_model::identity::{Client, Role, User};
use qm_model::{Secret, Time};
use qm_store::refresh_token::{RefreshToken, Used};
use qm_store::signing_key::SigningKey;
use qm_store::{client, refresh_token, signing_key, user};
use std::collections::BTreeSet;

on_both!(
    users_come_back_as_they_went_in,
    another_administrator_is_found_by_role_and_tenant,
    clients_come_back_as_they_went_in,
    a_refresh_token_is_taken_once,
    refresh_tokens_go_with_their_user_and_their_time,
    one_key_signs,
    a_role_that_is_none_is_an_error,
);

fn someone(name: &str, roles: &[Role], tenant: Option<&str>) -> User {
    User {
        id: UserId::new(format!("id-{name}")).unwrap(),
        name: name.to_owned(),
        roles: roles.iter().copied().collect(),
        tenant: tenant.map(str::to_owned),
        created_at: Time(1),
        updated_at: Time(2),
    }
}

async fn add(world: &World, user: &User) -> bool {
    change!(world, [user], tx => user::insert(tx, &user, "$argon2id$text").await).unwrap()
}

async fn users_come_back_as_they_went_in(world: World) {
    assert!(!read!(world, [], tx => user::any(tx).await).unwrap());
    let bob = someone("bob", &[], None);
    let mut ann = someone("ann", &Role::ALL, Some("acme"));
    assert!(add(&world, &bob).await && add(&world, &ann).await);
    assert!(!add(&world, &ann).await, "the id is taken");
    let same_name = User {
        id: UserId::new("other").unwrap(),
        ..bob.clone()
    };
    assert!(!add(&world, &same_name).await, "the name is taken");
    assert_eq!(
        read!(world, [], tx => user::list(tx).await).unwrap(),
        [ann.clone(), bob]
    );

    ann.name = "anna".to_owned();
    ann.roles = BTreeSet::from([Role::Purge]);
    ann.tenant = None;
    ann.updated_at = Time(3);
    assert!(change!(world, [ann], tx => user::update(tx, &ann).await).unwrap());
    let id = ann.id.clone();
    assert_eq!(
        read!(world, [id], tx => user::get(tx, &id).await).unwrap(),
        Some(ann.clone())
    );
    assert!(
        change!(world, [id], tx => user::set_password(tx, &id, "other", Time(4)).await).unwrap()
    );
    let login = read!(world, [], tx => user::by_name(tx, "anna").await)
        .unwrap()
        .unwrap();
    assert_eq!(
        (login.user.updated_at, login.password.as_str()),
        (Time(4), "other")
    );
    assert!(!format!("{login:?}").contains("other"));
    assert!(
        read!(world, [], tx => user::by_name(tx, "ann").await)
            .unwrap()
            .is_none()
    );

    assert!(change!(world, [id], tx => user::delete(tx, &id).await).unwrap());
    assert!(!change!(world, [id], tx => user::delete(tx, &id).await).unwrap());
    assert!(!change!(world, [ann], tx => user::update(tx, &ann).await).unwrap());
}

async fn another_administrator_is_found_by_role_and_tenant(world: World) {
    let one = someone("one", &[Role::Admin], None);
    add(&world, &one).await;
    let id = one.id.clone();
    let other = async || read!(world, [id], tx => user::other_admin(tx, &id).await).unwrap();
    assert!(!other().await, "not the one who is asked about");
    add(&world, &someone("tenants", &[Role::Admin], Some("acme"))).await;
    add(
        &world,
        &someone("purger", &[Role::Developer, Role::Purge], None),
    )
    .await;
    assert!(!other().await);
    add(
        &world,
        &someone("two", &[Role::Viewer, Role::Admin, Role::Purge], None),
    )
    .await;
    assert!(other().await);
}

async fn clients_come_back_as_they_went_in(world: World) {
    let mut op = Client {
        id: ClientId::new("op").unwrap(),
        description: "an operator".to_owned(),
        roles: BTreeSet::from([Role::Developer, Role::Admin]),
        tenant: Some("acme".to_owned()),
        created_at: Time(1),
        updated_at: Time(1),
    };
    assert!(change!(world, [op], tx => client::insert(tx, &op, &[7; 32]).await).unwrap());
    assert!(!change!(world, [op], tx => client::insert(tx, &op, &[8; 32]).await).unwrap());
    let login = read!(world, [], tx => client::login(tx, "op").await)
        .unwrap()
        .unwrap();
    assert_eq!((login.client, login.secret), (op.clone(), [7; 32]));
    assert!(
        read!(world, [], tx => client::login(tx, "' OR 1=1 --").await)
            .unwrap()
            .is_none()
    );

    op.roles.clear();
    op.tenant = None;
    op.updated_at = Time(2);
    assert!(change!(world, [op], tx => client::update(tx, &op).await).unwrap());
    let id = op.id.clone();
    assert!(
        change!(world, [id], tx => client::set_secret(tx, &id, &[9; 32], Time(3)).await).unwrap()
    );
    op.updated_at = Time(3);
    assert_eq!(
        read!(world, [id], tx => client::get(tx, &id).await).unwrap(),
        Some(op.clone())
    );
    assert_eq!(
        read!(world, [], tx => client::list(tx).await).unwrap(),
        [op]
    );
    assert!(change!(world, [id], tx => client::delete(tx, &id).await).unwrap());
    assert!(!change!(world, [id], tx => client::delete(tx, &id).await).unwrap());
}

fn token(n: u8, user: &User, family: &str) -> RefreshToken {
    RefreshToken {
        hash: [n; 32],
        user: user.id.clone(),
        client: format!("client of {family}"),
        family: family.to_owned(),
        expires_at: Time(i64::from(n) * 100),
    }
}

async fn give(world: &World, token: &RefreshToken) {
    change!(world, [token], tx => refresh_token::insert(tx, &token, Time(1)).await).unwrap();
}

async fn take(world: &World, n: u8) -> Used {
    change!(world, [], tx => refresh_token::take(tx, &[n; 32]).await).unwrap()
}

async fn a_refresh_token_is_taken_once(world: World) {
    let ann = someone("ann", &[], None);
    add(&world, &ann).await;
    let (first, second) = (token(1, &ann, "a"), token(2, &ann, "b"));
    give(&world, &first).await;
    give(&world, &second).await;
    assert_eq!(take(&world, 9).await, Used::Unknown);
    assert_eq!(take(&world, 1).await, Used::Now(first.clone()));
    assert_eq!(take(&world, 1).await, Used::Before(first.clone()));
    assert_eq!(take(&world, 1).await, Used::Before(first));
    change!(world, [], tx => refresh_token::revoke_family(tx, "a").await).unwrap();
    assert_eq!(take(&world, 1).await, Used::Unknown);
    let found = read!(world, [], tx => refresh_token::get(tx, &[2; 32]).await).unwrap();
    assert_eq!(found, Some(second));
    let none = read!(world, [], tx => refresh_token::get(tx, &[1; 32]).await).unwrap();
    assert_eq!(none, None);
}

async fn refresh_tokens_go_with_their_user_and_their_time(world: World) {
    let (ann, bob) = (someone("ann", &[], None), someone("bob", &[], None));
    add(&world, &ann).await;
    add(&world, &bob).await;
    for n in 1..=4 {
        give(&world, &token(n, &ann, "a")).await;
    }
    give(&world, &token(5, &bob, "b")).await;
    let expire = async |before: i64, limit: u32| {
        change!(world, [], tx => refresh_token::expire(tx, Time(before), limit).await).unwrap()
    };
    assert_eq!(expire(300, 1).await, 1);
    assert_eq!(expire(300, 10).await, 1);
    assert_eq!(
        expire(300, 10).await,
        0,
        "what expires at that very moment stays"
    );
    assert!(matches!(take(&world, 3).await, Used::Now(_)));
    let id = ann.id.clone();
    change!(world, [id], tx => refresh_token::revoke_all(tx, &id).await).unwrap();
    assert_eq!(take(&world, 4).await, Used::Unknown);
    let id = bob.id.clone();
    change!(world, [id], tx => user::delete(tx, &id).await).unwrap();
    assert_eq!(take(&world, 5).await, Used::Unknown);
    assert_eq!(world.number("SELECT count(*) FROM refresh_token").await, 0);
}

async fn one_key_signs(world: World) {
    let key = |id: &str, at: i64| SigningKey {
        id: id.to_owned(),
        private: Secret::new(format!("the secret half of {id}").into_bytes()),
        public: "{}".to_owned(),
        created_at: Time(at),
        retired_at: None,
    };
    assert_eq!(
        read!(world, [], tx => signing_key::current(tx).await).unwrap(),
        None
    );
    for (id, at) in [("a", 10), ("b", 20), ("c", 30)] {
        let key = key(id, at);
        change!(world, [key], tx => signing_key::insert(tx, &key).await).unwrap();
        assert_eq!(
            read!(world, [], tx => signing_key::current(tx).await).unwrap(),
            Some(key)
        );
    }
    let all = read!(world, [], tx => signing_key::all(tx).await).unwrap();
    let told: Vec<_> = all
        .iter()
        .map(|key| (key.id.as_str(), key.retired_at))
        .collect();
    assert_eq!(
        told,
        [("c", None), ("b", Some(Time(30))), ("a", Some(Time(20)))]
    );
    assert_eq!(all[2].private, key("a", 10).private);
    assert_eq!(
        change!(world, [], tx => signing_key::forget(tx, Time(30)).await).unwrap(),
        1
    );
    assert_eq!(
        change!(world, [], tx => signing_key::forget(tx, Time(1000)).await).unwrap(),
        1
    );
    assert_eq!(
        read!(world, [], tx => signing_key::all(tx).await).unwrap(),
        [key("c", 30)]
    );

    let rows = world
        .beneath()
        .await
        .query("SELECT private FROM signing_key", vec![])
        .await
        .unwrap();
    let sealed: Vec<u8> = rows[0].get(0).unwrap();
    assert!(!String::from_utf8_lossy(&sealed).contains("secret half"));
}

async fn a_role_that_is_none_is_an_error(world: World) {
    add(&world, &someone("ann", &[Role::Viewer], None)).await;
    world
        .beneath()
        .await
        .execute("UPDATE person SET roles = 'viewer root'", vec![])
        .await
        .unwrap();
    let read = read!(world, [], tx => user::list(tx).await);
    assert!(matches!(
        read,
        Err(qm_store::Error::Form {
            table: "person",
            column: "roles"
        })
    ));
}
