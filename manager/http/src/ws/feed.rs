//! What a connection sends from and what it tells of its life, apart from where they come from: the connection can be
//! tested without a store.

use bytes::Bytes;
use qm_stream::{End, Subscription};
use std::future::Future;

/// Messages to send.
pub(super) trait Feed: Send {
    /// The next text; `None` when there will be no more. May be dropped and called again without loss.
    fn next(&mut self) -> impl Future<Output = Option<Bytes>> + Send;

    /// Done as soon as there will be no more.
    fn over(&self) -> impl Future<Output = ()> + Send + 'static;

    /// Why there will be no more.
    fn end(&self) -> Option<End>;
}

impl Feed for Subscription {
    async fn next(&mut self) -> Option<Bytes> {
        let message = Self::next(self).await?;
        Some(message.text().clone())
    }

    fn over(&self) -> impl Future<Output = ()> + Send + 'static {
        Self::over(self)
    }

    fn end(&self) -> Option<End> {
        Self::end(self)
    }
}

/// Who hears of the client's signs of life.
pub(super) trait Pulse: Send {
    /// The client gave one. Does not wait for anything.
    fn beat(&mut self);

    /// Done when the client may no longer be here. May be dropped and called again.
    fn lost(&mut self) -> impl Future<Output = ()> + Send;
}
