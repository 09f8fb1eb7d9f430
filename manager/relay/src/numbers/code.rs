//! How a call ended, as a label: the status of the answer, or why there is none.
//!
//! The rule: a fixed list. A status that brokers do not send by the protocol is counted by its class.

use crate::RelayError;
use http::StatusCode;

const WORDS: [&str; Code::COUNT] = [
    "200",
    "201",
    "202",
    "304",
    "400",
    "401",
    "403",
    "404",
    "408",
    "409",
    "410",
    "412",
    "422",
    "429",
    "500",
    "501",
    "502",
    "503",
    "504",
    // Any other, by its class.
    "1xx",
    "2xx",
    "3xx",
    "4xx",
    "5xx",
    // No answer.
    "invalid",
    "unreachable",
    "tls",
    "lost",
    "slow",
    "refused",
    "undecodable",
    "oversized",
    "busy",
    "open",
];

/// A place in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Code(usize);

impl Code {
    pub(super) const COUNT: usize = 34;

    pub(super) fn all() -> impl Iterator<Item = (usize, &'static str)> {
        WORDS.into_iter().enumerate()
    }

    pub(super) fn index(self) -> usize {
        self.0
    }

    pub(crate) fn of_status(status: StatusCode) -> Self {
        Self(match status.as_u16() {
            200 => 0,
            201 => 1,
            202 => 2,
            304 => 3,
            400 => 4,
            401 => 5,
            403 => 6,
            404 => 7,
            408 => 8,
            409 => 9,
            410 => 10,
            412 => 11,
            422 => 12,
            429 => 13,
            500 => 14,
            501 => 15,
            502 => 16,
            503 => 17,
            504 => 18,
            other => match other / 100 {
                1 => 19,
                2 => 20,
                3 => 21,
                4 => 22,
                _ => 23,
            },
        })
    }

    pub(crate) fn of_error(error: &RelayError) -> Self {
        match error {
            RelayError::Token(error) => Self::of_error(error),
            RelayError::Invalid { .. } => Self(24),
            RelayError::Unreachable { .. } => Self(25),
            RelayError::Tls { .. } => Self(26),
            RelayError::Lost { .. } => Self(27),
            RelayError::Slow { .. } => Self(28),
            RelayError::Refused { .. } => Self(29),
            RelayError::Undecodable { .. } => Self(30),
            RelayError::Oversized { .. } => Self(31),
            RelayError::Busy { .. } => Self(32),
            RelayError::Open { .. } => Self(33),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_is_counted_under_its_name_or_its_class() {
        for status in 100..=999 {
            let code = Code::of_status(StatusCode::from_u16(status).unwrap());
            let word = WORDS[code.index()];
            let class = format!("{}xx", status.min(500) / 100);
            assert!(
                word == status.to_string() || word == class,
                "{status}: {word}"
            );
            let named = WORDS.contains(&status.to_string().as_str());
            assert_eq!(named, word == status.to_string(), "{status}");
        }
    }

    #[test]
    fn every_failure_is_counted_under_its_word() {
        let message = String::new;
        let all = [
            RelayError::invalid(""),
            RelayError::Unreachable {
                message: message(),
                source: None,
            },
            RelayError::Tls {
                message: message(),
                source: None,
            },
            RelayError::Lost {
                message: message(),
                source: None,
            },
            RelayError::Slow { message: message() },
            RelayError::Refused {
                code: 1,
                message: message(),
            },
            RelayError::undecodable(""),
            RelayError::Oversized { message: message() },
            RelayError::Busy { message: message() },
            RelayError::Open {
                message: message(),
                wait: std::time::Duration::ZERO,
            },
            RelayError::Token(Box::new(RelayError::invalid(""))),
        ];
        for error in all {
            assert_eq!(WORDS[Code::of_error(&error).index()], error.word());
        }
    }
}
