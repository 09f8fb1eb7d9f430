//! Makes evidence fit to be shown: credentials, parameters and anything that looks like a secret are starred.
//!
//! Called once per exchange, when it is recorded. The rule: what is recorded is already starred; the raw bytes
//! live only as long as the case that looks at them.

use serde_json::Value;

const STARS: &str = "***";
/// Longest body shown, in bytes.
const LONGEST: usize = 4096;
/// Below these keys every text and number is a secret.
const SECRET_TREES: [&str; 3] = ["credentials", "parameters", "mount_config"];
/// Values of keys that contain one of these words are secrets.
const SECRET_WORDS: [&str; 6] = [
    "password",
    "secret",
    "token",
    "passwd",
    "private_key",
    "api_key",
];

/// The body as it may be shown, or nothing for an empty one.
pub(crate) fn body(bytes: &[u8]) -> Option<String> {
    if bytes.is_empty() {
        return None;
    }
    let shown = match serde_json::from_slice::<Value>(bytes) {
        Ok(mut value) => {
            star(&mut value, false);
            value.to_string()
        }
        Err(_) => {
            let text = String::from_utf8_lossy(bytes).into_owned();
            let lower = text.to_lowercase();
            if SECRET_WORDS.iter().any(|word| lower.contains(word)) || lower.contains("credentials")
            {
                format!(
                    "({} bytes that are not JSON and may hold a secret)",
                    bytes.len()
                )
            } else {
                text
            }
        }
    };
    Some(cut(shown))
}

/// The value of a header as it may be shown.
pub(crate) fn header(name: &str, value: &[u8]) -> String {
    let secret = [
        "authorization",
        "proxy-authorization",
        "cookie",
        "set-cookie",
    ]
    .contains(&name);
    if secret {
        return STARS.to_owned();
    }
    cut(String::from_utf8_lossy(value).into_owned())
}

fn cut(mut text: String) -> String {
    if text.len() <= LONGEST {
        return text;
    }
    let whole = text.len();
    let mut end = LONGEST;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    text.push_str(&format!("… ({whole} bytes)"));
    text
}

fn star(value: &mut Value, secret: bool) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                let lower = key.to_lowercase();
                let secret = secret
                    || SECRET_TREES.contains(&lower.as_str())
                    || (!value.is_object() && SECRET_WORDS.iter().any(|word| lower.contains(word)));
                star(value, secret && !is_schema(value));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| star(item, secret)),
        Value::String(text) if secret => STARS.clone_into(text),
        Value::String(text) => star_userinfo(text),
        Value::Number(_) if secret => *value = Value::from(STARS),
        _ => {}
    }
}

/// A catalog's `parameters` is a JSON Schema, which holds no secret and is worth reading.
fn is_schema(value: &Value) -> bool {
    value.get("$schema").is_some() || value.get("properties").is_some_and(Value::is_object)
}

fn star_userinfo(text: &mut String) {
    let Some(start) = text.find("://").map(|at| at + 3) else {
        return;
    };
    let end = text[start..]
        .find(['/', '?', '#'])
        .map_or(text.len(), |at| start + at);
    if let Some(at) = text[start..end].rfind('@') {
        text.replace_range(start..start + at, STARS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_and_parameters_are_starred_and_the_rest_is_not() {
        let shown = body(
            br#"{"credentials":{"uri":"pg://x","port":5432},"parameters":{"a":["b"]},
                "dashboard_url":"https://u:p@h/x","operation":"op-1","admin_password":"q"}"#,
        )
        .unwrap();
        for secret in ["pg://x", "5432", "\"b\"", "u:p", "\"q\""] {
            assert!(!shown.contains(secret), "{secret} in {shown}");
        }
        assert!(shown.contains("op-1") && shown.contains("https://***@h/x"));
    }

    #[test]
    fn a_broken_body_with_a_password_is_not_shown() {
        assert!(
            !body(b"{\"password\": \"hunter2\"")
                .unwrap()
                .contains("hunter2")
        );
        assert_eq!(body(b"<html>").unwrap(), "<html>");
    }

    #[test]
    fn authorization_is_starred() {
        assert_eq!(header("authorization", b"Basic abc"), "***");
        assert_eq!(header("x-other", b"v"), "v");
    }

    #[test]
    fn long_bodies_are_cut_between_characters() {
        let shown = body("é".repeat(4000).as_bytes()).unwrap();
        assert!(shown.len() < 4200 && shown.ends_with("(8000 bytes)"));
    }
}
