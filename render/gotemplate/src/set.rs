//! Templates by name, compiled. Executing does not change a set, so one set serves many threads;
//! a clone shares the compiled templates.

mod run;

use std::collections::HashMap;
use std::sync::Arc;

pub use run::Run;

use crate::error::Error;
use crate::function::Functions;
use crate::limits::Limits;
use crate::parse;
use crate::tree::Template;
use crate::value::Value;

/// What looking up a key that a map has not does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MissingKey {
    /// Goes on; printed it is `<no value>`.
    #[default]
    Default,
    /// Gives the zero of the map's element type.
    Zero,
    /// Ends the execution with an error.
    Error,
}

/// Compiled templates that can call each other by name.
#[derive(Clone)]
pub struct TemplateSet {
    templates: HashMap<Arc<str>, Arc<Template>>,
    functions: Arc<Functions>,
    left: Arc<str>,
    right: Arc<str>,
    missing_key: MissingKey,
    limits: Limits,
}

impl TemplateSet {
    /// An empty set whose templates may use these functions.
    #[must_use]
    pub fn new(functions: Arc<Functions>) -> Self {
        Self {
            templates: HashMap::new(),
            functions,
            left: "{{".into(),
            right: "}}".into(),
            missing_key: MissingKey::default(),
            limits: Limits::default(),
        }
    }

    /// Other delimiters for what is parsed from now on; an empty one is the default.
    #[must_use]
    pub fn delimiters(mut self, left: &str, right: &str) -> Self {
        self.left = if left.is_empty() { "{{" } else { left }.into();
        self.right = if right.is_empty() { "}}" } else { right }.into();
        self
    }

    /// What missing keys do, in all templates of the set.
    #[must_use]
    pub fn missing_key(mut self, policy: MissingKey) -> Self {
        self.missing_key = policy;
        self
    }

    /// The limits for parsing, and for executing when the run names no others.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Compiles a text under a name, with the templates that it defines. A template that exists is
    /// replaced, unless the new one is empty.
    ///
    /// # Errors
    /// When the text is no template; the set is then as before.
    pub fn parse(&mut self, name: &str, text: &str) -> Result<(), Error> {
        let parsed = parse::parse(&parse::Source {
            name,
            text,
            left: &self.left,
            right: &self.right,
            functions: &self.functions,
            depth: self.limits.depth,
        })?;
        for template in parsed {
            let known = self.templates.contains_key(&template.name);
            if !(known && template.is_empty()) {
                self.templates
                    .insert(Arc::clone(&template.name), Arc::new(template));
            }
        }
        Ok(())
    }

    /// The functions that templates of this set may use.
    #[must_use]
    pub fn functions(&self) -> &Arc<Functions> {
        &self.functions
    }

    /// Other functions for what is parsed from now on; what is compiled keeps those it was
    /// compiled with.
    pub fn set_functions(&mut self, functions: Arc<Functions>) {
        self.functions = functions;
    }

    /// Whether there is a template of this name.
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
        self.templates.contains_key(name)
    }

    /// The names, sorted.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.templates.keys().map(|name| &**name).collect();
        names.sort_unstable();
        names
    }

    /// Executes a template with the set's limits; the short form of [`run`](Self::run).
    ///
    /// # Errors
    /// What the execution ends with.
    pub fn execute(&self, name: &str, data: impl Into<Value>) -> Result<String, Error> {
        self.run(name).data(data).text()
    }

    /// An execution to be configured.
    #[must_use]
    pub fn run<'a>(&'a self, name: &'a str) -> Run<'a> {
        Run::new(self, name, self.limits)
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Template> {
        self.templates.get(name).map(|template| &**template)
    }

    pub(crate) fn missing(&self) -> MissingKey {
        self.missing_key
    }
}

impl std::fmt::Debug for TemplateSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}
