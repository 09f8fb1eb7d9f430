//! A case about platforms: a stable id, the rules it holds, the plans it needs, and the code that looks.
//!
//! Cases are constants in `cases/*`; `run` executes them. The rule: an id never changes its meaning, because people
//! put ids into `--skip`.

use super::broker::{Call, Plans};
use super::world::World;
use crate::Level;
use crate::case::{Running as BrokerRunning, Seen};
use std::sync::Arc;

/// The future of a running case.
pub(crate) type Running<'a> = BrokerRunning<'a>;

/// One thing the suite looks at.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// `area.what`, never changed once published.
    pub id: &'static str,
    /// The rule lines it holds (`P9`); see `rules`.
    pub rules: &'static [&'static str],
    /// The heading in the specification.
    pub section: &'static str,
    /// How binding it is.
    pub level: Level,
    /// What is expected, in one sentence.
    pub title: &'static str,
    /// What to change in a platform that breaks it.
    pub fix: &'static str,
    pub(crate) plans: Plans,
    pub(crate) how: How,
}

/// How a case is executed.
#[derive(Clone, Copy)]
pub(crate) enum How {
    /// With a broker of its own.
    Own(for<'a> fn(&'a mut World) -> Running<'a>),
    /// Looks at every call of the whole run, one by one.
    Each(fn(&Call) -> Seen),
    /// Looks at all calls of the run together, at its end.
    All(fn(&[Arc<Call>]) -> crate::verdict::Check),
}

impl std::fmt::Debug for How {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Own(_) => "Own",
            Self::Each(_) => "Each",
            Self::All(_) => "All",
        })
    }
}

impl Case {
    /// The part of the id before the dot.
    pub fn area(&self) -> &'static str {
        self.id.split('.').next().unwrap_or(self.id)
    }

    /// Whether it has no broker of its own and judges what the other cases saw.
    pub fn watches(&self) -> bool {
        !matches!(self.how, How::Own(_))
    }

    /// The same case with other plans than the usual one.
    pub(crate) const fn with(mut self, plans: Plans) -> Self {
        self.plans = plans;
        self
    }
}

/// A case on a MUST. A SHOULD that it also looks at is told by `World::should` and only warns.
pub(crate) const fn must(
    id: &'static str,
    rules: &'static [&'static str],
    section: &'static str,
) -> Draft {
    Draft {
        level: Level::Must,
        id,
        rules,
        section,
    }
}

/// A case on a SHOULD.
pub(crate) const fn should(
    id: &'static str,
    rules: &'static [&'static str],
    section: &'static str,
) -> Draft {
    Draft {
        level: Level::Should,
        id,
        rules,
        section,
    }
}

/// A case without its words and code.
pub(crate) struct Draft {
    level: Level,
    id: &'static str,
    rules: &'static [&'static str],
    section: &'static str,
}

impl Draft {
    /// The title, the advice, and the code.
    pub(crate) const fn says(self, title: &'static str, fix: &'static str, how: How) -> Case {
        Case {
            id: self.id,
            rules: self.rules,
            section: self.section,
            level: self.level,
            title,
            fix,
            plans: Plans::USUAL,
            how,
        }
    }
}

/// `own!(|world| f(world, ...))`: the async expression runs with a broker of its own.
macro_rules! own {
    (|$world:ident| $body:expr) => {
        $crate::platform::case::How::Own(|$world| Box::pin($body))
    };
}
pub(crate) use own;
