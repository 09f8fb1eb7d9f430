//! Takes connections until the stop.
//!
//! The rule: one slow, broken or hostile client costs only its own connection. Connections are counted,
//! each is served on a task of its own, and those that the system has accepted for us when the stop comes
//! are still served.

use super::connection::Connection;
use super::stop::Stop;
use crate::config::Server;
use qm_http::Entrance;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

/// How long to leave the system alone when it has no more files or memory for connections.
const PAUSE: Duration = Duration::from_millis(50);

/// How much a client may take.
#[derive(Debug, Clone)]
pub(super) struct Limits {
    pub(super) head_bytes: usize,
    pub(super) head_time: Duration,
    connections: usize,
}

impl From<&Server> for Limits {
    fn from(server: &Server) -> Self {
        Self {
            head_bytes: server.max_header_bytes,
            head_time: server.header_timeout.0,
            connections: server.max_connections,
        }
    }
}

/// Accepts until `signal`; cancels `stopping` then, and hands back what to drain.
pub(super) async fn run(
    listener: TcpListener,
    doors: Entrance,
    limits: &Limits,
    signal: impl Future<Output = ()>,
    stopping: &CancellationToken,
) -> Stop {
    let stop = Stop::new(stopping.clone());
    let places = Arc::new(Semaphore::new(
        limits.connections.min(Semaphore::MAX_PERMITS),
    ));
    let connection = Connection::new(doors, limits, stop.clone());
    let serve = |stream: TcpStream, remote| {
        // Whoever is beyond the limit waits for a place; a closed semaphore would be a fault of ours.
        let places = Arc::clone(&places);
        let connection = connection.clone();
        async move {
            let Ok(place) = places.acquire_owned().await else {
                return;
            };
            connection.spawn(stream, remote, place);
        }
    };
    tokio::pin!(signal);
    loop {
        let accepted = tokio::select! {
            () = &mut signal => break,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, remote)) => {
                tokio::select! {
                    () = &mut signal => break,
                    () = serve(stream, remote) => {}
                }
            }
            Err(error) if is_clients(&error) => {}
            Err(error) => {
                tracing::warn!(error = %error, "a connection cannot be accepted");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
    stopping.cancel();
    // Clients behind these believe that they are connected, and may have sent their request. The system is
    // asked itself: the runtime may not have heard of the last ones yet.
    if let Ok(listener) = listener.into_std() {
        while let Ok((stream, remote)) = listener.accept() {
            let Ok(place) = Arc::clone(&places).try_acquire_owned() else {
                break;
            };
            if let Ok(stream) = stream
                .set_nonblocking(true)
                .and_then(|()| TcpStream::from_std(stream))
            {
                connection.clone().spawn(stream, remote, place);
            }
        }
    }
    stop
}

/// The client went away before we came to it.
fn is_clients(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(
        error.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset
    )
}
