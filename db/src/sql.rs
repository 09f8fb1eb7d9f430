//! A statement's text. Every call of [`Db`](crate::Db) and [`Tx`](crate::Tx) takes one.
//!
//! The rule that keeps it right: values never become part of the text. There is no conversion
//! from `String`, so a text put together at run time has to be made an `Arc<str>` on purpose, once,
//! and kept. The text is the key of the prepared-statement caches and is printed in errors.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// The text of one SQL statement, cheap to clone.
#[derive(Clone)]
pub enum Sql {
    /// Written in the program.
    Static(&'static str),
    /// Put together once at run time from fixed parts.
    Shared(Arc<str>),
}

impl Deref for Sql {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Static(text) => text,
            Self::Shared(text) => text,
        }
    }
}

impl From<&'static str> for Sql {
    fn from(text: &'static str) -> Self {
        Self::Static(text)
    }
}

impl From<Arc<str>> for Sql {
    fn from(text: Arc<str>) -> Self {
        Self::Shared(text)
    }
}

impl From<&Sql> for Sql {
    fn from(sql: &Sql) -> Self {
        sql.clone()
    }
}

impl fmt::Debug for Sql {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

/// On one line, so that a log line stays one line.
impl fmt::Display for Sql {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, word) in self.split_whitespace().enumerate() {
            if n > 0 {
                f.write_str(" ")?;
            }
            f.write_str(word)?;
        }
        Ok(())
    }
}
