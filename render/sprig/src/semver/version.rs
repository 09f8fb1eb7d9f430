//! One version. Missing numbers are zero, a `v` before it is left out.

use std::cmp::Ordering;
use std::fmt;
use std::sync::LazyLock;

use regex::Regex;

const IDENTIFIERS: &str = r"[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*";

/// A version whose numbers are made of the letters of `class`: the three numbers, what is behind the
/// hyphen, what is behind the plus.
pub(super) fn pattern(class: &str) -> String {
    format!(r"v?({class}+)(\.{class}+)?(\.{class}+)?(?:-({IDENTIFIERS}))?(?:\+({IDENTIFIERS}))?")
}

static VERSION: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(&format!("^(?:{})$", pattern("[0-9]"))).ok());

/// A version. It is a pointer in Go, unless it was made by a method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Version {
    pub(super) major: u64,
    pub(super) minor: u64,
    pub(super) patch: u64,
    pub(super) pre: String,
    pub(super) metadata: String,
    pub(super) original: String,
    pub(super) is_pointer: bool,
}

impl Version {
    /// A version in which nothing was set.
    pub(crate) fn zero() -> Self {
        Self {
            major: 0,
            minor: 0,
            patch: 0,
            pre: String::new(),
            metadata: String::new(),
            original: String::new(),
            is_pointer: true,
        }
    }

    /// The error is the library's text.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let parts = VERSION.as_ref().and_then(|version| version.captures(text));
        let Some(parts) = parts else {
            return Err("Invalid Semantic Version".to_owned());
        };
        let part = |index: usize| parts.get(index).map_or("", |part| part.as_str());
        let version = Self {
            major: number(part(1))?,
            minor: number(part(2))?,
            patch: number(part(3))?,
            pre: part(4).to_owned(),
            metadata: part(5).to_owned(),
            original: text.to_owned(),
            is_pointer: true,
        };
        check_pre(&version.pre)?;
        Ok(version)
    }

    pub(super) fn compare(&self, other: &Self) -> Ordering {
        let numbers = |version: &Self| (version.major, version.minor, version.patch);
        numbers(self).cmp(&numbers(other)).then_with(|| {
            match (self.pre.is_empty(), other.pre.is_empty()) {
                // A version comes after its own previews.
                (true, true) => Ordering::Equal,
                (true, false) => Ordering::Greater,
                (false, true) => Ordering::Less,
                (false, false) => compare_pre(&self.pre, &other.pre),
            }
        })
    }

    /// The same with other numbers, and nothing behind them.
    pub(super) fn release(&self, major: u64, minor: u64, patch: u64) -> Self {
        self.remade(|version| {
            (version.major, version.minor, version.patch) = (major, minor, patch);
            version.pre.clear();
            version.metadata.clear();
        })
    }

    /// A changed copy, which is no pointer; a `v` in the original is kept there.
    pub(super) fn remade(&self, change: impl FnOnce(&mut Self)) -> Self {
        let mut version = self.clone();
        change(&mut version);
        let v = if self.original.starts_with('v') {
            "v"
        } else {
            ""
        };
        version.original = format!("{v}{version}");
        version.is_pointer = false;
        version
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)?;
        if !self.pre.is_empty() {
            write!(f, "-{}", self.pre)?;
        }
        if !self.metadata.is_empty() {
            write!(f, "+{}", self.metadata)?;
        }
        Ok(())
    }
}

fn number(text: &str) -> Result<u64, String> {
    let digits = text.strip_prefix('.').unwrap_or(text);
    if digits.is_empty() {
        return Ok(0);
    }
    digits.parse().map_err(|_| {
        format!("Error parsing version segment: strconv.ParseUint: parsing \"{digits}\": value out of range")
    })
}

fn is_numeric(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A preview's numbers have no zeros before them.
pub(super) fn check_pre(pre: &str) -> Result<(), String> {
    let padded = |part: &str| part.len() > 1 && part.starts_with('0') && is_numeric(part);
    if pre.split('.').any(padded) {
        return Err("Version segment starts with 0".to_owned());
    }
    check_letters(pre, "Invalid Prerelease string")
}

pub(super) fn check_letters(text: &str, complaint: &str) -> Result<(), String> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.');
    if text.bytes().all(allowed) {
        Ok(())
    } else {
        Err(complaint.to_owned())
    }
}

/// Part by part: numbers before words, fewer parts before more.
pub(super) fn compare_pre(left: &str, right: &str) -> Ordering {
    let (mut left, mut right) = (left.split('.'), right.split('.'));
    loop {
        let (a, b) = match (left.next(), right.next()) {
            (None, None) => return Ordering::Equal,
            (a, b) => (a.unwrap_or(""), b.unwrap_or("")),
        };
        let order = match (a.parse::<u64>(), b.parse::<u64>()) {
            _ if a == b => Ordering::Equal,
            _ if a.is_empty() => Ordering::Less,
            _ if b.is_empty() => Ordering::Greater,
            (Ok(a), Ok(b)) if a > b => Ordering::Greater,
            (Ok(_), _) => Ordering::Less,
            (Err(_), Ok(_)) => Ordering::Greater,
            (Err(_), Err(_)) => a.cmp(b),
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}
