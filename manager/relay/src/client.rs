//! One pool of connections. Every broker has its own, and the issuers share one, so that nobody waits behind
//! somebody else's connections.

use crate::RelaySettings;
use crate::dial::Dial;
use bytes::Bytes;
use http_body_util::Full;
use hyper_util::client::legacy::Client;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use rustls::ClientConfig;
use std::sync::Arc;

/// The largest head of an answer, in bytes.
const HEAD_LIMIT: usize = 64 * 1024;

pub(crate) type HttpClient = Client<Dial, Full<Bytes>>;

/// Makes a pool. Without `tls` only `http://` works.
pub(crate) fn new(settings: &RelaySettings, tls: Option<Arc<ClientConfig>>) -> HttpClient {
    Client::builder(TokioExecutor::new())
        .pool_timer(TokioTimer::new())
        .pool_idle_timeout(settings.idle_timeout)
        // A call may begin a connection while another becomes free; neither is to be thrown away.
        .pool_max_idle_per_host(settings.concurrency.saturating_mul(2))
        .http1_max_buf_size(HEAD_LIMIT)
        .build(Dial::new(
            tls,
            settings.connect_timeout,
            &settings.denied_networks,
        ))
}
