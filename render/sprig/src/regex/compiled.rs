//! A compiled expression, and how Go walks from match to match.

use std::ops::Range;

use qm_gotemplate::Str;
use regex::bytes::{Regex, RegexBuilder};

use super::translate::translate;
use crate::runes::first_width;

/// An expression ready to match.
pub(super) struct Compiled {
    regex: Regex,
    /// The names of the groups, the whole match first; empty for those without.
    names: Vec<String>,
}

impl Compiled {
    /// The error is what Go's parser says.
    pub(super) fn new(source: &Str) -> Result<Self, String> {
        let told = |what: &str, part: &str| format!("error parsing regexp: {what}: `{part}`");
        let Some(pattern) = source.as_str() else {
            let bytes = source.as_bytes();
            let good = bytes
                .utf8_chunks()
                .next()
                .map_or(0, |chunk| chunk.valid().len());
            return Err(told(
                "invalid UTF-8",
                &String::from_utf8_lossy(&bytes[good..]),
            ));
        };
        let (translated, names) =
            translate(pattern).map_err(|error| told(error.what, &error.part))?;
        let regex = RegexBuilder::new(&translated)
            .nest_limit(1000)
            .size_limit(32 << 20)
            .build()
            .map_err(|_| told("expression too large", pattern))?;
        Ok(Self { regex, names })
    }

    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// The first match from a position on. One of nothing inside a letter is none to Go.
    pub(super) fn find(&self, source: &[u8], mut from: usize) -> Option<Range<usize>> {
        loop {
            let found = self.regex.find_at(source, from)?;
            if !(found.is_empty() && inside_letter(source, found.start())) {
                return Some(found.range());
            }
            from = found.start() + 1;
        }
    }

    /// The first match with its groups, from a position on.
    pub(super) fn groups(&self, source: &[u8], from: usize) -> Option<Vec<Option<Range<usize>>>> {
        let found = self.find(source, from)?;
        let groups = self.regex.captures_at(source, found.start)?;
        Some(
            groups
                .iter()
                .map(|group| group.map(|group| group.range()))
                .collect(),
        )
    }

    /// At most `limit` matches, all when it is negative. An empty one right behind another is none.
    pub(super) fn find_all(&self, source: &[u8], limit: i64) -> Vec<Range<usize>> {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let mut all: Vec<Range<usize>> = Vec::new();
        let (mut from, mut before) = (0, None);
        while all.len() < limit && from <= source.len() {
            let Some(found) = self.find(source, from) else {
                break;
            };
            let mut counts = true;
            if found.end == from {
                counts = Some(found.start) != before;
                from += first_width(&source[from..]).max(1);
            } else {
                from = found.end;
            }
            before = Some(found.end);
            if counts {
                all.push(found);
            }
        }
        all
    }
}

/// Whether a position is between the bytes of one letter.
fn inside_letter(source: &[u8], at: usize) -> bool {
    let start = at.saturating_sub(3);
    (start..at).any(|from| {
        let width = first_width(&source[from..]);
        width > 1 && from + width > at
    })
}
