//! Every route times every kind of caller. The routes come from the executable itself, so that a new one
//! without a row here fails.
//!
//! The rule of the table: a caller that may not is told 401 when another kind of proof is needed and 403 when a
//! role is; a caller that may gets the code of the row, which is the answer to a harmless request.

mod callers;
mod table;

use crate::harness::{Client, Engine, Manager, Setup, login, query};
use crate::openapi;
use callers::{CALLERS, Callers};
use serde_json::json;
use table::{TABLE, expected, row};

on_both_engines!(
    every_route_for_every_caller,
    who_may_not_hears_that_first,
    tokens_of_another_issuer
);

async fn every_route_for_every_caller(engine: Engine) {
    let callers = Callers::all(engine).await;
    let document = openapi::document();
    let mut wrong = Vec::new();
    let mut used = 0;
    for (method, path) in openapi::routes(&document) {
        let Some(row) = row(&method, &path) else {
            wrong.push(format!("{method} {path} has no row in the table"));
            continue;
        };
        used += 1;
        for caller in CALLERS {
            let client = callers.client(caller);
            let wanted = expected(row, caller);
            let answer = client
                .call(row.method(), &row.request(), row.body().as_ref())
                .await;
            if answer.status != wanted {
                let text: String = answer.text.chars().take(150).collect();
                wrong.push(format!(
                    "{method} {path} for {caller:?}: {wanted} wanted, got {} {text}",
                    answer.status
                ));
            }
            if answer.status == 401 && answer.header("www-authenticate").is_none() {
                wrong.push(format!("{method} {path}: a 401 without a challenge"));
            }
        }
    }
    assert_eq!(
        used,
        TABLE.len(),
        "the table has rows for routes that are not there"
    );
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// Whatever else is wrong with a request: its body, its query, its content type.
async fn who_may_not_hears_that_first(engine: Engine) {
    let callers = Callers::all(engine).await;
    let mut wrong = Vec::new();
    for row in TABLE.iter().filter(|row| !row.proof_is_in_body()) {
        let refused = CALLERS
            .into_iter()
            .filter(|caller| [401, 403].contains(&expected(row, *caller)));
        for caller in refused {
            let wanted = expected(row, caller);
            let path = row.request();
            let more = if path.contains('?') { '&' } else { '?' };
            let path = format!("{path}{more}max_items=many&labelQuery=%28%28&async=%20");
            for (kind, body) in [("application/json", "{"), ("text/rhyme", "roses are red")] {
                let client = callers.client(caller);
                let headers = [("content-type", kind)];
                let answer = client.send(row.method(), &path, &headers, body).await;
                if answer.status != wanted {
                    let text: String = answer.text.chars().take(150).collect();
                    wrong.push(format!(
                        "{} {path} for {caller:?} with {kind}: {wanted} wanted, got {} {text}",
                        row.method(),
                        answer.status
                    ));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// A second manager is the other issuer.
async fn tokens_of_another_issuer(engine: Engine) {
    let issuer = Manager::start(engine).await;
    for (name, roles) in [("boss", json!(["admin"])), ("guest", json!([]))] {
        let body = json!({"name": name, "password": "correct horse battery", "roles": roles});
        issuer.admin().post("/v1/users", &body).await.expect(201);
    }
    let issuers = json!([{"url": issuer.url(), "audience": "", "roles_claim": "roles"}]);
    let setup = Setup::new(engine)
        .set("QM_IDENTITY_BUILTIN", "on")
        .set("QM_IDENTITY_ISSUERS", &issuers.to_string());
    let manager = setup.start_without_login().await;
    let url = manager.url();
    let token = async |name: &str| {
        let token = login::access_token(&issuer.url(), name, "correct horse battery").await;
        Client::bearer(&url, &token)
    };
    let boss = token("boss").await;
    boss.get("/v1/platforms").await.expect(200);
    let platform = json!({"name": "p", "type": "t"});
    boss.post("/v1/platforms", &platform).await.expect(201);
    token("guest")
        .await
        .get("/v1/platforms")
        .await
        .refused(403, "Forbidden");
    let named = query("/v1/platforms", &[("fieldQuery", "name eq 'p'")]);
    assert_eq!(boss.get(&named).await.expect(200)["num_items"], 1);

    // An issuer that nobody named is nobody.
    let stranger = Manager::start(engine).await;
    let word = stranger.admin_password();
    let foreign = login::access_token(&stranger.url(), "admin", &word).await;
    let answer = Client::bearer(&url, &foreign).get("/v1/platforms").await;
    answer.refused(401, "Unauthorized");
}
