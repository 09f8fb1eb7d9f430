//! How a connection is made: name resolution, TCP, TLS, all within one time limit.
//!
//! The pool of [`client`](crate::client) calls it. The rules: the limit is here and not around the request,
//! because the pool goes on connecting when the request that asked for a connection has got another one; and
//! no connection is tried to a network that is denied, by whichever name it is called.

mod resolve;

pub(crate) use resolve::Denied;

use crate::error::Cause;
use crate::network::{self, Network};
use http::Uri;
use hyper_rustls::{HttpsConnector, MaybeHttpsStream};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioIo;
use resolve::Resolve;
use rustls::ClientConfig;
use std::future::Future;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::net::TcpStream;
use tower_service::Service;

/// No connection within the limit.
#[derive(Debug, thiserror::Error)]
#[error("no connection within {:?}", .0)]
pub(crate) struct DialTimeout(Duration);

/// The maker of connections for one pool.
#[derive(Debug, Clone)]
pub(crate) struct Dial {
    http: HttpConnector<Resolve>,
    tls: Option<Arc<ClientConfig>>,
    limit: Duration,
    denied: Arc<[Network]>,
}

impl Dial {
    /// Without `tls` only `http://` works.
    pub(crate) fn new(tls: Option<Arc<ClientConfig>>, limit: Duration, denied: &[Network]) -> Self {
        let denied: Arc<[Network]> = denied.into();
        let mut http = HttpConnector::new_with_resolver(Resolve::new(Arc::clone(&denied)));
        http.enforce_http(false);
        http.set_nodelay(true);
        // Per address, so that a name with a dead one among its addresses still works.
        http.set_connect_timeout(Some(limit));
        Self {
            http,
            tls,
            limit,
            denied,
        }
    }

    /// The connector does not ask the resolver about hosts that are addresses.
    fn check(&self, to: &Uri) -> Result<(), Denied> {
        let host = to.host().unwrap_or_default();
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        match bare.parse::<IpAddr>() {
            Ok(address) if network::denies(&self.denied, address) => Err(Denied(address)),
            _ => Ok(()),
        }
    }
}

impl Service<Uri> for Dial {
    type Response = MaybeHttpsStream<TokioIo<TcpStream>>;
    type Error = Cause;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Cause>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Cause>> {
        self.http.poll_ready(context).map_err(Into::into)
    }

    fn call(&mut self, to: Uri) -> Self::Future {
        if let Err(denied) = self.check(&to) {
            return Box::pin(async move { Err(denied.into()) });
        }
        let limit = self.limit;
        let connecting: Self::Future = match &self.tls {
            Some(config) => HttpsConnector::from((self.http.clone(), Arc::clone(config))).call(to),
            None => {
                let plain = self.http.call(to);
                Box::pin(async move { Ok(MaybeHttpsStream::Http(plain.await?)) })
            }
        };
        Box::pin(async move {
            match tokio::time::timeout(limit, connecting).await {
                Ok(connected) => connected,
                Err(_) => Err(DialTimeout(limit).into()),
            }
        })
    }
}
