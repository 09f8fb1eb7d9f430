//! The server against real sockets: health, limits, hostile clients, the stop, TLS.
//!
//! Requests are written by hand on purpose: half of them no client library would send.

mod health;
mod hostile;
mod stop;
mod tls;

use axum::Router;
use axum::routing::{any, get, put};
use quartermaster_sdk::server::{Limits, RemoteAddr, Server, Stopped};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, oneshot};
use tokio::task::JoinHandle;

/// A test that hangs should say so instead.
const PATIENCE: Duration = Duration::from_secs(180);

/// A server on a free port.
struct Running {
    addr: SocketAddr,
    stop: oneshot::Sender<()>,
    task: JoinHandle<Stopped>,
}

impl Running {
    async fn start(server: Server<Router>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let addr = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(server.run(listener, async {
            let _ = stopped.await;
        }));
        Self { addr, stop, task }
    }

    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.addr).await.unwrap()
    }

    /// The whole answer to a GET on a connection of its own.
    async fn get(&self, path: &str) -> String {
        ask(self.connect().await, &get_request(path)).await
    }

    async fn stop(self) -> Stopped {
        self.stop.send(()).unwrap();
        within(self.task).await.unwrap()
    }
}

async fn within<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, future)
        .await
        .expect("the test hangs")
}

fn get_request(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: broker\r\nconnection: close\r\n\r\n")
}

/// Sends bytes, reads to the end of the connection.
async fn ask(stream: impl AsyncRead + AsyncWrite, request: &str) -> String {
    let mut stream = std::pin::pin!(stream);
    stream.write_all(request.as_bytes()).await.unwrap();
    read_all(stream).await
}

async fn read_all(mut stream: impl AsyncRead + Unpin) -> String {
    let mut answer = Vec::new();
    within(stream.read_to_end(&mut answer)).await.unwrap();
    String::from_utf8(answer).unwrap()
}

/// Reads until this text was seen; the connection stays open.
async fn read_until(stream: &mut (impl AsyncRead + Unpin), text: &str) -> String {
    let mut seen = Vec::new();
    while !String::from_utf8_lossy(&seen).contains(text) {
        let byte = within(stream.read_u8())
            .await
            .expect("the connection ended early");
        seen.push(byte);
    }
    String::from_utf8(seen).unwrap()
}

/// A service with a greeting, an echo, and a gate that holds a request until it is opened.
fn service(gate: Arc<Semaphore>, entered: Arc<Semaphore>) -> Router {
    let held = move || async move {
        entered.add_permits(1);
        gate.acquire().await.unwrap().forget();
        "finished"
    };
    Router::new()
        .route("/hello", get(|| async { "hello" }))
        .route("/held", get(held))
        .route("/echo", put(|body: String| async move { body }))
        .route("/who", get(who))
        .fallback(any(|| async {
            (http::StatusCode::NOT_FOUND, "service: not here")
        }))
}

/// What the server says about the connection.
async fn who(request: axum::extract::Request) -> String {
    use quartermaster_sdk::auth::PeerIdentity;
    let RemoteAddr(remote) = request.extensions().get().unwrap();
    let peer = request.extensions().get::<PeerIdentity>();
    match peer {
        Some(peer) => format!("{} {peer:?}", remote.ip()),
        None => format!("{} nobody", remote.ip()),
    }
}

fn plain() -> Server<Router> {
    Server::new(service(closed(), closed()))
}

/// A semaphore without permits: a closed gate, or a counter that starts at nothing.
fn closed() -> Arc<Semaphore> {
    Arc::new(Semaphore::new(0))
}

#[tokio::test]
async fn serves_on_the_port_it_was_given() {
    let server = Running::start(plain()).await;
    assert_ne!(server.addr.port(), 0);
    let answer = server.get("/hello").await;
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    assert!(answer.ends_with("\r\n\r\nhello"), "{answer}");
    assert!(server.get("/who").await.ends_with("127.0.0.1 nobody"));
    assert_eq!(server.stop().await, Stopped { cut: 0 });
}

#[tokio::test]
async fn one_connection_serves_many_requests() {
    let server = Running::start(plain()).await;
    let mut stream = server.connect().await;
    for round in 0..3 {
        let body = format!("round {round}");
        let request = format!(
            "PUT /echo HTTP/1.1\r\nhost: broker\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let answer = read_until(&mut stream, &body).await;
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    }
    server.stop().await;
}
