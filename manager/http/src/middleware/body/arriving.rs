//! A body on its way: it ends, it grows too large, or it is too slow.
//!
//! The rule: it has [`PATIENCE`], and more only for what has come. Who sends a byte now and then gains nothing.

use super::share::Share;
use axum::BoxError;
use axum::body::Body;
use bytes::{Buf as _, Bytes};
use http_body_util::Limited;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use std::future::Future as _;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::time::{Instant, Sleep};

/// How long the first piece may take, and how long all of it may take beyond its length by [`SLOWEST`].
const PATIENCE: Duration = Duration::from_secs(10);
/// Bytes in a second; who is slower is given up.
const SLOWEST: u64 = 8 * 1024;

/// The body did not come in time.
#[derive(Debug, thiserror::Error)]
#[error("the body came too slowly")]
pub(crate) struct TooSlow;

pub(super) struct Arriving {
    body: Limited<Body>,
    patience: Duration,
    /// Since it was first waited for.
    wait: Option<(Instant, Pin<Box<Sleep>>)>,
    come: u64,
    /// Given back when all has come.
    share: Option<Share>,
}

impl Arriving {
    pub(super) fn new(body: Body, limit: usize, share: Share) -> Self {
        Self {
            body: Limited::new(body, limit),
            patience: PATIENCE,
            wait: None,
            come: 0,
            share: Some(share),
        }
    }

    fn poll_patience(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let patience = self.patience;
        let (begun, sleep) = self.wait.get_or_insert_with(|| {
            let now = Instant::now();
            (now, Box::pin(tokio::time::sleep_until(now + patience)))
        });
        let end = *begun + patience + Duration::from_secs(self.come / SLOWEST);
        if sleep.deadline() < end {
            sleep.as_mut().reset(end);
        }
        sleep.as_mut().poll(cx)
    }
}

impl HttpBody for Arriving {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        if let Poll::Ready(piece) = Pin::new(&mut self.body).poll_frame(cx) {
            let data = match &piece {
                Some(Ok(frame)) => frame.data_ref(),
                _ => None,
            };
            self.come += data.map_or(0, |data| data.remaining() as u64);
            if piece.is_none() || self.body.is_end_stream() {
                self.share = None;
            }
            return Poll::Ready(piece);
        }
        ready!(self.poll_patience(cx));
        Poll::Ready(Some(Err(Box::new(TooSlow))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::super::share::Shares;
    use super::*;
    use http_body_util::{BodyExt as _, StreamBody};
    use std::sync::Arc;
    use tokio::sync::mpsc;

    fn body(patience: Duration) -> (mpsc::Sender<&'static [u8]>, Arriving) {
        let (send, mut pieces) = mpsc::channel::<&'static [u8]>(8);
        let stream = futures_util::stream::poll_fn(move |cx| {
            let piece = ready!(pieces.poll_recv(cx));
            let frame = |piece| Ok::<_, BoxError>(Frame::data(Bytes::from_static(piece)));
            Poll::Ready(piece.map(frame))
        });
        let share = Shares::take(&Arc::new(Shares::new(1)), "a").unwrap();
        let mut body = Arriving::new(Body::new(StreamBody::new(stream)), 1 << 20, share);
        body.patience = patience;
        (send, body)
    }

    #[tokio::test]
    async fn half_a_body_is_waited_for_as_long_as_patience_lasts() {
        let (send, body) = body(Duration::from_millis(10));
        send.send(b"half").await.unwrap();
        let error = body.collect().await.unwrap_err();
        assert!(error.is::<TooSlow>(), "{error}");
        drop(send);
    }

    #[tokio::test]
    async fn a_byte_now_and_then_is_no_progress() {
        let (send, body) = body(Duration::from_millis(50));
        let trickle = tokio::spawn(async move {
            while send.send(b"x").await.is_ok() {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        });
        assert!(body.collect().await.unwrap_err().is::<TooSlow>());
        trickle.await.unwrap();
    }

    /// Each piece buys two seconds, and without them a millisecond would be too short.
    #[tokio::test]
    async fn who_sends_steadily_is_read_to_the_end() {
        static PIECE: [u8; 16 * 1024] = [b'x'; 16 * 1024];
        let (send, body) = body(Duration::from_millis(1));
        send.send(&PIECE).await.unwrap();
        tokio::spawn(async move {
            for _ in 0..4 {
                tokio::time::sleep(Duration::from_millis(20)).await;
                send.send(&PIECE).await.unwrap();
            }
        });
        let whole = body.collect().await.unwrap().to_bytes();
        assert_eq!(whole.len(), 5 * PIECE.len());
    }
}
