//! Cases whose answers Go gave: `tests/golden/*.jsonl`, a case a line, written by
//! `cargo xtask oracle --write`. They are compared in every run, without Go.

use std::fs;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;

use super::oracle::{Answer, Request};
use super::ours;

#[derive(Deserialize)]
struct Case {
    #[serde(flatten)]
    request: Request,
    output: Option<String>,
    output64: Option<String>,
    error: Option<String>,
}

impl Case {
    fn wanted(&self) -> Answer {
        match (&self.error, &self.output, &self.output64) {
            (Some(error), _, _) => Err(error.clone()),
            (_, Some(text), _) => Ok(text.clone().into_bytes()),
            (_, _, Some(text)) => Ok(STANDARD.decode(text).unwrap()),
            _ => panic!("a case without answer: {:?}", self.request),
        }
    }
}

#[test]
fn every_case_gives_what_go_gave() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let (mut cases, mut wrong) = (0, Vec::new());
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        for line in fs::read_to_string(&path).unwrap().lines() {
            let case: Case = serde_json::from_str(line).unwrap();
            let (wanted, got) = (case.wanted(), ours::answer(&case.request));
            cases += 1;
            if got != wanted {
                wrong.push(format!(
                    "{}: {:?}\n  go:   {}\n  ours: {}",
                    path.file_name().unwrap().display(),
                    case.request.text,
                    shown(&wanted),
                    shown(&got)
                ));
            }
        }
    }
    assert!(cases > 400, "only {cases} cases were found");
    assert!(
        wrong.is_empty(),
        "{} of {cases} differ\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

pub(crate) fn shown(answer: &Answer) -> String {
    match answer {
        Ok(output) => format!("{:?}", String::from_utf8_lossy(output)),
        Err(error) => format!("error {error:?}"),
    }
}
