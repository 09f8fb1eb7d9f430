//! Query parameters as they were sent. Handlers ask for the ones they know; all others are passed over,
//! `existQuery` and `subQuery` too.
//!
//! The rule: of a repeated parameter the first counts, except of `token`, which clients append.

use crate::Failure;
use axum::extract::FromRequestParts;
use http::request::Parts;
use percent_encoding::percent_decode_str;
use qm_lifecycle::Mode;
use std::borrow::Cow;

/// Decoded pairs in the order they came.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Params(Vec<(String, String)>);

impl Params {
    /// Reads `a=b&c=d`.
    pub(crate) fn read(query: &str) -> Result<Self, Failure> {
        let pairs = query
            .split('&')
            .filter(|pair| !pair.is_empty())
            .map(|pair| {
                let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
                Ok((decoded(name)?, decoded(value)?))
            });
        pairs.collect::<Result<_, _>>().map(Self)
    }

    /// The first value that is not empty.
    pub(crate) fn first(&self, name: &str) -> Option<&str> {
        let mut values = self.0.iter().filter(|(found, _)| found == name);
        let (_, value) = values.next()?;
        (!value.is_empty()).then_some(value)
    }

    /// Whether it says `true`.
    pub(crate) fn flag(&self, name: &str) -> bool {
        self.first(name) == Some("true")
    }

    /// Every pair, as the token endpoint takes them.
    pub(crate) fn as_slice(&self) -> &[(String, String)] {
        &self.0
    }

    /// Every pair.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// How the caller wants to wait: any word but `false` asks not to.
    pub(crate) fn mode(&self) -> Mode {
        match self.first("async") {
            None => Mode::Unspecified,
            Some("false") => Mode::Sync,
            Some(_) => Mode::Async,
        }
    }

    /// For what is always done at once.
    pub(crate) fn not_async(&self) -> Result<(), Failure> {
        match self.mode() {
            Mode::Unspecified | Mode::Sync => Ok(()),
            Mode::Async => Err(Failure::invalid_request(
                "this is always done at once; leave async out or say async=false",
            )),
        }
    }
}

fn decoded(text: &str) -> Result<String, Failure> {
    let text: Cow<'_, str> = match text.contains('+') {
        true => text.replace('+', " ").into(),
        false => text.into(),
    };
    match percent_decode_str(&text).decode_utf8() {
        Ok(text) => Ok(text.into_owned()),
        Err(_) => Err(Failure::bad_request("the query of the URL is not UTF-8")),
    }
}

impl<S: Sync> FromRequestParts<S> for Params {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        Self::read(parts.uri.query().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params(query: &str) -> Params {
        Params::read(query).unwrap()
    }

    #[test]
    fn decodes_what_go_clients_encode() {
        let params = params("fieldQuery=name+eq+%27a%2Bb%27&x&y=");
        assert_eq!(params.first("fieldQuery"), Some("name eq 'a+b'"));
        assert_eq!(params.first("x"), None);
        assert!(Params::read("a=%ff").is_err());
    }

    #[test]
    fn the_first_of_a_repeated_parameter_counts() {
        assert_eq!(params("a=1&a=2").first("a"), Some("1"));
        assert_eq!(params("a=&a=2").first("a"), None);
    }

    #[test]
    fn async_is_any_word_but_false() {
        assert_eq!(params("").mode(), Mode::Unspecified);
        assert_eq!(params("async=").mode(), Mode::Unspecified);
        assert_eq!(params("async=false").mode(), Mode::Sync);
        assert_eq!(params("async=true").mode(), Mode::Async);
        assert_eq!(params("async=yes").mode(), Mode::Async);
        let refused = params("async=true").not_async().unwrap_err();
        assert_eq!(
            (refused.status.as_u16(), refused.word),
            (400, "InvalidRequest")
        );
        assert!(params("async=false").not_async().is_ok());
    }
}
