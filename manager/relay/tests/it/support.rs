//! What the tests share: a broker to call, and somebody to call.

pub(crate) mod server;
pub(crate) mod tls;

use qm_model::broker::{Access, Auth, Tls};
use qm_model::id::BrokerId;
use qm_relay::{Fetched, Relay, RelayError, RelaySettings, Target};
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
}

pub(crate) fn relay(settings: RelaySettings) -> Relay {
    Relay::new(settings).unwrap()
}

/// For those who will not answer: gives up soon.
pub(crate) fn impatient() -> RelaySettings {
    RelaySettings {
        connect_timeout: Duration::from_millis(400),
        header_timeout: Duration::from_millis(500),
        total_timeout: Duration::from_millis(1000),
        ..RelaySettings::default()
    }
}
