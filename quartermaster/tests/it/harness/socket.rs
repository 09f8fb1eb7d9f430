//! A platform's end of the notification stream, on a WebSocket client that nobody here wrote.
//!
//! The rule: it answers nothing by itself and sends no ping unless told, so that a test decides how alive the
//! platform is. (The library answers the server's own pings when it reads.)

use super::Client;
use bytes::Bytes;
use futures_util::{SinkExt as _, StreamExt as _};
use http::HeaderMap;
use serde_json::Value;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// How long a test waits for a message before it fails.
const PATIENCE: Duration = Duration::from_secs(180);

/// An open stream.
#[derive(Debug)]
pub(crate) struct Socket {
    stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// Of the 101.
    pub(crate) headers: HeaderMap,
}

/// The manager did not open the stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refused {
    pub(crate) status: u16,
    pub(crate) body: String,
}

impl Socket {
    /// Opens the stream with the caller's proof and any text as its revision.
    pub(crate) async fn connect(
        caller: &Client,
        url: &str,
        last: Option<&str>,
        headers: &[(&str, &str)],
    ) -> Result<Self, Refused> {
        let url = url.replacen("http", "ws", 1);
        let query = last.map(|last| format!("?last_notification_revision={last}"));
        let address = format!("{url}/v1/notifications{}", query.unwrap_or_default());
        let mut request = address.into_client_request().unwrap();
        let mut add = |name: &str, value: &str| {
            let name: http::HeaderName = name.parse().unwrap();
            request.headers_mut().insert(name, value.parse().unwrap());
        };
        if let Some(authorization) = caller.authorization() {
            add("authorization", authorization);
        }
        for (name, value) in headers {
            add(name, value);
        }
        let connecting = tokio_tungstenite::connect_async(request);
        match tokio::time::timeout(PATIENCE, connecting).await.unwrap() {
            Ok((stream, answer)) => Ok(Self {
                stream,
                headers: answer.headers().clone(),
            }),
            Err(Error::Http(answer)) => Err(Refused {
                status: answer.status().as_u16(),
                body: answer
                    .body()
                    .as_ref()
                    .map(|body| String::from_utf8_lossy(body).into_owned())
                    .unwrap_or_default(),
            }),
            Err(error) => panic!("no WebSocket: {error}"),
        }
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The revision that the manager named in its 101.
    pub(crate) fn revision(&self) -> Option<i64> {
        Some(self.header("last_notification_revision")?.parse().unwrap())
    }

    /// `max_ping_period` of the 101.
    pub(crate) fn ping_period(&self) -> String {
        self.header("max_ping_period")
            .unwrap_or_default()
            .to_owned()
    }

    /// The next notification; the stream must not end before.
    pub(crate) async fn next(&mut self) -> Value {
        let next = self.next_or_end().await;
        next.expect("the manager closed the stream")
    }

    /// The next notification, or `None` when the manager closes the stream.
    pub(crate) async fn next_or_end(&mut self) -> Option<Value> {
        let next = tokio::time::timeout(PATIENCE, self.read());
        next.await.expect("no notification came in three minutes")
    }

    async fn read(&mut self) -> Option<Value> {
        loop {
            match self.stream.next().await? {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).unwrap()),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// The code with which the manager closes the stream; messages before it are passed over.
    pub(crate) async fn close_code(&mut self) -> Option<u16> {
        let reading = async {
            loop {
                match self.stream.next().await {
                    Some(Ok(Message::Close(frame))) => return frame.map(|frame| frame.code.into()),
                    Some(Ok(_)) => {}
                    Some(Err(_)) | None => return None,
                }
            }
        };
        tokio::time::timeout(PATIENCE, reading).await.unwrap()
    }

    /// Sends a ping, and waits for the pong that echoes it; notifications between are lost.
    pub(crate) async fn ping(&mut self, data: &'static [u8]) {
        let ping = Message::Ping(Bytes::from_static(data));
        self.stream.send(ping).await.unwrap();
        let pong = async {
            loop {
                if let Message::Pong(echo) = self.stream.next().await.unwrap().unwrap() {
                    return echo;
                }
            }
        };
        let echo = tokio::time::timeout(PATIENCE, pong).await.unwrap();
        assert_eq!(&echo[..], data);
    }

    /// Sends a ping; `None` when the pong came, and the code when the manager has closed the stream instead.
    pub(crate) async fn ping_or_end(&mut self, data: &'static [u8]) -> Option<Option<u16>> {
        // A stream that was closed takes nothing; what was said in it can still be read.
        let _ = self
            .stream
            .send(Message::Ping(Bytes::from_static(data)))
            .await;
        let answer = async {
            loop {
                match self.stream.next().await {
                    Some(Ok(Message::Pong(_))) => return None,
                    Some(Ok(Message::Close(frame))) => {
                        return Some(frame.map(|frame| frame.code.into()));
                    }
                    Some(Ok(_)) => {}
                    Some(Err(_)) | None => return Some(None),
                }
            }
        };
        tokio::time::timeout(PATIENCE, answer).await.unwrap()
    }

    /// Says good-bye.
    pub(crate) async fn close(mut self) {
        let _ = self.stream.close(None).await;
    }
}
