//! The body of a request, with a deadline for the whole of it.
//!
//! The service gets it in place of hyper's. The rule: the clock starts when the service first waits
//! for the client, so that a body nobody reads costs nothing, and it is never set back, so that one
//! byte every few seconds does not help.

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use hyper::body::Incoming;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::Sleep;

/// What was sent after the head.
#[derive(Debug)]
pub struct RequestBody {
    incoming: Incoming,
    within: Duration,
    deadline: Option<Pin<Box<Sleep>>>,
}

/// The rest of a body will not come.
#[derive(Debug, thiserror::Error)]
pub enum BodyError {
    /// The client was too slow.
    #[error("the body did not arrive in time")]
    TooSlow,
    /// The client went away or broke the framing.
    #[error("the body broke off")]
    Broken(#[source] hyper::Error),
}

impl RequestBody {
    pub(super) fn new(incoming: Incoming, within: Duration) -> Self {
        Self {
            incoming,
            within,
            deadline: None,
        }
    }
}

impl Body for RequestBody {
    type Data = Bytes;
    type Error = BodyError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BodyError>>> {
        let this = &mut *self;
        if let Poll::Ready(frame) = Pin::new(&mut this.incoming).poll_frame(cx) {
            return Poll::Ready(frame.map(|frame| frame.map_err(BodyError::Broken)));
        }
        let deadline = this
            .deadline
            .get_or_insert_with(|| Box::pin(tokio::time::sleep(this.within)));
        match deadline.as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(Some(Err(BodyError::TooSlow))),
            Poll::Pending => Poll::Pending,
        }
    }

    fn is_end_stream(&self) -> bool {
        self.incoming.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.incoming.size_hint()
    }
}
