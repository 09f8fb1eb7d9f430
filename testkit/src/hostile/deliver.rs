//! Brings an answer to the peer in the way that the fault wants.
//!
//! The rule: the work is done at most once per call, by `Work::done`; every fault that needs the answer of a good
//! broker takes it from there.

use super::behave::Work;
use super::fault::{Fault, Header};
use super::wire::{Connection, Length};
use serde_json::{Value, json};
use std::io;
use std::time::Duration;

/// Size of the pieces of a gigantic body.
const PIECE: usize = 64 * 1024;

/// An answer before any fault.
#[derive(Debug, Clone)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) headers: Vec<Header>,
    pub(super) body: Vec<u8>,
}

impl Reply {
    pub(super) fn new(status: u16, body: &Value) -> Self {
        Self {
            status,
            headers: vec![("Content-Type".to_owned(), "application/json".to_owned())],
            body: body.to_string().into_bytes(),
        }
    }

    pub(super) fn error(status: u16, description: &str) -> Self {
        Self::new(status, &json!({"description": description}))
    }

    pub(super) fn word(word: &str, description: &str) -> Self {
        Self::new(422, &json!({"error": word, "description": description}))
    }

    fn scripted(status: u16, mut headers: Vec<Header>, body: &Value) -> Self {
        let (kind, body) = match body {
            Value::String(text) => ("text/plain", text.clone().into_bytes()),
            other => ("application/json", other.to_string().into_bytes()),
        };
        if !headers
            .iter()
            .any(|(name, _)| name.eq_ignore_ascii_case("content-type"))
        {
            headers.push(("Content-Type".to_owned(), kind.to_owned()));
        }
        Self {
            status,
            headers,
            body,
        }
    }

    fn length(&self) -> Length {
        Length::Told(self.body.len() as u64)
    }
}

/// What becomes of the connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum After {
    KeepOpen,
    Close,
    Reset,
}

/// A whole, honest answer.
pub(super) async fn whole(connection: &mut Connection, reply: &Reply) -> io::Result<After> {
    connection
        .write_head(reply.status, &reply.headers, reply.length())
        .await?;
    connection.write(&reply.body).await?;
    Ok(After::KeepOpen)
}

/// Lets one call meet its fault. An error means that the peer has gone.
pub(super) async fn run(
    connection: &mut Connection,
    work: &mut Work<'_>,
    mut fault: Fault,
) -> io::Result<After> {
    loop {
        fault = match fault {
            Fault::Slow { millis, then } => {
                tokio::time::sleep(Duration::from_millis(millis)).await;
                *then
            }
            Fault::Work { then } => {
                work.done();
                *then
            }
            Fault::Forget { then } => {
                work.forget();
                *then
            }
            Fault::FailWork {
                description,
                instance_usable,
                update_repeatable,
            } => {
                work.doom(description, instance_usable, update_repeatable);
                Fault::Behave
            }
            other => break finish(connection, work, other).await,
        }
    }
}

async fn finish(
    connection: &mut Connection,
    work: &mut Work<'_>,
    fault: Fault,
) -> io::Result<After> {
    match fault {
        Fault::Hang => {
            connection.wait_for_end().await;
            Ok(After::Close)
        }
        Fault::Close => Ok(After::Close),
        Fault::Reset => Ok(After::Reset),
        Fault::Raw { text } => {
            connection.write(text.as_bytes()).await?;
            Ok(After::Close)
        }
        Fault::Answer {
            status,
            headers,
            body,
        } => answer(connection, work, &Reply::scripted(status, headers, &body)).await,
        Fault::Edit {
            status,
            headers,
            patch,
        } => {
            let mut reply = work.done();
            if !patch.is_null() {
                let mut body = serde_json::from_slice(&reply.body).unwrap_or(Value::Null);
                merge(&mut body, &patch);
                reply.body = body.to_string().into_bytes();
            }
            reply.status = status.unwrap_or(reply.status);
            reply.headers.extend(headers);
            answer(connection, work, &reply).await
        }
        Fault::Malformed => {
            let mut reply = work.done();
            reply.body.pop();
            answer(connection, work, &reply).await
        }
        Fault::NotJson => {
            let status = work.done().status;
            let kind = ("Content-Type".to_owned(), "text/html".to_owned());
            let page = json!("<html><body><h1>It works!</h1></body></html>");
            answer(
                connection,
                work,
                &Reply::scripted(status, vec![kind], &page),
            )
            .await
        }
        Fault::Trickle { bytes, millis } => {
            let reply = work.done();
            work.note_status(reply.status);
            connection
                .write_head(reply.status, &reply.headers, reply.length())
                .await?;
            for piece in reply.body.chunks(bytes.max(1)) {
                tokio::time::sleep(Duration::from_millis(millis)).await;
                connection.write(piece).await?;
            }
            work.note_answered(true);
            Ok(After::KeepOpen)
        }
        Fault::Cut => {
            half(connection, work).await?;
            Ok(After::Close)
        }
        Fault::HangInBody => {
            half(connection, work).await?;
            connection.wait_for_end().await;
            Ok(After::Close)
        }
        Fault::WrongLength { by } => {
            let reply = work.done();
            work.note_status(reply.status);
            let told = (reply.body.len() as u64).saturating_add_signed(by);
            connection
                .write_head(reply.status, &reply.headers, Length::Told(told))
                .await?;
            connection.write(&reply.body).await?;
            Ok(After::Close)
        }
        Fault::Gigantic { bytes } => gigantic(connection, work, bytes).await,
        // `run` has taken the others apart; a sequence gets here only when it is empty.
        Fault::Behave
        | Fault::Slow { .. }
        | Fault::Work { .. }
        | Fault::Forget { .. }
        | Fault::FailWork { .. }
        | Fault::Sequence { .. }
        | Fault::Cycle { .. } => {
            let reply = work.done();
            answer(connection, work, &reply).await
        }
    }
}

async fn answer(connection: &mut Connection, work: &Work<'_>, reply: &Reply) -> io::Result<After> {
    // Noted before it is sent: a test that has the answer finds the call answered.
    work.note_status(reply.status);
    work.note_answered(true);
    let sent = whole(connection, reply).await;
    if sent.is_err() {
        work.note_answered(false);
    }
    sent
}

async fn half(connection: &mut Connection, work: &mut Work<'_>) -> io::Result<()> {
    let reply = work.done();
    work.note_status(reply.status);
    connection
        .write_head(reply.status, &reply.headers, reply.length())
        .await?;
    connection.write(&reply.body[..reply.body.len() / 2]).await
}

async fn gigantic(
    connection: &mut Connection,
    work: &mut Work<'_>,
    bytes: Option<u64>,
) -> io::Result<After> {
    let mut reply = work.done();
    work.note_status(reply.status);
    connection
        .write_head(reply.status, &reply.headers, Length::Chunked)
        .await?;
    // `{...}` becomes `{...,"padding":"xxx"}`.
    reply.body.pop();
    let comma = if reply.body.len() > 1 { "," } else { "" };
    reply
        .body
        .extend(format!("{comma}\"padding\":\"").into_bytes());
    connection.write_chunk(&reply.body).await?;
    let piece = [b'x'; PIECE];
    let mut left = bytes;
    while left != Some(0) {
        let size = left.map_or(PIECE, |left| {
            usize::try_from(left).unwrap_or(PIECE).min(PIECE)
        });
        connection.write_chunk(&piece[..size]).await?;
        left = left.map(|left| left - size as u64);
    }
    connection.write_chunk(b"\"}").await?;
    work.note_answered(true);
    connection.write(b"0\r\n\r\n").await?;
    Ok(After::KeepOpen)
}

/// RFC 7396.
fn merge(target: &mut Value, patch: &Value) {
    let Value::Object(patch) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = json!({});
    }
    if let Value::Object(target) = target {
        for (key, value) in patch {
            if value.is_null() {
                target.remove(key);
            } else {
                merge(target.entry(key.clone()).or_insert(Value::Null), value);
            }
        }
    }
}
