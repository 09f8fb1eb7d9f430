//! Whether a broker's catalog is taken, and how a new one differs from the stored one. Deeds ask after
//! they fetched it and before they store it.
//!
//! The rule: problems are reported with their places, all that a person can read and not only the first; a catalog that would break what
//! runs is never taken.

use qm_model::Error;
use qm_model::broker::Difference;
use qm_model::plan::REFERENCE_INSTANCE;
use serde_json::Value;
use std::collections::BTreeMap;

/// The most plans one broker may offer: a list that a person can still look through, and a bound on what one
/// broker can make the manager keep.
pub const MAX_PLANS: usize = 5_000;

/// As many problems are told as a person can read: the text is stored with the operation, too.
const MAX_PROBLEMS: usize = 50;

const PLATFORM_RULES: [&str; 3] = [
    "supportedPlatforms",
    "supportedPlatformNames",
    "excludedPlatformNames",
];

/// Holds a catalog to the manager's own rules, beside those of the protocol.
///
/// # Errors
/// 400 with every problem.
pub fn check(protocol: &[String], catalog: &Value) -> Result<(), Error> {
    let mut problems = protocol.to_vec();
    let services = catalog.get("services").and_then(Value::as_array);
    let mut count = 0;
    for (at, offering) in services.into_iter().flatten().enumerate() {
        let plans = offering.get("plans").and_then(Value::as_array);
        let bindable = offering.get("bindable").and_then(Value::as_bool);
        for (n, plan) in plans.into_iter().flatten().enumerate() {
            count += 1;
            let place = format!("$.services[{at}].plans[{n}]");
            plan_problems(plan, bindable.unwrap_or(false), &place, &mut problems);
        }
    }
    if count > MAX_PLANS {
        problems.push(format!("$: {count} plans; at most {MAX_PLANS} are taken"));
    }
    if problems.is_empty() {
        return Ok(());
    }
    let more = problems.len().saturating_sub(MAX_PROBLEMS);
    problems.truncate(MAX_PROBLEMS);
    if more > 0 {
        problems.push(format!("and {more} more"));
    }
    Err(Error::Broker {
        status: 400,
        message: format!("the broker's catalog is not valid: {}", problems.join("; ")),
    })
}

fn plan_problems(plan: &Value, offering_bindable: bool, place: &str, problems: &mut Vec<String>) {
    if plan.get("name").and_then(Value::as_str) == Some(REFERENCE_INSTANCE) {
        problems.push(format!(
            "{place}.name: {REFERENCE_INSTANCE} is reserved for shared instances"
        ));
    }
    let Some(metadata) = plan.get("metadata").and_then(Value::as_object) else {
        return;
    };
    let rules: Vec<_> = PLATFORM_RULES
        .into_iter()
        .filter(|key| metadata.contains_key(*key))
        .collect();
    if rules.len() > 1 {
        problems.push(format!(
            "{place}.metadata: only one of {} may be given",
            rules.join(", ")
        ));
    }
    for key in rules {
        let words = metadata.get(key).and_then(Value::as_array);
        if !words.is_some_and(|words| words.iter().all(Value::is_string)) {
            problems.push(format!("{place}.metadata.{key}: must be a list of words"));
        }
    }
    let shares = metadata
        .get("supportsInstanceSharing")
        .and_then(Value::as_bool);
    let bindable = plan.get("bindable").and_then(Value::as_bool);
    if shares == Some(true) && !bindable.unwrap_or(offering_bindable) {
        problems.push(format!(
            "{place}: a plan whose instances can be shared must be bindable"
        ));
    }
}

/// An offering and its plans, as the broker wrote them.
#[derive(Debug, Clone, PartialEq)]
pub struct Side {
    /// The offering's name in its catalog.
    pub name: String,
    /// The offering without its plans.
    pub raw: Value,
    /// The plans by catalog id: name and text.
    pub plans: BTreeMap<String, (String, Value)>,
}

/// How `new` differs from `old`; both by the offerings' catalog ids.
pub fn difference(old: &BTreeMap<String, Side>, new: &BTreeMap<String, Side>) -> Difference {
    let mut difference = Difference::default();
    for (id, side) in new {
        match old.get(id) {
            None => {
                difference.added.push(side.name.clone());
                difference.added.extend(plan_names(side));
            }
            Some(before) => {
                if before.raw != side.raw {
                    difference.changed.push(side.name.clone());
                }
                compare_plans(before, side, &mut difference);
            }
        }
    }
    for (id, side) in old {
        if !new.contains_key(id) {
            difference.removed.push(side.name.clone());
            difference.removed.extend(plan_names(side));
        }
    }
    difference
}

fn compare_plans(before: &Side, after: &Side, difference: &mut Difference) {
    for (id, (name, raw)) in &after.plans {
        let full = format!("{}/{name}", after.name);
        match before.plans.get(id) {
            None => difference.added.push(full),
            Some((_, old)) if old != raw => difference.changed.push(full),
            Some(_) => {}
        }
    }
    for (id, (name, _)) in &before.plans {
        if !after.plans.contains_key(id) {
            difference.removed.push(format!("{}/{name}", before.name));
        }
    }
}

fn plan_names(side: &Side) -> impl Iterator<Item = String> + '_ {
    side.plans
        .values()
        .map(|(name, _)| format!("{}/{name}", side.name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_problem_is_named() {
        let catalog = json!({"services": [{"bindable": false, "plans": [
            {"name": "reference-instance"},
            {"name": "a", "metadata": {"supportedPlatforms": ["x"], "excludedPlatformNames": ["y"]}},
            {"name": "b", "metadata": {"supportedPlatforms": "x"}},
            {"name": "c", "metadata": {"supportsInstanceSharing": true}},
            {"name": "d", "bindable": true, "metadata": {"supportsInstanceSharing": true}},
        ]}]});
        let error = check(&["$.services[0].id: missing".to_owned()], &catalog).unwrap_err();
        let text = error.to_string();
        assert_eq!(error.status(), 400);
        for part in [
            "$.services[0].id: missing",
            "plans[0].name: reference-instance is reserved",
            "plans[1].metadata: only one of supportedPlatforms, excludedPlatformNames",
            "plans[2].metadata.supportedPlatforms: must be a list",
            "plans[3]: a plan whose instances can be shared must be bindable",
        ] {
            assert!(text.contains(part), "{part} is not in {text}");
        }
        assert!(!text.contains("plans[4]"), "{text}");
    }

    fn side(name: &str, plans: &[(&str, &str, i32)]) -> Side {
        Side {
            name: name.to_owned(),
            raw: json!({"name": name}),
            plans: plans
                .iter()
                .map(|(id, name, n)| {
                    (
                        (*id).to_owned(),
                        ((*name).to_owned(), json!({"name": name, "n": n})),
                    )
                })
                .collect(),
        }
    }

    #[test]
    fn a_difference_reads_by_names() {
        let old = [
            (
                "1".to_owned(),
                side("db", &[("a", "small", 1), ("b", "large", 1)]),
            ),
            ("2".to_owned(), side("queue", &[("c", "only", 1)])),
        ];
        let new = [
            (
                "1".to_owned(),
                side("db", &[("a", "small", 2), ("d", "huge", 1)]),
            ),
            ("3".to_owned(), side("cache", &[("e", "only", 1)])),
        ];
        let found = difference(&BTreeMap::from(old.clone()), &BTreeMap::from(new));
        assert_eq!(found.added, ["db/huge", "cache", "cache/only"]);
        assert_eq!(found.changed, ["db/small"]);
        assert_eq!(found.removed, ["db/large", "queue", "queue/only"]);
        assert!(difference(&BTreeMap::from(old.clone()), &BTreeMap::from(old)).is_empty());
    }
}
