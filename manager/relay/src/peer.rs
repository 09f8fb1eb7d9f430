//! One broker as it is called: its pool, its credentials, its gate.
//!
//! [`Relay`](crate::Relay) keeps one per broker. The rule: a peer never changes; when address or credentials
//! do, another takes its place. Only the places of the gate and the numbers are handed on.

use crate::auth::Authorization;
use crate::client::{self, HttpClient};
use crate::gate::{Gate, Places};
use crate::numbers::Numbers;
use crate::pass::Base;
use crate::tls::Trust;
use crate::url::{self, Query};
use crate::{RelayError, RelaySettings};
use qm_model::broker::{Access, Auth, Tls};
use qm_model::id::BrokerId;
use rustls::sign::CertifiedKey;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

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
    /// The same, taken apart.
    pub(crate) base: Base,
    access: Access,
    /// For messages: `service broker at https://...`.
    pub(crate) whom: String,
    pub(crate) client: HttpClient,
    pub(crate) authorization: Authorization,
    pub(crate) gate: Gate,
    pub(crate) numbers: Arc<Numbers>,
    made: Instant,
    /// When it was last used, in seconds since it was made.
    used: AtomicU64,
}

impl Peer {
    /// Makes one. `old`: the peer it replaces.
    pub(crate) async fn new(
        target: &Target<'_>,
        settings: &RelaySettings,
        trust: &Trust,
        managers: Option<&Arc<CertifiedKey>>,
        old: Option<&Self>,
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
        let base = Base::new(&uri)
            .ok_or_else(|| RelayError::invalid("broker_url must name a scheme and a host"))?;
        let (places, numbers) = match old {
            Some(old) => (Arc::clone(old.gate.places()), Arc::clone(&old.numbers)),
            None => (
                Arc::new(Places::new(settings.concurrency)),
                Arc::new(Numbers::default()),
            ),
        };
        Ok(Self {
            id: id.clone(),
            url: url.to_owned(),
            base,
            access: access.clone(),
            whom: format!("service broker at {}", url::shown(&uri)),
            client: client::new(settings, config),
            authorization: Authorization::new(auth)?,
            gate: Gate::new(id.clone(), places, settings.queue_timeout, settings.breaker),
            numbers,
            made: Instant::now(),
            used: AtomicU64::new(0),
        })
    }

    /// Whether this is still the way to that broker.
    pub(crate) fn fits(&self, target: &Target<'_>) -> bool {
        self.url == target.url && self.access == *target.access
    }

    /// Notes a use.
    pub(crate) fn touch(&self, now: Instant) {
        let seconds = now.saturating_duration_since(self.made).as_secs();
        // Most calls of a busy broker fall into a second that is noted already.
        if self.used.load(Ordering::Relaxed) < seconds {
            self.used.store(seconds, Ordering::Relaxed);
        }
    }

    /// When it was last used.
    pub(crate) fn used(&self) -> Instant {
        self.made + Duration::from_secs(self.used.load(Ordering::Relaxed))
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
