//! Logging in as smctl does: `/v1/info`, the issuer's discovery document, its token endpoint.

use super::client::form;
use super::{Answer, Client};
use http::Method;
use serde_json::Value;

/// What smctl sends as itself: the client `cf` with an empty secret.
const CF: &str = "Basic Y2Y6";

/// Where tokens are to be had, by the two steps that smctl takes; path only.
pub(crate) async fn token_endpoint(url: &str) -> String {
    let anybody = Client::anonymous(url);
    let info = anybody.get("/v1/info").await.expect(200);
    let issuer = info["token_issuer_url"].as_str().unwrap().to_owned();
    let path = format!("{issuer}/.well-known/openid-configuration");
    let path = below(url, &path);
    let discovery = anybody.get(&path).await.expect(200);
    for wanted in [
        "issuer",
        "token_endpoint",
        "authorization_endpoint",
        "jwks_uri",
    ] {
        assert!(discovery[wanted].is_string(), "no {wanted} in {discovery}");
    }
    assert_eq!(discovery["issuer"], issuer.as_str());
    below(url, discovery["token_endpoint"].as_str().unwrap())
}

/// Asks for a token with any form, as the client `cf` in the header.
pub(crate) async fn grant(url: &str, fields: &[(&str, &str)]) -> Answer {
    grant_as(url, CF, fields).await
}

/// The same as any client.
pub(crate) async fn grant_as(url: &str, authorization: &str, fields: &[(&str, &str)]) -> Answer {
    let client = match authorization {
        "" => Client::anonymous(url),
        text => Client::with(url, text.to_owned()),
    };
    let headers = [("content-type", "application/x-www-form-urlencoded")];
    let path = token_endpoint(url).await;
    client
        .send(Method::POST, &path, &headers, form(fields))
        .await
}

/// A user's tokens by the password grant.
pub(crate) async fn password(url: &str, user: &str, password: &str) -> Answer {
    let fields = [
        ("grant_type", "password"),
        ("username", user),
        ("password", password),
    ];
    grant(url, &fields).await
}

/// The access token of a user.
pub(crate) async fn access_token(url: &str, user: &str, word: &str) -> String {
    let tokens: Value = password(url, user, word).await.expect(200);
    let kind = tokens["token_type"].as_str().unwrap();
    assert!(kind.eq_ignore_ascii_case("bearer"), "{kind}");
    tokens["access_token"].as_str().unwrap().to_owned()
}

/// The path of an address of this manager.
fn below(url: &str, address: &str) -> String {
    let path = address.strip_prefix(url);
    path.unwrap_or_else(|| panic!("{address} is not at {url}"))
        .to_owned()
}
