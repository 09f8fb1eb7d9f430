//! The built-in issuer: discovery, keys, and the three grants, as smctl and OAuth2 libraries use them.

use crate::harness::answer::text;
use crate::harness::client::form;
use crate::harness::login::{grant, grant_as, password, token_endpoint};
use crate::harness::{Client, Engine, Manager, Setup, eventually};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use http::Method;
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt as _;

on_both_engines!(
    the_first_administrator_is_made_once,
    smctl_can_log_in,
    a_wrong_password_opens_nothing,
    a_refresh_token_works_once,
    tokens_are_signed_by_the_published_keys,
    the_host_header_does_not_choose_the_issuer,
    guessing_is_slowed_down,
    tokens_outlive_a_restart,
);

async fn the_first_administrator_is_made_once(engine: Engine) {
    let mut manager = Manager::start(engine).await;
    let word = manager.admin_password();
    assert!(word.len() >= 16, "not to be guessed");
    let file = manager.data().join("admin-password");
    let mode = std::fs::metadata(file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let first = manager.output();
    assert_eq!(first.matches(&word).count(), 1, "printed once:\n{first}");
    manager.stop().await;
    manager.restart().await;
    assert_eq!(
        manager.output().matches(&word).count(),
        1,
        "and never again"
    );
    assert_eq!(manager.admin_password(), word);
    manager.log_in().await;
    manager.admin().get("/v1/users").await.expect(200);
}

async fn smctl_can_log_in(engine: Engine) {
    let manager = Manager::start(engine).await;
    let url = manager.url();
    let anybody = manager.anybody();
    for extra in ["", "?grant_type=client_credentials", "?anything=else"] {
        let info = anybody.get(&format!("/v1/info{extra}")).await.expect(200);
        assert_eq!(info["token_issuer_url"], url);
        assert!(info["token_basic_auth"].is_boolean());
    }
    let word = manager.admin_password();
    let answer = password(&url, "admin", &word).await;
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let tokens = answer.expect(200);
    assert!(tokens["expires_in"].as_u64().unwrap() > 60);
    assert!(!text(&tokens, "refresh_token").is_empty());
    // The second try of smctl: the client in the form.
    let fields = [
        ("grant_type", "password"),
        ("username", "admin"),
        ("password", &word),
        ("client_id", "cf"),
    ];
    grant_as(&url, "", &fields).await.expect(200);
    let client = Client::bearer(&url, &text(&tokens, "access_token"));
    client.get("/v1/service_brokers").await.expect(200);
    // Silently trying to become the client `cf` gets nothing.
    let answer = grant(&url, &[("grant_type", "client_credentials")]).await;
    assert!([400, 401].contains(&answer.status), "{answer:#?}");
}

async fn a_wrong_password_opens_nothing(engine: Engine) {
    let manager = Manager::start(engine).await;
    let url = manager.url();
    let word = manager.admin_password();
    for (user, tried) in [
        ("admin", "wrong"),
        ("nobody", &*word),
        ("", &*word),
        ("admin", ""),
    ] {
        let answer = password(&url, user, tried).await;
        assert_eq!(answer.status, 400, "{user}: {answer:#?}");
        let error = text(&answer.body, "error");
        assert!(
            ["invalid_grant", "invalid_request"].contains(&&*error),
            "{answer:#?}"
        );
        assert!(!answer.text.contains(&word));
    }
    for (fields, error) in [
        (vec![], "invalid_request"),
        (
            vec![("grant_type", "authorization_code")],
            "unsupported_grant_type",
        ),
        (
            vec![("grant_type", "password"), ("username", "admin")],
            "invalid_request",
        ),
        (
            vec![("grant_type", "refresh_token"), ("refresh_token", "x")],
            "invalid_grant",
        ),
    ] {
        let answer = grant(&url, &fields).await;
        assert_eq!(answer.status, 400, "{fields:?}: {answer:#?}");
        assert_eq!(answer.body["error"], error, "{fields:?}");
    }
    let stranger = format!("Basic {}", STANDARD.encode("stranger:secret"));
    let answer = grant_as(&url, &stranger, &[("grant_type", "client_credentials")]).await;
    assert!(answer.header("www-authenticate").is_some(), "{answer:#?}");
    assert_eq!(answer.expect(401)["error"], "invalid_client");
    // The token endpoint takes forms.
    let path = token_endpoint(&url).await;
    let body = json!({"grant_type": "password", "username": "admin", "password": word});
    let answer = manager.anybody().post(&path, &body).await;
    assert_eq!(answer.expect(400)["error"], "invalid_request");
    // Nor is there anything for a browser.
    let answer = manager
        .anybody()
        .get("/oauth/authorize?response_type=code")
        .await;
    assert_eq!(answer.expect(400)["error"], "unsupported_response_type");
    let answer = manager
        .anybody()
        .get(&format!("{path}?{}", form(&[("grant_type", "password")])))
        .await;
    assert!([404, 405].contains(&answer.status), "{answer:#?}");
}

async fn a_refresh_token_works_once(engine: Engine) {
    let manager = Manager::start(engine).await;
    let url = manager.url();
    let tokens = password(&url, "admin", &manager.admin_password())
        .await
        .expect(200);
    let first = text(&tokens, "refresh_token");
    let refresh = async |token: &str| {
        grant(
            &url,
            &[("grant_type", "refresh_token"), ("refresh_token", token)],
        )
        .await
    };
    let renewed = refresh(&first).await.expect(200);
    let second = text(&renewed, "refresh_token");
    assert_ne!(first, second);
    let client = Client::bearer(&url, &text(&renewed, "access_token"));
    client.get("/v1/platforms").await.expect(200);
    // Used twice means stolen: the whole family is closed.
    assert_eq!(refresh(&first).await.expect(400)["error"], "invalid_grant");
    assert_eq!(refresh(&second).await.expect(400)["error"], "invalid_grant");
}

fn claims(token: &str) -> Value {
    let claims = token.split('.').nth(1).unwrap();
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).unwrap()).unwrap()
}

async fn the_host_header_does_not_choose_the_issuer(engine: Engine) {
    let named = "https://sm.example.com";
    for configured in ["", named] {
        let setup = Setup::new(engine).set("QM_SERVER_PUBLIC_URL", configured);
        let manager = setup.start_without_login().await;
        let (url, word) = (manager.url(), manager.admin_password());
        let issuer = if configured.is_empty() { &url } else { named };
        let fields = [
            ("grant_type", "password"),
            ("username", "admin"),
            ("password", &word),
        ];
        let headers = [
            ("content-type", "application/x-www-form-urlencoded"),
            ("host", "evil.example"),
            ("x-forwarded-host", "evil.example"),
        ];
        let anybody = manager.anybody();
        let tokens = anybody
            .send(Method::POST, "/oauth/token", &headers, form(&fields))
            .await
            .expect(200);
        let token = text(&tokens, "access_token");
        assert_eq!(claims(&token)["iss"], *issuer);
        let path = "/.well-known/openid-configuration";
        let discovery = anybody.send(Method::GET, path, &headers[1..], "").await;
        assert_eq!(discovery.header("cache-control"), Some("no-store"));
        assert_eq!(discovery.expect(200)["issuer"], *issuer);
        let client = Client::bearer(&url, &token);
        client.get("/v1/platforms").await.expect(200);
    }
}

async fn tokens_are_signed_by_the_published_keys(engine: Engine) {
    let manager = Manager::start(engine).await;
    let url = manager.url();
    let anybody = manager.anybody();
    let path = "/.well-known/openid-configuration";
    let discovery = anybody.get(path).await.expect(200);
    let keys = text(&discovery, "jwks_uri");
    let keys = keys.strip_prefix(&url).unwrap().to_owned();
    let keys = anybody.get(&keys).await.expect(200);
    let keys = keys["keys"].as_array().unwrap();
    for key in keys {
        for private in ["d", "p", "q", "dp", "dq", "qi", "k"] {
            assert_eq!(key.get(private), None, "{key}");
        }
    }
    let parts: Vec<&str> = manager.token().split('.').collect();
    let part = |n: usize| -> Value {
        serde_json::from_slice(&URL_SAFE_NO_PAD.decode(parts[n]).unwrap()).unwrap()
    };
    let kid = text(&part(0), "kid");
    assert!(keys.iter().any(|key| key["kid"] == kid.as_str()), "{kid}");
    assert_eq!(part(1)["iss"], url.as_str());
    assert!(part(1)["exp"].as_u64().unwrap() > part(1)["iat"].as_u64().unwrap());

    // Forgeries: another payload, no signature, no algorithm, an algorithm of the caller's choice.
    let mut claims = part(1);
    claims["exp"] = json!(32_503_680_000_u64);
    let encode = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let none = json!({"alg": "none", "typ": "JWT", "kid": kid});
    let hmac = json!({"alg": "HS256", "typ": "JWT", "kid": kid});
    let forged = [
        format!("{}.{}.{}", parts[0], encode(&claims), parts[2]),
        format!("{}.{}.", parts[0], parts[1]),
        format!("{}.{}.", encode(&none), encode(&claims)),
        format!("{}.{}.{}", encode(&hmac), encode(&claims), parts[2]),
        format!("{}.{}", parts[0], parts[1]),
        "x".repeat(5000),
        String::new(),
    ];
    for token in forged {
        let answer = Client::bearer(&url, &token).get("/v1/platforms").await;
        let told = answer.refused(401, "Unauthorized");
        assert!(told.starts_with("No authenticated user found"), "{told}");
    }
}

async fn guessing_is_slowed_down(engine: Engine) {
    let manager = Manager::start(engine).await;
    let url = manager.url();
    let path = token_endpoint(&url).await;
    let body = form(&[
        ("grant_type", "password"),
        ("username", "admin"),
        ("password", "guess"),
    ]);
    let headers = [("content-type", "application/x-www-form-urlencoded")];
    let guesser = Client::with(&url, "Basic Y2Y6".to_owned());
    let refused = eventually("guesses are refused", async || {
        let answer = guesser
            .send(Method::POST, &path, &headers, body.clone())
            .await;
        assert!([400, 429].contains(&answer.status), "{answer:#?}");
        (answer.status == 429).then_some(answer)
    })
    .await;
    // A date, never a number: a client in the field cuts nineteen characters off it.
    if let Some(after) = refused.header("retry-after") {
        assert!(after.len() >= 19 && after.ends_with("GMT"), "{after}");
    }
}

async fn tokens_outlive_a_restart(engine: Engine) {
    let mut manager = Manager::start(engine).await;
    manager.stop().await;
    manager.restart().await;
    manager.admin().get("/v1/platforms").await.expect(200);
}
