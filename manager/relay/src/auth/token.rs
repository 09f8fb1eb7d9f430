//! A token and how long it is good for. [`Grant`](super::grant::Grant) keeps one per broker.
//!
//! Pure; the present is handed in. The rule: a token is not used in its last moments, because it has to
//! be good when the broker looks at it, and the broker's clock is not ours.

use http::HeaderValue;
use serde::Deserialize;
use serde_json::Value;
use std::time::{Duration, Instant};

/// So long before its end a token is not used any more, or a quarter of its life if that is shorter.
const MARGIN: Duration = Duration::from_secs(30);
/// How long a token is kept whose end was not told.
const UNTOLD: Duration = Duration::from_secs(300);
/// No token is kept longer.
const LONGEST: Duration = Duration::from_secs(24 * 3600);

/// A token for a broker.
pub(super) struct Token {
    pub(super) header: HeaderValue,
    until: Instant,
}

#[derive(Deserialize)]
struct Answer {
    access_token: String,
    #[serde(default)]
    token_type: Option<String>,
    #[serde(default)]
    expires_in: Value,
}

impl Token {
    /// Reads the answer of a token endpoint. The reason quotes nothing of it.
    pub(super) fn read(body: &[u8], now: Instant) -> Result<Self, String> {
        let answer: Answer =
            quartermaster_osb::json::read(body).map_err(|fault| fault.to_string())?;
        let Answer {
            access_token,
            token_type,
            expires_in,
        } = answer;
        let kind = token_type.as_deref().unwrap_or("bearer");
        if !kind.eq_ignore_ascii_case("bearer") {
            return Err("token_type: must be bearer".to_owned());
        }
        let header = super::bearer(&access_token)
            .filter(|_| !access_token.is_empty())
            .ok_or("access_token: is no token that a header can carry")?;
        let life = seconds(&expires_in).unwrap_or(UNTOLD).min(LONGEST);
        Ok(Self {
            header,
            until: now + life.saturating_sub(MARGIN.min(life / 4)),
        })
    }

    /// Whether it can be sent.
    pub(super) fn is_good(&self, now: Instant) -> bool {
        now < self.until
    }
}

/// A number, or a number in quotes as some servers send it.
fn seconds(value: &Value) -> Option<Duration> {
    let seconds = match value {
        Value::Number(number) => number.as_f64()?,
        Value::String(text) => text.trim().parse().ok()?,
        _ => return None,
    };
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For how many seconds a token with this `expires_in` is used.
    fn used(expires_in: &str) -> u64 {
        let now = Instant::now();
        let body = format!(r#"{{"access_token":"t","token_type":"Bearer"{expires_in}}}"#);
        let token = Token::read(body.as_bytes(), now).unwrap();
        let used = token.until - now;
        assert!(!token.is_good(token.until));
        assert_eq!(token.is_good(now), !used.is_zero());
        used.as_secs()
    }

    #[test]
    fn is_used_until_shortly_before_its_end() {
        let rows = [
            (r#","expires_in":3600"#, 3570),
            (r#","expires_in":"3600""#, 3570),
            (r#","expires_in":60.0"#, 45),
            (r#","expires_in":4"#, 3),
            (r#","expires_in":0"#, 0),
            (r#","expires_in":-1"#, 270),
            (r#","expires_in":null"#, 270),
            (r#","expires_in":"soon""#, 270),
            (r#","expires_in":1e300"#, 270),
            (r#","expires_in":31536000"#, 86_370),
            ("", 270),
        ];
        for (expires_in, wanted) in rows {
            assert_eq!(used(expires_in), wanted, "{expires_in}");
        }
    }

    #[test]
    fn what_is_no_token_is_not_quoted() {
        for body in [
            "hunter2",
            "{}",
            r#"{"access_token":""}"#,
            r#"{"access_token":["hunter2"]}"#,
            r#"{"access_token":"hunter2\n"}"#,
            r#"{"access_token":"t","token_type":"hunter2"}"#,
        ] {
            let Err(reason) = Token::read(body.as_bytes(), Instant::now()) else {
                panic!("{body} was taken");
            };
            assert!(!reason.contains("hunter2"), "{reason}");
        }
    }
}
