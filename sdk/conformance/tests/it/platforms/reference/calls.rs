//! Requests of the small platform, and what their answers mean.

use super::super::habits::{Ask, Flaw, Got, Kind, Poll, Ruling};
use super::Reference;
use base64::Engine;
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, Request};
use http_body_util::{BodyExt, Full};
use serde_json::{Value, json};
use std::sync::atomic::Ordering;
use std::time::Duration;

impl Reference {
    /// Sends a request below a broker's URL.
    pub(super) async fn send(
        &self,
        broker: &str,
        kind: Kind,
        path: String,
        query: &[(&str, &str)],
        body: Option<Value>,
    ) -> Got {
        let known = self.store().brokers.get(broker).cloned();
        let Some(known) = known else { return Got::Cut };
        let method = match kind {
            Kind::Provision | Kind::Bind => Method::PUT,
            Kind::Update => Method::PATCH,
            Kind::Deprovision | Kind::Unbind => Method::DELETE,
            Kind::Catalog | Kind::Fetch | Kind::Poll => Method::GET,
        };
        let encode = self.0.habits.encode;
        let mut ask = Ask {
            kind,
            number: self.0.requests.fetch_add(1, Ordering::Relaxed),
            method,
            path,
            query: query
                .iter()
                .map(|(key, value)| ((*key).to_owned(), encode(value)))
                .collect(),
            headers: headers(&known.broker.username, known.broker.password.expose()),
            body,
        };
        if kind != Kind::Catalog {
            let user = base64::engine::general_purpose::STANDARD.encode(
                json!({ "username": "u", "uid": "1", "groups": [], "extra": {} }).to_string(),
            );
            let value = HeaderValue::from_str(&format!("kubernetes {user}")).unwrap();
            ask.headers
                .insert("x-broker-api-originating-identity", value);
        }
        if ask.body.is_some() {
            let json = HeaderValue::from_static("application/json");
            ask.headers.insert("content-type", json);
        }
        if let (Kind::Catalog, Some(etag)) = (kind, &known.etag) {
            let etag = HeaderValue::from_str(etag).unwrap();
            ask.headers.insert("if-none-match", etag);
        }
        (self.0.habits.ask)(&mut ask);
        self.exchange(&known.broker.url, ask).await
    }

    async fn exchange(&self, url: &str, ask: Ask) -> Got {
        let query: Vec<String> = ask.query.iter().map(|(k, v)| format!("{k}={v}")).collect();
        let mark = if query.is_empty() { "" } else { "?" };
        let uri = format!("{url}{}{mark}{}", ask.path, query.join("&"));
        let body = ask.body.map(|body| body.to_string()).unwrap_or_default();
        let mut request = Request::new(Full::new(Bytes::from(body)));
        *request.method_mut() = ask.method;
        *request.uri_mut() = uri.parse().unwrap();
        *request.headers_mut() = ask.headers;
        let whole = async {
            let Ok(response) = self.0.http.request(request).await else {
                return Got::Cut;
            };
            let (head, body) = response.into_parts();
            let Ok(body) = body.collect().await else {
                return Got::Cut;
            };
            let body = serde_json::from_slice(&body.to_bytes()).ok();
            Got::Answer(head.status.as_u16(), head.headers, body)
        };
        let limit = if self.has(Flaw::HastyTimeout) {
            30
        } else {
            2500
        };
        let whole = tokio::time::timeout(Duration::from_millis(limit), whole).await;
        whole.unwrap_or(Got::Timeout)
    }

    /// What the orphan-mitigation table says.
    pub(super) fn ruling(&self, kind: Kind, got: &Got) -> Ruling {
        let created = if kind.is_create() {
            Ruling::Orphaned
        } else {
            Ruling::Failed
        };
        let unsure = if kind == Kind::Update {
            Ruling::Failed
        } else {
            Ruling::Orphaned
        };
        let whole = got.object().is_some();
        let word = got.object().and_then(|body| body["error"].as_str());
        let ruling = match (got, got.status()) {
            (Got::Timeout | Got::Cut, _) => created,
            (_, 200) if whole => Ruling::Done,
            (_, 200) => Ruling::Failed,
            (_, 201) if whole => Ruling::Done,
            (_, 202) if whole => Ruling::Accepted,
            (_, 201 | 202) => created,
            (_, 410) if kind.is_delete() => Ruling::Done,
            (_, 422) if word == Some("ConcurrencyError") => Ruling::Busy,
            (_, 400..=499) => Ruling::Failed,
            _ => unsure,
        };
        (self.0.habits.ruling)(kind, got, ruling)
    }

    /// What a poll of some work says.
    pub(super) fn polled(&self, work: Kind, got: &Got) -> Poll {
        let state = got.object().and_then(|body| body["state"].as_str());
        let poll = match (got.status(), state) {
            (200, Some("succeeded")) => Poll::Succeeded,
            (200, Some("failed")) => Poll::Failed,
            (410, _) if work.is_delete() => Poll::Succeeded,
            _ => Poll::GoOn,
        };
        (self.0.habits.poll)(work, got, poll)
    }
}

fn headers(user: &str, password: &str) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let pair = base64::engine::general_purpose::STANDARD.encode(format!("{user}:{password}"));
    let basic = HeaderValue::from_str(&format!("Basic {pair}")).unwrap();
    headers.insert("authorization", basic);
    headers.insert("x-broker-api-version", HeaderValue::from_static("2.17"));
    let id = HeaderValue::from_str(&uuid::Uuid::new_v4().to_string()).unwrap();
    headers.insert("x-broker-api-request-identity", id);
    headers
}
