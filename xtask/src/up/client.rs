//! One JSON request over a plain socket: a client library would cost every fresh clone its compile
//! time. Used by `up` to talk to the manager it started.

use std::fmt::Write as _;
use std::io::{Read, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// Registering waits for the broker's catalog.
const LIMIT: Duration = Duration::from_secs(60);

/// A server, and who we are there.
pub(super) struct Client {
    address: SocketAddr,
    authorization: Option<String>,
}

impl Client {
    pub(super) fn new(address: SocketAddr) -> Self {
        Self {
            address,
            authorization: None,
        }
    }

    pub(super) fn bearer(self, token: &str) -> Self {
        Self {
            authorization: Some(format!("Bearer {token}")),
            ..self
        }
    }

    pub(super) fn get(&self, path: &str) -> Result<Value> {
        self.send("GET", path, None)
    }

    pub(super) fn post(&self, path: &str, body: &Value) -> Result<Value> {
        self.send("POST", path, Some(("application/json", body.to_string())))
    }

    pub(super) fn patch(&self, path: &str, body: &Value) -> Result<Value> {
        self.send("PATCH", path, Some(("application/json", body.to_string())))
    }

    pub(super) fn form(&self, path: &str, pairs: &[(&str, &str)]) -> Result<Value> {
        let pairs: Vec<String> = pairs
            .iter()
            .map(|(name, value)| format!("{name}={}", escape(value)))
            .collect();
        let form = "application/x-www-form-urlencoded";
        self.send("POST", path, Some((form, pairs.join("&"))))
    }

    /// All items of a list that a field query finds.
    pub(super) fn list(&self, collection: &str, query: &str) -> Result<Vec<Value>> {
        let mut items = Vec::new();
        let mut token = String::new();
        loop {
            let page = self.get(&format!(
                "{collection}?fieldQuery={}&token={}",
                escape(query),
                escape(&token)
            ))?;
            items.extend(page["items"].as_array().cloned().unwrap_or_default());
            match page["token"].as_str() {
                Some(next) if !next.is_empty() => token = next.to_owned(),
                _ => return Ok(items),
            }
        }
    }

    fn send(&self, method: &str, path: &str, body: Option<(&str, String)>) -> Result<Value> {
        self.exchange(method, path, body)
            .and_then(|answer| read(&answer))
            .with_context(|| format!("{method} {}", path.split('?').next().unwrap_or(path)))
    }

    fn exchange(&self, method: &str, path: &str, body: Option<(&str, String)>) -> Result<String> {
        let mut stream = TcpStream::connect(self.address)?;
        stream.set_read_timeout(Some(LIMIT))?;
        stream.set_write_timeout(Some(LIMIT))?;
        // 1.0: the answer ends with the connection and is never sent in chunks.
        let mut request = format!("{method} {path} HTTP/1.0\r\nHost: {}\r\n", self.address);
        if let Some(authorization) = &self.authorization {
            let _ = write!(request, "Authorization: {authorization}\r\n");
        }
        let (kind, body) = body.unwrap_or_default();
        if !kind.is_empty() {
            let length = body.len();
            let _ = write!(
                request,
                "Content-Type: {kind}\r\nContent-Length: {length}\r\n"
            );
        }
        let _ = write!(request, "\r\n{body}");
        stream.write_all(request.as_bytes())?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer)
    }
}

fn read(answer: &str) -> Result<Value> {
    let (head, body) = answer
        .split_once("\r\n\r\n")
        .context("the answer is no HTTP")?;
    let status = head.lines().next().unwrap_or_default();
    let code = status.split_whitespace().nth(1).unwrap_or_default();
    if !code.starts_with('2') {
        bail!("the answer is `{status}`: {body}");
    }
    serde_json::from_str(body).context("the answer is no JSON")
}

/// For a query or a form: everything but letters, digits and `-._~` as `%XX`.
fn escape(text: &str) -> String {
    text.bytes().fold(String::new(), |mut out, byte| {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
        out
    })
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use serde_json::{Value, json};

    use super::{Client, escape};

    /// A server that answers each request with the next text; returns what it was sent.
    fn answered<T>(
        texts: &'static [&'static str],
        ask: impl FnOnce(&Client) -> T,
    ) -> (T, Vec<String>) {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let client = Client::new(listener.local_addr().unwrap()).bearer("t");
        let server = std::thread::spawn(move || {
            let mut all = Vec::new();
            for text in texts {
                let (mut stream, _) = listener.accept().unwrap();
                let mut seen = Vec::new();
                let mut byte = [0];
                while !seen.ends_with(b"\r\n\r\n") {
                    stream.read_exact(&mut byte).unwrap();
                    seen.push(byte[0]);
                }
                let head = String::from_utf8(seen).unwrap();
                let length = head
                    .lines()
                    .find_map(|line| line.strip_prefix("Content-Length: "))
                    .map_or(0, |length| length.parse().unwrap());
                let mut body = vec![0; length];
                stream.read_exact(&mut body).unwrap();
                stream.write_all(text.as_bytes()).unwrap();
                all.push(head + &String::from_utf8(body).unwrap());
            }
            all
        });
        let value = ask(&client);
        (value, server.join().unwrap())
    }

    #[test]
    fn a_body_is_sent_and_the_answer_read() {
        let (answer, sent) = answered(&["HTTP/1.0 201 Created\r\n\r\n{\"id\":\"x\"}"], |client| {
            client.post("/v1/platforms", &json!({"name": "a"}))
        });
        assert_eq!(answer.unwrap()["id"], "x");
        assert!(sent[0].starts_with("POST /v1/platforms HTTP/1.0\r\n"));
        assert!(sent[0].contains("\r\nAuthorization: Bearer t\r\n"));
        assert!(sent[0].ends_with("\r\n\r\n{\"name\":\"a\"}"));
    }

    #[test]
    fn a_list_is_read_to_its_end() {
        let (items, sent) = answered(
            &[
                "HTTP/1.0 200 OK\r\n\r\n{\"items\":[1],\"token\":\"n=\"}",
                "HTTP/1.0 200 OK\r\n\r\n{\"items\":[2]}",
            ],
            |client| client.list("/v1/platforms", "name eq 'a'"),
        );
        assert_eq!(items.unwrap(), [Value::from(1), Value::from(2)]);
        assert!(
            sent[1].contains("fieldQuery=name%20eq%20%27a%27&token=n%3D "),
            "{sent:?}"
        );
    }

    #[test]
    fn a_refusal_is_told_with_its_words() {
        let (answer, _) = answered(&["HTTP/1.1 401 Unauthorized\r\n\r\nwho?"], |client| {
            client.get("/v1/platforms?token=secret")
        });
        let error = format!("{:#}", answer.unwrap_err());
        assert!(
            error.contains("GET /v1/platforms: ") && error.contains("401"),
            "{error}"
        );
        assert!(
            error.contains("who?") && !error.contains("secret"),
            "{error}"
        );
    }

    #[test]
    fn what_means_something_in_a_query_is_escaped() {
        assert_eq!(escape("a b+c&ü"), "a%20b%2Bc%26%C3%BC");
    }
}
