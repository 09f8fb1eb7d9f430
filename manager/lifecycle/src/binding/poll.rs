//! A platform asks how the operation on a binding goes.

use crate::Lifecycle;
use crate::door::{Asked, Reply};
use crate::engine;
use qm_model::{Ctx, Error};
use quartermaster_osb::Verb;

/// Answers `last_operation` of a binding.
///
/// # Errors
/// 404 when it is another platform's; the broker's, when it gives no answer.
pub async fn poll(deeds: &Lifecycle, ctx: &Ctx, asked: Asked) -> Result<Reply, Error> {
    engine::poll(deeds, ctx, asked, Verb::PollBinding).await
}
