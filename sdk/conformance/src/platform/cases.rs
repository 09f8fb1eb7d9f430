//! The list of all cases about platforms, area by area, in the order of the report.

mod bind;
mod catalog;
mod concurrency;
mod context;
mod deprovision;
mod fetch;
mod headers;
mod identity;
mod ids;
mod maintenance;
mod poll;
mod poll_end;
mod provision;
mod requests;
mod rotate;
mod rows;
mod sections;
mod unbind;
mod update;
mod update_plan;
mod usable;
mod work;

use super::Case;

/// Every case.
pub fn all() -> impl Iterator<Item = &'static Case> {
    AREAS.iter().flat_map(|area| area.iter())
}

const AREAS: &[&[Case]] = &[
    headers::CASES,
    identity::CASES,
    context::CASES,
    requests::CASES,
    catalog::CASES,
    ids::CASES,
    provision::CASES,
    update::CASES,
    update_plan::CASES,
    usable::CASES,
    bind::CASES,
    rotate::CASES,
    fetch::CASES,
    unbind::CASES,
    deprovision::CASES,
    poll::CASES,
    poll_end::CASES,
    maintenance::CASES,
    concurrency::CASES,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Level;
    use crate::platform::rules::RULES;
    use std::collections::HashSet;

    #[test]
    fn ids_are_unique_and_well_formed() {
        let mut seen = HashSet::new();
        for case in all() {
            assert!(seen.insert(case.id), "{} stands twice", case.id);
            let (area, what) = case.id.split_once('.').expect("area.what");
            let fine = |text: &str| {
                !text.is_empty()
                    && text
                        .chars()
                        .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
            };
            assert!(fine(area) && fine(what), "{}", case.id);
            assert!(case.title.len() > 10 && case.fix.len() > 10, "{}", case.id);
        }
    }

    #[test]
    fn an_area_stands_together() {
        let mut areas: Vec<&str> = all().map(Case::area).collect();
        areas.dedup();
        let unique: HashSet<_> = areas.iter().collect();
        assert_eq!(areas.len(), unique.len(), "{areas:?}");
    }

    #[test]
    fn cases_cite_rules_that_exist_and_no_rule_is_left_out() {
        let mut held = HashSet::new();
        for case in all() {
            assert!(!case.rules.is_empty(), "{} holds no rule", case.id);
            for rule in case.rules {
                let known = RULES.iter().any(|known| known.id == *rule);
                assert!(known, "{} cites {rule}", case.id);
                held.insert(*rule);
            }
        }
        for rule in RULES {
            let wanted = rule.unobservable.is_none() && rule.level != Level::May;
            assert!(!wanted || held.contains(rule.id), "no case for {}", rule.id);
        }
    }
}
