//! The manager's REST API as this program uses it. Every command that asks the manager something goes through here.
//!
//! The rule: a list is whole (every page is fetched), a refusal is a [`Problem`] with the manager's own words, and all
//! requests of one command carry the same correlation id.

mod answer;
mod list;
mod query;
mod refusal;

pub(crate) use answer::Answer;
pub(crate) use query::{Query, quoted};
pub(crate) use refusal::Doing;

use crate::doc::Doc;
use crate::problem::Problem;
use crate::transport::{Reply, Transport};
use bytes::Bytes;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, USER_AGENT};
use http::{HeaderName, HeaderValue, Method, Request};
use qm_manager_api::Secret;
use std::time::Duration;

const CORRELATION: HeaderName = HeaderName::from_static("x-correlation-id");

/// A logged-in client of one manager.
pub(crate) struct Client {
    transport: Transport,
    url: String,
    token: Option<Secret<String>>,
    correlation: String,
    /// Bounds every single request.
    pub(crate) patience: Option<Duration>,
}

impl Client {
    /// For a manager at `url`, which may end with slashes.
    pub(crate) fn new(transport: Transport, url: &str, token: Option<Secret<String>>) -> Self {
        Self {
            transport,
            url: url.trim_end_matches('/').to_owned(),
            token,
            correlation: uuid::Uuid::new_v4().to_string(),
            patience: None,
        }
    }

    /// Where the manager is.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Any request. What the other side refuses is an answer here, not a problem.
    pub(crate) async fn call(
        &self,
        method: &Method,
        path: &str,
        query: &Query,
        body: Option<Bytes>,
        headers: &[(HeaderName, HeaderValue)],
    ) -> Result<Reply, Problem> {
        let url = format!("{}{}", self.url, query.behind(path));
        let mut request = Request::builder()
            .method(method)
            .uri(&url)
            .header(ACCEPT, "application/json")
            .header(USER_AGENT, concat!("smctl/", env!("CARGO_PKG_VERSION")))
            .header(CORRELATION, &self.correlation);
        if let Some(token) = &self.token {
            let bearer = format!("Bearer {}", token.expose());
            request = request.header(AUTHORIZATION, bearer);
        }
        if body.is_some() {
            request = request.header(CONTENT_TYPE, "application/json");
        }
        for (name, value) in headers {
            request = request.header(name, value);
        }
        let request = request.body(body.unwrap_or_default()).map_err(|error| {
            Problem::usage(format!("{url} is no address that can be asked")).why(error.to_string())
        })?;
        self.transport.send(request, self.patience).await
    }

    /// One resource, or any other document.
    pub(crate) async fn get(&self, path: &str, query: &Query) -> Result<Doc, Problem> {
        let reply = self.call(&Method::GET, path, query, None, &[]).await?;
        self.read(&Method::GET, path, query, &reply)
    }

    /// Makes something, or asks for something to be done.
    pub(crate) async fn post(
        &self,
        path: &str,
        query: &Query,
        body: &Doc,
    ) -> Result<Answer, Problem> {
        self.change(&Method::POST, path, query, Some(body)).await
    }

    /// Changes something.
    pub(crate) async fn patch(
        &self,
        path: &str,
        query: &Query,
        body: &Doc,
    ) -> Result<Answer, Problem> {
        self.change(&Method::PATCH, path, query, Some(body)).await
    }

    /// Puts something.
    pub(crate) async fn put(
        &self,
        path: &str,
        query: &Query,
        body: &Doc,
    ) -> Result<Answer, Problem> {
        self.change(&Method::PUT, path, query, Some(body)).await
    }

    /// Removes something.
    pub(crate) async fn delete(&self, path: &str, query: &Query) -> Result<Answer, Problem> {
        self.change(&Method::DELETE, path, query, None).await
    }

    async fn change(
        &self,
        method: &Method,
        path: &str,
        query: &Query,
        body: Option<&Doc>,
    ) -> Result<Answer, Problem> {
        let body = body.map(|body| Bytes::from(body.compact()));
        let reply = self.call(method, path, query, body, &[]).await?;
        let location = (reply.status.as_u16() == 202)
            .then(|| reply.headers.get(http::header::LOCATION))
            .flatten()
            .and_then(|value| value.to_str().ok())
            .map(ToOwned::to_owned);
        let doc = self.read(method, path, query, &reply)?;
        Ok(Answer { doc, location })
    }

    /// What an answer that refuses is to a person.
    pub(crate) fn refused(
        &self,
        method: &Method,
        path: &str,
        query: &Query,
        reply: &Reply,
    ) -> Problem {
        let url = format!("{}{}", self.url, query.behind(path));
        refusal::of(method, &url, path, reply, &self.correlation)
    }

    fn read(
        &self,
        method: &Method,
        path: &str,
        query: &Query,
        reply: &Reply,
    ) -> Result<Doc, Problem> {
        if !reply.status.is_success() {
            return Err(self.refused(method, path, query, reply));
        }
        if reply.body.is_empty() {
            return Ok(Doc::map());
        }
        Doc::parse(&reply.body).map_err(|error| {
            Problem::new(
                crate::exit::Exit::Failed,
                format!("{method} {path} was answered with something that is no JSON"),
            )
            .why(error.to_string())
            .hint("check with smctl info that the address is that of a Service Manager")
        })
    }
}
