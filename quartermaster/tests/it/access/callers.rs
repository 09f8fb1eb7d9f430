//! The kinds of callers there are, each with a proof that is what it says.

use crate::harness::wait::within;
use crate::harness::{Client, Engine, Manager, Platform, Setup, eventually, login};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

/// A kind of caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Caller {
    /// Brings nothing.
    Nobody,
    /// Brings a token that is none.
    Garbage,
    /// Brings a scheme that nobody knows.
    OddScheme,
    /// Brings a token that was good.
    Expired,
    /// A platform's user with another password.
    WrongPassword,
    Platform,
    /// A platform with the pair it had before its credentials were renewed.
    OldPair,
    Viewer,
    Developer,
    Admin,
    Purge,
    /// A token without any role.
    NoRole,
    /// An administrator who is confined to a tenant.
    TenantAdmin,
}

pub(super) const CALLERS: [Caller; 13] = [
    Caller::Nobody,
    Caller::Garbage,
    Caller::OddScheme,
    Caller::Expired,
    Caller::WrongPassword,
    Caller::Platform,
    Caller::OldPair,
    Caller::Viewer,
    Caller::Developer,
    Caller::Admin,
    Caller::Purge,
    Caller::NoRole,
    Caller::TenantAdmin,
];

/// A manager and everybody who calls it.
pub(super) struct Callers {
    _manager: Manager,
    clients: BTreeMap<Caller, Client>,
}

const WORD: &str = "correct horse battery";

impl Callers {
    pub(super) async fn all(engine: Engine) -> Self {
        // First a manager whose tokens end soon, for the token that was good. Clocks may be a minute apart.
        let setup = Setup::new(engine).set("QM_IDENTITY_ACCESS_TOKEN_LIFETIME", "1s");
        let mut manager = setup.start().await;
        let expired = manager.admin();
        let limit = Duration::from_secs(150);
        within(limit, "the token has expired", async || {
            (expired.get("/v1/platforms").await.status == 401).then_some(())
        })
        .await;
        let long = [("QM_IDENTITY_ACCESS_TOKEN_LIFETIME", "1h")];
        manager.restart_with(&long).await;
        manager.log_in().await;

        let url = manager.url();
        let old = Platform::register(&manager, "cf", "cloudfoundry").await;
        let stream = old.connect(None).await;
        let active = format!(
            "SELECT 1 FROM platform WHERE id = '{}' AND credentials_active",
            old.id
        );
        eventually("the first pair is in use", async || {
            (!manager.sql(&active).is_empty()).then_some(())
        })
        .await;
        stream.close().await;
        let path = format!("/v1/platforms/{}?regenerateCredentials=true", old.id);
        let renewed = manager.admin().patch(&path, &Value::Null).await.expect(200);
        let new = Platform::of(&url, &renewed);

        let mut clients = BTreeMap::from([
            (Caller::Nobody, Client::anonymous(&url)),
            (Caller::Garbage, Client::bearer(&url, "garbage")),
            (
                Caller::OddScheme,
                Client::with(&url, "Digest whatever".to_owned()),
            ),
            (Caller::Expired, expired),
            (
                Caller::WrongPassword,
                Client::basic(&url, &new.user, "wrong"),
            ),
            (Caller::Platform, new.client()),
            (Caller::OldPair, old.client()),
            (Caller::Admin, manager.admin()),
        ]);
        for (caller, name, roles, tenant) in [
            (Caller::Viewer, "vera", json!(["viewer"]), Value::Null),
            (Caller::Developer, "dora", json!(["developer"]), Value::Null),
            (Caller::Purge, "paul", json!(["purge"]), Value::Null),
            (Caller::NoRole, "nora", json!([]), Value::Null),
            (Caller::TenantAdmin, "tara", json!(["admin"]), json!("red")),
        ] {
            let body = json!({"name": name, "password": WORD, "roles": roles, "tenant": tenant});
            manager.admin().post("/v1/users", &body).await.expect(201);
            let token = login::access_token(&url, name, WORD).await;
            clients.insert(caller, Client::bearer(&url, &token));
        }
        Self {
            _manager: manager,
            clients,
        }
    }

    pub(super) fn client(&self, caller: Caller) -> &Client {
        &self.clients[&caller]
    }
}
