//! What subscribers get, and how it is made. The follower and the catching up make messages; doors send them.
//!
//! The rule: a text is made once per event, whatever the number of its receivers, and then only counted.

use bytes::Bytes;
use qm_model::event::Event;

/// An event, ready to be sent. Shared by all who get it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    revision: i64,
    text: Bytes,
}

impl Message {
    /// Makes the text of an event.
    pub(crate) fn new(event: &Event, encode: &dyn Encode) -> Self {
        Self {
            revision: event.revision,
            text: Bytes::from(encode.message(event)),
        }
    }

    /// The event's place in commit order.
    pub fn revision(&self) -> i64 {
        self.revision
    }

    /// The text: UTF-8, because it was made from a `String`. A clone shares it.
    pub fn text(&self) -> &Bytes {
        &self.text
    }
}

/// How an event becomes the text of a message. The doors know.
pub trait Encode: Send + Sync + 'static {
    /// The text.
    fn message(&self, event: &Event) -> String;
}

impl<F: Fn(&Event) -> String + Send + Sync + 'static> Encode for F {
    fn message(&self, event: &Event) -> String {
        self(event)
    }
}
