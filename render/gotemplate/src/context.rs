//! What a function may reach while it runs: the templates (for `include` and `tpl`), the limits, and
//! what the caller of the execution handed in. Nothing else: no clock, no files.

use std::any::Any;

use crate::error::Error;
use crate::exec;
use crate::function::{Failure, Function};
use crate::limits::{Budget, Limits};
use crate::set::TemplateSet;
use crate::value::{Str, Value};

/// The execution around a function call.
pub struct Context<'a> {
    pub(crate) set: &'a TemplateSet,
    pub(crate) budget: &'a mut Budget,
    pub(crate) user: Option<&'a dyn Any>,
    /// What the calling execution has written so far.
    pub(crate) written: usize,
}

impl Context<'_> {
    /// The templates being executed.
    #[must_use]
    pub fn templates(&self) -> &TemplateSet {
        self.set
    }

    /// What the caller of the execution handed in, when it is a `T`.
    #[must_use]
    pub fn user<T: Any>(&self) -> Option<&T> {
        self.user?.downcast_ref()
    }

    /// The bounds.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.budget.limits
    }

    /// To be asked before something large is made: `bytes` is its size.
    ///
    /// # Errors
    /// When one value or all values together would become too large.
    pub fn allow(&mut self, bytes: usize) -> Result<(), Failure> {
        self.budget.value(bytes)
    }

    /// To be told by functions that loop over more than their arguments.
    ///
    /// # Errors
    /// When the steps or the time are used up.
    pub fn spend(&mut self, steps: u64) -> Result<(), Failure> {
        self.budget.steps(steps)
    }

    /// Renders a template of this set, as `include` does.
    ///
    /// # Errors
    /// What the execution ends with; its text is Go's.
    pub fn render(&mut self, name: &str, data: Value) -> Result<Str, Failure> {
        self.render_in(self.set, name, data)
    }

    /// Renders a template of another set within the same limits, as `tpl` does.
    ///
    /// # Errors
    /// What the execution ends with; its text is Go's.
    pub fn render_in(
        &mut self,
        set: &TemplateSet,
        name: &str,
        data: Value,
    ) -> Result<Str, Failure> {
        let depth = self.budget.enter_render(self.written)?;
        let mut output = Vec::new();
        let result = exec::execute(set, name, data, self.user, self.budget, &mut output);
        self.budget.leave_render(depth, self.written);
        match result {
            Ok(()) => {
                self.budget.value(output.len())?;
                Ok(Str::from_bytes(output))
            }
            Err(Error::Limit { limit, text, .. }) => Err(Failure::limit(limit, text)),
            Err(error) => Err(Failure::new(error.to_string())),
        }
    }

    /// Calls a function value with arguments, as the built-in `call` does.
    ///
    /// # Errors
    /// When the arguments do not fit, or what the function returns.
    pub fn call(&mut self, function: &Function, args: &mut [Value]) -> Result<Value, Failure> {
        exec::call_value(self, function.name(), function, args)
    }
}
