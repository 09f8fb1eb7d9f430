//! A platform gets a binding from the broker.

use crate::Lifecycle;
use crate::door::{Asked, Reply};
use crate::engine;
use qm_model::{Ctx, Error};
use quartermaster_osb::Verb;

/// Passes `GET` of a binding to the broker.
///
/// # Errors
/// 404 when it is another platform's; the broker's, when it gives no answer.
pub async fn fetch(deeds: &Lifecycle, ctx: &Ctx, asked: Asked) -> Result<Reply, Error> {
    engine::fetch(deeds, ctx, asked, Verb::FetchBinding, false).await
}
