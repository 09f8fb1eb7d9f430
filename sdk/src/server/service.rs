//! What a server can serve, said once.

use super::body::RequestBody;
use bytes::Bytes;
use http::{Request, Response};
use http_body::Body;
use std::convert::Infallible;
use std::error::Error;
use tower_service::Service;

/// A tower service that answers every request. An SDK endpoint is one, an axum `Router` is one too;
/// nobody implements this by hand.
pub trait HttpService:
    Service<
        Request<RequestBody>,
        Response = Response<<Self as HttpService>::Answer>,
        Error = Infallible,
        Future: Send + 'static,
    > + Clone
    + Send
    + 'static
{
    /// The body of an answer.
    type Answer: Body<Data = Bytes, Error: Into<Box<dyn Error + Send + Sync>>> + Send + 'static;
}

impl<S, B> HttpService for S
where
    S: Service<Request<RequestBody>, Response = Response<B>, Error = Infallible>
        + Clone
        + Send
        + 'static,
    S::Future: Send + 'static,
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    type Answer = B;
}
