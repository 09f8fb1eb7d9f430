//! Bodies that cannot be read, with a secret before, in and after the place where they break. (A key that comes twice
//! is named in the refusal; keys are no secrets.)

use crate::canary::World;
use http::Method;

pub(in crate::canary) async fn all(world: &mut World) {
    let admin = world.manager.admin();
    let secret = world.marks.make("in-a-broken-body");
    let json = "application/json";
    let bodies = [
        (
            json,
            format!("{{\"credentials\":{{\"basic\":{{\"password\":\"{secret}\""),
        ),
        (
            json,
            format!("{{\"password\":\"{secret}\",\"password\":\"{secret}\"}}"),
        ),
        (json, format!("\"{secret}\"")),
        (json, format!("[\"{secret}\"]")),
        (json, secret.clone()),
        (
            json,
            format!(
                "{{\"name\":{{\"{secret}\":1}},\"roles\":\"{secret}\",\"labels\":\"{secret}\"}}"
            ),
        ),
        (
            json,
            format!(
                "{{\"name\":7,\"type\":\"{secret}\",\"password\":7,\"credentials\":\"{secret}\"}}"
            ),
        ),
        (
            "application/x-www-form-urlencoded",
            format!("password={secret}"),
        ),
        ("text/plain", secret.clone()),
        ("multipart/form-data; boundary=x", secret.clone()),
    ];
    let doors = [
        (Method::POST, "/v1/service_brokers"),
        (Method::PATCH, "/v1/service_brokers/nobody"),
        (Method::POST, "/v1/platforms"),
        (Method::PATCH, "/v1/platforms/nobody"),
        (Method::POST, "/v1/visibilities"),
        (Method::POST, "/v1/users"),
        (Method::PATCH, "/v1/users/nobody"),
        (Method::PUT, "/v1/users/me/password"),
        (Method::POST, "/v1/clients"),
        (Method::PUT, "/v1/credentials"),
        (Method::PUT, "/v1/config/logging"),
        (Method::POST, "/oauth/token"),
    ];
    for (method, path) in doors {
        for (kind, body) in &bodies {
            let headers = [("content-type", *kind)];
            let answer = admin
                .send(method.clone(), path, &headers, body.clone())
                .await;
            // What only has fields that nobody knows may pass.
            assert!(answer.status < 500, "{body}: {answer:#?}");
            world.places.answer(answer);
        }
    }
    // Headers that bring secrets of others.
    for name in [
        "cookie",
        "x-api-key",
        "x-vault-token",
        "proxy-authorization",
    ] {
        let headers = [(name, &*secret)];
        let answer = admin.send(Method::GET, "/v1/platforms", &headers, "").await;
        world.places.answer(answer);
    }
}
