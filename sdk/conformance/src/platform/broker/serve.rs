//! The HTTP server below all scripted brokers.
//!
//! The rule: whatever arrives is noted by the script it is for; a platform that closes its connection before the answer
//! is noted as having given up.

use super::answer::{Answer, Manner};
use super::call::{Call, Verb};
use super::script::Script;
use bytes::Bytes;
use http::{HeaderMap, Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use percent_encoding::percent_decode_str;
use serde_json::Value;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};

/// Larger bodies of a platform are not read.
const LARGEST: usize = 4 * 1024 * 1024;

type Scripts = Arc<Mutex<Vec<Arc<Script>>>>;

/// The running server. Stops when dropped.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    scripts: Scripts,
    task: JoinHandle<()>,
}

/// A request as the script sees it.
#[derive(Debug)]
pub(super) struct Arrived {
    pub(super) method: Method,
    /// Below the broker's URL, as it came.
    pub(super) path_and_query: String,
    pub(super) verb: Verb,
    pub(super) instance: String,
    pub(super) binding: String,
    pub(super) query: Vec<(String, String)>,
    pub(super) headers: HeaderMap,
    pub(super) authorization: Option<String>,
    pub(super) bytes: Bytes,
    pub(super) body: Option<Value>,
}

impl Server {
    /// Listens.
    pub(crate) async fn start(listen: SocketAddr) -> io::Result<Self> {
        let listener = TcpListener::bind(listen).await?;
        let address = listener.local_addr()?;
        let scripts = Scripts::default();
        let task = tokio::spawn(accept(listener, Arc::clone(&scripts)));
        Ok(Self {
            address,
            scripts,
            task,
        })
    }

    /// Another broker.
    pub(crate) fn add(&self, script: Arc<Script>) {
        let mut scripts = self.scripts.lock().unwrap_or_else(PoisonError::into_inner);
        scripts.push(script);
    }

    /// All brokers so far.
    pub(crate) fn scripts(&self) -> Vec<Arc<Script>> {
        let scripts = self.scripts.lock().unwrap_or_else(PoisonError::into_inner);
        scripts.clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn accept(listener: TcpListener, scripts: Scripts) {
    // Dropped with this task, and every connection with it.
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                // A connection that broke before it was accepted is the platform's own business.
                if let Ok((stream, _)) = accepted {
                    connections.spawn(connection(stream, Arc::clone(&scripts)));
                }
            }
            Some(_) = connections.join_next() => {}
        }
    }
}

async fn connection(stream: TcpStream, scripts: Scripts) {
    let service = service_fn(move |request| answer(request, Arc::clone(&scripts)));
    // An error here is a connection that the platform or a script closed.
    let _ = hyper::server::conn::http1::Builder::new()
        .max_buf_size(512 * 1024)
        .serve_connection(TokioIo::new(stream), service)
        .await;
}

async fn answer(
    request: Request<Incoming>,
    scripts: Scripts,
) -> Result<Response<Full<Bytes>>, io::Error> {
    let (head, body) = request.into_parts();
    let bytes = Limited::new(body, LARGEST).collect().await;
    let bytes = bytes.map_err(io::Error::other)?.to_bytes();
    let whole = head.uri.path().trim_start_matches('/');
    let (name, path) = whole.split_once('/').unwrap_or((whole, ""));
    let found = {
        let scripts = scripts.lock().unwrap_or_else(PoisonError::into_inner);
        scripts.iter().find(|script| script.name == name).cloned()
    };
    let Some(script) = found else {
        let missing = Answer::error(404);
        return Ok(response(&missing));
    };
    let arrived = read(&head, path, bytes);
    let (call, answer) = script.arrived(arrived);
    match answer.manner {
        Manner::Now => Ok(response(&answer)),
        Manner::Late(after) => {
            let mut waiting = Waiting(Some(call));
            tokio::time::sleep(after).await;
            waiting.0 = None;
            Ok(response(&answer))
        }
        Manner::Never => {
            let _waiting = Waiting(Some(call));
            std::future::pending().await
        }
        Manner::Cut => Err(io::Error::other("cut as the script wants it")),
    }
}

/// Notes, when it is dropped early, that the platform did not wait.
struct Waiting(Option<Arc<Call>>);

impl Drop for Waiting {
    fn drop(&mut self) {
        if let Some(call) = &self.0 {
            // The first moment counts.
            let _ = call.given_up.set(Instant::now());
        }
    }
}

fn response(answer: &Answer) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(answer.body.clone())));
    *response.status_mut() =
        StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response.headers_mut().clone_from(&answer.headers);
    response
}

fn read(head: &http::request::Parts, path: &str, bytes: Bytes) -> Arrived {
    let (verb, instance, binding) = route(&head.method, path);
    let raw = head.uri.query();
    let authorization = head.headers.get("authorization");
    Arrived {
        method: head.method.clone(),
        path_and_query: match raw {
            Some(raw) => format!("/{path}?{raw}"),
            None => format!("/{path}"),
        },
        verb,
        instance,
        binding,
        query: raw.map(pairs).unwrap_or_default(),
        authorization: authorization.and_then(|value| value.to_str().ok().map(str::to_owned)),
        headers: head.headers.clone(),
        body: serde_json::from_slice(&bytes).ok(),
        bytes,
    }
}

fn route(method: &Method, path: &str) -> (Verb, String, String) {
    let segments: Vec<String> = path.split('/').map(decoded).collect();
    let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
    let (instance, binding) = match segments.as_slice() {
        ["v2", "service_instances", i, "service_bindings", b, ..] => (*i, *b),
        ["v2", "service_instances", i, ..] => (*i, ""),
        _ => ("", ""),
    };
    let verb = match (method.as_str(), segments.as_slice()) {
        ("GET", ["v2", "catalog"]) => Verb::Catalog,
        ("PUT", ["v2", "service_instances", _]) => Verb::Provision,
        ("GET", ["v2", "service_instances", _]) => Verb::Fetch,
        ("PATCH", ["v2", "service_instances", _]) => Verb::Update,
        ("DELETE", ["v2", "service_instances", _]) => Verb::Deprovision,
        ("GET", ["v2", "service_instances", _, "last_operation"]) => Verb::Poll,
        (method, ["v2", "service_instances", _, "service_bindings", _]) => match method {
            "PUT" => Verb::Bind,
            "GET" => Verb::FetchBinding,
            "DELETE" => Verb::Unbind,
            _ => Verb::Other,
        },
        (
            "GET",
            [
                "v2",
                "service_instances",
                _,
                "service_bindings",
                _,
                "last_operation",
            ],
        ) => Verb::PollBinding,
        _ => Verb::Other,
    };
    (verb, instance.to_owned(), binding.to_owned())
}

fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// A query taken apart. A plus sign stays one: only percent-encoding is agreed.
fn pairs(query: &str) -> Vec<(String, String)> {
    let pair = |part: &str| {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        (decoded(key), decoded(value))
    };
    let parts = query.split('&').filter(|part| !part.is_empty());
    parts.map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_known_and_ids_decoded() {
        let (verb, instance, binding) = route(
            &Method::GET,
            "v2/service_instances/a%2Fb/service_bindings/c/last_operation",
        );
        assert_eq!(verb, Verb::PollBinding);
        assert_eq!((instance.as_str(), binding.as_str()), ("a/b", "c"));
        assert_eq!(route(&Method::POST, "v2/catalog").0, Verb::Other);
        assert_eq!(route(&Method::GET, "v2/catalog/").0, Verb::Other);
    }

    #[test]
    fn only_percent_encoding_is_undone() {
        let query = pairs("operation=a%20b%26c+d&plan_id=");
        assert_eq!(query[0], ("operation".to_owned(), "a b&c+d".to_owned()));
        assert_eq!(query[1], ("plan_id".to_owned(), String::new()));
    }
}
