//! A thousand platforms that listen: plain sockets that read WebSocket frames and count messages.
//!
//! The rule: the same reader listens to the manager and to the bare server, and it does as little as can be
//! done (the text is read and thrown away), so that what is measured is the sender.

use crate::manager;
use anyhow::{Context, Result, bail};
use bytes::{Buf as _, BytesMut};
use serde_json::Value;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

/// A ping with an empty mask; the manager wants one every 30 s.
const PING: [u8; 6] = [0x89, 0x80, 0, 0, 0, 0];
const PING_EVERY: Duration = Duration::from_secs(10);
const PATIENCE: Duration = Duration::from_secs(30);

/// Connected listeners; they hang up when this is dropped.
pub(crate) struct Listeners {
    tasks: JoinSet<Result<()>>,
    count: usize,
    tally: Arc<Tally>,
    last: Arc<Mutex<Vec<u8>>>,
}

struct Tally {
    messages: AtomicUsize,
    /// How many there were, and when that was.
    seen: watch::Sender<(usize, Instant)>,
}

impl Tally {
    fn count(&self) {
        let count = self.messages.fetch_add(1, Ordering::AcqRel) + 1;
        let now = Instant::now();
        self.seen.send_if_modified(|seen| {
            let more = count > seen.0;
            if more {
                *seen = (count, now);
            }
            more
        });
    }
}

impl Listeners {
    /// Connects one listener for each request head that `head` makes.
    pub(crate) async fn connect(address: SocketAddr, heads: Vec<String>) -> Result<Self> {
        let tally = Arc::new(Tally {
            messages: AtomicUsize::new(0),
            seen: watch::Sender::new((0, Instant::now())),
        });
        let last = Arc::new(Mutex::new(Vec::new()));
        let (count, turn) = (heads.len(), Arc::new(Semaphore::new(32)));
        let mut connecting = JoinSet::new();
        for head in heads {
            let turn = Arc::clone(&turn);
            connecting.spawn(async move {
                let _turn = turn.acquire().await?;
                open(address, &head).await
            });
        }
        let mut tasks = JoinSet::new();
        let mut first = true;
        while let Some(opened) = connecting.join_next().await {
            let (socket, rest) = opened??;
            // One of them keeps what it was told.
            let keep = std::mem::take(&mut first).then(|| Arc::clone(&last));
            tasks.spawn(listen(socket, rest, Arc::clone(&tally), keep));
        }
        Ok(Self {
            tasks,
            count,
            tally,
            last,
        })
    }

    /// How many messages all of them have had so far.
    pub(crate) fn messages(&self) -> usize {
        self.tally.messages.load(Ordering::Acquire)
    }

    /// Waits until each of them has had one message more than at `before`; when the last one had it.
    pub(crate) async fn all_told(&mut self, before: usize) -> Result<Instant> {
        let mut seen = self.tally.seen.subscribe();
        let target = before + self.count;
        let all = tokio::time::timeout(PATIENCE, seen.wait_for(|(count, _)| *count >= target));
        if let Some(ended) = self.tasks.try_join_next() {
            ended?.context("a listener was cut off")?;
        }
        match all.await {
            Ok(told) => Ok(told?.1),
            Err(_) => bail!(
                "only {} of {} were told",
                self.messages() - before,
                self.count
            ),
        }
    }

    /// The last message as it was sent.
    pub(crate) fn last(&self) -> Vec<u8> {
        self.last
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

/// The request with which a platform connects, given the answer to its registration.
pub(crate) fn head(platform: &Value) -> Result<String> {
    Ok(format!(
        "GET /v1/notifications HTTP/1.1\r\nhost: manager\r\nauthorization: {}\r\nupgrade: websocket\r\n\
         connection: Upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        manager::authorization(platform)?
    ))
}

async fn open(address: SocketAddr, head: &str) -> Result<(TcpStream, BytesMut)> {
    let mut socket = TcpStream::connect(address).await?;
    socket.set_nodelay(true)?;
    socket.write_all(head.as_bytes()).await?;
    let mut read = BytesMut::with_capacity(1024);
    loop {
        if let Some(end) = read.windows(4).position(|part| part == b"\r\n\r\n") {
            let head = read.split_to(end + 4);
            if !head.starts_with(b"HTTP/1.1 101") {
                bail!("not let in: {}", String::from_utf8_lossy(&head));
            }
            return Ok((socket, read));
        }
        if socket.read_buf(&mut read).await? == 0 {
            bail!("hung up: {}", String::from_utf8_lossy(&read));
        }
    }
}

async fn listen(
    socket: TcpStream,
    mut read: BytesMut,
    tally: Arc<Tally>,
    keep: Option<Arc<Mutex<Vec<u8>>>>,
) -> Result<()> {
    let (mut from, mut to) = socket.into_split();
    let mut ping = tokio::time::interval(PING_EVERY);
    // Of the message so far; a message may come in several frames.
    let mut text = Vec::new();
    loop {
        while let Some(frame) = Frame::of(&read) {
            read.advance(frame.head);
            let mut left = frame.length;
            while left > 0 {
                if read.is_empty() && from.read_buf(&mut read).await? == 0 {
                    return Ok(());
                }
                let part = read.len().min(left);
                if keep.is_some() && frame.is_text() {
                    text.extend_from_slice(&read[..part]);
                }
                read.advance(part);
                left -= part;
            }
            match frame.kind {
                TEXT | CONTINUED if frame.last => {
                    if let Some(keep) = &keep {
                        *keep.lock().unwrap_or_else(PoisonError::into_inner) =
                            std::mem::take(&mut text);
                    }
                    tally.count();
                }
                CLOSE => bail!("the server closed the connection"),
                _ => {}
            }
        }
        tokio::select! {
            got = from.read_buf(&mut read) => if got? == 0 { return Ok(()) },
            _ = ping.tick() => to.write_all(&PING).await?,
        }
    }
}

const CONTINUED: u8 = 0;
const TEXT: u8 = 1;
const CLOSE: u8 = 8;

/// The head of a frame.
struct Frame {
    kind: u8,
    /// Whether its message ends with it.
    last: bool,
    head: usize,
    length: usize,
}

impl Frame {
    /// The frame that begins here, if all of its head is there.
    fn of(read: &[u8]) -> Option<Self> {
        let (first, short) = (*read.first()?, read.get(1)? & 0x7f);
        let (head, length) = match short {
            126 => (
                4,
                u16::from_be_bytes(read.get(2..4)?.try_into().ok()?).into(),
            ),
            127 => {
                let length = u64::from_be_bytes(read.get(2..10)?.try_into().ok()?);
                (10, usize::try_from(length).ok()?)
            }
            short => (2, short.into()),
        };
        Some(Self {
            kind: first & 0x0f,
            last: first & 0x80 != 0,
            head,
            length,
        })
    }

    fn is_text(&self) -> bool {
        matches!(self.kind, TEXT | CONTINUED)
    }
}
