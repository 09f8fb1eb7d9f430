//! The door: probes are answered here, everything else goes to the service.
//!
//! hyper calls it for each request of a connection. The rule: what the connection knows of its client
//! travels in the request's extensions, never in headers, so that no client can write it.

use super::body::RequestBody;
use super::health::Probes;
use super::service::HttpService;
use crate::auth::PeerIdentity;
use bytes::Bytes;
use http::{Request, Response, StatusCode};
use http_body_util::{Either, Full};
use hyper::body::Incoming;
use std::convert::Infallible;
use std::future::{Ready, poll_fn, ready};
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tower_service::Service;

/// The address of the client's socket, in the request's extensions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RemoteAddr(pub SocketAddr);

/// The body of an answer: ours or the service's.
pub(super) type Answer<B> = Either<Full<Bytes>, B>;

/// One connection's way to the service.
#[derive(Clone)]
pub(super) struct Door<S> {
    probes: Option<Probes>,
    service: S,
    body_time: Duration,
    remote: Option<RemoteAddr>,
    peer: Option<PeerIdentity>,
}

impl<S> Door<S> {
    pub(super) fn new(probes: Option<Probes>, service: S, body_time: Duration) -> Self {
        Self {
            probes,
            service,
            body_time,
            remote: None,
            peer: None,
        }
    }

    pub(super) fn remote(mut self, remote: RemoteAddr) -> Self {
        self.remote = Some(remote);
        self
    }

    pub(super) fn peer(mut self, peer: Option<PeerIdentity>) -> Self {
        self.peer = peer;
        self
    }
}

impl<S: HttpService> hyper::service::Service<Request<Incoming>> for Door<S> {
    type Response = Response<Answer<S::Answer>>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        if let Some(probe) = self.probes.as_ref().and_then(|p| p.asked(request.uri())) {
            let answer = probe.answer(request.method().clone());
            return Box::pin(async move { Ok(answer.await.map(Either::Left)) });
        }
        let body_time = self.body_time;
        let mut request = request.map(|incoming| RequestBody::new(incoming, body_time));
        if let Some(remote) = self.remote {
            request.extensions_mut().insert(remote);
        }
        if let Some(peer) = &self.peer {
            request.extensions_mut().insert(peer.clone());
        }
        let mut service = self.service.clone();
        Box::pin(async move {
            poll_fn(|cx| service.poll_ready(cx)).await?;
            Ok(service.call(request).await?.map(Either::Right))
        })
    }
}

/// The service behind an address that has probes only.
#[derive(Clone)]
pub(super) struct Nowhere;

impl Service<Request<RequestBody>> for Nowhere {
    type Response = Response<Full<Bytes>>;
    type Error = Infallible;
    type Future = Ready<Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _request: Request<RequestBody>) -> Self::Future {
        let mut answer = Response::new(Full::default());
        *answer.status_mut() = StatusCode::NOT_FOUND;
        ready(Ok(answer))
    }
}
