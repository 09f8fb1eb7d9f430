//! External issuers: rotation, absence, floods.

use super::fake_issuer::{FakeIssuer, trust};
use super::sign::Key;
use super::world::{World, with};
use qm_lifecycle::identity::{self, IssuerState, Settings};
use qm_model::ctx::Person;
use qm_model::identity::Role;
use qm_model::{Caller, Error};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;

pub(super) async fn bearer(world: &World, token: &str) -> Result<Person, Error> {
    match identity::bearer(&world.deeds, token).await? {
        Caller::Person(person) => Ok(person),
        other => panic!("{other:?}"),
    }
}

async fn status(world: &World, token: &str) -> u16 {
    match bearer(world, token).await {
        Ok(_) => 200,
        Err(error) => error.status(),
    }
}

fn pause() -> Duration {
    Settings::default().unknown_key_pause
}

/// Another token each time: the cache of verified tokens knows none of them.
fn unseen(issuer: &FakeIssuer, world: &World, key: &Key, n: usize) -> String {
    let mut claims = issuer.claims(world.clock.now());
    claims["jti"] = json!(n);
    key.token(&claims)
}

#[tokio::test]
async fn a_good_token_is_a_person_with_the_roles_it_brings() {
    let key = Key::rsa("k1");
    let issuer = FakeIssuer::start(&[&key]).await;
    let world = with(issuer.settings()).await;
    assert_eq!(issuer.asked(), 0, "nobody is asked at start");
    let person = bearer(&world, &key.token(&issuer.claims(world.clock.now())))
        .await
        .unwrap();
    assert_eq!(
        person,
        Person {
            subject: "u-1".to_owned(),
            name: "ann".to_owned(),
            issuer: issuer.url.clone(),
            roles: BTreeSet::from([Role::Admin]),
            tenant: None,
        }
    );
}

/// Any valid token was an administrator.
#[tokio::test]
async fn a_token_without_a_role_may_nothing() {
    let key = Key::p256("k1");
    let issuer = FakeIssuer::start(&[&key]).await;
    let world = with(issuer.settings()).await;
    for scope in [json!(null), json!("openid"), json!("admin"), json!([])] {
        let mut claims = issuer.claims(world.clock.now());
        claims["scope"] = scope;
        let person = bearer(&world, &key.token(&claims)).await.unwrap();
        assert_eq!(person.roles, BTreeSet::new());
    }
}

#[tokio::test]
async fn every_algorithm_that_is_taken() {
    let (rsa, p256, p384) = (Key::rsa("r"), Key::p256("e2"), Key::p384("e3"));
    let issuer = FakeIssuer::start(&[&rsa, &p256, &p384]).await;
    let world = with(issuer.settings()).await;
    let claims = issuer.claims(world.clock.now());
    for algorithm in ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"] {
        let header = json!({"alg": algorithm, "kid": "r"}).to_string();
        let token = rsa.token_with(&header, &claims.to_string());
        assert_eq!(status(&world, &token).await, 200, "{algorithm}");
    }
    assert_eq!(status(&world, &p256.token(&claims)).await, 200);
    assert_eq!(status(&world, &p384.token(&claims)).await, 200);
    // Without a key id, any key that fits.
    let token = p384.token_with(r#"{"alg": "ES384"}"#, &claims.to_string());
    assert_eq!(status(&world, &token).await, 200);
}

#[tokio::test]
async fn an_issuer_that_was_never_reached_is_503_and_not_401() {
    let key = Key::p256("k1");
    // Nobody listens there: the listener is gone when the statement ends.
    let url = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    let settings = Settings {
        issuers: vec![trust(&url)],
        ..Settings::default()
    };
    let world = with(settings).await;
    let now = world.clock.now().millis() / 1000;
    let token = key.token(&json!({"iss": url, "sub": "u", "exp": now + 60}));
    let error = bearer(&world, &token).await.unwrap_err();
    assert_eq!(error.status(), 503);
    assert!(error.to_string().contains("does not answer"), "{error}");
    let [
        IssuerState {
            reached_at: None,
            keys: 0,
            error: Some(_),
            ..
        },
    ] = &identity::issuers(&world.deeds)[..]
    else {
        panic!("{:?}", identity::issuers(&world.deeds));
    };
}

#[tokio::test]
async fn an_issuer_that_comes_back_is_used_after_the_pause() {
    let key = Key::p256("k1");
    let issuer = FakeIssuer::start(&[&key]).await;
    issuer.away(true);
    let world = with(issuer.settings()).await;
    let token = unseen(&issuer, &world, &key, 1);
    assert_eq!(status(&world, &token).await, 503);
    issuer.away(false);
    assert_eq!(status(&world, &token).await, 503, "left alone for a while");
    assert_eq!(issuer.asked(), 1);
    world.clock.forward(pause());
    assert_eq!(status(&world, &token).await, 200);
    assert_eq!(identity::issuers(&world.deeds)[0].error, None);
}

#[tokio::test]
async fn known_keys_work_while_the_issuer_is_away() {
    let (key, new) = (Key::p256("k1"), Key::p256("k2"));
    let issuer = FakeIssuer::start(&[&key]).await;
    let world = with(issuer.settings()).await;
    assert_eq!(status(&world, &unseen(&issuer, &world, &key, 0)).await, 200);
    issuer.away(true);
    for n in 1..5 {
        // Long enough that the keys are old and are asked for anew, in vain.
        world.clock.forward(Duration::from_secs(24 * 60 * 60));
        assert_eq!(status(&world, &unseen(&issuer, &world, &key, n)).await, 200);
        world.deeds.settle().await;
        assert_eq!(issuer.asked(), 1 + n);
    }
    world.clock.forward(pause());
    let error = bearer(&world, &unseen(&issuer, &world, &new, 0))
        .await
        .unwrap_err();
    assert_eq!(error.status(), 503, "it may be a new key: {error}");
}

#[tokio::test]
async fn a_new_key_is_found_by_one_call() {
    let (old, new) = (Key::p256("k1"), Key::p256("k2"));
    let issuer = FakeIssuer::start(&[&old]).await;
    let world = with(issuer.settings()).await;
    assert_eq!(status(&world, &unseen(&issuer, &world, &old, 0)).await, 200);
    issuer.publish(&[&old, &new]);
    world.clock.forward(pause());
    assert_eq!(status(&world, &unseen(&issuer, &world, &new, 0)).await, 200);
    assert_eq!(status(&world, &unseen(&issuer, &world, &old, 1)).await, 200);
    assert_eq!(issuer.asked(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_of_made_up_key_ids_is_one_call() {
    let key = Key::p256("k1");
    let issuer = FakeIssuer::start(&[&key]).await;
    let world = with(issuer.settings()).await;
    let mut callers = tokio::task::JoinSet::new();
    for n in 0..100 {
        let made_up = json!({"alg": "ES256", "kid": format!("made-up-{n}")}).to_string();
        let token = key.token_with(&made_up, &issuer.claims(world.clock.now()).to_string());
        let deeds = world.deeds.clone();
        callers.spawn(async move { identity::bearer(&deeds, &token).await.unwrap_err().status() });
    }
    assert_eq!(callers.join_all().await, vec![401; 100]);
    assert_eq!(issuer.asked(), 1);
    assert_eq!(status(&world, &unseen(&issuer, &world, &key, 0)).await, 200);
    assert_eq!(issuer.asked(), 1);
}

#[tokio::test]
async fn a_clock_that_is_set_back_does_not_stop_the_asking() {
    let (old, new) = (Key::p256("k1"), Key::p256("k2"));
    let issuer = FakeIssuer::start(&[&old]).await;
    let world = with(issuer.settings()).await;
    assert_eq!(status(&world, &unseen(&issuer, &world, &old, 0)).await, 200);
    issuer.publish(&[&new]);
    world.clock.back(Duration::from_secs(60 * 60));
    assert_eq!(status(&world, &unseen(&issuer, &world, &new, 0)).await, 200);
}

#[tokio::test]
async fn old_keys_are_renewed_behind_the_back() {
    let (old, new) = (Key::p256("k1"), Key::p256("k2"));
    let issuer = FakeIssuer::start(&[&old]).await;
    let world = with(issuer.settings()).await;
    assert_eq!(status(&world, &unseen(&issuer, &world, &old, 0)).await, 200);
    issuer.publish(&[&new]);
    world.clock.forward(Settings::default().issuer_refresh);
    assert_eq!(
        status(&world, &unseen(&issuer, &world, &old, 1)).await,
        200,
        "who comes then does not wait"
    );
    world.deeds.settle().await;
    assert_eq!(
        status(&world, &unseen(&issuer, &world, &old, 2)).await,
        401,
        "a withdrawn key is worth nothing"
    );
    assert_eq!(status(&world, &unseen(&issuer, &world, &new, 3)).await, 200);
    assert_eq!(issuer.asked(), 2);
}

#[tokio::test]
async fn a_verified_token_is_remembered_until_it_expires() {
    let key = Key::p256("k1");
    let issuer = FakeIssuer::start(&[&key]).await;
    let settings = Settings {
        issuer_refresh: Duration::from_secs(1),
        ..issuer.settings()
    };
    let world = with(settings).await;
    let token = unseen(&issuer, &world, &key, 0);
    assert_eq!(status(&world, &token).await, 200);
    issuer.publish(&[]);
    identity::try_issuers(&world.deeds).await;
    assert_eq!(
        status(&world, &unseen(&issuer, &world, &key, 1)).await,
        401,
        "the key is gone"
    );
    assert_eq!(status(&world, &token).await, 200);
    world.clock.forward(Duration::from_secs(600));
    assert_eq!(status(&world, &token).await, 401);
}

#[tokio::test]
async fn an_issuer_that_calls_itself_otherwise_is_not_believed() {
    let key = Key::p256("k1");
    let issuer = FakeIssuer::start(&[&key]).await;
    issuer.pretend("https://login.example");
    let world = with(issuer.settings()).await;
    assert_eq!(status(&world, &unseen(&issuer, &world, &key, 0)).await, 503);
    let states = identity::try_issuers(&world.deeds).await;
    assert!(
        states[0].error.as_ref().unwrap().contains("another issuer"),
        "{states:?}"
    );
}

#[tokio::test]
async fn keys_that_are_not_for_signing_or_not_known_are_passed_over() {
    let (key, other) = (Key::p256("k1"), Key::p256("k2"));
    let issuer = FakeIssuer::start(&[]).await;
    let mut encrypts = other.jwk();
    encrypts["use"] = json!("enc");
    let broken = json!({"kty": "EC", "crv": "P-256", "kid": "b"});
    let strange = json!({"kty": "PQ", "kid": "s", "alg": "ML-DSA-44"});
    let shared = json!({"kty": "oct", "kid": "o", "k": "c2VjcmV0"});
    issuer.publish_jwks(vec![broken, strange, json!(7), shared, encrypts, key.jwk()]);
    let world = with(issuer.settings()).await;
    assert_eq!(status(&world, &unseen(&issuer, &world, &key, 0)).await, 200);
    assert_eq!(
        status(&world, &unseen(&issuer, &world, &other, 0)).await,
        401
    );
    assert_eq!(identity::issuers(&world.deeds)[0].keys, 1);
}

#[tokio::test]
async fn each_issuer_speaks_for_itself_only() {
    let (a, b) = (Key::p256("k"), Key::p256("k"));
    let (one, two) = (
        FakeIssuer::start(&[&a]).await,
        FakeIssuer::start(&[&b]).await,
    );
    let mut tenants = two.trust();
    tenants.tenant_claim = Some("zid".to_owned());
    tenants.audience = Some("sm".to_owned());
    let settings = Settings {
        issuers: vec![one.trust(), tenants],
        ..Settings::default()
    };
    let world = with(settings).await;
    let now = world.clock.now();
    assert_eq!(status(&world, &a.token(&one.claims(now))).await, 200);
    assert_eq!(
        status(&world, &b.token(&one.claims(now))).await,
        401,
        "the other's key"
    );
    let mut claims = two.claims(now);
    assert_eq!(status(&world, &b.token(&claims)).await, 401, "no audience");
    claims["aud"] = json!(["sm"]);
    assert_eq!(status(&world, &b.token(&claims)).await, 401, "no tenant");
    claims["zid"] = json!("acme");
    assert_eq!(
        bearer(&world, &b.token(&claims))
            .await
            .unwrap()
            .tenant
            .as_deref(),
        Some("acme")
    );
    let strangers: Value =
        json!({"iss": "https://unknown.example", "sub": "u", "exp": now.millis()});
    assert_eq!(status(&world, &a.token(&strangers)).await, 401);
}
