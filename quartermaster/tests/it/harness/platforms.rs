//! A platform as the manager knows it, with what it logs in with.

use super::answer::{id, text};
use super::{Client, Manager, Refused, Socket};
use serde_json::{Value, json};

/// A registered platform.
#[derive(Debug, Clone)]
pub(crate) struct Platform {
    pub(crate) id: String,
    pub(crate) name: String,
    /// `cloudfoundry`, `kubernetes`, ...
    pub(crate) kind: String,
    pub(crate) user: String,
    pub(crate) password: String,
    pub(crate) url: String,
}

impl Platform {
    /// Registers one of a type.
    pub(crate) async fn register(manager: &Manager, name: &str, kind: &str) -> Self {
        let body = json!({"name": name, "type": kind});
        Self::register_as(manager, &body).await
    }

    /// Registers one with any body.
    pub(crate) async fn register_as(manager: &Manager, body: &Value) -> Self {
        let admin = manager.admin();
        let made = admin.post("/v1/platforms", body).await.expect(201);
        Self::of(&manager.url(), &made)
    }

    /// The platform in an answer that shows its credentials.
    #[track_caller]
    pub(crate) fn of(url: &str, platform: &Value) -> Self {
        let basic = &platform["credentials"]["basic"];
        Self {
            id: id(platform),
            name: text(platform, "name"),
            kind: text(platform, "type"),
            user: text(basic, "username"),
            password: text(basic, "password"),
            url: url.to_owned(),
        }
    }

    /// Its calls.
    pub(crate) fn client(&self) -> Client {
        Client::basic(&self.url, &self.user, &self.password)
    }

    /// Its notification stream; `last` is the revision it has.
    pub(crate) async fn connect(&self, last: Option<i64>) -> Socket {
        match self.try_connect(last, &[]).await {
            Ok(socket) => socket,
            Err(refused) => panic!("{refused:?}"),
        }
    }

    /// The same where it may be refused, with further headers.
    pub(crate) async fn try_connect(
        &self,
        last: Option<i64>,
        headers: &[(&str, &str)],
    ) -> Result<Socket, Refused> {
        let last = last.map(|last| last.to_string());
        Socket::connect(&self.client(), &self.url, last.as_deref(), headers).await
    }
}
