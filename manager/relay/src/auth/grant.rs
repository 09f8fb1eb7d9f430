//! The OAuth2 client-credentials grant (RFC 6749, 4.4): a token fetched at the broker's token endpoint and
//! kept until shortly before its end.
//!
//! The rule: one fetch at a time, and whoever waits for it takes what it brought; a token that the broker
//! refused is replaced once, by whoever noticed first.

use super::token::Token;
use super::{Presented, basic};
use crate::RelayError;
use crate::client::HttpClient;
use crate::exchange::{Limits, exchange};
use crate::url::{self, Query};
use arc_swap::ArcSwapOption;
use bytes::Bytes;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderValue, Request, StatusCode, Uri};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::Mutex;
use tokio::time::timeout_at;

/// The largest answer of a token endpoint, in bytes.
const ANSWER_LIMIT: usize = 256 * 1024;

/// Everything but the unreserved characters of RFC 3986.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

pub(crate) struct Grant {
    url: Uri,
    whom: String,
    authorization: HeaderValue,
    form: Bytes,
    kept: ArcSwapOption<Token>,
    /// Held while one is fetched.
    fetching: Mutex<()>,
}

impl Grant {
    pub(super) fn new(
        token_url: &str,
        client_id: &str,
        client_secret: &str,
        scope: &str,
    ) -> Result<Self, RelayError> {
        let url = url::parse(token_url, Query::Allowed)
            .map_err(|reason| RelayError::invalid(format!("token_url {reason}")))?;
        let mut form = "grant_type=client_credentials".to_owned();
        if !scope.is_empty() {
            form.push_str("&scope=");
            form.extend(utf8_percent_encode(scope, RESERVED));
        }
        Ok(Self {
            whom: format!("token endpoint {}", url::shown(&url)),
            url,
            // Both are encoded before they are joined (RFC 6749, 2.3.1).
            authorization: basic(&encoded(client_id), &encoded(client_secret))?,
            form: Bytes::from(form),
            kept: ArcSwapOption::empty(),
            fetching: Mutex::new(()),
        })
    }

    /// The kept token, or a new one when it is over or is the one that was refused.
    pub(super) async fn present(
        &self,
        client: &HttpClient,
        limits: &Limits,
        refused: Option<&HeaderValue>,
    ) -> Result<Presented, RelayError> {
        if let Some(presented) = self.kept(refused) {
            return Ok(presented);
        }
        let Ok(_fetching) = timeout_at(limits.deadline, self.fetching.lock()).await else {
            return Err(RelayError::Unreachable {
                message: format!("the {} did not answer in time", self.whom),
                source: None,
            });
        };
        // Whoever held it before us may have brought one.
        if let Some(presented) = self.kept(refused) {
            return Ok(presented);
        }
        self.kept.store(None);
        let token = self.fetch(client, limits).await?;
        let header = Some(token.header.clone());
        self.kept.store(Some(Arc::new(token)));
        Ok(Presented {
            header,
            kept: false,
        })
    }

    fn kept(&self, refused: Option<&HeaderValue>) -> Option<Presented> {
        let kept = self.kept.load();
        let good = kept
            .as_ref()
            .filter(|token| token.is_good(Instant::now()) && Some(&token.header) != refused);
        good.map(|token| Presented {
            header: Some(token.header.clone()),
            kept: true,
        })
    }

    async fn fetch(&self, client: &HttpClient, limits: &Limits) -> Result<Token, RelayError> {
        let mut request = Request::post(self.url.clone())
            .body(self.form.clone())
            .map_err(|_| RelayError::invalid("token_url: no request can be made of it"))?;
        let headers = request.headers_mut();
        headers.insert(AUTHORIZATION, self.authorization.clone());
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        headers.insert(
            CONTENT_TYPE,
            HeaderValue::from_static("application/x-www-form-urlencoded"),
        );
        let limits = limits.with_body(ANSWER_LIMIT);
        let answer = exchange(client, request, &self.whom, &limits).await?;
        if answer.status() != StatusCode::OK {
            let code = answer.status().as_u16();
            let advice = match code {
                300..=399 => "redirects are not followed",
                400 | 401 | 403 => "check client id, client secret and scope",
                _ => "its own log says why",
            };
            return Err(RelayError::Refused {
                code,
                message: format!(
                    "the {} gave no token but answered {code}: {advice}",
                    self.whom
                ),
            });
        }
        Token::read(answer.body(), Instant::now()).map_err(|reason| {
            RelayError::undecodable(format!("the answer of the {}: {reason}", self.whom))
        })
    }
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}
