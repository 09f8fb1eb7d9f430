//! One broker as it is called: its pool, its credentials, its gate.
//!
//! [`Relay`](crate::Relay) keeps one per broker. The rule: a peer never changes; when address or credentials
//! do, another takes its place. Only the places of the gate are handed on.

use crate::auth::Authorization;
use crate::client::{self, HttpClient};
use crate::gate::{Gate, Places};
use crate::tls::Trust;
use crate::url::{self, Query};
use crate::{RelayError, RelaySettings};
use qm_model::broker::{Access, Auth, Tls};
use qm_model::id::BrokerId;
use rustls::sign::CertifiedKey;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Whom to call: a broker, where it is and how to log in there.
#[derive(Debug, Clone, Copy)]
pub struct Target<'a> {
    /// Which one.
    pub id: &'a BrokerId,
    /// Where `/v2/...` is; with or without a path, with or without a last slash.
    pub url: &'a str,
    /// How to log in.
    pub access: &'a Access,
}

/// A broker ready to be called.
pub(crate) struct Peer {
    pub(crate) id: BrokerId,
    pub(crate) url: String,
    access: Access,
    /// For messages: `service broker at https://...`.
    pub(crate) whom: String,
    pub(crate) client: HttpClient,
    pub(crate) authorization: Authorization,
    pub(crate) gate: Gate,
    used: Mutex<Instant>,
}

impl Peer {
    /// Makes one. `places`: those of the peer it replaces.
    pub(crate) async fn new(
        target: &Target<'_>,
        settings: &RelaySettings,
        trust: &Trust,
        managers: Option<&Arc<CertifiedKey>>,
        places: Option<Arc<Places>>,
    ) -> Result<Self, RelayError> {
        let Target { id, url, access } = *target;
        let Access { auth, tls } = access;
        let uri = url::parse(url, Query::Forbidden)
            .map_err(|reason| RelayError::invalid(format!("broker_url {reason}")))?;
        let mut plain = url::is_plain(&uri);
        if plain && !settings.plain_http {
            return Err(RelayError::invalid(
                "broker_url must start with https://; this manager is configured not to call \
                 brokers without TLS",
            ));
        }
        if let Auth::OAuth2 { token_url, .. } = auth {
            let uri = url::parse(token_url, Query::Allowed)
                .map_err(|reason| RelayError::invalid(format!("token_url {reason}")))?;
            if url::is_plain(&uri) && !settings.plain_http {
                return Err(RelayError::invalid("token_url must start with https://"));
            }
            plain &= url::is_plain(&uri);
        }
        let config = match plain {
            true => None,
            false => Some(trust.config(shown(tls, managers)?).await?),
        };
        let places = places.unwrap_or_else(|| Arc::new(Places::new(settings.concurrency)));
        Ok(Self {
            id: id.clone(),
            url: url.to_owned(),
            access: access.clone(),
            whom: format!("service broker at {}", url::shown(&uri)),
            client: client::new(settings, config),
            authorization: Authorization::new(auth)?,
            gate: Gate::new(id.clone(), places, settings.queue_timeout, settings.breaker),
            used: Mutex::new(Instant::now()),
        })
    }

    /// Whether this is still the way to that broker.
    pub(crate) fn fits(&self, target: &Target<'_>) -> bool {
        self.url == target.url && self.access == *target.access
    }

    /// Notes a use.
    pub(crate) fn touch(&self, now: Instant) {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner) = now;
    }

    /// When it was last used.
    pub(crate) fn used(&self) -> Instant {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The client certificate to show.
fn shown(
    tls: &Tls,
    managers: Option<&Arc<CertifiedKey>>,
) -> Result<Option<Arc<CertifiedKey>>, RelayError> {
    match tls {
        Tls::None => Ok(None),
        Tls::Own { certificate, key } => crate::tls::certified(certificate, key.expose())
            .map(Some)
            .map_err(|reason| {
                RelayError::invalid(format!("the broker's client certificate: {reason}"))
            }),
        Tls::Managers => managers.cloned().map(Some).ok_or_else(|| {
            RelayError::invalid(
                "the broker is to be called with the manager's own client certificate, and the \
                 manager is configured without one",
            )
        }),
    }
}
