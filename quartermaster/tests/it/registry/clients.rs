//! Programs that log in at the built-in issuer with a secret of their own: `/v1/clients`.

use crate::harness::answer::{id, text};
use crate::harness::login::grant_as;
use crate::harness::{Answer, Client, Engine, Manager};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

on_both_engines!(a_client_logs_in_with_its_secret);

const PATH: &str = "/v1/clients";

async fn log_in(manager: &Manager, client: &str, secret: &str) -> Answer {
    let authorization = format!("Basic {}", STANDARD.encode(format!("{client}:{secret}")));
    let fields = [("grant_type", "client_credentials")];
    grant_as(&manager.url(), &authorization, &fields).await
}

async fn a_client_logs_in_with_its_secret(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let body = json!({"description": "the operator", "roles": ["viewer"]});
    let made = admin.post(PATH, &body).await.expect(201);
    let secret = text(&made, "secret");
    assert!(secret.len() >= 32, "not to be guessed");
    let one = format!("{PATH}/{}", id(&made));
    let read = admin.get(&one).await;
    assert!(!read.text.contains(&secret), "shown once");
    assert_eq!(read.expect(200)["roles"], json!(["viewer"]));
    assert!(!admin.get(PATH).await.text.contains(&secret));

    let tokens = log_in(&manager, &id(&made), &secret).await.expect(200);
    let program = Client::bearer(&manager.url(), &text(&tokens, "access_token"));
    program.get("/v1/platforms").await.expect(200);
    let platform = json!({"name": "p", "type": "t"});
    program
        .post("/v1/platforms", &platform)
        .await
        .refused(403, "Forbidden");
    // As the BTP operator sends it: in the form.
    let fields = [
        ("grant_type", "client_credentials"),
        ("client_id", &id(&made)),
        ("client_secret", &secret),
    ];
    grant_as(&manager.url(), "", &fields).await.expect(200);
    let wrong = log_in(&manager, &id(&made), "wrong").await;
    assert_eq!(wrong.expect(401)["error"], "invalid_client");

    assert_eq!(admin.delete(&one).await.status, 200);
    log_in(&manager, &id(&made), &secret).await.expect(401);
    admin.get(&one).await.refused(404, "NotFound");
}
