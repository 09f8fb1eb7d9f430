//! The accept loop: counts connections and gives each a task.
//!
//! Run by [`Server::run`](super::Server::run), once per listener. The rule: nothing a client sends or
//! does not send is waited for here; the loop only accepts.

use super::connection::Connection;
use super::door::Door;
use super::limits::Limits;
use super::service::HttpService;
use super::stop::{Handle, Stop};
use super::tls::TlsConfig;
use std::io::{self, ErrorKind};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// How long to wait after the system refused a new socket, usually for want of file descriptors.
const PAUSE: Duration = Duration::from_millis(100);

/// What a listener needs to make connections.
pub(super) struct Acceptor {
    connection: Connection,
    slots: Arc<Semaphore>,
    stop: Handle,
}

impl Acceptor {
    pub(super) fn new(tls: Option<TlsConfig>, limits: &Limits, stop: &Stop) -> Self {
        // One at least, or the server would be deaf; the upper bound is the semaphore's own.
        let connections = limits.connections.clamp(1, Semaphore::MAX_PERMITS);
        Self {
            connection: Connection::new(tls, limits, stop.handle()),
            slots: Arc::new(Semaphore::new(connections)),
            stop: stop.handle(),
        }
    }

    /// Accepts until `until` is ready. The listener is closed on return.
    pub(super) async fn run<S>(
        self,
        listener: TcpListener,
        door: Door<S>,
        until: impl Future<Output = ()>,
    ) where
        S: HttpService,
    {
        let mut until = pin!(until);
        loop {
            // The slot comes first: a full server leaves newcomers in the system's queue.
            let accepted = async {
                let slot = Arc::clone(&self.slots).acquire_owned().await.ok();
                (slot, listener.accept().await)
            };
            let (slot, accepted) = tokio::select! {
                biased;
                () = &mut until => return,
                accepted = accepted => accepted,
            };
            match accepted {
                Ok((stream, remote)) => {
                    let connection = self.connection.clone();
                    let door = door.clone();
                    self.stop.tasks.spawn(async move {
                        connection.serve(stream, remote, door).await;
                        drop(slot);
                    });
                }
                Err(error) if of_one_client(&error) => {}
                Err(error) => {
                    tracing::warn!(error = %error, "no new connection could be accepted");
                    drop(slot);
                    tokio::select! {
                        () = &mut until => return,
                        () = tokio::time::sleep(PAUSE) => {}
                    }
                }
            }
        }
    }
}

/// The client went away before it was accepted: nothing is wrong with the listener.
fn of_one_client(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset | ErrorKind::ConnectionRefused
    )
}
