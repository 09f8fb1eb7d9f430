//! `GET /v2/catalog`: called by the pipeline for every caller that authenticated.
//!
//! The rule: the same catalog and version give the same bytes and the same tag.

use super::Inner;
use bytes::Bytes;
use quartermaster_osb::Answer;
use quartermaster_osb::header::ApiVersion;

impl Inner {
    /// The catalog, or 304 when the caller has it.
    pub(super) fn catalog(
        &self,
        if_none_match: Option<&str>,
        version: ApiVersion,
    ) -> http::Response<Bytes> {
        let catalog = self.engine.catalog();
        if if_none_match.is_some_and(|tags| catalog.matches(tags, version)) {
            return Answer::NotModified {
                etag: Some(catalog.etag(version)),
            }
            .response();
        }
        catalog.response(version)
    }
}
