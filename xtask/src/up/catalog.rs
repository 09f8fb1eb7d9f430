//! Asks the running broker for its catalog, so that the printed lines name a plan it really has. One
//! request over a plain socket: a client library would cost every fresh clone its compile time.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// What the printed lines use.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) service_id: String,
    pub(super) plan_id: String,
}

/// The first plan of the first offering.
pub(super) fn first_plan(address: SocketAddr, user: &str, password: &str) -> Result<Choice> {
    let answer = get(address, "/v2/catalog", user, password)
        .context("the broker does not give its catalog")?;
    choose(&body(&answer)?)
}

fn get(address: SocketAddr, path: &str, user: &str, password: &str) -> Result<String> {
    let limit = Some(Duration::from_secs(10));
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(limit)?;
    stream.set_write_timeout(limit)?;
    // 1.0: the answer ends with the connection and is never sent in chunks.
    let credentials = base64(format!("{user}:{password}").as_bytes());
    let request = format!(
        "GET {path} HTTP/1.0\r\nHost: {address}\r\nX-Broker-API-Version: 2.17\r\nAuthorization: Basic {credentials}\r\n\r\n"
    );
    stream.write_all(request.as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}

fn body(answer: &str) -> Result<Value> {
    let (head, body) = answer
        .split_once("\r\n\r\n")
        .context("the answer is no HTTP")?;
    let status = head.lines().next().unwrap_or_default();
    if status.split_whitespace().nth(1) != Some("200") {
        bail!("the broker answered the catalog request with `{status}`: {body}");
    }
    serde_json::from_str(body).context("the catalog is no JSON")
}

fn choose(catalog: &Value) -> Result<Choice> {
    let id = |value: &Value| value.get("id").and_then(Value::as_str).map(str::to_owned);
    let service = catalog
        .pointer("/services/0")
        .context("the catalog is empty")?;
    let plan = service
        .pointer("/plans/0")
        .context("the first offering has no plan")?;
    let (service_id, plan_id) = id(service).zip(id(plan)).context("the catalog lacks ids")?;
    Ok(Choice {
        service_id,
        plan_id,
    })
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let bits = group
            .iter()
            .fold(0_u32, |bits, byte| (bits << 8) | u32::from(*byte))
            << (8 * (3 - group.len()));
        for place in 0..4 {
            if place > group.len() {
                text.push('=');
            } else {
                text.push(char::from(
                    LETTERS[(bits >> (18 - 6 * place)) as usize & 63],
                ));
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use serde_json::json;

    use super::{Choice, base64, choose, first_plan};

    #[test]
    fn base64_pads_as_it_should() {
        for (plain, coded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("a:b?>~", "YTpiPz5+"),
        ] {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
    }

    #[test]
    fn a_catalog_without_plans_is_told() {
        assert!(choose(&json!({"services": []})).is_err());
        assert!(choose(&json!({"services": [{"id": "s", "plans": []}]})).is_err());
    }

    /// A server that answers one request with fixed text; returns what it was sent.
    fn answered(text: &'static str) -> (anyhow::Result<Choice>, String) {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut seen = Vec::new();
            let mut byte = [0];
            while !seen.ends_with(b"\r\n\r\n") {
                stream.read_exact(&mut byte).unwrap();
                seen.push(byte[0]);
            }
            stream.write_all(text.as_bytes()).unwrap();
            String::from_utf8(seen).unwrap()
        });
        let choice = first_plan(address, "u", "p");
        (choice, server.join().unwrap())
    }

    #[test]
    fn the_first_plan_is_read_over_http() {
        let (choice, sent) = answered(
            "HTTP/1.0 200 OK\r\n\r\n{\"services\":[{\"id\":\"s\",\"plans\":[{\"id\":\"a\"},{\"id\":\"b\"}]}]}",
        );
        assert_eq!(
            choice.unwrap(),
            Choice {
                service_id: "s".into(),
                plan_id: "a".into()
            }
        );
        assert!(sent.contains("\r\nAuthorization: Basic dTpw\r\n"), "{sent}");
    }

    #[test]
    fn a_refusal_is_told() {
        let (choice, _) = answered("HTTP/1.1 401 Unauthorized\r\n\r\nno");
        assert!(choice.unwrap_err().to_string().contains("401"));
    }
}
