//! Functions that templates call. A function says which types it takes, so that the engine refuses
//! others in Go's words; it is given a [`Context`] and its arguments, and may fail.
//!
//! The rule: when a body runs, its arguments have the declared types.

mod args;
mod registry;
mod signature;

use std::fmt;
use std::sync::Arc;

pub use args::Args;
pub use registry::Functions;
pub use signature::Signature;

use crate::context::Context;
use crate::error::Limit;
use crate::value::Value;

type Body = dyn Fn(&mut Context<'_>, Args<'_>) -> Result<Value, Failure> + Send + Sync;

/// A function or a bound method.
#[derive(Clone)]
pub struct Function {
    name: Arc<str>,
    signature: Arc<Signature>,
    body: Arc<Body>,
}

impl Function {
    /// A function from a closure.
    pub fn new<F>(name: impl AsRef<str>, signature: Signature, body: F) -> Self
    where
        F: Fn(&mut Context<'_>, Args<'_>) -> Result<Value, Failure> + Send + Sync + 'static,
    {
        Self {
            name: name.as_ref().into(),
            signature: Arc::new(signature),
            body: Arc::new(body),
        }
    }

    /// The name it is called by.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it takes and returns.
    #[must_use]
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// Calls it. The arguments must be what the signature says; the engine has checked them.
    /// A panic of the body becomes a failure.
    ///
    /// # Errors
    /// What the body returns.
    pub fn call(&self, context: &mut Context<'_>, args: &mut [Value]) -> Result<Value, Failure> {
        let body = &self.body;
        let guarded = std::panic::AssertUnwindSafe(|| body(context, Args::new(args)));
        std::panic::catch_unwind(guarded).unwrap_or_else(|panic| {
            let text = panic
                .downcast_ref::<&str>()
                .map(|text| (*text).to_owned())
                .or_else(|| panic.downcast_ref::<String>().cloned());
            Err(Failure::new(text.unwrap_or_else(|| "panic".to_owned())))
        })
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.signature)
    }
}

/// Why a function did not return a value. Its text is what Go's `error` would say.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct Failure {
    text: String,
    limit: Option<Limit>,
}

impl Failure {
    /// A failure with this text.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            limit: None,
        }
    }

    /// A failure because a limit was reached: the whole execution then ends with that limit.
    pub fn limit(limit: Limit, text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            limit: Some(limit),
        }
    }

    /// The limit that was reached, if that is why.
    #[must_use]
    pub fn reached(&self) -> Option<Limit> {
        self.limit
    }

    /// Its text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl From<String> for Failure {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

impl From<&str> for Failure {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}
