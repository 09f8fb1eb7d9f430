//! `/v1/tenants/**`, and what lies beside the doors in `/v1/osb/**`: paths that are known to clients and behind which
//! nothing is. They stand behind a guard, so nobody without a proof learns even that.

use super::Answer;
use crate::Failure;
use http::Uri;

/// 404, for whoever came so far.
pub(crate) async fn nothing(uri: Uri) -> Answer {
    Err(Failure::no_such_path(uri.path()))
}
