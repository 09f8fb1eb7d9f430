//! The list of all cases, area by area, in the order of the report.

mod auth;
mod bind;
mod bind_shape;
mod body;
mod catalog;
mod catalog_fetch;
mod catalog_schema;
mod concurrency;
mod content_type;
mod delete_race;
mod deprovision;
mod endpoints;
mod errors;
mod fetch_binding;
mod fetch_instance;
mod ids;
mod last_operation;
mod maintenance;
mod originating;
mod provision;
mod provision_refusal;
mod query;
mod request_id;
mod rotate;
mod routes;
mod sections;
mod unbind;
mod update;
mod update_refusal;
mod version;

use crate::Case;

/// Every case.
pub fn all() -> impl Iterator<Item = &'static Case> {
    AREAS.iter().flat_map(|area| area.iter())
}

const AREAS: &[&[Case]] = &[
    auth::CASES,
    version::CASES,
    request_id::CASES,
    originating::CASES,
    content_type::CASES,
    catalog::CASES,
    catalog_schema::CASES,
    catalog_fetch::CASES,
    provision::CASES,
    provision_refusal::CASES,
    maintenance::CASES,
    fetch_instance::CASES,
    update::CASES,
    update_refusal::CASES,
    bind::CASES,
    bind_shape::CASES,
    fetch_binding::CASES,
    rotate::CASES,
    unbind::CASES,
    deprovision::CASES,
    last_operation::CASES,
    concurrency::CASES,
    delete_race::CASES,
    ids::CASES,
    query::CASES,
    body::CASES,
    routes::CASES,
    errors::CASES,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Level;
    use crate::rules::{RULES, rule_by_id};
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
                assert!(rule_by_id(rule).is_some(), "{} cites {rule}", case.id);
                held.insert(*rule);
            }
        }
        for rule in RULES {
            let wanted = rule.unobservable.is_none() && rule.level != Level::May;
            assert!(!wanted || held.contains(rule.id), "no case for {}", rule.id);
        }
    }
}
