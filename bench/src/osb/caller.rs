//! One caller: a connection that is kept, and the instances and bindings that it has made over it.
//!
//! Used by `round`. The rule: as little as can be done beside the bytes, because a caller shares the machine with
//! what it measures: a plain socket, a request written into one buffer, an answer read to its end by its length.

use super::verb::Verb;
use anyhow::{Context, Result, bail};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// Where calls go, and as whom.
#[derive(Debug, Clone)]
pub(crate) struct Door {
    pub(crate) address: SocketAddr,
    /// What stands before `/v2`.
    pub(crate) prefix: String,
    /// Callers take these in turn.
    pub(crate) authorizations: Vec<String>,
}

pub(super) struct Caller {
    door: Arc<Door>,
    authorization: String,
    socket: TcpStream,
    request: String,
    answer: Vec<u8>,
    instances: Vec<String>,
    bindings: Vec<(String, String)>,
    turn: usize,
}

/// What one call came to.
pub(super) enum Called {
    Good(Duration),
    /// An answer with another status than the expected one, in words.
    Bad(String),
    /// There is nothing left that it could be asked of.
    NothingLeft,
}

impl Caller {
    /// Connects; `number` decides whose authorization is taken.
    pub(super) async fn connect(door: &Arc<Door>, number: usize) -> Result<Self> {
        let socket = TcpStream::connect(door.address)
            .await
            .context("connecting")?;
        socket.set_nodelay(true)?;
        let count = door.authorizations.len().max(1);
        let authorization = door.authorizations.get(number % count);
        Ok(Self {
            door: Arc::clone(door),
            authorization: authorization.cloned().unwrap_or_default(),
            socket,
            request: String::new(),
            answer: Vec::with_capacity(64 * 1024),
            instances: Vec::new(),
            bindings: Vec::new(),
            turn: 0,
        })
    }

    /// Asks once, of the next of its instances or bindings, or of a new one.
    pub(super) async fn call(&mut self, verb: Verb) -> Result<Called> {
        let number = uuid::Uuid::new_v4();
        let (instance, binding) = match verb {
            Verb::Catalog => (String::new(), String::new()),
            Verb::Provision => (number.to_string(), String::new()),
            Verb::Bind | Verb::LastOperation => {
                let known = self.instances.len().max(1);
                let Some(instance) = self.instances.get(self.turn % known) else {
                    return Ok(Called::NothingLeft);
                };
                self.turn += 1;
                (instance.clone(), number.to_string())
            }
            Verb::Unbind => match self.bindings.pop() {
                Some(both) => both,
                None => return Ok(Called::NothingLeft),
            },
            Verb::Deprovision => match self.instances.pop() {
                Some(instance) => (instance, String::new()),
                None => return Ok(Called::NothingLeft),
            },
        };
        verb.write(
            &mut self.request,
            &self.door.prefix,
            &self.authorization,
            &instance,
            &binding,
            number.as_u128(),
        );
        let began = Instant::now();
        self.socket.write_all(self.request.as_bytes()).await?;
        let status = self.read().await?;
        let took = began.elapsed();
        if status != verb.expected() {
            let words = String::from_utf8_lossy(&self.answer);
            return Ok(Called::Bad(format!("{}: {words}", verb.name())));
        }
        match verb {
            Verb::Provision => self.instances.push(instance),
            Verb::Bind => self.bindings.push((instance, binding)),
            Verb::Catalog | Verb::LastOperation | Verb::Unbind | Verb::Deprovision => {}
        }
        Ok(Called::Good(took))
    }

    /// Reads one answer to its end; its status.
    async fn read(&mut self) -> Result<u16> {
        self.answer.clear();
        let head = loop {
            if self.socket.read_buf(&mut self.answer).await? == 0 {
                bail!("the server hung up");
            }
            if let Some(end) = end_of_head(&self.answer) {
                break end;
            }
        };
        let words = std::str::from_utf8(&self.answer[..head]).context("a head of bytes")?;
        let status = words.get(9..12).context("an answer without status")?;
        let status: u16 = status.parse().context("an answer without status")?;
        let length = length(words)
            .with_context(|| format!("an answer that does not tell its length: {words}"))?;
        while self.answer.len() < head + length {
            if self.socket.read_buf(&mut self.answer).await? == 0 {
                bail!("the server hung up within an answer");
            }
        }
        Ok(status)
    }
}

fn end_of_head(read: &[u8]) -> Option<usize> {
    let end = read.windows(4).position(|part| part == b"\r\n\r\n")?;
    Some(end + 4)
}

fn length(head: &str) -> Option<usize> {
    head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length")
            .then(|| value.trim().parse().ok())?
    })
}
