//! The oracle as a process: Go's own engine, asked line by line. `cargo xtask oracle` builds it.

use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::{Value as Json, json};

/// Set by `cargo xtask test`; otherwise the program is looked for where `cargo xtask oracle` puts it.
const VARIABLE: &str = "QUARTERMASTER_TEMPLATE_ORACLE";

/// A template and how to execute it.
#[derive(Debug, Clone, Default, Deserialize)]
pub(crate) struct Request {
    pub(crate) text: String,
    #[serde(default)]
    pub(crate) left: String,
    #[serde(default)]
    pub(crate) right: String,
    #[serde(default)]
    pub(crate) missingkey: String,
    #[serde(default)]
    pub(crate) numbers: String,
}

impl Request {
    fn json(&self) -> Json {
        json!({
            "text": self.text, "left": self.left, "right": self.right,
            "missingkey": self.missingkey, "numbers": self.numbers,
        })
    }
}

/// Output, or the text of an error.
pub(crate) type Answer = Result<Vec<u8>, String>;

/// Where the program is, when it is there.
pub(crate) fn program() -> Option<PathBuf> {
    let built = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("../oracle/template");
    let path = std::env::var_os(VARIABLE).map_or(built, PathBuf::from);
    path.is_file().then_some(path)
}

/// Asks all at once; answers come in order.
pub(crate) fn ask(program: &PathBuf, requests: &[Request]) -> Vec<Answer> {
    let mut child = Command::new(program)
        .arg("serve")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = BufWriter::new(child.stdin.take().unwrap());
    let output = BufReader::new(child.stdout.take().unwrap());
    let answers = std::thread::scope(|scope| {
        scope.spawn(move || {
            for request in requests {
                writeln!(input, "{}", request.json()).unwrap();
            }
        });
        output.lines().map(|line| answer(&line.unwrap())).collect()
    });
    assert!(child.wait().unwrap().success(), "the oracle failed");
    answers
}

fn answer(line: &str) -> Answer {
    let json: Json = serde_json::from_str(line).unwrap();
    let bytes = |name: &str| {
        json[name]
            .as_str()
            .map(|text| STANDARD.decode(text).unwrap())
    };
    match bytes("error") {
        Some(text) => Err(String::from_utf8_lossy(&text).into_owned()),
        None => Ok(bytes("output").unwrap_or_default()),
    }
}
