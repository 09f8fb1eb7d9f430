//! An external issuer and its keys. `bearer` asks it to verify; the doctor asks how it is.
//!
//! The rule: the keys at hand serve at once, whatever the issuer does. It is asked only when a key is not
//! known, by one caller for all who wait, and then left alone for a while, so that tokens with made-up key
//! ids do not become calls. Old keys are renewed behind the back of whoever comes then.

use super::jwt::Jwt;
use super::keyset::Keyset;
use super::unauthenticated;
use crate::Lifecycle;
use arc_swap::ArcSwapOption;
use qm_model::{Chain, Error, Time};
use qm_policy::token::{self, Issuer, Verified};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// An external issuer and what is known of it.
pub(super) struct Remote {
    issuer: Issuer,
    keys: ArcSwapOption<Keyset>,
    known: Mutex<Known>,
    /// Whoever asks the issuer holds it.
    asking: tokio::sync::Mutex<()>,
}

#[derive(Debug, Clone, Default)]
struct Known {
    /// How often it was asked.
    times: u64,
    asked_at: Option<Time>,
    reached_at: Option<Time>,
    /// What went wrong the last time.
    error: Option<String>,
}

/// How an issuer is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IssuerState {
    /// Which one.
    pub url: String,
    /// When it gave its keys last.
    pub reached_at: Option<Time>,
    /// How many keys are at hand.
    pub keys: usize,
    /// What went wrong when it was asked last.
    pub error: Option<String>,
}

/// How every external issuer is, as far as that is known; nobody is asked.
pub fn issuers(deeds: &Lifecycle) -> Vec<IssuerState> {
    let issuers = deeds.identity.issuers.iter();
    issuers.map(|issuer| issuer.state()).collect()
}

/// Asks every external issuer now, and says how it is.
pub async fn try_issuers(deeds: &Lifecycle) -> Vec<IssuerState> {
    let mut states = Vec::new();
    for issuer in &deeds.identity.issuers {
        let _one = issuer.asking.lock().await;
        issuer.ask(deeds).await;
        states.push(issuer.state());
    }
    states
}

impl Remote {
    pub(super) fn new(issuer: Issuer) -> Self {
        Self {
            issuer,
            keys: ArcSwapOption::empty(),
            known: Mutex::default(),
            asking: tokio::sync::Mutex::default(),
        }
    }

    /// Whether a token that says this in `iss` is for this issuer to judge.
    pub(super) fn is(&self, iss: &str) -> bool {
        self.issuer.is(iss)
    }

    /// Whom the token stands for.
    pub(super) async fn verify(
        self: &Arc<Self>,
        deeds: &Lifecycle,
        jwt: &Jwt<'_>,
    ) -> Result<Verified, Error> {
        let seen = self.lock().times;
        if let Some(keys) = self.keys.load_full()
            && !keys.candidates(jwt).is_empty()
        {
            self.renew(deeds);
            return self.judge(deeds, &keys, jwt);
        }
        if !paused(&self.lock().clone(), deeds) {
            let (issuer, own) = (self.clone(), deeds.clone());
            // On a task of its own: others wait for the same answer, and this caller may hang up.
            deeds
                .spawn(async move { issuer.ask_unless_others_did(&own, seen).await })
                .await
                .map_err(Error::internal)?;
        }
        match self.keys.load_full() {
            Some(keys) if !keys.candidates(jwt).is_empty() => self.judge(deeds, &keys, jwt),
            _ if self.lock().error.is_some() => Err(Error::Unavailable {
                message: format!("the issuer {} does not answer; try again", self.issuer.url),
                source: None,
            }),
            _ => Err(unauthenticated(
                "the token is signed with a key that its issuer does not have",
            )),
        }
    }

    fn judge(&self, deeds: &Lifecycle, keys: &Keyset, jwt: &Jwt<'_>) -> Result<Verified, Error> {
        if !keys
            .candidates(jwt)
            .into_iter()
            .any(|key| jwt.signed_by(key))
        {
            return Err(unauthenticated("the token's signature is wrong"));
        }
        token::read(&self.issuer, &jwt.claims, deeds.now())
            .map_err(|refusal| unauthenticated(refusal.to_string()))
    }

    /// Asks for new keys when those at hand are old, and does not wait for them.
    fn renew(self: &Arc<Self>, deeds: &Lifecycle) {
        let now = deeds.now();
        let known = self.lock().clone();
        let old = known
            .reached_at
            .is_none_or(|at| apart(at, now) >= deeds.settings.identity.issuer_refresh);
        if old && !paused(&known, deeds) {
            let (issuer, own) = (self.clone(), deeds.clone());
            // Nobody waits for it; `settle` does.
            drop(deeds.spawn(async move { issuer.ask_unless_others_did(&own, known.times).await }));
        }
    }

    /// Asks the issuer, unless it was asked since `seen` or a moment ago.
    async fn ask_unless_others_did(&self, deeds: &Lifecycle, seen: u64) {
        let _one = self.asking.lock().await;
        let known = self.lock().clone();
        if known.times == seen && !paused(&known, deeds) {
            self.ask(deeds).await;
        }
    }

    async fn ask(&self, deeds: &Lifecycle) {
        let fetched = self.fetch(deeds).await;
        let now = deeds.now();
        let mut known = self.lock();
        known.times += 1;
        known.asked_at = Some(now);
        match fetched {
            Ok(keys) => {
                known.reached_at = Some(now);
                known.error = None;
                self.keys.store(Some(Arc::new(keys)));
            }
            Err(error) => {
                tracing::warn!(
                    issuer = self.issuer.url,
                    error,
                    "an issuer does not give its keys"
                );
                known.error = Some(error);
            }
        }
    }

    async fn fetch(&self, deeds: &Lifecycle) -> Result<Keyset, String> {
        let url = &self.issuer.url;
        let discovery = match deeds.relay.discover(url).await {
            Ok(discovery) => discovery,
            Err(error) => return Err(Chain(&error).to_string()),
        };
        let keys = match deeds.relay.keys(&discovery.jwks_uri).await {
            Ok(keys) => keys,
            Err(error) => return Err(Chain(&error).to_string()),
        };
        Keyset::parse(&keys).ok_or_else(|| "its keys are no JWKS".to_owned())
    }

    fn state(&self) -> IssuerState {
        let Known {
            times: _,
            asked_at: _,
            reached_at,
            error,
        } = self.lock().clone();
        IssuerState {
            url: self.issuer.url.clone(),
            reached_at,
            keys: self.keys.load().as_ref().map_or(0, |keys| keys.len()),
            error,
        }
    }

    /// A panic elsewhere leaves what is known whole.
    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether the issuer was asked a moment ago.
fn paused(known: &Known, deeds: &Lifecycle) -> bool {
    let now = deeds.now();
    known
        .asked_at
        .is_some_and(|at| apart(at, now) < deeds.settings.identity.unknown_key_pause)
}

/// How far two moments are apart: a clock that was set back must not stop the asking for that long.
fn apart(one: Time, other: Time) -> Duration {
    one.since(other).max(other.since(one))
}
