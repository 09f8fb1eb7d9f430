//! What platforms log in with, and what their registrations of brokers do.

use crate::canary::World;
use crate::harness::answer::{id, items};
use crate::harness::brokers::hash;
use crate::harness::{Client, Platform, Socket};
use serde_json::{Value, json};

pub(in crate::canary) async fn all(world: &mut World) {
    let url = world.manager.url();
    let platform = Platform::register(&world.manager, "canary-cf", "cloudfoundry").await;
    world
        .marks
        .pair("platform", &platform.user, &platform.password);
    let mut stream = platform.connect(None).await;
    world
        .places
        .add("the handshake", &format!("{:?}", stream.headers));
    let path = format!("/v1/platforms/{}", platform.id);
    let rotate = format!("{path}?regenerateCredentials=true");
    let admin = world.manager.admin();
    let rotated = admin.patch(&rotate, &Value::Null).await.expect(200);
    let new = Platform::of(&url, &rotated);
    world
        .marks
        .pair("rotated platform", &new.user, &new.password);
    for caller in [&platform, &new] {
        for path in [
            "/v1/platforms",
            "/v1/service_brokers",
            "/v1/visibilities",
            "/v1/notifications",
        ] {
            world.places.answer(caller.client().get(path).await);
        }
    }
    world.places.answer(admin.get(&path).await);
    world
        .places
        .answer(admin.patch(&path, &json!({"description": "d"})).await);

    // Wrong passwords are often right ones in the wrong place.
    let wrong = world.marks.make("wrong-platform-password");
    world.marks.pair("wrong platform pair", &new.user, &wrong);
    let wrong = Client::basic(&url, &new.user, &wrong);
    world
        .places
        .answer(wrong.get("/v1/platforms").await)
        .expect(401);
    let refused = Socket::connect(&wrong, &url, None, &[])
        .await
        .err()
        .unwrap();
    world.places.add("a refused handshake", &refused.body);

    // What the proxies put for their brokers.
    let brokers = admin.get("/v1/service_brokers").await.expect(200);
    let broker = id(&items(&brokers)[0]);
    for round in 0..3 {
        let hash = hash(&world.marks.make("credential-hash"));
        world.marks.add("credential-hash as stored", &hash);
        let body =
            json!({"broker_id": broker, "username": format!("u{round}"), "password_hash": hash});
        // The proxy that sent it gets it back, on purpose.
        let put = new
            .client()
            .put("/v1/credentials?force=true", &body)
            .await
            .expect(200);
        let again = new
            .client()
            .put(
                "/v1/credentials",
                &json!({"broker_id": "nobody", "username": "u", "password_hash": hash}),
            )
            .await;
        world.places.answer(again);
        if round != 1 {
            let activate = format!("/v1/credentials/{}/activate", id(&put));
            new.client().put(&activate, &json!({})).await.expect(200);
        }
    }
    // A change that is told.
    admin
        .patch(&format!("/v1/service_brokers/{broker}"), &json!({}))
        .await
        .expect(200);
    world
        .places
        .add("a notification", &stream.next().await.to_string());
}
