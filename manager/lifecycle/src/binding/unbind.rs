//! A platform deletes a binding.

use crate::Lifecycle;
use crate::door::{Asked, Reply};
use crate::engine;
use qm_model::{Ctx, Error};
use quartermaster_osb::Verb;

/// Deletes a binding.
///
/// # Errors
/// 404 when it is another platform's, 422 while something else is under way; the broker's, when it gave no answer.
pub async fn unbind(deeds: &Lifecycle, ctx: &Ctx, asked: Asked) -> Result<Reply, Error> {
    engine::remove(deeds, ctx, asked, Verb::Unbind).await
}
