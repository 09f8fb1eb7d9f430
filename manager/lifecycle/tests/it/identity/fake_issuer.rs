//! An external issuer: a small server whose keys rotate and that can be taken away.

use super::sign::Key;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use qm_lifecycle::identity::{Issuer, RoleRule, Settings};
use qm_model::Time;
use qm_model::identity::Role;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

/// An external issuer.
pub(crate) struct FakeIssuer {
    pub(crate) url: String,
    served: Shared,
    server: tokio::task::JoinHandle<()>,
}

type Shared = Arc<Mutex<Served>>;

#[derive(Default)]
struct Served {
    url: String,
    name: Option<String>,
    keys: Vec<Value>,
    away: bool,
    asked: usize,
}

impl FakeIssuer {
    pub(crate) async fn start(keys: &[&Key]) -> Self {
        let served = Shared::default();
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(discovery))
            .route("/keys", get(jwks))
            .with_state(served.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        served.lock().unwrap().url = url.clone();
        let server = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        let issuer = Self {
            url,
            served,
            server,
        };
        issuer.publish(keys);
        issuer
    }

    /// Publishes other keys.
    pub(crate) fn publish(&self, keys: &[&Key]) {
        self.publish_jwks(keys.iter().map(|key| key.jwk()).collect());
    }

    pub(crate) fn publish_jwks(&self, keys: Vec<Value>) {
        self.served.lock().unwrap().keys = keys;
    }

    /// Answers nothing useful while away.
    pub(crate) fn away(&self, away: bool) {
        self.served.lock().unwrap().away = away;
    }

    /// Calls itself otherwise.
    pub(crate) fn pretend(&self, name: &str) {
        self.served.lock().unwrap().name = Some(name.to_owned());
    }

    /// How often it was asked, in vain or not.
    pub(crate) fn asked(&self) -> usize {
        self.served.lock().unwrap().asked
    }

    /// How the manager is told to trust it.
    pub(crate) fn trust(&self) -> Issuer {
        trust(&self.url)
    }

    pub(crate) fn settings(&self) -> Settings {
        Settings {
            issuers: vec![self.trust()],
            ..Settings::default()
        }
    }

    /// Claims of an administrator, good for ten minutes.
    pub(crate) fn claims(&self, now: Time) -> Value {
        let now = now.millis() / 1000;
        json!({"iss": self.url, "sub": "u-1", "user_name": "ann", "scope": "openid sm.admin", "exp": now + 600, "iat": now})
    }
}

pub(crate) fn trust(url: &str) -> Issuer {
    Issuer {
        url: url.to_owned(),
        audience: None,
        roles: RoleRule {
            claim: "scope".to_owned(),
            grants: BTreeMap::from([
                ("sm.admin".to_owned(), BTreeSet::from([Role::Admin])),
                ("sm.read".to_owned(), BTreeSet::from([Role::Viewer])),
            ]),
        },
        tenant_claim: None,
        name_claim: "user_name".to_owned(),
    }
}

impl Drop for FakeIssuer {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn discovery(State(served): State<Shared>) -> Result<Json<Value>, StatusCode> {
    let mut served = served.lock().unwrap();
    served.asked += 1;
    if served.away {
        return Err(StatusCode::SERVICE_UNAVAILABLE);
    }
    let name = served.name.clone().unwrap_or_else(|| served.url.clone());
    Ok(Json(
        json!({"issuer": name, "jwks_uri": format!("{}/keys", served.url)}),
    ))
}

async fn jwks(State(served): State<Shared>) -> Result<Json<Value>, StatusCode> {
    let served = served.lock().unwrap();
    if served.away {
        return Err(StatusCode::SERVICE_UNAVAILABLE);
    }
    Ok(Json(json!({ "keys": served.keys })))
}
