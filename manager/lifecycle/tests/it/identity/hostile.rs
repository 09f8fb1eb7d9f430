//! Tokens that somebody made who is not the issuer, or that the issuer made for something else.

use super::external::bearer;
use super::fake_issuer::FakeIssuer;
use super::sign::{Key, b64, with_secret};
use super::world::{World, with};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use qm_lifecycle::identity::{Issuer, Settings};
use serde_json::{Value, json};

/// An issuer that wants an audience, a manager that trusts it, a token that is good.
async fn setting() -> (Key, FakeIssuer, World, Value) {
    let key = Key::rsa("k1");
    let issuer = FakeIssuer::start(&[&key]).await;
    let trust = Issuer {
        audience: Some("sm".to_owned()),
        ..issuer.trust()
    };
    let settings = Settings {
        issuers: vec![trust],
        ..Settings::default()
    };
    let world = with(settings).await;
    let mut claims = issuer.claims(world.clock.now());
    claims["aud"] = json!("sm");
    assert!(bearer(&world, &key.token(&claims)).await.is_ok());
    (key, issuer, world, claims)
}

async fn refused(world: &World, what: &str, token: &str) {
    match bearer(world, token).await {
        Ok(person) => panic!("{what} became {person:?}"),
        Err(error) => assert_eq!(error.status(), 401, "{what}: {error}"),
    }
}

#[tokio::test]
async fn algorithms_that_prove_nothing() {
    let (key, _issuer, world, claims) = setting().await;
    for algorithm in ["none", "None", "NONE", "nOnE", "", "RS1", "ES256K", "EdDSA"] {
        let header = json!({"alg": algorithm, "kid": "k1"}).to_string();
        let unsigned = format!("{}.{}.", b64(&header), b64(claims.to_string()));
        refused(&world, algorithm, &unsigned).await;
        refused(&world, algorithm, &format!("{unsigned}{}", b64("x"))).await;
        refused(
            &world,
            algorithm,
            &key.token_with(&header, &claims.to_string()),
        )
        .await;
    }
    for header in [
        r#"{"kid": "k1"}"#,
        r#"{"alg": 7}"#,
        r#"{"alg": ["RS256"]}"#,
        r#"{"alg": null}"#,
    ] {
        let token = format!("{}.{}.{}", b64(header), b64(claims.to_string()), b64("x"));
        refused(&world, header, &token).await;
    }
}

#[tokio::test]
async fn the_public_key_as_a_shared_secret() {
    let (key, _issuer, world, claims) = setting().await;
    let jwk = key.jwk();
    let n = URL_SAFE_NO_PAD.decode(jwk["n"].as_str().unwrap()).unwrap();
    let texts = [jwk.to_string(), jwk["n"].as_str().unwrap().to_owned()];
    for algorithm in ["HS256", "HS384", "HS512"] {
        let header = json!({"alg": algorithm, "typ": "JWT", "kid": "k1"}).to_string();
        refused(&world, algorithm, &with_secret(&header, &claims, &n)).await;
        refused(&world, algorithm, &with_secret(&header, &claims, b"")).await;
        for text in &texts {
            refused(
                &world,
                algorithm,
                &with_secret(&header, &claims, text.as_bytes()),
            )
            .await;
        }
    }
}

#[tokio::test]
async fn keys_that_are_not_the_issuers() {
    let (key, issuer, world, claims) = setting().await;
    let stranger = Key::rsa("k1");
    refused(&world, "the same key id", &stranger.token(&claims)).await;
    refused(&world, "an unknown key id", &Key::p256("k9").token(&claims)).await;
    refused(
        &world,
        "another kind of key under a known id",
        &Key::p256("k1").token(&claims),
    )
    .await;
    let header = json!({"alg": "RS256"}).to_string();
    refused(
        &world,
        "no key id",
        &stranger.token_with(&header, &claims.to_string()),
    )
    .await;
    let brought = json!({"alg": "RS256", "kid": "k1", "jwk": stranger.jwk()}).to_string();
    refused(
        &world,
        "a key in the header",
        &stranger.token_with(&brought, &claims.to_string()),
    )
    .await;
    let fetched =
        json!({"alg": "RS256", "kid": "k1", "jku": format!("{}/keys", issuer.url)}).to_string();
    refused(
        &world,
        "a key from elsewhere",
        &stranger.token_with(&fetched, &claims.to_string()),
    )
    .await;
    let weird = json!({"alg": "RS256", "kid": ["k1"]}).to_string();
    refused(
        &world,
        "a key id that is a list",
        &key.token_with(&weird, &claims.to_string()),
    )
    .await;
}

#[tokio::test]
async fn a_key_is_good_for_the_algorithm_it_names_only() {
    let (key, issuer, _, _) = setting().await;
    let mut jwk = key.jwk();
    jwk["alg"] = json!("RS256");
    issuer.publish_jwks(vec![jwk]);
    let world = with(issuer.settings()).await;
    let claims = issuer.claims(world.clock.now());
    assert!(bearer(&world, &key.token(&claims)).await.is_ok());
    let header = json!({"alg": "PS256", "kid": "k1"}).to_string();
    refused(
        &world,
        "PS256",
        &key.token_with(&header, &claims.to_string()),
    )
    .await;
}

#[tokio::test]
async fn a_token_that_was_touched() {
    let (key, _issuer, world, claims) = setting().await;
    let good = key.token(&claims);
    let parts: Vec<_> = good.split('.').collect();
    let [header, payload, signature] = parts[..] else {
        panic!()
    };
    let mut richer = claims.clone();
    richer["sub"] = json!("root");
    for (what, token) in [
        (
            "other claims",
            format!("{header}.{}.{signature}", b64(richer.to_string())),
        ),
        ("no signature", format!("{header}.{payload}.")),
        ("two parts", format!("{header}.{payload}")),
        ("one part", header.to_owned()),
        ("four parts", format!("{good}.{signature}")),
        ("nothing", String::new()),
        ("points", "..".to_owned()),
        ("a part before", format!(".{good}")),
        ("padding", format!("{good}==")),
        ("a space", format!("{good} ")),
        ("a short signature", good[..good.len() - 8].to_owned()),
        ("not base64", format!("{header}.{payload}.!!!!")),
        (
            "not UTF-8",
            format!("{}.{payload}.{signature}", b64([0xff, 0xfe])),
        ),
        (
            "header is a list",
            format!("{}.{payload}.{signature}", b64("[]")),
        ),
        (
            "claims are text",
            key.token_with(r#"{"alg": "RS256", "kid": "k1"}"#, "\"x\""),
        ),
    ] {
        refused(&world, what, &token).await;
    }
    for n in [0, 10, signature.len() - 1] {
        let at = good.len() - signature.len() + n;
        let other = if good.as_bytes()[at] == b'A' {
            "B"
        } else {
            "A"
        };
        let mut touched = good.clone();
        touched.replace_range(at..=at, other);
        refused(&world, "a changed signature", &touched).await;
    }
    assert!(bearer(&world, &good).await.is_ok());
}

#[tokio::test]
async fn claims_that_do_not_fit() {
    let (key, _issuer, world, claims) = setting().await;
    let now = world.clock.now().millis() / 1000;
    for (what, name, value) in [
        ("expired", "exp", json!(now - 61)),
        ("never expires", "exp", json!(null)),
        ("expires in words", "exp", json!("tomorrow")),
        ("not yet", "nbf", json!(now + 61)),
        ("another audience", "aud", json!("other")),
        ("no audience", "aud", json!(null)),
        ("an audience that contains ours", "aud", json!("sm2")),
        ("another issuer", "iss", json!("https://other.example")),
        ("no issuer", "iss", json!(null)),
        ("two issuers", "iss", json!([claims["iss"]])),
        ("nobody", "sub", json!("")),
        ("a line break", "sub", json!("a\nb")),
    ] {
        let mut claims = claims.clone();
        claims[name] = value;
        refused(&world, what, &key.token(&claims)).await;
    }
}

#[tokio::test]
async fn a_name_that_comes_twice() {
    let (key, _issuer, world, claims) = setting().await;
    let header = r#"{"alg": "RS256", "kid": "k1"}"#;
    let text = claims.to_string();
    for twice in [
        r#""sub": "root""#,
        r#""exp": 99999999999"#,
        r#""scope": "sm.admin""#,
        r#""other": 1, "other": 1"#,
    ] {
        let doubled = format!("{},{twice}}}", &text[..text.len() - 1]);
        refused(&world, twice, &key.token_with(header, &doubled)).await;
    }
    let two = r#"{"alg": "RS256", "kid": "k1", "kid": "k1"}"#;
    refused(&world, "header", &key.token_with(two, &text)).await;
}

#[tokio::test]
async fn a_header_that_demands_something() {
    let (key, _issuer, world, claims) = setting().await;
    let header = json!({"alg": "RS256", "kid": "k1", "crit": ["b64"], "b64": false}).to_string();
    refused(
        &world,
        "crit",
        &key.token_with(&header, &claims.to_string()),
    )
    .await;
}

#[tokio::test]
async fn huge_and_deep_tokens() {
    let (key, _issuer, world, claims) = setting().await;
    let mut fat = claims.clone();
    fat["padding"] = json!("x".repeat(20_000));
    refused(&world, "20 kB", &key.token(&fat)).await;
    refused(&world, "10 MB", &"a.".repeat(5_000_000)).await;
    let deep = format!(r#"{{"a": {}1{}}}"#, "[".repeat(4000), "]".repeat(4000));
    refused(
        &world,
        "deep",
        &key.token_with(r#"{"alg": "RS256", "kid": "k1"}"#, &deep),
    )
    .await;
    let mut slim = claims;
    slim["padding"] = json!("x".repeat(4000));
    assert!(bearer(&world, &key.token(&slim)).await.is_ok());
}
