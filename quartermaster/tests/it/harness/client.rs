//! A caller of the manager: one proof of who it is, and the five methods.
//!
//! The rule: nothing is added to a request but the `Authorization` and, with a body, the content type.

use super::Answer;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::{Method, Request, header};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

/// A caller. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Client {
    http: qm_testkit::http::Client,
    authorization: Option<String>,
}

impl Client {
    /// Nobody in particular.
    pub(crate) fn anonymous(url: &str) -> Self {
        Self {
            http: qm_testkit::http::Client::new(url, "", ""),
            authorization: None,
        }
    }

    /// Somebody with a token.
    pub(crate) fn bearer(url: &str, token: &str) -> Self {
        Self::with(url, format!("Bearer {token}"))
    }

    /// A platform, or somebody who tries to be one.
    pub(crate) fn basic(url: &str, user: &str, password: &str) -> Self {
        let pair = STANDARD.encode(format!("{user}:{password}"));
        Self::with(url, format!("Basic {pair}"))
    }

    /// Any `Authorization` at all.
    pub(crate) fn with(url: &str, authorization: String) -> Self {
        Self {
            authorization: Some(authorization),
            ..Self::anonymous(url)
        }
    }

    /// The header it sends.
    pub(crate) fn authorization(&self) -> Option<&str> {
        self.authorization.as_deref()
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.call(Method::GET, path, None).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Answer {
        self.call(Method::DELETE, path, None).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        self.call(Method::POST, path, Some(body)).await
    }

    pub(crate) async fn patch(&self, path: &str, body: &Value) -> Answer {
        self.call(Method::PATCH, path, Some(body)).await
    }

    pub(crate) async fn put(&self, path: &str, body: &Value) -> Answer {
        self.call(Method::PUT, path, Some(body)).await
    }

    /// Any method with an optional JSON body.
    pub(crate) async fn call(&self, method: Method, path: &str, body: Option<&Value>) -> Answer {
        let headers: &[(&str, &str)] = match body {
            Some(_) => &[("content-type", "application/json")],
            None => &[],
        };
        let bytes = body.map(Value::to_string).unwrap_or_default();
        self.send(method, path, headers, bytes).await
    }

    /// A request with any headers and any bytes; panics when there is no answer. A connection may have been left by a
    /// manager that was killed since: what only looks is then sent once more.
    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Bytes>,
    ) -> Answer {
        let (asked, body) = (format!("{method} {path}"), body.into());
        let looks = method == Method::GET;
        let mut sent = self
            .try_send(method.clone(), path, headers, body.clone())
            .await;
        if looks && sent.is_err() {
            sent = self.try_send(method, path, headers, body).await;
        }
        sent.unwrap_or_else(|error| panic!("{asked}: {error:?}"))
    }

    /// The same for managers that may be dying.
    pub(crate) async fn try_send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Bytes>,
    ) -> Result<Answer, qm_testkit::http::Error> {
        let asked = format!("{method} {path}");
        let mut request = Request::builder().method(method).uri(path);
        if let Some(authorization) = &self.authorization {
            request = request.header(header::AUTHORIZATION, authorization);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let answer = self.http.send(request.body(body.into()).unwrap()).await?;
        Ok(Answer::new(asked, answer))
    }
}

/// A path with query parameters, encoded.
pub(crate) fn query(path: &str, parameters: &[(&str, &str)]) -> String {
    let encode = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    let pairs = parameters
        .iter()
        .map(|(name, value)| format!("{}={}", encode(name), encode(value)));
    format!("{path}?{}", pairs.collect::<Vec<_>>().join("&"))
}

/// A form's body.
pub(crate) fn form(fields: &[(&str, &str)]) -> String {
    query("", fields).split_off(1)
}
