//! The marked secrets: texts that occur nowhere else in the world.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

/// A secret with the forms in which it could be written.
#[derive(Debug)]
pub(crate) struct Mark {
    pub(crate) name: String,
    pub(crate) forms: Vec<String>,
}

/// All secrets of a test.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    marks: Vec<Mark>,
}

impl Marks {
    /// A new secret.
    pub(crate) fn make(&mut self, name: &str) -> String {
        let secret = format!("canary-{}-{name}-sings", self.marks.len());
        self.add(name, &secret);
        secret
    }

    /// A secret that somebody else has made.
    pub(crate) fn add(&mut self, name: &str, secret: &str) {
        assert!(secret.len() >= 12, "{name} is too short to be searched for");
        let hex: String = secret.bytes().map(|byte| format!("{byte:02x}")).collect();
        let encoded = utf8_percent_encode(secret, NON_ALPHANUMERIC).to_string();
        self.marks.push(Mark {
            name: name.to_owned(),
            forms: vec![
                secret.to_owned(),
                hex.to_uppercase(),
                hex,
                encoded,
                STANDARD.encode(secret),
                URL_SAFE_NO_PAD.encode(secret),
            ],
        });
    }

    /// A user and a password, which together are a header.
    pub(crate) fn pair(&mut self, name: &str, user: &str, password: &str) {
        self.add(name, password);
        self.add(
            &format!("{name} as a header"),
            &STANDARD.encode(format!("{user}:{password}")),
        );
    }

    pub(crate) fn all(&self) -> &[Mark] {
        &self.marks
    }

    pub(crate) fn len(&self) -> usize {
        self.marks.len()
    }

    /// One of them.
    pub(crate) fn any(&self) -> &str {
        &self.marks[0].forms[0]
    }
}
