//! Pages of lists: what a caller asks for (`max_items`, `token`) and what it gets. Doors parse the request,
//! the store answers with a [`Page`].
//!
//! The rule: pages go by key. A token is the sequence number of the last item shown, so a page costs the
//! same wherever it begins, and rows that come or go elsewhere shift nothing.

use crate::Error;
use base64::{Engine, engine::general_purpose::STANDARD};

/// How long pages are. From the configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageLimits {
    /// For callers that do not say.
    pub default: u32,
    /// Nobody gets more; who asks for more gets this.
    pub max: u32,
}

impl Default for PageLimits {
    fn default() -> Self {
        Self {
            default: 50,
            max: 200,
        }
    }
}

/// Which page is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageRequest {
    /// How much of it.
    pub max_items: MaxItems,
    /// Items whose sequence number is greater than this; all when absent.
    pub after: Option<i64>,
}

/// How many items are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MaxItems {
    /// So many at most; at least one.
    Count(u32),
    /// None: only the number of all of them, and that exactly. `max_items=0`.
    NumberOnly,
}

/// A page that cannot be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PageError {
    /// Not a number, or below zero.
    #[error("max_items must be a whole number and not below 0")]
    InvalidMaxItems,
    /// Not a token of ours.
    #[error("the token is not one that a list of this server gave out")]
    TokenInvalid,
}

impl PageRequest {
    /// Reads decoded query parameters; others are passed over, and an empty one is as good as absent. The
    /// first `max_items` counts and the last `token`: clients in the field append and never remove.
    pub fn parse<'p>(
        parameters: impl IntoIterator<Item = (&'p str, &'p str)>,
        limits: PageLimits,
    ) -> Result<Self, PageError> {
        let mut max_items = None;
        let mut token = "";
        for (name, value) in parameters {
            match name {
                "max_items" if max_items.is_none() => max_items = Some(value),
                "token" => token = value,
                _ => {}
            }
        }
        Ok(Self {
            max_items: MaxItems::parse(max_items.unwrap_or_default(), limits)?,
            after: match token {
                "" => None,
                token => Some(sequence(token)?),
            },
        })
    }
}

impl MaxItems {
    fn parse(text: &str, limits: PageLimits) -> Result<Self, PageError> {
        let most = limits.max.max(1);
        if text.is_empty() {
            return Ok(Self::Count(limits.default.clamp(1, most)));
        }
        match text.parse::<u64>() {
            Ok(0) => Ok(Self::NumberOnly),
            Ok(wanted) => Ok(Self::Count(
                u32::try_from(wanted).map_or(most, |wanted| wanted.min(most)),
            )),
            Err(_) => Err(PageError::InvalidMaxItems),
        }
    }
}

/// The token that asks for what follows the item with this sequence number.
pub fn token(sequence: i64) -> String {
    STANDARD.encode(sequence.to_string())
}

/// The sequence number that a token holds.
fn sequence(token: &str) -> Result<i64, PageError> {
    let bytes = STANDARD.decode(token).ok();
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    let number: Option<i64> = text.and_then(|text| text.parse().ok());
    number
        .filter(|number| *number >= 0)
        .ok_or(PageError::TokenInvalid)
}

impl From<PageError> for Error {
    fn from(error: PageError) -> Self {
        Self::Invalid {
            word: match error {
                PageError::InvalidMaxItems => "InvalidMaxItems",
                PageError::TokenInvalid => "TokenInvalid",
            },
            message: error.to_string(),
        }
    }
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    /// In order of their sequence numbers.
    pub items: Vec<T>,
    /// The sequence number of the last item, if more follow it.
    pub next: Option<i64>,
    /// How many there are on all pages.
    pub total: Total,
}

impl<T> Page<T> {
    /// The token of the next page, if there is one.
    pub fn token(&self) -> Option<String> {
        self.next.map(token)
    }

    /// The same page of other items.
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> Page<U> {
        let Self { items, next, total } = self;
        Page {
            items: items.into_iter().map(change).collect(),
            next,
            total,
        }
    }
}

/// How many items match, and how well that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Total {
    /// Counted.
    Exact(u64),
    /// Counting stopped here; there are more.
    AtLeast(u64),
    /// From kept counters; may be off.
    Estimate(u64),
}

impl Total {
    /// For `num_items`.
    pub fn number(self) -> u64 {
        match self {
            Self::Exact(number) | Self::AtLeast(number) | Self::Estimate(number) => number,
        }
    }

    /// Whether it was counted to the end.
    pub fn is_exact(self) -> bool {
        matches!(self, Self::Exact(_))
    }
}
