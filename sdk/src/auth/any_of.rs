//! Several ways in: whichever lets the caller in first.
//!
//! Called by the endpoint like any other authenticator. The rule: when all refuse, the answer names
//! every way, because the caller may have meant any of them.

use super::{Authenticator, Caller, Denied};
use http::HeaderValue;
use http::request::Parts;
use std::fmt;

/// Tries each in turn. An empty list lets nobody in.
pub struct AnyOf(pub Vec<Box<dyn Authenticator>>);

impl AnyOf {
    /// Starts with one way in.
    pub fn of(first: impl Authenticator) -> Self {
        Self(vec![Box::new(first)])
    }

    /// Adds another way in.
    #[must_use]
    pub fn or(mut self, next: impl Authenticator) -> Self {
        self.0.push(Box::new(next));
        self
    }
}

impl fmt::Debug for AnyOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AnyOf({} ways)", self.0.len())
    }
}

impl Authenticator for AnyOf {
    fn authenticate(&self, request: &Parts) -> Result<Caller, Denied> {
        let mut challenges: Vec<HeaderValue> = Vec::new();
        let mut descriptions: Vec<String> = Vec::new();
        for way in &self.0 {
            match way.authenticate(request) {
                Ok(caller) => return Ok(caller),
                Err(Denied {
                    challenge,
                    description,
                }) => {
                    challenges.extend(challenge);
                    if !descriptions.contains(&description) {
                        descriptions.push(description);
                    }
                }
            }
        }
        if descriptions.is_empty() {
            descriptions.push("nobody is let in here".into());
        }
        // One header may carry several challenges, parted by commas.
        let challenges: Vec<&[u8]> = challenges.iter().map(HeaderValue::as_bytes).collect();
        let challenge = match challenges.is_empty() {
            true => None,
            false => HeaderValue::from_bytes(&challenges.join(&b", "[..])).ok(),
        };
        Err(Denied {
            challenge,
            description: descriptions.join("; or: "),
        })
    }
}
