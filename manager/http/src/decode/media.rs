//! What a body says of itself. Nothing said means JSON: clients of the old server leave it out.

use crate::Failure;
use http::HeaderMap;
use http::header::CONTENT_TYPE;

/// What a body is by its own account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Media {
    Json,
    Form,
}

/// Reads the header; parameters such as a charset are passed over.
pub(super) fn of(headers: &HeaderMap) -> Result<Media, Failure> {
    let Some(header) = headers.get(CONTENT_TYPE) else {
        return Ok(Media::Json);
    };
    let text = header.to_str().unwrap_or("that is sent");
    let name = text.split(';').next().unwrap_or_default().trim();
    match name.to_ascii_lowercase().as_str() {
        "" | "application/json" => Ok(Media::Json),
        "application/x-www-form-urlencoded" => Ok(Media::Form),
        _ => Err(Failure::unsupported_media_type(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    fn media(text: &'static str) -> Result<Media, u16> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(text));
        of(&headers).map_err(|failure| failure.status.as_u16())
    }

    #[test]
    fn json_is_meant_when_nothing_is_said() {
        assert_eq!(of(&HeaderMap::new()).unwrap(), Media::Json);
        assert_eq!(media(""), Ok(Media::Json));
    }

    #[test]
    fn parameters_and_case_do_not_matter() {
        assert_eq!(media("application/json; charset=utf-8"), Ok(Media::Json));
        assert_eq!(media("Application/JSON"), Ok(Media::Json));
        assert_eq!(media("application/x-www-form-urlencoded"), Ok(Media::Form));
    }

    #[test]
    fn anything_else_is_415() {
        for text in [
            "text/plain",
            "application/json-patch+json",
            "application/xml",
        ] {
            assert_eq!(media(text), Err(415), "{text}");
        }
    }
}
