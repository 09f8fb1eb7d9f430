//! A connection of the notification stream, from the upgrade to its end. Sends what the feed gives, hears pings, and says
//! goodbye.
//!
//! The rule: nothing here can hold up anybody else, and nothing holds up this one for longer than its limits: a client
//! that does not ping is closed, a client that does not read is cut, and at the end nobody is waited for longer than
//! [`GOODBYE`].

use super::feed::{Feed, Pulse};
use super::handshake::Socket;
use crate::HttpSettings;
use bytes::Bytes;
use futures_util::{SinkExt as _, StreamExt as _};
use qm_stream::End;
use std::time::Duration;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{CloseCode, Data, OpCode};
use tokio_tungstenite::tungstenite::protocol::frame::{Frame, Utf8Bytes};
use tokio_tungstenite::tungstenite::{Error, Message};

/// How long the goodbye may take.
const GOODBYE: Duration = Duration::from_secs(1);

/// A longer message is sent in parts of this size, because the socket keeps a buffer as large as what it sends at a time.
const PART: usize = 8 * 1024;

/// How long a client may take for what.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// From one ping to the next.
    pub(super) ping: Duration,
    /// To take one message.
    pub(super) write: Duration,
}

impl From<&HttpSettings> for Limits {
    fn from(settings: &HttpSettings) -> Self {
        // A client that cannot take a message in the time in which it must give a sign of life has none.
        Self {
            ping: settings.ping_timeout,
            write: settings.ping_timeout,
        }
    }
}

/// Why a connection ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    /// The client has gone, in good order or not.
    Client,
    /// It did not ping.
    Silent,
    /// It did not take a message in time.
    Stuck,
    /// The stream has ended its subscription.
    Over(Option<End>),
    /// Its platform is no longer registered, or has another pair.
    Lost,
}

impl Cause {
    /// For the figures: why we have ended it. What the stream has ended, the stream has counted.
    pub(super) fn cut(self) -> Option<&'static str> {
        match self {
            Self::Client | Self::Over(_) => None,
            Self::Silent => Some("silent"),
            Self::Stuck => Some("stuck"),
            Self::Lost => Some("lost"),
        }
    }
}

/// Serves the connection to its end, and says why it ended.
pub(super) async fn serve<F: Feed, P: Pulse>(
    mut socket: Socket,
    feed: &mut F,
    pulse: &mut P,
    limits: Limits,
) -> Cause {
    let cause = attend(&mut socket, feed, pulse, limits).await;
    if let Some(frame) = farewell(cause) {
        // A client that does not read will not read this either: it is not waited for.
        let _ = timeout(GOODBYE, goodbye(&mut socket, frame)).await;
    }
    cause
}

async fn attend<F: Feed, P: Pulse>(
    socket: &mut Socket,
    feed: &mut F,
    pulse: &mut P,
    limits: Limits,
) -> Cause {
    let mut deadline = Instant::now() + limits.ping;
    loop {
        // In this order: the end comes first, and a ping that has arrived counts even if it was found late because a
        // message was being sent.
        tokio::select! {
            biased;
            () = feed.over() => return Cause::Over(feed.end()),
            () = pulse.lost() => return Cause::Lost,
            // The answer to a ping is written by the next call of `next`, whether or not anything else is sent.
            received = socket.next() => match received {
                Some(Ok(Message::Ping(_))) => {
                    deadline = Instant::now() + limits.ping;
                    pulse.beat();
                }
                // A close is answered by the next call of `next`; other messages mean nothing here.
                Some(Ok(_)) if Instant::now() < deadline => {}
                Some(Ok(_)) => return Cause::Silent,
                Some(Err(_)) | None => return Cause::Client,
            },
            () = sleep_until(deadline) => return Cause::Silent,
            text = feed.next() => match text {
                None => return Cause::Over(feed.end()),
                Some(text) => {
                    if let Err(cause) = send(socket, feed, text, limits.write).await {
                        return cause;
                    }
                }
            },
        }
    }
}

/// Sends one message whole, unless the client is too slow or the feed ends meanwhile.
async fn send<F: Feed>(
    socket: &mut Socket,
    feed: &F,
    text: Bytes,
    write: Duration,
) -> Result<(), Cause> {
    tokio::select! {
        biased;
        sent = timeout(write, send_parts(socket, text)) => match sent {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(Cause::Client),
            Err(_elapsed) => Err(Cause::Stuck),
        },
        () = feed.over() => Err(Cause::Over(feed.end())),
    }
}

/// The parts share the text; only the one that is on its way is copied.
async fn send_parts(socket: &mut Socket, mut text: Bytes) -> Result<(), Error> {
    let mut kind = Data::Text;
    loop {
        let part = text.split_to(text.len().min(PART));
        let is_last = text.is_empty();
        let frame = Frame::message(part, OpCode::Data(kind), is_last);
        socket.feed(Message::Frame(frame)).await?;
        if is_last {
            return socket.flush().await;
        }
        kind = Data::Continue;
    }
}

/// What to say; nothing when nobody listens.
fn farewell(cause: Cause) -> Option<CloseFrame> {
    let (code, reason) = match cause {
        Cause::Client | Cause::Stuck => return None,
        Cause::Silent => (CloseCode::Away, "no ping came in time"),
        Cause::Over(Some(End::Slow)) => (
            CloseCode::Again,
            "notifications were not read in time; come back with the last revision",
        ),
        Cause::Over(Some(End::Behind)) => (
            CloseCode::Again,
            "notifications are missing; come back with the last revision",
        ),
        Cause::Over(Some(End::Removed)) => {
            (CloseCode::Policy, "the platform is not registered any more")
        }
        Cause::Lost => (
            CloseCode::Policy,
            "the credentials of this connection are not valid any more; come back with the new ones",
        ),
        Cause::Over(_) => (
            CloseCode::Away,
            "stopping; come back with the last revision",
        ),
    };
    Some(CloseFrame {
        code,
        reason: Utf8Bytes::from_static(reason),
    })
}

/// Closes, and reads until the client has answered: a socket that is dropped with something unread in it resets the
/// connection, and the client may lose the last it was told.
async fn goodbye(socket: &mut Socket, frame: CloseFrame) {
    if socket.send(Message::Close(Some(frame))).await.is_err() {
        return;
    }
    while let Some(Ok(_)) = socket.next().await {}
}

#[cfg(test)]
mod tests;
