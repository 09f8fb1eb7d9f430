//! One page of a list.
//!
//! Every `GET` of a collection answers with it. The rule: `token` is there exactly when more follows;
//! that is all that clients look at to go on.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// One page of a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Page<T> {
    /// Ask again with this `token` for the next page; left out on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// How many there are in all pages together.
    pub num_items: u64,
    /// True when `num_items` is an estimate; left out when it is exact. `max_items=0` asks for the exact number.
    #[serde(default, skip_serializing_if = "crate::lenient::is_false")]
    pub num_items_estimated: bool,
    /// The page itself; left out when `max_items=0` asked for the number only.
    #[serde(skip_serializing_if = "Option::is_none", default = "none")]
    pub items: Option<Vec<T>>,
}

// A plain `default` would ask for `T: Default`.
fn none<T>() -> Option<T> {
    None
}

impl<T> Page<T> {
    /// A page with an exact number.
    pub fn new(items: Vec<T>, num_items: u64, token: Option<String>) -> Self {
        Self {
            token,
            num_items,
            num_items_estimated: false,
            items: Some(items),
        }
    }

    /// The number only.
    pub fn count(num_items: u64) -> Self {
        Self {
            token: None,
            num_items,
            num_items_estimated: false,
            items: None,
        }
    }

    /// What to ask the next page with. Some servers end a list with an empty token.
    pub fn next(&self) -> Option<&str> {
        self.token.as_deref().filter(|token| !token.is_empty())
    }

    /// The items; none when they were left out.
    pub fn into_items(self) -> Vec<T> {
        self.items.unwrap_or_default()
    }
}
