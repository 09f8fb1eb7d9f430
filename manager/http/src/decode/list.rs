//! What a list is asked for: `fieldQuery`, `labelQuery`, `max_items`, `token`, `attach_last_operations`.
//! The texts are parsed by the deed, which knows the columns.

use super::Params;
use crate::{App, Failure};
use axum::extract::FromRequestParts;
use http::request::Parts;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use qm_model::{Error, PageRequest};

/// What a list is asked for.
#[derive(Debug, Clone)]
pub(crate) struct Listing {
    pub(crate) field: Option<String>,
    pub(crate) label: Option<String>,
    pub(crate) page: PageRequest,
    /// Whether each item shows what was done to it last.
    pub(crate) attach: bool,
    /// The same request without its token, for the `Link` to the next page.
    again: String,
}

impl Listing {
    /// The `Link` to the next page.
    pub(crate) fn link(&self, token: &str) -> String {
        let token = utf8_percent_encode(token, NON_ALPHANUMERIC);
        format!("<{}token={token}>; rel=\"next\"", self.again)
    }
}

impl FromRequestParts<App> for Listing {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Failure> {
        let query = parts.uri.query().unwrap_or_default();
        let params = Params::read(query)?;
        let text = |name| params.first(name).map(str::to_owned);
        Ok(Self {
            field: text("fieldQuery"),
            label: text("labelQuery"),
            page: PageRequest::parse(params.pairs(), app.settings.pages).map_err(Error::from)?,
            attach: params.flag("attach_last_operations"),
            again: again(parts.uri.path(), query),
        })
    }
}

/// Path and query up to where a token can be put. What was sent encoded stays as it was.
fn again(path: &str, query: &str) -> String {
    let mut again = format!("{path}?");
    let kept = |pair: &&str| !pair.is_empty() && *pair != "token" && !pair.starts_with("token=");
    for pair in query.split('&').filter(kept) {
        again.push_str(pair);
        again.push('&');
    }
    again
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_link_holds_the_same_query_and_the_new_token_alone() {
        assert_eq!(again("/v1/platforms", ""), "/v1/platforms?");
        assert_eq!(
            again(
                "/v1/x",
                "token=a&fieldQuery=a+eq+%27b%27&token=c&max_items=2"
            ),
            "/v1/x?fieldQuery=a+eq+%27b%27&max_items=2&"
        );
    }
}
