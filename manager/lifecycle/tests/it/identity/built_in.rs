//! The built-in issuer as a whole: the first administrator, what it publishes, when it is off.

use super::fake_issuer::FakeIssuer;
use super::sign::Key;
use super::world::{URL, World, anonymous, on_both, with};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use qm_lifecycle::identity::{self, BUILT_IN, Settings};
use qm_model::identity::Role;
use qm_model::{Caller, Error};
use serde_json::Value;
use std::collections::BTreeSet;
use std::time::Duration;

on_both!(
    the_first_administrator_is_made_once,
    two_replicas_make_one_administrator,
    a_login_is_an_administrator,
    others_can_verify_our_tokens,
);

async fn the_first_administrator_is_made_once(world: World) {
    let first = identity::first_admin(&world.deeds).await.unwrap().unwrap();
    assert_eq!(first.name, "admin");
    assert!(first.password.expose().len() >= 24);
    assert!(!format!("{first:?}").contains(first.password.expose().as_str()));
    assert!(identity::first_admin(&world.deeds).await.unwrap().is_none());
    let records = world.audit().await;
    assert_eq!(records.len(), 1);
    assert_eq!(
        (records[0].action.as_str(), records[0].actor_kind.as_str()),
        ("create", "system")
    );
}

async fn two_replicas_make_one_administrator(world: World) {
    let other = world.replica().await;
    let (one, two) = tokio::join!(
        identity::first_admin(&world.deeds),
        identity::first_admin(&other)
    );
    let made: Vec<_> = [one.unwrap(), two.unwrap()].into_iter().flatten().collect();
    assert_eq!(made.len(), 1);
    assert!(
        world
            .login("admin", made[0].password.expose())
            .await
            .is_ok()
    );
}

async fn a_login_is_an_administrator(world: World) {
    let (_, password) = world.admin().await;
    let issued = world.login("admin", &password).await.unwrap();
    assert_eq!(
        (issued.token_type, issued.expires_in, issued.scope.as_str()),
        ("bearer", 1800, "admin")
    );
    assert!(issued.refresh_token.is_some());
    assert!(!format!("{issued:?}").contains(issued.access_token.expose().as_str()));
    let person = world.who(&issued).await;
    assert_eq!(
        (person.name.as_str(), person.issuer.as_str()),
        ("admin", BUILT_IN)
    );
    assert_eq!(person.roles, BTreeSet::from([Role::Admin]));
    assert_eq!(person.tenant, None);

    world.clock.forward(Duration::from_secs(1800 + 59));
    assert!(
        identity::bearer(&world.deeds, issued.access_token.expose())
            .await
            .is_ok(),
        "leeway"
    );
    world.clock.forward(Duration::from_secs(1));
    let error = identity::bearer(&world.deeds, issued.access_token.expose())
        .await
        .unwrap_err();
    assert_eq!(error.status(), 401);
}

/// By the discovery document and the published keys, with a library as anybody would.
async fn others_can_verify_our_tokens(world: World) {
    let (_, password) = world.admin().await;
    let issued = world.login("admin", &password).await.unwrap();
    let discovery = identity::discovery(&world.deeds, "http://manager.example/", URL).unwrap();
    assert_eq!(discovery["issuer"], URL);
    assert_eq!(
        discovery["token_endpoint"],
        "http://manager.example/oauth/token"
    );
    assert!(
        discovery["authorization_endpoint"].is_string(),
        "smctl wants it"
    );
    let jwks = identity::jwks(&world.deeds).await.unwrap();
    let token = issued.access_token.expose();
    let header = jsonwebtoken::decode_header(token).unwrap();
    let jwks = serde_json::from_value::<jsonwebtoken::jwk::JwkSet>(jwks).unwrap();
    let jwk = jwks.find(&header.kid.unwrap()).unwrap();
    let mut rules = Validation::new(Algorithm::RS256);
    // The test's clock is not the library's.
    rules.validate_exp = false;
    rules.set_issuer(&[URL]);
    rules.set_audience(&["service-manager"]);
    let decoded =
        jsonwebtoken::decode::<Value>(token, &DecodingKey::from_jwk(jwk).unwrap(), &rules).unwrap();
    assert_eq!(decoded.claims["user_name"], "admin");
    assert_eq!(decoded.claims["scope"], "admin");
    assert!(
        jwks.keys
            .iter()
            .all(|key| !format!("{key:?}").contains("private"))
    );
}

/// Signed by us is not enough when it is said who we are.
#[tokio::test]
async fn a_token_under_another_name_is_refused() {
    let named = |url: &str| Settings {
        public_url: Some(url.to_owned()),
        ..Settings::default()
    };
    let world = with(named("https://sm.example/")).await;
    let (_, password) = world.admin().await;
    // The test's form names another address; the configured one counts.
    let issued = world.login("admin", &password).await.unwrap();
    let claims = issued.access_token.expose().split('.').nth(1).unwrap();
    let claims = URL_SAFE_NO_PAD.decode(claims).unwrap();
    let claims: Value = serde_json::from_slice(&claims).unwrap();
    assert_eq!(claims["iss"], "https://sm.example");
    assert_eq!(world.who(&issued).await.name, "admin");
    let renamed = world.replica_with(named("https://other.example")).await;
    let refused = identity::bearer(&renamed, issued.access_token.expose())
        .await
        .unwrap_err();
    assert_eq!(refused.status(), 401);
    assert!(refused.to_string().contains("another issuer"), "{refused}");
    let unnamed = world.replica().await;
    assert!(
        identity::bearer(&unnamed, issued.access_token.expose())
            .await
            .is_ok(),
        "where no name is configured the signature vouches"
    );
}

#[tokio::test]
async fn off_when_there_is_another_issuer() {
    let issuer = FakeIssuer::start(&[]).await;
    let world = with(issuer.settings()).await;
    assert!(!identity::has_built_in(&world.deeds));
    assert!(identity::first_admin(&world.deeds).await.unwrap().is_none());
    assert!(matches!(
        identity::discovery(&world.deeds, URL, URL),
        Err(Error::NotImplemented(_))
    ));
    assert!(matches!(
        identity::jwks(&world.deeds).await,
        Err(Error::NotImplemented(_))
    ));
    let error = world.login("admin", "x").await.unwrap_err();
    assert_eq!(error.status(), 501);
    assert_eq!(identity::token_issuer_url(&world.deeds, URL), issuer.url);
    identity::tidy(&world.deeds).await.unwrap();
}

#[tokio::test]
async fn beside_another_issuer_when_asked_for() {
    let key = Key::p256("k");
    let issuer = FakeIssuer::start(&[&key]).await;
    let settings = Settings {
        built_in: Some(true),
        ..issuer.settings()
    };
    let world = with(settings).await;
    let (_, password) = world.admin().await;
    let issued = world.login("admin", &password).await.unwrap();
    assert_eq!(world.who(&issued).await.issuer, BUILT_IN);
    let token = key.token(&issuer.claims(world.clock.now()));
    let Ok(Caller::Person(person)) = identity::bearer(&world.deeds, &token).await else {
        panic!()
    };
    assert_eq!(person.issuer, issuer.url);
}

#[tokio::test]
async fn off_alone_trusts_nobody() {
    let ours = with(Settings::default()).await;
    let (_, password) = ours.admin().await;
    let issued = ours.login("admin", &password).await.unwrap();
    let settings = Settings {
        built_in: Some(false),
        ..Settings::default()
    };
    let world = with(settings).await;
    let error = identity::bearer(&world.deeds, issued.access_token.expose())
        .await
        .unwrap_err();
    assert_eq!(error.status(), 401);
}

#[tokio::test]
async fn a_token_of_another_manager_is_nobodys() {
    let (ours, theirs) = (
        with(Settings::default()).await,
        with(Settings::default()).await,
    );
    let (_, password) = theirs.admin().await;
    let issued = theirs.login("admin", &password).await.unwrap();
    for _ in 0..2 {
        let error = identity::bearer(&ours.deeds, issued.access_token.expose())
            .await
            .unwrap_err();
        assert_eq!(error.status(), 401);
    }
    assert!(
        identity::revoke(
            &ours.deeds,
            &anonymous(),
            identity::Revocation {
                token: issued.refresh_token.unwrap(),
                client: None
            }
        )
        .await
        .is_ok()
    );
}
