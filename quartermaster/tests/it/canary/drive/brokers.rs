//! How the manager logs in at brokers: every kind of credentials, through success, change and every failure.

use crate::canary::World;
use crate::harness::answer::id;
use qm_testkit::hostile::Fault;
use quartermaster_osb::Verb;
use serde_json::{Value, json};

const PATH: &str = "/v1/service_brokers";

pub(in crate::canary) async fn all(world: &mut World) {
    for (name, credentials) in kinds(world).await {
        one(world, name, &credentials).await;
    }
    refused(world).await;
    failures(world).await;
}

/// Every kind of credentials that works at this broker.
async fn kinds(world: &mut World) -> Vec<(&'static str, Value)> {
    let password = world.marks.make("broker-password");
    world.marks.pair("broker-pair", "broker-user", &password);
    let bearer = world.marks.make("broker-bearer");
    let token = world.marks.make("broker-token");
    let identity = rcgen::generate_simple_self_signed(["client".to_owned()]).unwrap();
    let key = identity.signing_key.serialize_pem();
    // The lines of a key are its secret; one of them is enough to find it by.
    world.marks.add("client-key", key.lines().nth(1).unwrap());
    // The manager itself is the place where it gets a token for this one.
    let client = json!({"roles": ["viewer"]});
    let client = world
        .manager
        .admin()
        .post("/v1/clients", &client)
        .await
        .expect(201);
    let secret = client["secret"].as_str().unwrap().to_owned();
    world.marks.pair("oauth2-secret", &id(&client), &secret);
    vec![
        (
            "basic",
            json!({"basic": {"username": "broker-user", "password": password}}),
        ),
        ("bearer", json!({"bearer": {"token": bearer}})),
        ("token", json!({"token": token})),
        (
            "tls",
            json!({
                "tls": {"client_certificate": identity.cert.pem(), "client_key": key},
                "basic": {"username": "broker-user", "password": password},
            }),
        ),
        (
            "oauth2",
            json!({"oauth2": {
                "token_url": format!("{}/oauth/token", world.manager.url()),
                "client_id": id(&client), "client_secret": secret,
            }}),
        ),
    ]
}

async fn one(world: &mut World, name: &str, credentials: &Value) {
    let admin = world.manager.admin();
    let url = world.broker.url();
    let body = json!({"name": name, "broker_url": url, "credentials": credentials});
    let seen = world.broker.calls_of(Verb::Catalog).len();
    let made = admin.post(PATH, &body).await;
    let made = match made.status {
        201 => made.body,
        _ => panic!("{name}: {made:#?}"),
    };
    // What went to the broker is secret too, when it is a token that was fetched.
    let calls = world.broker.calls_of(Verb::Catalog);
    if let Some(sent) = calls[seen..]
        .iter()
        .find_map(|call| call.header("authorization"))
    {
        world
            .marks
            .add(&format!("sent for {name}"), sent.split_once(' ').unwrap().1);
    }
    let path = format!("{PATH}/{}", id(&made));
    let again = json!({"broker_url": url, "credentials": credentials, "description": "changed"});
    for answer in [
        admin.get(&path).await,
        admin.patch(&path, &json!({})).await,
        admin.patch(&path, &again).await,
        admin.post(PATH, &body).await,
        admin.get(PATH).await,
        admin
            .get(&format!("{PATH}?attach_last_operations=true"))
            .await,
    ] {
        world.places.answer(answer);
    }
    // Asynchronously the work waits in the database.
    let later =
        json!({"name": format!("{name}-later"), "broker_url": url, "credentials": credentials});
    let answer = admin.post(&format!("{PATH}?async=true"), &later).await;
    let location = answer.location();
    world.places.answer(answer);
    world.places.answer(admin.get(&location).await);
    world
        .places
        .answer(admin.patch(&format!("{path}?async=true"), &again).await);
}

/// Credentials that are refused before anybody is asked.
async fn refused(world: &mut World) {
    let admin = world.manager.admin();
    let secret = world.marks.make("refused-secret");
    let key = format!("-----BEGIN PRIVATE KEY-----\n{secret}\n-----END PRIVATE KEY-----\n");
    let url = world.broker.url();
    let with_user = url.replacen("http://", &format!("http://user:{secret}@"), 1);
    for (broker_url, credentials) in [
        (
            url.as_str(),
            json!({"basic": {"username": "", "password": secret}}),
        ),
        (
            &url,
            json!({"basic": {"username": "x", "password": [secret]}}),
        ),
        (&url, json!({"basic": secret})),
        (
            &url,
            json!({"tls": {"client_certificate": "none", "client_key": key}}),
        ),
        (
            &url,
            json!({"tls": {"client_certificate": secret, "client_key": "none"}}),
        ),
        (&url, json!({"bearer": {"token": {"value": secret}}})),
        (
            &url,
            json!({"bearer": {"token": format!("{secret}\nsplit")}}),
        ),
        (
            &url,
            json!({"oauth2": {"token_url": "no address", "client_id": "x", "client_secret": secret}}),
        ),
        (
            &url,
            json!({"basic": {"username": "x", "password": secret}, "bearer": {"token": secret}}),
        ),
        (
            &with_user,
            json!({"basic": {"username": "x", "password": "password"}}),
        ),
        (
            "no address",
            json!({"basic": {"username": "x", "password": secret}}),
        ),
    ] {
        let body = json!({"name": "refused", "broker_url": broker_url, "credentials": credentials});
        let answer = admin.post(PATH, &body).await;
        if answer.status == 201 {
            // Shown on purpose, once.
            admin
                .delete(&format!("{PATH}/{}", id(&answer.body)))
                .await
                .expect(200);
        } else {
            assert_eq!(answer.status, 400, "{credentials}: {answer:#?}");
            world.places.answer(answer);
        }
    }
}

/// Brokers and token endpoints that fail, in every way there is.
async fn failures(world: &mut World) {
    let admin = world.manager.admin();
    let password = world.marks.make("failing-password");
    world.marks.pair("failing-pair", "user", &password);
    let body = json!({
        "name": "failing", "broker_url": world.broker.url(),
        "credentials": {"basic": {"username": "user", "password": password}},
    });
    for fault in [
        Fault::Close,
        Fault::Reset,
        Fault::status(401),
        Fault::status(500),
        Fault::redirect(302, "http://127.0.0.1:1/"),
        Fault::Malformed,
        Fault::NotJson,
        Fault::Cut,
        Fault::WrongLength { by: 10 },
        Fault::HangInBody,
        Fault::answer(200, json!({"services": [{"id": ""}]})),
        Fault::Raw {
            text: "nonsense\r\n\r\n".to_owned(),
        },
    ] {
        world.broker.behave();
        world.broker.on(Verb::Catalog).then(fault);
        for path in [PATH.to_owned(), format!("{PATH}?async=true")] {
            let answer = admin.post(&path, &body).await;
            assert_ne!(answer.status, 201, "{answer:#?}");
            world.places.answer(answer);
        }
    }
    world.broker.behave();
    let secret = world.marks.make("failing-oauth2");
    world.marks.pair("failing-oauth2 pair", "nobody", &secret);
    let url = world.manager.url();
    for token_url in [
        format!("{url}/oauth/token"),
        format!("{url}/nothing"),
        "http://127.0.0.1:1/".to_owned(),
    ] {
        let oauth2 =
            json!({"token_url": token_url, "client_id": "nobody", "client_secret": secret});
        let body = json!({
            "name": "failing-oauth2", "broker_url": world.broker.url(),
            "credentials": {"oauth2": oauth2},
        });
        let answer = admin.post(PATH, &body).await;
        assert_ne!(answer.status, 201, "{answer:#?}");
        world.places.answer(answer);
    }
    // A dashboard client's secret stands in the catalog.
    let secret = world.marks.make("dashboard-secret");
    let mut catalog = serde_json::to_value(qm_testkit::hostile::standard_catalog()).unwrap();
    let client = json!({"id": "dashboard", "secret": secret, "redirect_uri": "http://x"});
    catalog["services"][0]["dashboard_client"] = client;
    world
        .broker
        .on(Verb::Catalog)
        .then(Fault::answer(200, catalog));
    let body = json!({
        "name": "dashboard", "broker_url": world.broker.url(),
        "credentials": {"basic": {"username": "user", "password": "password"}},
    });
    let answer = admin.post(PATH, &body).await;
    world.places.answer(answer).expect(201);
    world.broker.behave();
}
