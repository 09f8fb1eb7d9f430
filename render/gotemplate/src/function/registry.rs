//! Functions by name. A set of templates is compiled against one registry; later additions replace
//! earlier ones of the same name, also the built-in ones.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Args, Failure, Function, Signature};
use crate::context::Context;
use crate::value::Value;

/// Functions by name.
#[derive(Debug, Clone, Default)]
pub struct Functions(HashMap<Arc<str>, Arc<Function>>);

impl Functions {
    /// None but the built-in ones.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a closure under a name.
    pub fn add<F>(&mut self, name: &str, signature: Signature, body: F) -> &mut Self
    where
        F: Fn(&mut Context<'_>, Args<'_>) -> Result<Value, Failure> + Send + Sync + 'static,
    {
        self.insert(Function::new(name, signature, body))
    }

    /// Adds a function under its own name.
    pub fn insert(&mut self, function: Function) -> &mut Self {
        self.0.insert(function.name.clone(), Arc::new(function));
        self
    }

    /// The same function under a second name.
    pub fn alias(&mut self, name: &str, of: &str) -> &mut Self {
        if let Some(function) = self.0.get(of) {
            let mut function = Function::clone(function);
            function.name = name.into();
            self.insert(function);
        }
        self
    }

    /// Adds all of another registry; its functions win.
    pub fn extend(&mut self, other: &Self) -> &mut Self {
        let others = other.0.iter();
        self.0
            .extend(others.map(|(name, function)| (name.clone(), function.clone())));
        self
    }

    /// Takes one out.
    pub fn remove(&mut self, name: &str) -> &mut Self {
        self.0.remove(name);
        self
    }

    /// The function of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Arc<Function>> {
        self.0.get(name)
    }

    /// The names, sorted.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.0.keys().map(|name| &**name).collect();
        names.sort_unstable();
        names
    }
}
