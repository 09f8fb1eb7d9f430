//! What the tests share: a broker to call, and somebody to call.

pub(crate) mod counting;
pub(crate) mod server;
pub(crate) mod tls;

use bytes::Bytes;
use http::{HeaderMap, Response};
use qm_model::broker::{Access, Auth, Tls};
use qm_model::id::BrokerId;
use qm_relay::{Fetched, Passed, Relay, RelayError, RelaySettings, Target};
use qm_testkit::hostile::{SERVICE, SYNC_PLAN};
use quartermaster_osb::Verb;
use serde_json::json;
use std::time::Duration;

/// A broker's registration.
pub(crate) struct Registered {
    pub(crate) id: BrokerId,
    pub(crate) url: String,
    pub(crate) access: Access,
}

impl Registered {
    /// With the hostile broker's own credentials.
    pub(crate) fn new(id: &str, url: impl Into<String>) -> Self {
        let auth = Auth::Basic {
            username: "user".to_owned(),
            password: "password".to_owned().into(),
        };
        Self {
            id: BrokerId::new(id).unwrap(),
            url: url.into(),
            access: Access {
                auth,
                tls: Tls::None,
            },
        }
    }

    pub(crate) fn auth(mut self, auth: Auth) -> Self {
        self.access.auth = auth;
        self
    }

    pub(crate) fn tls(mut self, tls: Tls) -> Self {
        self.access.tls = tls;
        self
    }

    pub(crate) fn target(&self) -> Target<'_> {
        Target {
            id: &self.id,
            url: &self.url,
            access: &self.access,
        }
    }

    pub(crate) async fn catalog(&self, relay: &Relay) -> Result<Fetched, RelayError> {
        relay.catalog(&self.target(), None).await
    }

    /// As a platform's request comes.
    pub(crate) async fn pass(
        &self,
        relay: &Relay,
        verb: Verb,
        passed: Passed,
    ) -> Result<Response<Bytes>, RelayError> {
        relay.pass(&self.target(), verb, "deed-1", passed).await
    }

    /// A provision as a platform sends it.
    pub(crate) async fn provision(
        &self,
        relay: &Relay,
        instance: &str,
    ) -> Result<Response<Bytes>, RelayError> {
        let path = format!("/v2/service_instances/{instance}");
        self.pass(relay, Verb::Provision, passed(&path, &wanted()))
            .await
    }
}

/// What a platform sends with a password of its own.
pub(crate) fn passed(path_and_query: &str, body: &str) -> Passed {
    let mut headers = HeaderMap::new();
    for (name, value) in [
        ("authorization", "Basic cGxhdGZvcm06aHVudGVyMg=="),
        ("content-type", "application/json"),
        ("host", "manager.example"),
        ("user-agent", "platform/1"),
        ("x-broker-api-version", "2.16"),
    ] {
        headers.insert(name, value.parse().unwrap());
    }
    Passed {
        path_and_query: path_and_query.to_owned(),
        headers,
        body: Bytes::from(body.to_owned()),
    }
}

/// The body of a provision that the hostile broker takes.
pub(crate) fn wanted() -> String {
    json!({"service_id": SERVICE, "plan_id": SYNC_PLAN, "organization_guid": "o", "space_guid": "s"})
        .to_string()
}

pub(crate) fn relay(settings: RelaySettings) -> Relay {
    Relay::new(settings).unwrap()
}

/// For those who will not answer: gives up soon. What is not to be seen has a limit that no busy machine meets.
pub(crate) fn impatient() -> RelaySettings {
    RelaySettings {
        connect_timeout: Duration::from_secs(30),
        header_timeout: Duration::from_secs(1),
        total_timeout: Duration::from_secs(2),
        ..RelaySettings::default()
    }
}

/// For those who begin to answer and do not end: a busy machine has time for the beginning.
pub(crate) fn impatient_with_bodies() -> RelaySettings {
    RelaySettings {
        header_timeout: Duration::from_secs(30),
        total_timeout: Duration::from_secs(6),
        ..impatient()
    }
}
