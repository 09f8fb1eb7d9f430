//! The relay: all brokers that were called, each behind its own pool, limits and breaker.
//!
//! Deeds and tasks hold one and clone it freely. The rule: what one broker does costs no other anything;
//! there is nothing here that two brokers share but the list of them, whose lock is held for no wait.

use crate::breaker::BreakerState;
use crate::client::{self, HttpClient};
use crate::numbers::{self, Row};
use crate::peer::{Peer, Target};
use crate::sign::Signer;
use crate::tls::Trust;
use crate::{BadSettings, RelayError, RelaySettings};
use qm_model::id::BrokerId;
use rustls::sign::CertifiedKey;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::{Duration, Instant};
use tokio::sync::{OnceCell, Semaphore};

/// A peer that was not called for so long is dropped: its broker may never have been registered.
const IDLE: Duration = Duration::from_secs(3600);
/// How many requests to issuers may be under way.
const ISSUER_CALLS: usize = 16;

/// Calls brokers and issuers. Cheap to clone.
#[derive(Clone)]
pub struct Relay {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) settings: RelaySettings,
    pub(crate) trust: Trust,
    managers: Option<Arc<CertifiedKey>>,
    peers: RwLock<HashMap<BrokerId, Arc<Peer>>>,
    pub(crate) signer: Option<Signer>,
    /// For issuers with TLS; made when the first is asked.
    pub(crate) issuers: OnceCell<HttpClient>,
    /// For issuers without.
    pub(crate) plain_issuers: HttpClient,
    pub(crate) issuer_calls: Semaphore,
}

/// How calls to a broker are going.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrokerState {
    /// Which one.
    pub id: BrokerId,
    /// Whether calls are let through.
    pub breaker: BreakerState,
    /// What failed last, when nothing was answered since.
    pub problem: Option<String>,
    /// How many calls are under way.
    pub in_flight: usize,
}

impl Relay {
    /// Makes one.
    ///
    /// # Errors
    /// Which setting cannot be used.
    pub fn new(settings: RelaySettings) -> Result<Self, BadSettings> {
        settings.check()?;
        let trust = Trust::new(&settings.extra_roots, settings.skip_tls_verification)?;
        let managers = settings
            .identity
            .as_ref()
            .map(|identity| crate::tls::certified(&identity.certificate, identity.key.expose()))
            .transpose()
            .map_err(BadSettings::Identity)?;
        let signer = settings.signing.as_ref().map(Signer::new).transpose()?;
        let plain_issuers = client::new(&settings, None);
        Ok(Self {
            inner: Arc::new(Inner {
                settings,
                trust,
                managers,
                peers: RwLock::default(),
                signer,
                issuers: OnceCell::new(),
                plain_issuers,
                issuer_calls: Semaphore::new(ISSUER_CALLS),
            }),
        })
    }

    /// Drops what is kept for a broker, its numbers too: it was removed, or was never registered after all.
    /// Calls under way end by themselves.
    pub fn forget(&self, id: &BrokerId) {
        self.inner.peers_mut().remove(id);
    }

    /// The numbers about brokers, for `/metrics`.
    pub fn numbers(&self) -> String {
        sweep(&mut self.inner.peers_mut(), Instant::now());
        let peers = self.inner.all();
        let mut rows: Vec<_> = peers
            .iter()
            .map(|peer| Row {
                id: peer.id.clone(),
                breaker: peer.gate.state().0,
                in_flight: peer.gate.places().taken(),
                numbers: Arc::clone(&peer.numbers),
            })
            .collect();
        rows.sort_by(|one, other| one.id.cmp(&other.id));
        numbers::page(&rows)
    }

    /// Every broker that was called lately, by id.
    pub fn states(&self) -> Vec<BrokerState> {
        let peers = self.inner.all();
        let mut states: Vec<_> = peers
            .iter()
            .map(|peer| {
                let (breaker, problem) = peer.gate.state();
                BrokerState {
                    id: peer.id.clone(),
                    breaker,
                    problem,
                    in_flight: peer.gate.places().taken(),
                }
            })
            .collect();
        states.sort_by(|one, other| one.id.cmp(&other.id));
        states
    }

    /// The peer for a target, made anew when address or credentials are not those it was made with.
    pub(crate) async fn peer(&self, target: &Target<'_>) -> Result<Arc<Peer>, RelayError> {
        let now = Instant::now();
        let old = self.inner.peers().get(target.id).cloned();
        if let Some(peer) = old.as_ref().filter(|peer| peer.fits(target)) {
            peer.touch(now);
            return Ok(Arc::clone(peer));
        }
        let Inner {
            settings,
            trust,
            managers,
            ..
        } = &*self.inner;
        let made = Peer::new(target, settings, trust, managers.as_ref(), old.as_deref()).await?;
        let made = Arc::new(made);
        let mut peers = self.inner.peers_mut();
        // Somebody else may have been quicker; two pools for one broker would be one too many.
        if let Some(peer) = peers.get(target.id).filter(|peer| peer.fits(target)) {
            return Ok(Arc::clone(peer));
        }
        sweep(&mut peers, now);
        peers.insert(target.id.clone(), Arc::clone(&made));
        Ok(made)
    }
}

/// Drops the peers that nobody called for long. A registration that failed leaves one behind.
fn sweep(peers: &mut HashMap<BrokerId, Arc<Peer>>, now: Instant) {
    peers.retain(|_, peer| {
        peer.gate.places().taken() > 0 || now.saturating_duration_since(peer.used()) < IDLE
    });
}

impl Inner {
    fn peers(&self) -> RwLockReadGuard<'_, HashMap<BrokerId, Arc<Peer>>> {
        self.peers.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn peers_mut(&self) -> RwLockWriteGuard<'_, HashMap<BrokerId, Arc<Peer>>> {
        self.peers.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn all(&self) -> Vec<Arc<Peer>> {
        self.peers().values().cloned().collect()
    }
}

impl fmt::Debug for Relay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Relay")
            .field("brokers", &self.states())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use qm_model::broker::{Access, Auth, Tls};

    #[tokio::test]
    async fn peers_that_nobody_calls_are_dropped_and_busy_ones_stay() {
        let relay = Relay::new(RelaySettings::default()).unwrap();
        let access = Access {
            auth: Auth::None,
            tls: Tls::None,
        };
        let ids = ["idle", "busy", "used"].map(|id| BrokerId::new(id).unwrap());
        let mut peers = Vec::new();
        for id in &ids {
            let target = Target {
                id,
                url: "http://broker.example",
                access: &access,
            };
            peers.push(relay.peer(&target).await.unwrap());
        }
        let _under_way = peers[1].gate.enter().await.unwrap();
        let later = Instant::now() + IDLE;
        peers[2].touch(later);
        sweep(&mut relay.inner.peers_mut(), later);
        let left: Vec<_> = relay.states().into_iter().map(|state| state.id).collect();
        assert_eq!(left, [ids[1].clone(), ids[2].clone()]);
    }
}
