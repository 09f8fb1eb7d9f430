//! `/healthz`, `/readyz` and `/metrics`.
//!
//! Answered by the door without asking who calls: a kubelet and a Prometheus have no broker password.
//! The rule: what they say is harmless (a state, a reason the author chose, numbers), and whoever
//! minds moves them to another address or turns them off.

use super::recorder;
use bytes::Bytes;
use http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use http::{Method, Response, StatusCode, Uri};
use http_body_util::Full;
use serde_json::json;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio_util::task::AbortOnDropHandle;

/// A readiness check that has not answered by then says no.
const READY_WITHIN: Duration = Duration::from_secs(5);
/// How often the histograms are folded when nobody asks for `/metrics`.
const UPKEEP_EVERY: Duration = Duration::from_secs(5);

type Readiness = dyn Fn() -> Pin<Box<dyn Future<Output = Result<(), String>> + Send>> + Send + Sync;

/// Where health and metrics are served and what readiness means.
pub struct Health {
    place: Place,
    metrics: bool,
    readiness: Option<Arc<Readiness>>,
}

pub(super) enum Place {
    Here,
    Off,
    On(TcpListener),
}

impl Health {
    /// On the address of the service.
    pub fn here() -> Self {
        Self::at(Place::Here)
    }

    /// Nowhere: the three paths belong to the service.
    pub fn off() -> Self {
        Self::at(Place::Off)
    }

    /// On an address of their own, without TLS.
    pub fn on(listener: TcpListener) -> Self {
        Self::at(Place::On(listener))
    }

    fn at(place: Place) -> Self {
        Self {
            place,
            metrics: true,
            readiness: None,
        }
    }

    /// Asked by `/readyz`; the reason of a no is shown to whoever asks. Without it the server is ready
    /// until it stops.
    #[must_use]
    pub fn ready_when<F, R>(mut self, check: F) -> Self
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Future<Output = Result<(), String>> + Send + 'static,
    {
        self.readiness = Some(Arc::new(move || Box::pin(check())));
        self
    }

    /// Leaves `/metrics` to the service, and installs no recorder.
    #[must_use]
    pub fn without_metrics(mut self) -> Self {
        self.metrics = false;
        self
    }

    pub(super) fn open(self) -> (Probes, Place) {
        let Self {
            place,
            metrics,
            readiness,
        } = self;
        let metrics = metrics && !matches!(place, Place::Off);
        let probes = Probes {
            metrics,
            readiness,
            stopping: Arc::new(AtomicBool::new(false)),
        };
        (probes, place)
    }
}

impl fmt::Debug for Health {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = match &self.place {
            Place::Here => "here".to_owned(),
            Place::Off => "off".to_owned(),
            Place::On(listener) => format!("{:?}", listener.local_addr()),
        };
        f.debug_struct("Health")
            .field("place", &place)
            .field("metrics", &self.metrics)
            .field("readiness", &self.readiness.is_some())
            .finish()
    }
}

/// What a running server answers from.
#[derive(Clone)]
pub(super) struct Probes {
    metrics: bool,
    readiness: Option<Arc<Readiness>>,
    stopping: Arc<AtomicBool>,
}

/// One of the three questions.
pub(super) enum Probe {
    Live,
    Ready(Probes),
    Metrics,
}

impl Probes {
    /// From now on the server is not ready any more.
    pub(super) fn stopping(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    /// Installs the recorder and keeps its memory small, for as long as the handle lives.
    pub(super) fn keep_metrics(&self) -> Option<AbortOnDropHandle<()>> {
        if !self.metrics {
            return None;
        }
        let handle = recorder::handle()?;
        Some(AbortOnDropHandle::new(tokio::spawn(async move {
            loop {
                tokio::time::sleep(UPKEEP_EVERY).await;
                handle.run_upkeep();
            }
        })))
    }

    pub(super) fn asked(&self, uri: &Uri) -> Option<Probe> {
        match uri.path() {
            "/healthz" => Some(Probe::Live),
            "/readyz" => Some(Probe::Ready(self.clone())),
            "/metrics" if self.metrics => Some(Probe::Metrics),
            _ => None,
        }
    }

    async fn ready(self) -> Result<(), String> {
        if self.stopping.load(Ordering::Relaxed) {
            return Err("stopping".into());
        }
        match &self.readiness {
            None => Ok(()),
            Some(check) => tokio::time::timeout(READY_WITHIN, check())
                .await
                .unwrap_or_else(|_| Err("the readiness check does not answer".into())),
        }
    }
}

impl Probe {
    pub(super) async fn answer(self, method: Method) -> Response<Full<Bytes>> {
        if method != Method::GET && method != Method::HEAD {
            let mut answer = json(
                StatusCode::METHOD_NOT_ALLOWED,
                &json!({"status": "use GET"}),
            );
            answer
                .headers_mut()
                .insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
            return answer;
        }
        match self {
            Self::Live => json(StatusCode::OK, &json!({"status": "ok"})),
            Self::Ready(probes) => match probes.ready().await {
                Ok(()) => json(StatusCode::OK, &json!({"status": "ok"})),
                Err(reason) => json(
                    StatusCode::SERVICE_UNAVAILABLE,
                    &json!({"status": "unavailable", "reason": reason}),
                ),
            },
            Self::Metrics => match recorder::handle() {
                Some(handle) => text(StatusCode::OK, handle.render()),
                None => text(
                    StatusCode::NOT_FOUND,
                    "# this program records its metrics elsewhere\n".into(),
                ),
            },
        }
    }
}

fn json(status: StatusCode, body: &serde_json::Value) -> Response<Full<Bytes>> {
    answer(status, "application/json", body.to_string())
}

fn text(status: StatusCode, body: String) -> Response<Full<Bytes>> {
    answer(status, "text/plain; version=0.0.4; charset=utf-8", body)
}

fn answer(status: StatusCode, content: &'static str, body: String) -> Response<Full<Bytes>> {
    let mut answer = Response::new(Full::from(body));
    *answer.status_mut() = status;
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(content));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}
