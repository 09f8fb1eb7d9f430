//! What a change was answered with.

use crate::doc::Doc;

/// What a change was answered with.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The resource; an empty object when it goes on in the background.
    pub(crate) doc: Doc,
    /// The path of the operation, when it goes on in the background.
    pub(crate) location: Option<String>,
}
