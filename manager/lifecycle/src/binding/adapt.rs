//! A platform has the credentials of a binding put into another form by the broker. Not part of the protocol; some
//! brokers on Kubernetes know it.

use crate::Lifecycle;
use crate::door::{Asked, Reply};
use crate::engine;
use qm_model::{Ctx, Error};
use quartermaster_osb::Verb;

/// Passes `adapt_credentials` to the broker. Unlike with the old server a proof is needed (defect 2).
///
/// # Errors
/// 404 when it is another platform's; the broker's, when it gives no answer.
pub async fn adapt(deeds: &Lifecycle, ctx: &Ctx, asked: Asked) -> Result<Reply, Error> {
    // What counts as binding and is a POST; a fetch would be a GET without its body.
    engine::fetch(deeds, ctx, asked, Verb::Bind, true).await
}
