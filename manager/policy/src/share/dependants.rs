//! What references stand in the way of. The ids are named, so that whoever is refused knows what to remove.

use super::consumer::{Consumer, may_refer};
use crate::door::Refusal;
use qm_model::Error;
use qm_model::id::InstanceId;
use qm_model::share::Share;
use std::collections::BTreeSet;
use std::fmt::Display;

/// As many ids as a person reads.
const MOST: usize = 50;

/// May an instance that these refer to be deleted?
///
/// # Errors
/// 400 with their ids.
pub fn may_delete(references: &[InstanceId]) -> Result<(), Refusal> {
    unless(
        references,
        "shared-referenced",
        "the instance cannot be deleted while others refer to it; delete these instances first",
    )
}

/// May an instance that these refer to be unshared?
///
/// # Errors
/// 400 with their ids.
pub fn may_unshare(references: &[InstanceId]) -> Result<(), Refusal> {
    unless(
        references,
        "shared-referenced",
        "the instance must stay shared while others refer to it; delete these instances first",
    )
}

/// May a plan of which these are shared no longer support sharing?
///
/// # Errors
/// 400 with their ids.
pub fn may_disable(broker: &str, plan: &str, shared: &[InstanceId]) -> Result<(), Refusal> {
    let what = format!(
        "the new catalog of broker {broker:?} does not let instances of the plan {plan:?} be shared, and some are; \
         unshare these first"
    );
    unless(shared, "shared-plan", &what)
}

fn unless(ids: &[InstanceId], rule: &'static str, what: &str) -> Result<(), Refusal> {
    if ids.is_empty() {
        return Ok(());
    }
    Err(Refusal::invalid(rule, &format!("{what}: {}", listed(ids))))
}

/// May a grant be taken back? Not while a reference lives by it alone.
///
/// # Errors
/// 409 with the ids of those that do.
pub fn may_revoke(
    grant: &Share,
    others: &[Share],
    owners: &BTreeSet<String>,
    references: &[(InstanceId, Consumer)],
) -> Result<(), Refusal> {
    let lives_by_it = |consumer: &Consumer| {
        !may_refer(owners, others, consumer)
            && may_refer(owners, others.iter().chain([grant]), consumer)
    };
    let left: Vec<&InstanceId> = references
        .iter()
        .filter(|(_, consumer)| lives_by_it(consumer))
        .map(|(id, _)| id)
        .collect();
    if left.is_empty() {
        return Ok(());
    }
    let rule = "grant-used";
    let message = format!(
        "{} still refers to the instance; delete these instances first: {} (rule: {rule})",
        grant.grantee(),
        listed(&left)
    );
    Err(Refusal {
        rule,
        error: Error::in_use(message),
    })
}

fn listed<T: Display>(ids: &[T]) -> String {
    let mut words: Vec<String> = ids.iter().take(MOST).map(ToString::to_string).collect();
    if ids.len() > MOST {
        words.push("and others".to_owned());
    }
    words.join(", ")
}
