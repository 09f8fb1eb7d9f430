//! Every case of `tests/golden` gives what Go's sprig gave. The files are written by the oracle in
//! `render/oracle/sprig` from `tests/cases` and from calls that it makes up.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use serde_json::Value as Json;

use crate::data::{functions, render_with};

struct Case {
    template: String,
    wanted: Result<String, String>,
}

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

fn read(file: &str) -> Vec<Case> {
    let text = std::fs::read_to_string(folder().join(file)).unwrap();
    let case = |line: &str| {
        let json: Json = serde_json::from_str(line).unwrap();
        let text = |key: &str| json[key].as_str().map(str::to_owned);
        Case {
            template: text("template").unwrap(),
            wanted: text("out").ok_or_else(|| text("err").unwrap()),
        }
    };
    text.lines().map(case).collect()
}

/// Files of the folder, so that a new one is not forgotten.
fn files() -> Vec<String> {
    let entries = std::fs::read_dir(folder()).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn every_case_gives_what_go_gives() {
    let functions = functions();
    let (mut all, mut report, mut wrong) = (0, String::new(), 0);
    for file in files() {
        let (mut count, mut bad) = (0, 0);
        for case in read(&file) {
            count += 1;
            let found = render_with(functions.clone(), &case.template);
            if found != case.wanted {
                bad += 1;
                let Case { template, wanted } = &case;
                writeln!(
                    report,
                    "{file}: {template}\n  Go:   {wanted:?}\n  here: {found:?}"
                )
                .unwrap();
            }
        }
        println!("{file}: {} of {count}", count - bad);
        all += count;
        wrong += bad;
    }
    assert!(wrong == 0, "{wrong} of {all} differ\n{report}");
}

#[test]
fn every_function_has_a_case() {
    let names: BTreeSet<String> = functions().names().into_iter().map(str::to_owned).collect();
    let mut seen = BTreeSet::new();
    for file in files() {
        for case in read(&file) {
            let word = |c: char| !(c.is_alphanumeric() || c == '_');
            seen.extend(case.template.split(word).map(str::to_owned));
        }
    }
    let tested_by_property = ["now"];
    let missing: Vec<&String> = names
        .difference(&seen)
        .filter(|name| !tested_by_property.contains(&name.as_str()))
        .collect();
    assert!(missing.is_empty(), "no case for {missing:?}");
}

#[test]
fn all_names_of_sprig_are_there() {
    let names = std::fs::read_to_string(folder().join("../names.txt")).unwrap();
    let outside = crate::data::outside()
        .environment(|_| None)
        .resolver(|_| Vec::new());
    let functions = qm_sprig::functions(&outside);
    let ours: BTreeSet<&str> = functions.names().into_iter().collect();
    let wanted: BTreeSet<&str> = names.lines().collect();
    assert_eq!(ours, wanted);
}
