//! One connection: handshake, then requests until either side ends it.
//!
//! Run on a task of its own by the accept loop. The rule: every wait has a deadline or watches the
//! stop, so a client can hold a connection but never the server.

use super::door::{Door, RemoteAddr};
use super::limits::Limits;
use super::peer;
use super::service::HttpService;
use super::stop::Handle;
use super::tls::TlsConfig;
use crate::auth::PeerIdentity;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::net::SocketAddr;
use std::pin::pin;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

/// hyper keeps a head that is not complete yet in a buffer of at least this size.
const SMALLEST_BUFFER: usize = 8 * 1024;

/// What every connection of one listener has in common.
#[derive(Clone)]
pub(super) struct Connection {
    tls: Option<TlsAcceptor>,
    http: http1::Builder,
    handshake_time: Duration,
    stop: Handle,
}

impl Connection {
    pub(super) fn new(tls: Option<TlsConfig>, limits: &Limits, stop: Handle) -> Self {
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new())
            .header_read_timeout(limits.head_time)
            .max_header_size(limits.head_bytes)
            .max_buf_size(limits.head_bytes.max(SMALLEST_BUFFER));
        Self {
            tls: tls.map(|config| TlsAcceptor::from(config.into_server())),
            http,
            handshake_time: limits.handshake_time,
            stop,
        }
    }

    /// Serves one accepted socket to its end.
    pub(super) async fn serve<S>(self, stream: TcpStream, remote: SocketAddr, door: Door<S>)
    where
        S: HttpService,
    {
        let _open = Open::count();
        // Answers are small; waiting to fill a packet only delays them. Failing to say so is harmless.
        let _ = stream.set_nodelay(true);
        let door = door.remote(RemoteAddr(remote));
        let Some(acceptor) = &self.tls else {
            return self.requests(stream, door).await;
        };
        let Some((stream, peer)) = self.handshake(acceptor, stream, remote).await else {
            return;
        };
        self.requests(stream, door.peer(peer)).await;
    }

    /// The TLS handshake, within its time.
    async fn handshake(
        &self,
        acceptor: &TlsAcceptor,
        stream: TcpStream,
        remote: SocketAddr,
    ) -> Option<(TlsStream<TcpStream>, Option<PeerIdentity>)> {
        let shaken = tokio::time::timeout(self.handshake_time, acceptor.accept(stream));
        let why = tokio::select! {
            () = self.stop.asked.cancelled() => return None,
            shaken = shaken => match shaken {
                Ok(Ok(stream)) => {
                    let peer = peer::identity(&stream);
                    return Some((stream, peer));
                }
                Ok(Err(error)) => error.to_string(),
                Err(_) => "it took too long".to_owned(),
            },
        };
        metrics::counter!("broker_tls_handshakes_failed_total").increment(1);
        tracing::debug!(client = %remote, why, "a TLS handshake failed");
        None
    }

    /// Requests, one after another, until the client, the limits or the stop end it.
    async fn requests<IO, S>(&self, io: IO, door: Door<S>)
    where
        IO: AsyncRead + AsyncWrite + Unpin,
        S: HttpService,
    {
        let mut served = pin!(self.http.serve_connection(TokioIo::new(io), door));
        let ended = tokio::select! {
            ended = served.as_mut() => ended,
            () = self.stop.asked.cancelled() => {
                served.as_mut().graceful_shutdown();
                tokio::select! {
                    ended = served => ended,
                    () = self.stop.cut.cancelled() => return,
                }
            }
        };
        if let Err(error) = ended {
            // The client's doing, seen every day: half a head, a reset, a limit passed.
            tracing::debug!(error = %error, "a connection ended early");
        }
    }
}

/// Counts open connections for as long as it lives.
struct Open;

impl Open {
    fn count() -> Self {
        metrics::gauge!("broker_connections").increment(1);
        Self
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        metrics::gauge!("broker_connections").decrement(1);
    }
}
