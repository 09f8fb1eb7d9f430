//! What an author's function returns: done now, or work for later.
//!
//! The rule: a function that answers `later` has done nothing yet. The framework may drop the work
//! unstarted, when the platform cannot wait.

use super::failure::Failure;
use quartermaster_osb::{InstanceMetadata, Object};
use std::fmt;
use std::future::Future;
use std::pin::Pin;

/// Work that goes on after the answer.
pub type Job<T> = Pin<Box<dyn Future<Output = Result<T, Failure>> + Send>>;

/// Done now, or later.
pub enum Outcome<T> {
    /// Finished: the platform gets 200 or 201.
    Now(T),
    /// Goes on: the platform gets 202, or 422 `AsyncRequired` when it cannot wait.
    Later(Later<T>),
}

/// Work for later, and what can be said at once.
pub struct Later<T> {
    pub(crate) job: Job<T>,
    pub(crate) dashboard_url: Option<String>,
}

/// The function has finished.
pub fn now<T>(value: T) -> Outcome<T> {
    Outcome::Now(value)
}

/// The work goes on after the answer. It starts when the platform accepted to wait, and runs again
/// from its beginning if this process dies.
pub fn later<T>(work: impl Future<Output = Result<T, Failure>> + Send + 'static) -> Outcome<T> {
    Outcome::Later(Later {
        job: Box::pin(work),
        dashboard_url: None,
    })
}

impl<T> Outcome<T> {
    /// The page for people, which the protocol wants in the first answer even if the work goes on.
    pub fn dashboard_url(mut self, url: impl Into<String>) -> Self {
        if let Self::Later(later) = &mut self {
            later.dashboard_url = Some(url.into());
        }
        self
    }
}

impl<T> fmt::Debug for Outcome<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Now(_) => "Now",
            Self::Later(_) => "Later",
        })
    }
}

/// What provision made.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Provisioned {
    /// A page for people. When the work was for later, name it there too.
    pub dashboard_url: Option<String>,
    /// Labels and attributes (2.16).
    pub metadata: Option<InstanceMetadata>,
}

/// What update changed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Updated {
    /// A new page for people; `None` keeps the old one.
    pub dashboard_url: Option<String>,
    /// New labels and attributes; `None` keeps the old ones.
    pub metadata: Option<InstanceMetadata>,
    /// The parameters in force now. `None`: the changes, laid over what was there, key by key.
    pub parameters: Option<Object>,
}
