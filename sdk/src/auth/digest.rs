//! Secrets kept as keyed digests, and looked up in constant time.
//!
//! Used by [`Basic`](super::Basic) and [`Bearer`](super::Bearer). The rule: the secret itself is not
//! kept, every entry is compared on every lookup, and what differs between a hit and a miss is the
//! result alone.

use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::{hmac, rand};
use std::fmt;

/// Named secrets. HMAC-SHA-256 under a key that lives only as long as this value.
#[derive(Clone)]
pub(super) struct Vault {
    /// Absent when the system gave no randomness: then nobody is let in.
    key: Option<hmac::Key>,
    entries: Vec<Entry>,
}

#[derive(Clone)]
struct Entry {
    name: String,
    tag: hmac::Tag,
}

impl Vault {
    pub(super) fn new() -> Self {
        let key = hmac::Key::generate(hmac::HMAC_SHA256, &rand::SystemRandom::new()).ok();
        Self {
            key,
            entries: Vec::new(),
        }
    }

    /// Remembers a secret made of parts. The same name may be given several secrets, which is how a
    /// password is changed without a moment in which neither works.
    pub(super) fn insert(&mut self, name: String, parts: &[&[u8]]) {
        if let Some(tag) = self.tag(parts) {
            self.entries.push(Entry { name, tag });
        }
    }

    /// The name whose secret this is.
    pub(super) fn find(&self, parts: &[&[u8]]) -> Option<&str> {
        let asked = self.tag(parts)?;
        let mut found = None;
        for entry in &self.entries {
            // No early end: the position of the match must not show in the time taken.
            if verify_slices_are_equal(entry.tag.as_ref(), asked.as_ref()).is_ok() {
                found = Some(entry.name.as_str());
            }
        }
        found
    }

    fn tag(&self, parts: &[&[u8]]) -> Option<hmac::Tag> {
        let mut context = hmac::Context::with_key(self.key.as_ref()?);
        for part in parts {
            // The length in front keeps ("ab", "c") and ("a", "bc") apart.
            context.update(&(part.len() as u64).to_be_bytes());
            context.update(part);
        }
        Some(context.sign())
    }
}

impl fmt::Debug for Vault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map()
            .entries(self.entries.iter().map(|entry| (&entry.name, "***")))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_do_not_run_together() {
        let mut vault = Vault::new();
        vault.insert("one".into(), &[b"ab", b"c"]);
        assert_eq!(vault.find(&[b"ab", b"c"]), Some("one"));
        assert_eq!(vault.find(&[b"a", b"bc"]), None);
        assert_eq!(vault.find(&[b"abc"]), None);
    }

    #[test]
    fn nobody_comes_in_without_a_key() {
        let mut vault = Vault {
            key: None,
            entries: Vec::new(),
        };
        vault.insert("one".into(), &[b"x"]);
        assert_eq!(vault.find(&[b"x"]), None);
    }

    #[test]
    fn a_name_may_have_two_secrets() {
        let mut vault = Vault::new();
        vault.insert("one".into(), &[b"old"]);
        vault.insert("one".into(), &[b"new"]);
        assert_eq!(vault.find(&[b"old"]), Some("one"));
        assert_eq!(vault.find(&[b"new"]), Some("one"));
    }
}
