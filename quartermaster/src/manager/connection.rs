//! One connection: requests until either side ends it, or a WebSocket takes it over.
//!
//! The rule: every wait has a deadline or watches the stop. When the stop comes, a connection stays open
//! for a moment, so that a request that is on its way is answered, with the word that it was the last one;
//! only then is it closed.

use super::accept::Limits;
use super::stop::Stop;
use axum::body::Body;
use http::header::{CONNECTION, HeaderValue};
use http::{Request, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use qm_http::{Entrance, Local, Peer, Place};
use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::pin;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::OwnedSemaphorePermit;
use tower_service::Service as _;

/// How long a connection without a request stays open after the stop.
const LAST_CALL: Duration = Duration::from_millis(250);

/// Bodies are read in pieces of this size at least.
const SMALLEST_BUFFER: usize = 64 * 1024;

/// What all connections have in common.
#[derive(Clone)]
pub(super) struct Connection {
    doors: Entrance,
    http: http1::Builder,
    stop: Stop,
}

impl Connection {
    pub(super) fn new(doors: Entrance, limits: &Limits, stop: Stop) -> Self {
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new())
            .header_read_timeout(limits.head_time)
            .max_header_size(limits.head_bytes)
            .max_buf_size(limits.head_bytes.max(SMALLEST_BUFFER));
        Self { doors, http, stop }
    }

    /// Serves on a task of its own; the place is given back at its end, or at that of the stream it became.
    pub(super) fn spawn(self, stream: TcpStream, remote: SocketAddr, place: OwnedSemaphorePermit) {
        let tasks = self.stop.tasks.clone();
        tasks.spawn(async move {
            self.serve(stream, remote, Place::new(place)).await;
        });
    }

    async fn serve(self, stream: TcpStream, remote: SocketAddr, place: Place) {
        // Answers are small; waiting to fill a packet only delays them. Failing to say so is harmless.
        let _ = stream.set_nodelay(true);
        let local = stream.local_addr().ok();
        let Self { doors, http, stop } = self;
        let asked = &stop.asked;
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(Peer(remote));
            if let Some(local) = local {
                request.extensions_mut().insert(Local(local));
            }
            request.extensions_mut().insert(place.clone());
            let mut doors = doors.clone();
            async move {
                let mut answer: Response<Body> = doors.call(request).await?;
                // An answer that opens a WebSocket has a word of its own there.
                if asked.is_cancelled() && !answer.headers().contains_key(CONNECTION) {
                    let close = HeaderValue::from_static("close");
                    answer.headers_mut().insert(CONNECTION, close);
                }
                Ok::<_, Infallible>(answer)
            }
        });
        let mut served = pin!(
            http.serve_connection(TokioIo::new(stream), service)
                .with_upgrades()
        );
        let ended = tokio::select! {
            ended = served.as_mut() => ended,
            () = last_call(&stop) => {
                served.as_mut().graceful_shutdown();
                tokio::select! {
                    ended = served => ended,
                    () = stop.cut.cancelled() => return,
                }
            }
        };
        if let Err(error) = ended {
            // The client's doing, seen every day: half a head, a reset, a limit passed.
            tracing::debug!(error = %error, "a connection ended early");
        }
    }
}

async fn last_call(stop: &Stop) {
    stop.asked.cancelled().await;
    tokio::time::sleep(LAST_CALL).await;
}
