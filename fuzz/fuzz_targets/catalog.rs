//! Any catalog. Nothing panics, and one that breaks no MUST decodes and breaks none afterwards.

#![no_main]

use libfuzzer_sys::fuzz_target;
use quartermaster_osb::{Catalog, Level, Problem, catalog::problems_of};
use serde_json::Value;

fn sound(problems: &[Problem]) -> bool {
    problems
        .iter()
        .all(|problem| problem.level == Level::Should)
}

fuzz_target!(|body: &[u8]| {
    if let Ok(catalog) = serde_json::from_slice::<Catalog>(body) {
        catalog.problems();
    }
    let Ok(value) = serde_json::from_slice::<Value>(body) else {
        return;
    };
    if sound(&problems_of(&value)) {
        let catalog: Catalog = serde_json::from_value(value).expect("a sound catalog decodes");
        assert!(sound(&catalog.problems()), "{:?}", catalog.problems());
    }
});
