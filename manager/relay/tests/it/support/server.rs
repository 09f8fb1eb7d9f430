//! A server that answers what a closure says: token endpoints, issuers, and brokers that need more than a
//! script.

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt as _, Full};
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};

/// Stops when dropped.
pub(crate) struct Server {
    pub(crate) url: String,
    seen: Arc<Mutex<Vec<Request<Bytes>>>>,
    accepting: JoinHandle<()>,
}

impl Server {
    pub(crate) async fn start(
        answer: impl Fn(&Request<Bytes>) -> Response<Bytes> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let seen = Arc::new(Mutex::new(Vec::new()));
        let record = Arc::clone(&seen);
        let answer = Arc::new(answer);
        let accepting = tokio::spawn(async move {
            // Dropped with the task, and every connection with it.
            let mut open = JoinSet::new();
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let (record, answer) = (Arc::clone(&record), Arc::clone(&answer));
                let service = service_fn(move |request: Request<hyper::body::Incoming>| {
                    let (record, answer) = (Arc::clone(&record), Arc::clone(&answer));
                    async move {
                        let (head, body) = request.into_parts();
                        let body = body.collect().await.unwrap().to_bytes();
                        let request = Request::from_parts(head, body);
                        record.lock().unwrap().push(request.clone());
                        Ok::<_, Infallible>(answer(&request).map(Full::new))
                    }
                });
                open.spawn(
                    hyper::server::conn::http1::Builder::new()
                        .serve_connection(TokioIo::new(stream), service),
                );
            }
        });
        Self {
            url,
            seen,
            accepting,
        }
    }

    /// Every request so far.
    pub(crate) fn seen(&self) -> Vec<Request<Bytes>> {
        self.seen.lock().unwrap().clone()
    }

    /// How many requests had this path.
    pub(crate) fn count(&self, path: &str) -> usize {
        let seen = self.seen();
        seen.iter()
            .filter(|request| request.uri().path() == path)
            .count()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

pub(crate) fn answer(status: u16, body: impl Into<Bytes>) -> Response<Bytes> {
    let answer = Response::builder().status(status);
    answer.body(body.into()).unwrap()
}
