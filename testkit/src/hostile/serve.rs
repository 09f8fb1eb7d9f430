//! Accepts connections and takes each call through its stations: record, fault, work, answer.
//!
//! The rule: no lock is held across a wait, so a hanging call holds up nobody else.

use super::calls::Calls;
use super::config::Config;
use super::deliver::{self, After, Reply};
use super::memory::Memory;
use super::route::Route;
use super::script::Script;
use super::wire::{Connection, Request};
use super::{behave, control};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::{JoinHandle, JoinSet};

/// What all connections and the test itself share.
#[derive(Debug)]
pub(super) struct Shared {
    config: Config,
    script: Mutex<Script>,
    memory: Mutex<Memory>,
    pub(super) calls: Calls,
}

impl Shared {
    pub(super) fn new(config: Config) -> Self {
        Self {
            script: Mutex::default(),
            memory: Mutex::new(Memory::new(&config)),
            calls: Calls::new(),
            config,
        }
    }

    pub(super) fn script(&self) -> MutexGuard<'_, Script> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn reset(&self) {
        self.script().clear();
        *self.memory() = Memory::new(&self.config);
        self.calls.clear();
    }
}

/// The accepting task.
#[derive(Debug)]
pub(super) struct Serving {
    end: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Serving {
    /// Serves on a listener; inside the broker's runtime.
    pub(super) fn start(listener: std::net::TcpListener, shared: Arc<Shared>) -> io::Result<Self> {
        let listener = TcpListener::from_std(listener)?;
        let (end, ended) = oneshot::channel();
        let task = tokio::spawn(accept(listener, shared, ended));
        Ok(Self { end, task })
    }

    /// Returns when the port and all connections are closed.
    pub(super) async fn stop(self) {
        let _ = self.end.send(());
        let _ = self.task.await;
    }
}

async fn accept(listener: TcpListener, shared: Arc<Shared>, mut ended: oneshot::Receiver<()>) {
    let mut open = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                if let Ok((stream, _)) = accepted {
                    open.spawn(connection(stream, Arc::clone(&shared)));
                }
            }
            Some(_) = open.join_next(), if !open.is_empty() => {}
            _ = &mut ended => break,
        }
    }
    drop(listener);
    open.shutdown().await;
}

async fn connection(stream: TcpStream, shared: Arc<Shared>) {
    let mut connection = Connection::new(stream);
    loop {
        let request = match connection.read().await {
            Ok(Some(request)) => request,
            Ok(None) => return,
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                let reply = Reply::error(400, &format!("not understood: {error}"));
                let _ = deliver::whole(&mut connection, &reply).await;
                return connection.close().await;
            }
            Err(_) => return,
        };
        let last = request
            .header("connection")
            .is_some_and(|value| value.eq_ignore_ascii_case("close"));
        let done = if let Some(below) = request.path.strip_prefix("/_hostile/") {
            let reply = control::answer(&shared, &request, below);
            deliver::whole(&mut connection, &reply).await
        } else {
            call(&mut connection, &shared, &request).await
        };
        let Ok(after) = done else {
            return;
        };
        match after {
            After::KeepOpen if !last => {}
            After::KeepOpen | After::Close => return connection.close().await,
            After::Reset => return connection.reset(),
        }
    }
}

/// One call of the protocol. An error means that the peer has gone.
async fn call(
    connection: &mut Connection,
    shared: &Shared,
    request: &Request,
) -> io::Result<After> {
    let route = Route::of(&request.method, &request.path);
    let number = shared.calls.record(request, route.as_ref());
    let Some(route) = route else {
        shared.calls.note(number, |call| {
            call.status = Some(404);
            call.answered = true;
        });
        return deliver::whole(connection, &Reply::error(404, "no such endpoint")).await;
    };
    let fault = shared.script().next(&route);
    let mut work = behave::Work::new(shared, request, &route, number);
    deliver::run(connection, &mut work, fault).await
}
