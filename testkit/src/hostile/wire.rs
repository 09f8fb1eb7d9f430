//! HTTP/1.1 by hand: a broker that misbehaves on the wire cannot use a library that would not let it.
//!
//! The rule: reading is strict enough for honest clients and nothing more; writing does what it is told, right
//! or wrong.

use std::collections::BTreeMap;
use std::io;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// Limits against clients that are as hostile as we are.
const LONGEST_HEAD: usize = 256 * 1024;
const LONGEST_BODY: usize = 64 * 1024 * 1024;

/// A request, read to its end.
#[derive(Debug, Clone, Default)]
pub(super) struct Request {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) query: String,
    /// Names in lower case.
    pub(super) headers: BTreeMap<String, String>,
    pub(super) body: Vec<u8>,
}

impl Request {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }
}

/// How the end of a body is told.
#[derive(Debug, Clone, Copy)]
pub(super) enum Length {
    Told(u64),
    Chunked,
}

/// A connection and what was read ahead on it.
#[derive(Debug)]
pub(super) struct Connection {
    stream: TcpStream,
    ahead: Vec<u8>,
}

impl Connection {
    pub(super) fn new(stream: TcpStream) -> Self {
        // Small pieces must leave at once, or slow faults are not seen as slow.
        let _ = stream.set_nodelay(true);
        Self {
            stream,
            ahead: Vec::new(),
        }
    }

    /// The next request; `None` when the peer closed in good order.
    pub(super) async fn read(&mut self) -> io::Result<Option<Request>> {
        let head = loop {
            if let Some(end) = find(&self.ahead, b"\r\n\r\n") {
                let head: Vec<u8> = self.ahead.drain(..end + 4).collect();
                break String::from_utf8_lossy(&head).into_owned();
            }
            if self.ahead.len() > LONGEST_HEAD {
                return Err(bad("the head is too long"));
            }
            if self.stream.read_buf(&mut self.ahead).await? == 0 {
                return if self.ahead.is_empty() {
                    Ok(None)
                } else {
                    Err(bad("the head broke off"))
                };
            }
        };
        let mut request = parse(&head)?;
        if request
            .header("expect")
            .is_some_and(|value| value.eq_ignore_ascii_case("100-continue"))
        {
            self.write(b"HTTP/1.1 100 Continue\r\n\r\n").await?;
        }
        request.body = match (
            request.header("transfer-encoding"),
            request.header("content-length"),
        ) {
            (Some(_), _) => self.read_chunks().await?,
            (None, Some(length)) => {
                let length = length.parse().map_err(|_| bad("no number as length"))?;
                self.take(length).await?
            }
            (None, None) => Vec::new(),
        };
        Ok(Some(request))
    }

    async fn read_chunks(&mut self) -> io::Result<Vec<u8>> {
        let mut body = Vec::new();
        loop {
            let line = self.line().await?;
            let size = line.split(';').next().unwrap_or_default().trim();
            let size = usize::from_str_radix(size, 16).map_err(|_| bad("no chunk size"))?;
            if size == 0 {
                while !self.line().await?.is_empty() {}
                return Ok(body);
            }
            if body.len() + size > LONGEST_BODY {
                return Err(bad("the body is too long"));
            }
            body.extend(self.take(size).await?);
            self.line().await?;
        }
    }

    async fn line(&mut self) -> io::Result<String> {
        loop {
            if let Some(end) = find(&self.ahead, b"\r\n") {
                let line: Vec<u8> = self.ahead.drain(..end + 2).collect();
                return Ok(String::from_utf8_lossy(&line[..end]).into_owned());
            }
            if self.ahead.len() > LONGEST_HEAD || self.fill().await? == 0 {
                return Err(bad("a line broke off"));
            }
        }
    }

    async fn take(&mut self, length: usize) -> io::Result<Vec<u8>> {
        if length > LONGEST_BODY {
            return Err(bad("the body is too long"));
        }
        while self.ahead.len() < length {
            if self.fill().await? == 0 {
                return Err(bad("the body broke off"));
            }
        }
        Ok(self.ahead.drain(..length).collect())
    }

    async fn fill(&mut self) -> io::Result<usize> {
        self.stream.read_buf(&mut self.ahead).await
    }

    /// Writes a status line and headers.
    pub(super) async fn write_head(
        &mut self,
        status: u16,
        headers: &[(String, String)],
        length: Length,
    ) -> io::Result<()> {
        let reason = http::StatusCode::from_u16(status)
            .ok()
            .and_then(|status| status.canonical_reason())
            .unwrap_or("Whatever");
        let mut head = format!("HTTP/1.1 {status} {reason}\r\n");
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        match length {
            // These have no body by definition; a length would be a fault nobody asked for.
            Length::Told(0) if status == 204 || status == 304 => {}
            Length::Told(length) => head.push_str(&format!("Content-Length: {length}\r\n")),
            Length::Chunked => head.push_str("Transfer-Encoding: chunked\r\n"),
        }
        head.push_str("\r\n");
        self.write(head.as_bytes()).await
    }

    pub(super) async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes).await
    }

    pub(super) async fn write_chunk(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write(format!("{:x}\r\n", bytes.len()).as_bytes())
            .await?;
        self.write(bytes).await?;
        self.write(b"\r\n").await
    }

    /// Ends what we send in good order, so that the peer reads all of it before it sees the end.
    pub(super) async fn close(mut self) {
        let _ = self.stream.shutdown().await;
        // Unread bytes at a close become a reset, which could overtake our answer.
        self.wait_for_end().await;
    }

    /// Ends with a reset.
    pub(super) fn reset(self) {
        let _ = self.stream.set_zero_linger();
    }

    /// Reads and ignores until the peer gives up.
    pub(super) async fn wait_for_end(&mut self) {
        let mut ignored = [0; 4096];
        while self
            .stream
            .read(&mut ignored)
            .await
            .is_ok_and(|read| read > 0)
        {}
    }
}

fn parse(head: &str) -> io::Result<Request> {
    let mut lines = head.split("\r\n");
    let mut words = lines.next().unwrap_or_default().split(' ');
    let (Some(method), Some(target), Some("HTTP/1.1" | "HTTP/1.0"), None) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return Err(bad("no HTTP/1.1 request line"));
    };
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let mut request = Request {
        method: method.to_owned(),
        path: path.to_owned(),
        query: query.to_owned(),
        ..Request::default()
    };
    for line in lines.take_while(|line| !line.is_empty()) {
        let (name, value) = line.split_once(':').ok_or_else(|| bad("no header"))?;
        request
            .headers
            .entry(name.to_ascii_lowercase())
            .and_modify(|known| known.push_str(&format!(", {}", value.trim())))
            .or_insert_with(|| value.trim().to_owned());
    }
    Ok(request)
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes
        .windows(wanted.len())
        .position(|window| window == wanted)
}

fn bad(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}
