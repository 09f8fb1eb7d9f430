//! The form body of the token endpoint. JSON is not understood there: the protocol says form.

use super::body::whole;
use super::params::Params;
use crate::{App, Failure};
use axum::extract::{FromRequest, Request};
use http::header::CONTENT_TYPE;

/// The pairs of a form.
pub(crate) struct Form(pub(crate) Params);

impl FromRequest<App> for Form {
    type Rejection = Failure;

    async fn from_request(request: Request, app: &App) -> Result<Self, Failure> {
        let named = request.headers().get(CONTENT_TYPE);
        let named = named
            .and_then(|header| header.to_str().ok())
            .unwrap_or_default();
        let name = named.split(';').next().unwrap_or_default().trim();
        if !name.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
            return Err(Failure::bad_request(
                "send a form: application/x-www-form-urlencoded",
            ));
        }
        let bytes = whole(request.into_body(), app.settings.max_body_bytes).await?;
        let text = std::str::from_utf8(&bytes);
        let text = text.map_err(|_| Failure::bad_request("the form is not UTF-8"))?;
        Params::read(text).map(Self)
    }
}
