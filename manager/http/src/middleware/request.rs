//! The outermost layer: who is at the other end of the line, and the id that joins everything about this
//! request. Writes error bodies, because it alone knows that id in every case.
//!
//! The rule: an id that a caller sends is taken over as it is, of any sane length; nobody's request fails
//! because of it.

use crate::error::answer;
use crate::{HttpSettings, osb};
use axum::extract::{ConnectInfo, Request};
use axum::response::Response;
use http::{Extensions, HeaderMap, HeaderName, HeaderValue};
use qm_manager_api::header::CORRELATION;
use qm_model::{Caller, Ctx};
use std::any::Any;
use std::hash::{BuildHasher as _, RandomState};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

/// What answers bear.
const ECHO: HeaderName = HeaderName::from_static("x-correlation-id");
/// What a platform calls its request; answers of OSB bear it too.
const IDENTITY: HeaderName = HeaderName::from_static("x-broker-api-request-identity");
/// Longer ids are cut.
const MAX_ID: usize = 255;

/// The address at the other end. Whoever accepts connections puts it into the request's extensions.
#[derive(Debug, Clone, Copy)]
pub struct Peer(pub SocketAddr);

/// The connection's place among those that may be open. Whoever accepts connections puts it into the request's
/// extensions; a connection that becomes a notification stream takes it along and gives it back at its end.
#[derive(Clone)]
pub struct Place {
    _held: Arc<dyn Any + Send + Sync>,
}

impl Place {
    /// Anything that gives the place back when it is dropped.
    pub fn new(held: impl Any + Send + Sync) -> Self {
        Self {
            _held: Arc::new(held),
        }
    }
}

/// The circumstances of a request, before anybody has said who they are.
#[derive(Debug, Clone)]
pub(crate) struct Circumstances {
    pub(crate) correlation_id: String,
    /// The caller's address without its port; empty when unknown.
    pub(crate) remote: String,
}

impl Circumstances {
    /// The context of a call, now that it is known who calls.
    pub(crate) fn of(self, caller: Caller) -> Ctx {
        let Self {
            correlation_id,
            remote,
        } = self;
        Ctx {
            caller,
            correlation_id,
            remote,
        }
    }
}

/// What a request is called, kept for its answer.
pub(super) struct Name {
    correlation_id: String,
    /// An OSB door: error bodies there have no correlation id.
    door: bool,
    /// What the platform calls it, to be given back as it was written: the broker was sent the correlation id and has
    /// echoed that.
    identity: Option<HeaderValue>,
}

impl Name {
    /// Gives a request its name and its circumstances.
    pub(super) fn give(request: &mut Request, settings: &HttpSettings) -> Self {
        let correlation_id = correlation_id(request.headers());
        let remote = remote(request, settings.trust_forwarded_for);
        request.extensions_mut().insert(Circumstances {
            correlation_id: correlation_id.clone(),
            remote,
        });
        let door = osb::is_door(request.uri().path());
        let identity = match door {
            true => request.headers().get(&IDENTITY).cloned(),
            false => None,
        };
        Self {
            correlation_id,
            door,
            identity,
        }
    }

    /// Writes it into the answer.
    pub(super) fn sign(self, response: Response) -> Response {
        let Self {
            correlation_id,
            door,
            identity,
        } = self;
        let mut response = answer::finish(response, (!door).then_some(&correlation_id));
        if let Some(identity) = identity {
            response.headers_mut().insert(IDENTITY, identity);
        }
        if let Ok(id) = HeaderValue::try_from(correlation_id) {
            response.headers_mut().insert(ECHO, id);
        }
        response
    }
}

/// The first one that says something, or a new one. `-` is what some loggers write for nothing.
fn correlation_id(headers: &HeaderMap) -> String {
    let given = NAMES.iter().find_map(|name| {
        let id = headers.get(name)?.to_str().ok()?.trim();
        (!id.is_empty() && id != "-").then_some(id)
    });
    match given {
        // Visible ASCII, so every byte is a character.
        Some(id) => id[..id.len().min(MAX_ID)].to_owned(),
        None => made_up(),
    }
}

/// Names of headers are read once.
static NAMES: LazyLock<Vec<HeaderName>> =
    LazyLock::new(|| CORRELATION.map(HeaderName::from_static).to_vec());

/// An id like no other. It joins lines in a log and proves nothing, so a keyed count does: asking the system for
/// chance at every request costs more than the id is worth.
fn made_up() -> String {
    static KEYS: LazyLock<[RandomState; 2]> = LazyLock::new(Default::default);
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let [high, low] = KEYS.each_ref().map(|key| key.hash_one(count));
    uuid::Builder::from_random_bytes((u128::from(high) << 64 | u128::from(low)).to_be_bytes())
        .into_uuid()
        .to_string()
}

fn remote(request: &Request, trust_forwarded_for: bool) -> String {
    if trust_forwarded_for && let Some(address) = forwarded(request.headers()) {
        return address;
    }
    peer(request.extensions()).map_or_else(String::new, |peer| peer.ip().to_string())
}

fn peer(extensions: &Extensions) -> Option<SocketAddr> {
    let peer = extensions.get::<Peer>().map(|Peer(peer)| *peer);
    peer.or_else(|| {
        let info = extensions.get::<ConnectInfo<SocketAddr>>();
        info.map(|ConnectInfo(peer)| *peer)
    })
}

/// The last address: the one that the proxy before us has written itself.
fn forwarded(headers: &HeaderMap) -> Option<String> {
    let last = headers.get_all("x-forwarded-for").iter().next_back()?;
    let address = last.to_str().ok()?.rsplit(',').next()?.trim();
    (!address.is_empty() && address.len() <= 64).then(|| address.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let pair = |(name, value): &(&'static str, &str)| {
            (
                HeaderName::from_static(name),
                HeaderValue::from_str(value).unwrap(),
            )
        };
        pairs.iter().map(pair).collect()
    }

    #[test]
    fn the_first_header_that_says_something_counts() {
        let given = headers(&[
            ("x-request-id", "third"),
            ("x-correlation-id", "second"),
            ("x-correlationid", "-"),
        ]);
        assert_eq!(correlation_id(&given), "second");
    }

    #[test]
    fn without_one_it_is_made_up() {
        for given in [headers(&[]), headers(&[("x-correlationid", "-")])] {
            let id = correlation_id(&given);
            assert!(uuid::Uuid::parse_str(&id).is_ok(), "{id}");
        }
        assert_ne!(made_up(), made_up());
    }

    #[test]
    fn a_long_one_is_kept_up_to_a_bound() {
        let long = "x".repeat(1000);
        let id = correlation_id(&headers(&[("x-correlationid", &long)]));
        assert_eq!(id.len(), MAX_ID);
    }

    #[test]
    fn the_last_forwarded_address_is_the_proxys_own_word() {
        let given = headers(&[("x-forwarded-for", "6.6.6.6, 10.0.0.7")]);
        assert_eq!(forwarded(&given).as_deref(), Some("10.0.0.7"));
    }
}
