//! One execution: which template, on what data, within which limits, with what handed in.

use std::any::Any;
use std::sync::Arc;

use super::TemplateSet;
use crate::error::Error;
use crate::exec;
use crate::limits::{Budget, Limits};
use crate::value::Value;

/// An execution to be configured and started.
pub struct Run<'a> {
    set: &'a TemplateSet,
    name: &'a str,
    data: Value,
    limits: Limits,
    user: Option<&'a dyn Any>,
    late: Option<Arc<dyn Fn() -> bool + Send + Sync>>,
}

impl<'a> Run<'a> {
    pub(super) fn new(set: &'a TemplateSet, name: &'a str, limits: Limits) -> Self {
        Self {
            set,
            name,
            data: Value::Missing,
            limits,
            user: None,
            late: None,
        }
    }

    /// The data: `.` and `$`.
    #[must_use]
    pub fn data(mut self, data: impl Into<Value>) -> Self {
        self.data = data.into();
        self
    }

    /// Other limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Something for functions, found there by its type.
    #[must_use]
    pub fn user(mut self, user: &'a dyn Any) -> Self {
        self.user = Some(user);
        self
    }

    /// Asked now and then; `true` ends the execution. This is how a deadline comes in.
    #[must_use]
    pub fn stop_when(mut self, late: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        self.late = Some(Arc::new(late));
        self
    }

    /// Executes; bytes that are no UTF-8 become U+FFFD.
    ///
    /// # Errors
    /// What the execution ends with.
    pub fn text(self) -> Result<String, Error> {
        let mut output = Vec::new();
        self.write(&mut output)?;
        Ok(String::from_utf8(output)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
    }

    /// Executes and appends the bytes that Go would write, also those before an error.
    ///
    /// # Errors
    /// What the execution ends with.
    pub fn write(self, output: &mut Vec<u8>) -> Result<(), Error> {
        let mut budget = Budget::new(self.limits, self.late);
        exec::execute(
            self.set,
            self.name,
            self.data,
            self.user,
            &mut budget,
            output,
        )
    }
}
