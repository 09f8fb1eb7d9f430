//! Which platforms are told of a change, and as what. Deeds ask before they put an event into the outbox.
//!
//! The rule: a platform that gains something hears CREATED, one that loses it DELETED, one that keeps it
//! MODIFIED where the proxies in the field can apply that. Platforms that only stand for visibilities, and the
//! manager itself, hear nothing; they never connect, so leaving them inside a wide audience does no harm and
//! keeps it small. What a tenant owns is told by name only: a platform that registers later may ask for old
//! revisions, and must not find itself in an audience that nobody put it into.

use qm_model::Labels;
use qm_model::event::{Audience, Change};
use qm_model::id::{PlanId, PlatformId};
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
    let owned = [old, new]
        .into_iter()
        .flatten()
        .any(|facts| facts.labels.get(tenant_key).is_some());
    tellings(&hears(old), &hears(new), (!owned).then_some(&everybody))
}

/// What a broker is to a platform that was renamed, retyped or given to another tenant: gained, lost, or as before.
pub fn moved(
    facts: &BrokerFacts<'_>,
    before: &Platform,
    after: &Platform,
    tenant_key: &str,
) -> Option<Change> {
    match (
        concerns(facts, before, tenant_key),
        concerns(facts, after, tenant_key),
    ) {
        (false, true) => Some(Change::Created),
        (true, false) => Some(Change::Deleted),
        _ => None,
    }
}

/// What decides who hears of a visibility, and as what.
#[derive(Debug, Clone, Copy)]
pub struct VisibilityFacts<'a> {
    /// Whose it is; none is public.
    pub platform: Option<&'a PlatformId>,
    /// What it shows.
    pub plan: &'a PlanId,
    /// The labels of the broker whose plan it is.
    pub broker: &'a Labels,
}

/// Who hears of a visibility's change: its platform, or everyone when it is public.
///
/// The broker proxies in the field can apply MODIFIED only where a platform's own visibility of one plan gets other
/// labels. For a public one they take back what they have just given, and for another plan they look under the old
/// broker. So those are told as taken and given anew, and a public one that stays so only as given.
pub fn of_visibility(
    old: Option<VisibilityFacts<'_>>,
    new: Option<VisibilityFacts<'_>>,
    platforms: &[Platform],
    tenant_key: &str,
) -> Vec<Telling> {
    let told = match (old, new) {
        (Some(old), Some(new)) if (old.platform, old.plan) == (new.platform, new.plan) => {
            let change = if new.platform.is_some() {
                Change::Modified
            } else {
                Change::Created
            };
            [None, Some((change, new))]
        }
        _ => [
            old.map(|old| (Change::Deleted, old)),
            new.map(|new| (Change::Created, new)),
        ],
    };
    told.into_iter()
        .flatten()
        .filter_map(|(change, facts)| {
            let audience = sees(&facts, platforms, tenant_key);
            (!audience.is_nobody()).then_some(Telling { change, audience })
        })
        .collect()
}

/// Who sees what a visibility shows.
fn sees(facts: &VisibilityFacts<'_>, platforms: &[Platform], tenant_key: &str) -> Audience {
    // Of nobody's broker everyone is told, also who registers in this very moment.
    if facts.platform.is_none() && facts.broker.get(tenant_key).is_none() {
        return Audience::Everyone;
    }
    // A technical platform is not among the platforms handed in.
    Audience::Only(
        platforms
            .iter()
            .filter(|platform| facts.platform.is_none_or(|one| *one == platform.id))
            .filter(|platform| tenants_agree(facts.broker, platform, tenant_key))
            .map(|platform| platform.id.clone())
            .collect(),
    )
}

fn concerns(facts: &BrokerFacts<'_>, platform: &Platform, tenant_key: &str) -> bool {
    tenants_agree(facts.labels, platform, tenant_key)
        && facts
            .rules
            .iter()
            .any(|rule| rule.supports(&platform.name, &platform.platform_type))
}

fn tenants_agree(broker: &Labels, platform: &Platform, tenant_key: &str) -> bool {
    match (broker.get(tenant_key), platform.meta.labels.get(tenant_key)) {
        // A broker of no tenant is for all; a platform of no tenant hears of all.
        (None, _) | (_, None) => true,
        (Some(owners), Some(theirs)) => owners.iter().any(|tenant| theirs.contains(tenant)),
    }
}

fn tellings(
    old: &BTreeSet<PlatformId>,
    new: &BTreeSet<PlatformId>,
    everybody: Option<&BTreeSet<PlatformId>>,
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
            audience: match everybody {
                Some(everybody) => shortest(who, everybody),
                None => Audience::Only(who),
            },
        })
        .collect()
}

/// The shorter way to say the same of the platforms that are there. Whoever registers later reads everything anew
/// before it listens, and what is told this way is no secret to it.
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
        let platforms = [platform("a", "x", None), platform("b", "x", None)];
        let id = |name: &str| PlatformId::new(name).unwrap();
        let (a, b, hidden) = (id("a"), id("b"), id("technical"));
        let (small, large) = (PlanId::new("small").unwrap(), PlanId::new("large").unwrap());
        let nobodys = Labels::new();
        let of = |platform, plan| {
            Some(VisibilityFacts {
                platform,
                plan,
                broker: &nobodys,
            })
        };
        let public = of(None, &small);
        let deleted = |audience| (Change::Deleted, audience);
        let created = |audience| (Change::Created, audience);
        let all = || Audience::Everyone;
        let cases = [
            (None, public, vec![created(all())]),
            (public, None, vec![deleted(all())]),
            // Proxies would enable and then disable the plan if they heard MODIFIED.
            (public, public, vec![created(all())]),
            (
                public,
                of(None, &large),
                vec![deleted(all()), created(all())],
            ),
            (None, of(Some(&a), &small), vec![created(only(&["a"]))]),
            (None, of(Some(&hidden), &small), vec![]),
            (
                of(Some(&a), &small),
                of(Some(&a), &small),
                vec![(Change::Modified, only(&["a"]))],
            ),
            // The other plan may be another broker's, and proxies would look under the old one.
            (
                of(Some(&a), &small),
                of(Some(&a), &large),
                vec![deleted(only(&["a"])), created(only(&["a"]))],
            ),
            (
                of(Some(&a), &small),
                of(Some(&b), &small),
                vec![deleted(only(&["a"])), created(only(&["b"]))],
            ),
            (
                of(Some(&a), &small),
                public,
                vec![deleted(only(&["a"])), created(all())],
            ),
            (
                public,
                of(Some(&a), &small),
                vec![deleted(all()), created(only(&["a"]))],
            ),
        ];
        for (old, new, wanted) in cases {
            let told = of_visibility(old, new, &platforms, "tenant");
            assert_eq!(heard(&told), wanted, "{old:?} {new:?}");
        }
    }

    #[test]
    fn what_a_tenant_owns_is_told_by_name() {
        let platforms = [
            platform("mine", "x", Some("me")),
            platform("theirs", "x", Some("them")),
            platform("global", "x", None),
        ];
        let labels = Labels::from_pairs([("tenant".to_owned(), "me".to_owned())]).unwrap();
        let named = only(&["global", "mine"]);
        // Everybody there is would hear: still nobody who comes later.
        let facts = BrokerFacts {
            rules: vec![PlatformRule::All],
            labels: &labels,
        };
        let told = of_broker(None, Some(&facts), &[platforms[0].clone()], "tenant");
        assert_eq!(heard(&told), [(Change::Created, only(&["mine"]))]);
        let plan = PlanId::new("small").unwrap();
        let public = Some(VisibilityFacts {
            platform: None,
            plan: &plan,
            broker: &labels,
        });
        let told = of_visibility(None, public, &platforms, "tenant");
        assert_eq!(heard(&told), [(Change::Created, named)]);
    }

    #[test]
    fn a_platform_that_moves_gains_and_loses() {
        let labels = Labels::from_pairs([("tenant".to_owned(), "me".to_owned())]).unwrap();
        let facts = BrokerFacts {
            rules: vec![PlatformRule::Types(vec!["x".to_owned()])],
            labels: &labels,
        };
        let (mine, theirs) = (
            platform("a", "x", Some("me")),
            platform("a", "x", Some("them")),
        );
        let other = platform("a", "y", Some("me"));
        let cases = [
            (&mine, &theirs, Some(Change::Deleted)),
            (&theirs, &mine, Some(Change::Created)),
            (&mine, &other, Some(Change::Deleted)),
            (&other, &mine, Some(Change::Created)),
            (&mine, &mine, None),
            (&other, &theirs, None),
        ];
        for (before, after, wanted) in cases {
            assert_eq!(moved(&facts, before, after, "tenant"), wanted);
        }
    }
}
