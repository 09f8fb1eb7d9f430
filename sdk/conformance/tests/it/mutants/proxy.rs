//! A reverse proxy that hands every request and answer to a mutant.

use super::ask::{Answer, Ask, Memory};
use super::{Mutant, answers};
use crate::brokers::{PASSWORD, USER};
use base64::Engine;
use bytes::Bytes;
use http::header::{CONTENT_LENGTH, HOST, TRANSFER_ENCODING};
use http::{HeaderMap, Request, Response};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioIo};
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;

/// A mutant that changes nothing.
pub(crate) fn faithful() -> Mutant {
    answers("nothing", "catalog.works", |_, _, _| {})
}

type Http = Client<HttpConnector, Full<Bytes>>;

/// A running proxy. Stops when dropped.
pub(crate) struct Proxy {
    pub(crate) url: String,
    memory: Arc<Memory>,
    broker: SocketAddr,
    http: Http,
    task: tokio::task::JoinHandle<()>,
}

impl Proxy {
    pub(crate) async fn start(broker: SocketAddr, mutant: Mutant) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let memory = Arc::new(Memory::default());
        let http: Http = Client::builder(TokioExecutor::new()).build_http();
        let task = tokio::spawn(serve(
            listener,
            broker,
            mutant,
            Arc::clone(&memory),
            http.clone(),
        ));
        Self {
            url,
            memory,
            broker,
            http,
            task,
        }
    }

    /// Paths of all instances that were made through this proxy.
    pub(crate) fn created(&self) -> Vec<String> {
        self.memory.names("made ")
    }

    /// What the broker itself says to a GET.
    pub(crate) async fn status(&self, path: &str) -> u16 {
        let ask = Ask {
            method: http::Method::GET,
            path: path.to_owned(),
            query: String::new(),
            headers: HeaderMap::new(),
            body: Bytes::new(),
        };
        let mut ask = ask;
        authorize(&mut ask);
        ask.headers
            .insert("x-broker-api-version", "2.17".parse().unwrap());
        forward(&self.http, self.broker, &ask).await.status
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Puts the right credentials on a request.
pub(crate) fn authorize(ask: &mut Ask) {
    let pair = base64::engine::general_purpose::STANDARD.encode(format!("{USER}:{PASSWORD}"));
    ask.headers
        .insert("authorization", format!("Basic {pair}").parse().unwrap());
}

async fn serve(
    listener: TcpListener,
    broker: SocketAddr,
    mutant: Mutant,
    memory: Arc<Memory>,
    http: Http,
) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            return;
        };
        let (memory, http) = (Arc::clone(&memory), http.clone());
        tokio::spawn(async move {
            let service = service_fn(move |request| {
                let (memory, http) = (Arc::clone(&memory), http.clone());
                async move { pass(request, broker, mutant, &memory, &http).await }
            });
            let _ = hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}

async fn pass(
    request: Request<Incoming>,
    broker: SocketAddr,
    mutant: Mutant,
    memory: &Memory,
    http: &Http,
) -> Result<Response<Full<Bytes>>, std::io::Error> {
    let (head, body) = request.into_parts();
    let mut ask = Ask {
        method: head.method,
        path: head.uri.path().to_owned(),
        query: head.uri.query().unwrap_or_default().to_owned(),
        headers: head.headers,
        body: body
            .collect()
            .await
            .map_err(std::io::Error::other)?
            .to_bytes(),
    };
    let original = ask.clone();
    (mutant.ask)(&mut ask, memory);
    let mut answer = forward(http, broker, &ask).await;
    if original.instance("PUT") && answer.ok() {
        memory.count(&format!("made {}", original.path));
    }
    (mutant.answer)(&original, &mut answer, memory);
    if answer.hang {
        std::future::pending::<()>().await;
    }
    if answer.cut {
        return Err(std::io::Error::other("cut"));
    }
    answer.headers.remove(CONTENT_LENGTH);
    answer.headers.remove(TRANSFER_ENCODING);
    let mut response = Response::new(Full::new(answer.body));
    *response.status_mut() = answer.status.try_into().map_err(std::io::Error::other)?;
    *response.headers_mut() = answer.headers;
    Ok(response)
}

async fn forward(http: &Http, broker: SocketAddr, ask: &Ask) -> Answer {
    let query = if ask.query.is_empty() {
        String::new()
    } else {
        format!("?{}", ask.query)
    };
    let mut request = Request::new(Full::new(ask.body.clone()));
    *request.method_mut() = ask.method.clone();
    *request.uri_mut() = format!("http://{broker}{}{query}", ask.path)
        .parse()
        .unwrap();
    *request.headers_mut() = ask.headers.clone();
    for name in [HOST, CONTENT_LENGTH, TRANSFER_ENCODING] {
        request.headers_mut().remove(name);
    }
    let cut = Answer {
        status: 502,
        headers: HeaderMap::new(),
        body: Bytes::new(),
        cut: true,
        hang: false,
    };
    let Ok(response) = http.request(request).await else {
        return cut;
    };
    let (head, body) = response.into_parts();
    let Ok(body) = body.collect().await else {
        return cut;
    };
    Answer {
        status: head.status.as_u16(),
        headers: head.headers,
        body: body.to_bytes(),
        cut: false,
        hang: false,
    }
}
