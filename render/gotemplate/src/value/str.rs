//! Go's string: bytes that are nearly always UTF-8. Templates can cut a letter in half (`slice`) or
//! write any byte (`"\xff"`), and Go then prints exactly those bytes, so a `str` alone is not enough.
//!
//! The rule: text that is UTF-8 is always held as text, so equal strings have equal shapes.

use std::borrow::{Borrow, Cow};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A Go string; cheap to clone.
#[derive(Clone)]
pub struct Str(Shape);

#[derive(Clone)]
enum Shape {
    Fixed(&'static str),
    Text(Arc<str>),
    Raw(Arc<[u8]>),
}

impl Str {
    /// The empty string.
    pub const EMPTY: Self = Self(Shape::Fixed(""));

    /// A constant of the program; nothing is allocated.
    #[must_use]
    pub const fn fixed(text: &'static str) -> Self {
        Self(Shape::Fixed(text))
    }

    /// Any bytes.
    #[must_use]
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(text) => text.into(),
            Err(error) => Self(Shape::Raw(error.into_bytes().into())),
        }
    }

    /// The bytes, as Go sees them.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        match &self.0 {
            Shape::Fixed(text) => text.as_bytes(),
            Shape::Text(text) => text.as_bytes(),
            Shape::Raw(bytes) => bytes,
        }
    }

    /// The text, when it is UTF-8.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match &self.0 {
            Shape::Fixed(text) => Some(text),
            Shape::Text(text) => Some(text),
            Shape::Raw(_) => None,
        }
    }

    /// The text; bytes that are no UTF-8 become U+FFFD.
    #[must_use]
    pub fn to_text(&self) -> Cow<'_, str> {
        match &self.0 {
            Shape::Fixed(text) => Cow::Borrowed(text),
            Shape::Text(text) => Cow::Borrowed(text),
            Shape::Raw(bytes) => String::from_utf8_lossy(bytes),
        }
    }

    /// The number of bytes, as Go's `len` counts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.as_bytes().len()
    }

    /// Whether there is nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes from `start` to `end`; `None` when they are not inside.
    #[must_use]
    pub fn slice(&self, start: usize, end: usize) -> Option<Self> {
        if let Some(part) = self.as_str().and_then(|text| text.get(start..end)) {
            return Some(part.into());
        }
        Some(Self::from_bytes(self.as_bytes().get(start..end)?.to_vec()))
    }
}

impl Default for Str {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl From<&str> for Str {
    fn from(text: &str) -> Self {
        if text.is_empty() {
            Self::EMPTY
        } else {
            Self(Shape::Text(text.into()))
        }
    }
}

impl From<String> for Str {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

impl From<Arc<str>> for Str {
    fn from(text: Arc<str>) -> Self {
        Self(Shape::Text(text))
    }
}

impl From<Cow<'_, str>> for Str {
    fn from(text: Cow<'_, str>) -> Self {
        text.as_ref().into()
    }
}

impl Borrow<[u8]> for Str {
    fn borrow(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl PartialEq for Str {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Eq for Str {}

impl PartialEq<str> for Str {
    fn eq(&self, other: &str) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl PartialOrd for Str {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Str {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_bytes().cmp(other.as_bytes())
    }
}

// Equal to the hash of its bytes, as `Borrow` demands.
impl Hash for Str {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_bytes().hash(state);
    }
}

impl fmt::Debug for Str {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_text())
    }
}

impl fmt::Display for Str {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.to_text())
    }
}
