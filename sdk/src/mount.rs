//! Several brokers, or one broker once per platform, in one process.
//!
//! A mount is a prefix of the URL. A segment `{platform}` stands for any word; what stood there is
//! part of every id, so that two platforms cannot touch each other's instances, and reaches the
//! author as `asked.platform`.

use crate::Endpoint;
use bytes::Bytes;
use http_body_util::Full;
use quartermaster_osb::header;
use quartermaster_osb::{Answer, ErrorBody};
use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

/// Why a broker cannot be mounted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MountError {
    /// The prefix is no prefix.
    #[error("a prefix looks like /name or /{{platform}}, not {0}")]
    BadPrefix(String),
    /// Something is mounted there.
    #[error("something is mounted at {0} already")]
    Taken(String),
}

/// Endpoints by URL prefix; itself a tower `Service`.
#[derive(Debug, Clone, Default)]
pub struct Brokers {
    mounts: Arc<Vec<Mount>>,
}

#[derive(Debug, Clone)]
struct Mount {
    segments: Vec<Segment>,
    endpoint: Endpoint,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Segment {
    Word(String),
    Any,
}

impl Brokers {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Mounts an endpoint at a prefix; `/` is the root.
    pub fn mount(self, prefix: &str, endpoint: Endpoint) -> Result<Self, MountError> {
        let bad = || MountError::BadPrefix(prefix.to_owned());
        let inner = prefix.strip_prefix('/').ok_or_else(bad)?;
        let mut segments = Vec::new();
        for segment in inner.split('/').filter(|_| !inner.is_empty()) {
            segments.push(match segment {
                "" | "v2" => return Err(bad()),
                _ if segment.starts_with('{') && segment.ends_with('}') => Segment::Any,
                _ => Segment::Word(segment.to_owned()),
            });
        }
        let mut mounts = (*self.mounts).clone();
        if mounts.iter().any(|mount| mount.segments == segments) {
            return Err(MountError::Taken(prefix.to_owned()));
        }
        mounts.push(Mount { segments, endpoint });
        // A word is closer than a placeholder, and a longer prefix closer than a shorter one.
        mounts.sort_by_key(|mount| {
            let any = mount
                .segments
                .iter()
                .filter(|segment| **segment == Segment::Any)
                .count();
            (std::cmp::Reverse(mount.segments.len()), any)
        });
        Ok(Self {
            mounts: Arc::new(mounts),
        })
    }

    /// The endpoint for a path, told its prefix, and what is left of the path.
    fn find(&self, path: &str) -> Option<(Endpoint, usize)> {
        self.mounts.iter().find_map(|mount| {
            let mut at = 0;
            for segment in &mount.segments {
                let rest = path.get(at..)?.strip_prefix('/')?;
                let word = rest.split('/').next()?;
                match segment {
                    Segment::Any if !word.is_empty() => {}
                    Segment::Word(wanted) if wanted == word => {}
                    Segment::Any | Segment::Word(_) => return None,
                }
                at += 1 + word.len();
            }
            path.get(at..)?.starts_with("/v2/").then(|| {
                let mut endpoint = mount.endpoint.clone();
                endpoint.platform = Arc::from(path.get(..at).unwrap_or_default());
                (endpoint, at)
            })
        })
    }
}

impl<B> tower_service::Service<http::Request<B>> for Brokers
where
    B: http_body::Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    type Response = http::Response<Full<Bytes>>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<B>) -> Self::Future {
        let found = self.find(request.uri().path());
        let echo = header::request_identity(request.headers()).cloned();
        Box::pin(async move {
            let Some((endpoint, at)) = found else {
                let status = http::StatusCode::NOT_FOUND;
                let body = ErrorBody::new("no broker is mounted here");
                let mut response = Answer::Error { status, body }.response().map(Full::new);
                if let Some(echo) = echo {
                    response
                        .headers_mut()
                        .insert(header::REQUEST_IDENTITY, echo);
                }
                return Ok(response);
            };
            let (mut head, body) = request.into_parts();
            if let Some(uri) = stripped(&head.uri, at) {
                head.uri = uri;
            }
            Ok(endpoint
                .answer(http::Request::from_parts(head, body))
                .await
                .map(Full::new))
        })
    }
}

fn stripped(uri: &http::Uri, at: usize) -> Option<http::Uri> {
    let whole = uri.path_and_query()?.as_str();
    http::Uri::builder()
        .path_and_query(whole.get(at..)?)
        .build()
        .ok()
}
