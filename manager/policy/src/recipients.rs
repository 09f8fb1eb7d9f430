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

#[cfg(test)]
mod tests {
    use super::*;
    use qm_model::{Meta, Time};

    fn platform(name: &str, platform_type: &str, tenant: Option<&str>) -> Platform {
        let labels = tenant.map(|tenant| ("tenant".to_owned(), tenant.to_owned()));
        Platform {
            id: PlatformId::new(name).unwrap(),
            name: name.to_owned(),
            platform_type: platform_type.to_owned(),
            description: String::new(),
            technical: false,
            suspended: false,
            active: true,
            last_active: None,
            version: String::new(),
            meta: Meta::new(Time(0), Labels::from_pairs(labels).unwrap()),
        }
    }

    fn only(names: &[&str]) -> Audience {
        Audience::Only(
            names
                .iter()
                .map(|name| PlatformId::new(*name).unwrap())
                .collect(),
        )
    }

    fn heard(tellings: &[Telling]) -> Vec<(Change, Audience)> {
        tellings
            .iter()
            .map(|telling| (telling.change, telling.audience.clone()))
            .collect()
    }

    #[test]
    fn gained_lost_and_kept() {
        let platforms = [
            platform("cf", "cloudfoundry", None),
            platform("k8s", "kubernetes", None),
            platform("other", "abap", None),
        ];
        let labels = Labels::new();
        let facts = |types: &[&str]| BrokerFacts {
            rules: vec![PlatformRule::Types(
                types.iter().map(ToString::to_string).collect(),
            )],
            labels: &labels,
        };
        let old = facts(&["cloudfoundry", "abap"]);
        let new = facts(&["kubernetes", "abap"]);
        let told = of_broker(Some(&old), Some(&new), &platforms, "tenant");
        assert_eq!(
            heard(&told),
            [
                (Change::Deleted, only(&["cf"])),
                (Change::Created, only(&["k8s"])),
                (Change::Modified, only(&["other"])),
            ]
        );
    }

    #[test]
    fn one_row_for_everyone_and_none_for_nobody() {
        let platforms = [platform("a", "x", None), platform("b", "y", None)];
        let labels = Labels::new();
        let all = BrokerFacts {
            rules: vec![PlatformRule::All],
            labels: &labels,
        };
        let told = of_broker(None, Some(&all), &platforms, "tenant");
        assert_eq!(heard(&told), [(Change::Created, Audience::Everyone)]);
        let none = BrokerFacts {
            rules: vec![PlatformRule::Names(vec!["c".to_owned()])],
            labels: &labels,
        };
        assert_eq!(of_broker(None, Some(&none), &platforms, "tenant"), []);
    }

    #[test]
    fn a_tenants_broker_is_for_the_tenant_and_for_platforms_of_nobody() {
        let platforms = [
            platform("mine", "x", Some("me")),
            platform("theirs", "x", Some("them")),
            platform("global", "x", None),
        ];
        let labels = Labels::from_pairs([("tenant".to_owned(), "me".to_owned())]).unwrap();
        let facts = BrokerFacts {
            rules: vec![PlatformRule::All],
            labels: &labels,
        };
        let told = of_broker(None, Some(&facts), &platforms, "tenant");
        assert_eq!(told.len(), 1);
        let includes = |name: &str| told[0].audience.includes(&PlatformId::new(name).unwrap());
        assert!(includes("mine") && includes("global") && !includes("theirs"));
    }

    #[test]
    fn a_visibility_is_for_its_platform_or_for_all() {
        let platforms = [
            platform("a", "x", None),
            platform("b", "x", None),
            platform("c", "x", None),
        ];
        let a = PlatformId::new("a").unwrap();
        let hidden = PlatformId::new("technical").unwrap();
        let cases: [(_, _, Vec<(Change, Audience)>); 6] = [
            (
                None,
                Some(None),
                vec![(Change::Created, Audience::Everyone)],
            ),
            (
                Some(None),
                None,
                vec![(Change::Deleted, Audience::Everyone)],
            ),
            (
                Some(None),
                Some(None),
                vec![(Change::Modified, Audience::Everyone)],
            ),
            (None, Some(Some(&a)), vec![(Change::Created, only(&["a"]))]),
            (None, Some(Some(&hidden)), vec![]),
            (
                Some(None),
                Some(Some(&a)),
                vec![
                    (
                        Change::Deleted,
                        Audience::Except([a.clone()].into_iter().collect()),
                    ),
                    (Change::Modified, only(&["a"])),
                ],
            ),
        ];
        for (old, new, wanted) in cases {
            assert_eq!(
                heard(&of_visibility(old, new, &platforms)),
                wanted,
                "{old:?} {new:?}"
            );
        }
    }
}
