//! Passwords, tokens and secrets of people and programs.

use crate::canary::World;
use crate::harness::answer::{id, text};
use crate::harness::client::form;
use crate::harness::{Client, login};
use serde_json::json;

pub(in crate::canary) async fn all(world: &mut World) {
    users(world).await;
    clients(world).await;
    wrong(world).await;
}

async fn users(world: &mut World) {
    let url = world.manager.url();
    let admin = world.manager.admin();
    let password = world.marks.make("user-password");
    let body = json!({"name": "vera", "password": password, "roles": ["viewer"]});
    let made = world
        .places
        .answer(admin.post("/v1/users", &body).await)
        .expect(201);
    world
        .places
        .answer(admin.post("/v1/users", &body).await)
        .expect(409);
    let tokens = login::password(&url, "vera", &password).await.expect(200);
    for token in ["access_token", "refresh_token"] {
        world.marks.add(token, &text(&tokens, token));
    }
    let refresh = text(&tokens, "refresh_token");
    let fields = [
        ("grant_type", "refresh_token"),
        ("refresh_token", &*refresh),
    ];
    let renewed = login::grant(&url, &fields).await.expect(200);
    for token in ["access_token", "refresh_token"] {
        world
            .marks
            .add(&format!("renewed {token}"), &text(&renewed, token));
    }
    world
        .places
        .answer(login::grant(&url, &fields).await)
        .expect(400);
    let vera = Client::bearer(&url, &text(&renewed, "access_token"));
    let forbidden = json!({"name": "p", "type": "t"});
    world
        .places
        .answer(vera.post("/v1/platforms", &forbidden).await)
        .expect(403);

    let path = format!("/v1/users/{}", id(&made));
    let next = world.marks.make("next-password");
    world
        .places
        .answer(admin.patch(&path, &json!({"password": next})).await)
        .expect(200);
    world
        .places
        .answer(admin.patch(&path, &json!({"password": {"x": next}})).await)
        .expect(400);
    world.places.answer(admin.get(&path).await);
    world.places.answer(admin.get("/v1/users").await);
    let own = json!({"old_password": next, "password": world.marks.make("own-password")});
    let token = login::access_token(&url, "vera", &next).await;
    world.marks.add("another access token", &token);
    let vera = Client::bearer(&url, &token);
    let changed = vera.put("/v1/users/me/password", &own).await;
    world.places.answer(changed);
    let changed = vera.put("/v1/users/me/password", &own).await;
    world.places.answer(changed);
}

async fn clients(world: &mut World) {
    let url = world.manager.url();
    let admin = world.manager.admin();
    let body = json!({"description": "a program", "roles": ["viewer"]});
    let made = admin.post("/v1/clients", &body).await.expect(201);
    let secret = text(&made, "secret");
    world.marks.pair("client-secret", &id(&made), &secret);
    let fields = [
        ("grant_type", "client_credentials"),
        ("client_id", &*id(&made)),
        ("client_secret", &secret),
    ];
    let tokens = login::grant_as(&url, "", &fields).await.expect(200);
    world
        .marks
        .add("client's token", &text(&tokens, "access_token"));
    for path in [
        "/v1/clients".to_owned(),
        format!("/v1/clients/{}", id(&made)),
    ] {
        world.places.answer(admin.get(&path).await);
    }
}

/// Everything that is wrong about a login, with a secret in it.
async fn wrong(world: &mut World) {
    let url = world.manager.url();
    let secret = world.marks.make("wrong-login");
    world.marks.pair("wrong client", "client", &secret);
    let header = format!("Basic {}", {
        use base64::Engine as _;
        base64::engine::general_purpose::STANDARD.encode(format!("client:{secret}"))
    });
    for answer in [
        login::password(&url, "admin", &secret).await,
        // A password in the field of the name.
        login::password(&url, &secret, "x").await,
        login::grant(&url, &[("grant_type", &*secret)]).await,
        login::grant(
            &url,
            &[("grant_type", "refresh_token"), ("refresh_token", &*secret)],
        )
        .await,
        login::grant(&url, &[("grant_type", "password"), ("password", &*secret)]).await,
        login::grant(&url, &[("password", &*secret), ("password", &*secret)]).await,
        login::grant_as(&url, &header, &[("grant_type", "client_credentials")]).await,
        login::grant_as(
            &url,
            &format!("Basic {secret}"),
            &[("grant_type", "client_credentials")],
        )
        .await,
    ] {
        assert_ne!(answer.status, 200, "{answer:#?}");
        world.places.answer(answer);
    }
    let path = login::token_endpoint(&url).await;
    let query = form(&[
        ("grant_type", "password"),
        ("username", "admin"),
        ("password", &secret),
    ]);
    let in_the_query = world
        .manager
        .anybody()
        .get(&format!("{path}?{query}"))
        .await;
    world.places.answer(in_the_query);
    for proof in [
        format!("Bearer {secret}"),
        format!("Basic {secret}"),
        secret.clone(),
        format!("Odd {secret}"),
    ] {
        let answer = Client::with(&url, proof).get("/v1/platforms").await;
        world.places.answer(answer).expect(401);
    }
}
