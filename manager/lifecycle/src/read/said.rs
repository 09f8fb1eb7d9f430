//! The brokers' own words about operations that failed or go on.
//!
//! The rule: they are for people and programs who were shown the operation, and for the platform whose operation it
//! is. They may hold anything, so they are sealed at rest and leave as a [`Secret`].

use crate::Lifecycle;
use qm_model::operation::{Operation, State};
use qm_model::{Caller, Ctx, Error, Secret};
use qm_store::operation;
use serde_json::Value;
use std::collections::HashMap;

/// What brokers said about these operations, by the operations' ids. The caller was shown each of them.
///
/// # Errors
/// The store does not answer.
pub async fn said<'o>(
    deeds: &Lifecycle,
    ctx: &Ctx,
    shown: impl IntoIterator<Item = &'o Operation>,
) -> Result<HashMap<String, Secret<Value>>, Error> {
    // Nearly always it is done and nothing went wrong: nobody is asked.
    let wrong = |operation: &&Operation| {
        operation.errors.is_some()
            || operation.story.last_error.is_some()
            || operation.state == State::InProgress
    };
    let ids = shown
        .into_iter()
        .filter(wrong)
        .filter(|operation| may_hear(ctx, operation))
        .map(|operation| operation.id.as_str().to_owned());
    let ids: Vec<String> = ids.collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    deeds
        .store
        .look_up(async move |tx| {
            let said = operation::said_of_many(tx, &ids).await?;
            let said = said.into_iter().map(|(id, said)| (id.into(), said));
            Ok(said.collect())
        })
        .await
}

fn may_hear(ctx: &Ctx, operation: &Operation) -> bool {
    match &ctx.caller {
        Caller::Person(_) | Caller::System(_) => true,
        Caller::Platform(platform) => operation.platform_id == platform.id,
        Caller::Anonymous => false,
    }
}
