//! A case: a stable id, the rule it holds, and the code that looks.
//!
//! Cases are constants in `cases/*`, built with `must` and `should`; `run` executes them. The rule: an
//! id never changes its meaning, because people put ids into `--skip`.

use crate::client::Reply;
use crate::verdict::Check;
use crate::world::World;
use crate::{Level, Request};
use std::future::Future;
use std::pin::Pin;

/// The future of a running case.
pub(crate) type Running<'a> = Pin<Box<dyn Future<Output = Check> + Send + 'a>>;

/// One thing the suite looks at.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// `area.what`, never changed once published.
    pub id: &'static str,
    /// The rule lines it holds (`B20`); see `rules`.
    pub rules: &'static [&'static str],
    /// The heading in the specification.
    pub section: &'static str,
    /// How binding it is.
    pub level: Level,
    /// What is expected, in one sentence.
    pub title: &'static str,
    /// What to change in a broker that breaks it.
    pub fix: &'static str,
    /// First minor version of the protocol that has it.
    pub since: u16,
    pub(crate) how: How,
}

/// How a case is executed.
#[derive(Clone, Copy)]
pub(crate) enum How {
    /// Once per run.
    Once(for<'a> fn(&'a mut World) -> Running<'a>),
    /// Once per plan, one after the other, on the instance all cases of the plan share.
    Shared(for<'a> fn(&'a mut World) -> Running<'a>),
    /// Once per plan, on instances of its own, beside other cases.
    Own(for<'a> fn(&'a mut World) -> Running<'a>),
    /// Looks at every exchange of the whole run.
    Watch(fn(&Request, &Reply) -> Seen),
}

/// What a watching case says of one exchange.
#[derive(Debug)]
pub(crate) enum Seen {
    /// The rule does not speak about this exchange.
    NotMine,
    /// As it should be.
    Right,
    /// Not as it should be; what was expected.
    Wrong(String),
}

impl std::fmt::Debug for How {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Once(_) => "Once",
            Self::Shared(_) => "Shared",
            Self::Own(_) => "Own",
            Self::Watch(_) => "Watch",
        })
    }
}

impl Case {
    /// The part of the id before the dot.
    pub fn area(&self) -> &'static str {
        self.id.split('.').next().unwrap_or(self.id)
    }

    /// Whether it runs for every chosen plan.
    pub fn per_plan(&self) -> bool {
        matches!(self.how, How::Shared(_) | How::Own(_))
    }

    pub(crate) const fn since(mut self, minor: u16) -> Self {
        self.since = minor;
        self
    }
}

/// A case on a MUST.
pub(crate) const fn must(
    id: &'static str,
    rules: &'static [&'static str],
    section: &'static str,
) -> Draft {
    Draft::new(Level::Must, id, rules, section)
}

/// A case on a SHOULD.
pub(crate) const fn should(
    id: &'static str,
    rules: &'static [&'static str],
    section: &'static str,
) -> Draft {
    Draft::new(Level::Should, id, rules, section)
}

/// A case without its words and code.
pub(crate) struct Draft {
    level: Level,
    id: &'static str,
    rules: &'static [&'static str],
    section: &'static str,
}

impl Draft {
    const fn new(
        level: Level,
        id: &'static str,
        rules: &'static [&'static str],
        section: &'static str,
    ) -> Self {
        Self {
            level,
            id,
            rules,
            section,
        }
    }

    /// The title, the advice, and the code.
    pub(crate) const fn says(self, title: &'static str, fix: &'static str, how: How) -> Case {
        Case {
            id: self.id,
            rules: self.rules,
            section: self.section,
            level: self.level,
            title,
            fix,
            since: 11,
            how,
        }
    }
}

/// `once!(f)`: the async function `f(&mut World)` runs once per run.
macro_rules! once {
    ($f:path) => {
        $crate::case::How::Once(|world| Box::pin($f(world)))
    };
}
/// `shared!(f)`: per plan, in turn, on the shared instance.
macro_rules! shared {
    ($f:path) => {
        $crate::case::How::Shared(|world| Box::pin($f(world)))
    };
}
/// `own!(f)`: per plan, on instances of its own.
macro_rules! own {
    ($f:path) => {
        $crate::case::How::Own(|world| Box::pin($f(world)))
    };
}
pub(crate) use {once, own, shared};
