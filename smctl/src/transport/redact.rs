//! What `--verbose` shows: requests and answers on standard error, with stars in the place of secrets.
//!
//! The rule: a value is shown only if its key is not known to hold secrets; bodies that cannot be read are not shown.

use super::Reply;
use crate::doc::Doc;
use bytes::Bytes;
use http::{HeaderMap, Request};

const STARS: &str = "***";

/// Keys whose whole value is hidden, whatever it is.
const SECRET: [&str; 14] = [
    "password",
    "password_hash",
    "old_password",
    "old_password_hash",
    "secret",
    "client_secret",
    "client_key",
    "token",
    "access_token",
    "refresh_token",
    "id_token",
    "credentials",
    "parameters",
    "code",
];

pub(super) fn show_request(request: &Request<Bytes>) {
    eprintln!("> {} {}", request.method(), request.uri());
    show_headers('>', request.headers());
    show_body('>', request.headers(), request.body());
}

pub(super) fn show_reply(reply: &Reply) {
    eprintln!("< {}", reply.status);
    show_headers('<', &reply.headers);
    show_body('<', &reply.headers, &reply.body);
}

fn show_headers(side: char, headers: &HeaderMap) {
    for (name, value) in headers {
        let shown = match name.as_str() {
            "authorization" | "proxy-authorization" | "cookie" | "set-cookie" => STARS,
            _ => value.to_str().unwrap_or("(no text)"),
        };
        eprintln!("{side} {name}: {shown}");
    }
}

fn show_body(side: char, headers: &HeaderMap, body: &Bytes) {
    if body.is_empty() {
        return;
    }
    let form = headers
        .get(http::header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|kind| kind.starts_with("application/x-www-form-urlencoded"));
    let shown = if form {
        starred_form(&String::from_utf8_lossy(body))
    } else {
        match Doc::parse(body) {
            Ok(doc) => starred(doc).compact(),
            Err(_) => format!("({} bytes)", body.len()),
        }
    };
    eprintln!("{side} {shown}");
}

/// The document with stars in the place of secrets.
fn starred(doc: Doc) -> Doc {
    match doc {
        Doc::List(items) => Doc::List(items.into_iter().map(starred).collect()),
        Doc::Map(entries) => {
            let hide = |(key, value): (String, Doc)| {
                // The token of a page is no secret.
                let page = key == "token" && matches!(&value, Doc::Text(text) if text.len() < 32);
                let secret = SECRET.contains(&key.as_str()) && !page && !value.is_empty();
                let value = if secret {
                    Doc::from(STARS)
                } else {
                    starred(value)
                };
                (key, value)
            };
            Doc::Map(entries.into_iter().map(hide).collect())
        }
        other => other,
    }
}

fn starred_form(form: &str) -> String {
    let pairs = form.split('&').map(|pair| match pair.split_once('=') {
        Some((key, _)) if SECRET.contains(&key) || key == "device_code" => {
            format!("{key}={STARS}")
        }
        Some(_) => pair.to_owned(),
        None => STARS.to_owned(),
    });
    pairs.collect::<Vec<_>>().join("&")
}

#[cfg(test)]
mod tests {
    use super::{starred, starred_form};
    use crate::doc::Doc;

    #[test]
    fn secrets_are_stars_at_every_depth() {
        let doc = br#"{"items":[{"name":"a","credentials":{"uri":"postgres://u:p@h"}}],"basic":{"username":"u","password":"p"}}"#;
        let shown = starred(Doc::parse(doc).unwrap()).compact();
        assert_eq!(
            shown,
            r#"{"items":[{"name":"a","credentials":"***"}],"basic":{"username":"u","password":"***"}}"#
        );
    }

    #[test]
    fn forms_hide_what_must_be_hidden() {
        assert_eq!(
            starred_form("grant_type=password&username=a&password=b"),
            "grant_type=password&username=a&password=***"
        );
    }
}
