//! Names to addresses, without those that are denied.
//!
//! The connector connects to what this returns and asks nobody again, so that a name that leads elsewhere the
//! next time gains nothing by it.

use crate::error::Cause;
use crate::network::{self, Network};
use hyper_util::client::legacy::connect::dns::{GaiResolver, Name};
use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::vec;
use tower_service::Service;

/// The address is in a network that is never called.
#[derive(Debug, thiserror::Error)]
#[error("{0} is in a denied network")]
pub(crate) struct Denied(pub(super) IpAddr);

/// The system's resolver and what it must not find.
#[derive(Debug, Clone)]
pub(super) struct Resolve {
    system: GaiResolver,
    denied: Arc<[Network]>,
}

impl Resolve {
    pub(super) fn new(denied: Arc<[Network]>) -> Self {
        Self {
            system: GaiResolver::new(),
            denied,
        }
    }
}

impl Service<Name> for Resolve {
    type Response = vec::IntoIter<SocketAddr>;
    type Error = Cause;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Cause>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Cause>> {
        self.system.poll_ready(context).map_err(Into::into)
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let finding = self.system.call(name);
        let denied = Arc::clone(&self.denied);
        Box::pin(async move { Ok(allowed(finding.await?, &denied)?.into_iter()) })
    }
}

/// The addresses that may be called. When there were some and all are denied, that is said.
fn allowed(
    found: impl Iterator<Item = SocketAddr>,
    denied: &[Network],
) -> Result<Vec<SocketAddr>, Denied> {
    let is_denied = |address: &SocketAddr| network::denies(denied, address.ip());
    let (bad, good): (Vec<_>, Vec<_>) = found.partition(is_denied);
    match (good.is_empty(), bad.first()) {
        (true, Some(address)) => Err(Denied(address.ip())),
        _ => Ok(good),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_allowed_is_left() {
        let denied = network::link_local();
        let found = |texts: &[&str]| {
            let addresses = texts
                .iter()
                .map(|text| SocketAddr::new(text.parse().unwrap(), 80));
            allowed(addresses.collect::<Vec<_>>().into_iter(), &denied).map(|good| {
                good.iter()
                    .map(|one| one.ip().to_string())
                    .collect::<Vec<_>>()
            })
        };
        assert_eq!(
            found(&["169.254.169.254", "10.0.0.1"]).unwrap(),
            ["10.0.0.1"]
        );
        assert!(found(&["169.254.169.254", "fe80::1"]).is_err());
        assert!(found(&[]).unwrap().is_empty());
    }
}
