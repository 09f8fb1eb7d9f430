//! Which platforms are told of a change, and as what. Deeds ask before they put an event into the outbox.
//!
//! The rule: a platform that gains something hears CREATED, one that loses it DELETED, one that keeps it
//! MODIFIED. Platforms that only stand for visibilities, and the manager itself, hear nothing; they never
//! connect, so leaving them inside a wide audience does no harm and keeps it small.

use qm_model::Labels;
use qm_model::event::{Audience, Change};
use qm_model::id::PlatformId;
use qm_model::plan::PlatformRule;
use qm_model::platform::Platform;
use std::collections::BTreeSet;

/// What decides who hears of a broker: its plans' rules and whose it is.
#[derive(Debug, Clone)]
pub struct BrokerFacts<'a> {
    /// One per plan.
    pub rules: Vec<PlatformRule>,
    /// The broker's labels.
    pub labels: &'a Labels,
}

/// Who hears what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Telling {
    /// What.
    pub change: Change,
    /// Who.
    pub audience: Audience,
}

/// Who hears of a broker's change. `old` is what was told before, `new` what holds now.
pub fn of_broker(
    old: Option<&BrokerFacts<'_>>,
    new: Option<&BrokerFacts<'_>>,
    platforms: &[Platform],
    tenant_key: &str,
) -> Vec<Telling> {
    let hears = |facts: Option<&BrokerFacts<'_>>| -> BTreeSet<PlatformId> {
        let Some(facts) = facts else {
            return BTreeSet::new();
        };
        platforms
            .iter()
            .filter(|platform| concerns(facts, platform, tenant_key))
            .map(|platform| platform.id.clone())
            .collect()
    };
    let everybody: BTreeSet<_> = platforms.iter().map(|p| p.id.clone()).collect();
    tellings(&hears(old), &hears(new), &everybody)
}

/// Who hears of a visibility's change: its platform, or everyone when it is public.
pub fn of_visibility(
    old: Option<Option<&PlatformId>>,
    new: Option<Option<&PlatformId>>,
    platforms: &[Platform],
) -> Vec<Telling> {
    let everybody: BTreeSet<_> = platforms.iter().map(|p| p.id.clone()).collect();
    let hears = |side: Option<Option<&PlatformId>>| -> BTreeSet<PlatformId> {
        match side {
            None => BTreeSet::new(),
            Some(None) => everybody.clone(),
            // A technical platform is not among the platforms handed in.
            Some(Some(one)) => everybody.iter().filter(|id| *id == one).cloned().collect(),
        }
    };
    // Public before and after: also who registers in this very moment is meant.
    let mut told = tellings(&hears(old), &hears(new), &everybody);
    if matches!(
        (&old, &new),
        (Some(None), None) | (None, Some(None)) | (Some(None), Some(None))
    ) {
        told = vec![Telling {
            change: match (&old, &new) {
                (None, _) => Change::Created,
                (_, None) => Change::Deleted,
                _ => Change::Modified,
            },
            audience: Audience::Everyone,
        }];
    }
    told
}

fn concerns(facts: &BrokerFacts<'_>, platform: &Platform, tenant_key: &str) -> bool {
    let owners = facts.labels.get(tenant_key);
    let theirs = platform.meta.labels.get(tenant_key);
    let tenants_agree = match (owners, theirs) {
        // A broker of no tenant is for all; a platform of no tenant hears of all.
        (None, _) | (_, None) => true,
        (Some(owners), Some(theirs)) => owners.iter().any(|tenant| theirs.contains(tenant)),
    };
    tenants_agree
        && facts
            .rules
            .iter()
            .any(|rule| rule.supports(&platform.name, &platform.platform_type))
}

fn tellings(
    old: &BTreeSet<PlatformId>,
    new: &BTreeSet<PlatformId>,
    everybody: &BTreeSet<PlatformId>,
) -> Vec<Telling> {
    let parts = [
        (Change::Deleted, old - new),
        (Change::Created, new - old),
        (Change::Modified, old & new),
    ];
    parts
        .into_iter()
        .filter(|(_, who)| !who.is_empty())
        .map(|(change, who)| Telling {
            change,
            audience: shortest(who, everybody),
        })
        .collect()
}

/// The shorter way to say the same of the platforms that are there. Whoever registers later reads
/// everything anew before it listens, so it does not matter on which side it falls.
fn shortest(who: BTreeSet<PlatformId>, everybody: &BTreeSet<PlatformId>) -> Audience {
    let others: BTreeSet<_> = everybody - &who;
    if others.is_empty() {
        Audience::Everyone
    } else if others.len() < who.len() {
        Audience::Except(others)
    } else {
        Audience::Only(who)
    }
}
