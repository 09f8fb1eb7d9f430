//! What the small platform does, with a handle for everything that a mutant changes.

use http::HeaderMap;
use serde_json::Value;

/// What a request is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Catalog,
    Provision,
    Update,
    Deprovision,
    Bind,
    Unbind,
    Fetch,
    Poll,
}

impl Kind {
    pub(super) fn is_delete(self) -> bool {
        matches!(self, Self::Deprovision | Self::Unbind)
    }

    pub(super) fn is_create(self) -> bool {
        matches!(self, Self::Provision | Self::Bind)
    }
}

/// A request before it is sent.
pub(super) struct Ask {
    pub(super) kind: Kind,
    /// How many requests this platform sent before.
    pub(super) number: usize,
    pub(super) method: http::Method,
    pub(super) path: String,
    /// Already encoded.
    pub(super) query: Vec<(String, String)>,
    pub(super) headers: HeaderMap,
    pub(super) body: Option<Value>,
}

/// What came back.
#[derive(Debug, Clone)]
pub(super) enum Got {
    /// A status, and the body when it is JSON.
    Answer(u16, HeaderMap, Option<Value>),
    Timeout,
    Cut,
}

impl Got {
    pub(super) fn status(&self) -> u16 {
        match self {
            Self::Answer(status, ..) => *status,
            _ => 0,
        }
    }

    pub(super) fn object(&self) -> Option<&Value> {
        match self {
            Self::Answer(_, _, Some(body)) if body.is_object() => Some(body),
            _ => None,
        }
    }
}

/// What an answer means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ruling {
    Done,
    Accepted,
    /// Wait and ask again.
    Busy,
    /// Failed; nothing to clean up.
    Failed,
    /// Failed; something may have been made or left.
    Orphaned,
}

/// What a poll means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Poll {
    Succeeded,
    Failed,
    GoOn,
}

/// How the platform behaves. Every field is one thing that a mutant gets wrong.
#[derive(Clone)]
pub(super) struct Habits {
    /// Changes a request before it is sent.
    pub(super) ask: fn(&mut Ask),
    /// Judges an answer anew.
    pub(super) ruling: fn(Kind, &Got, Ruling) -> Ruling,
    /// Judges a poll anew; the kind is that of the work.
    pub(super) poll: fn(Kind, &Got, Poll) -> Poll,
    /// Changes the id of an instance: the plan, how many were made, the id.
    pub(super) instance_id: fn(&str, usize, String) -> String,
    pub(super) binding_id: fn(usize, String) -> String,
    /// Why a catalog is refused.
    pub(super) refuses: fn(&Value) -> bool,
    /// A name as it is compared.
    pub(super) name: fn(&str) -> String,
    /// Encodes a value of a query.
    pub(super) encode: fn(&str) -> String,
    pub(super) flaw: Flaw,
}

/// Faults that are in the order of things and not in one request or answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flaw {
    None,
    DeletesAfterSuccess,
    ForgetsOn304,
    PlansByName,
    HastyTimeout,
    GivesUpOrphans,
    SendsAllParameters,
    TakesPlanTooEarly,
    PollsWithNewPlan,
    ChangesAnyPlan,
    IgnoresPlanUpdateable,
    LosesDashboard,
    KeepsDashboard,
    BindsAnything,
    IgnoresPlanBindable,
    NeverUsable,
    IgnoresUsable,
    RepeatsUpdates,
    DeletesAfterFailedUpdate,
    NoFetchAfterBind,
    MixesCredentials,
    FetchesAlways,
    RotatesAnything,
    RotationDeletes,
    ForgetsAfterFailure,
    RemembersGone,
    RepeatsRefusedDeletions,
    LeavesBindings,
    DeletesDespiteBindings,
    IgnoresRetryAfter,
    IgnoresDates,
    NoLimit,
    PollsAfterTheEnd,
    NoRefetch,
    OldVersion,
    NoVersionOnUpgrade,
}

impl Habits {
    pub(super) fn sound() -> Self {
        Self {
            ask: |_| {},
            ruling: |_, _, ruling| ruling,
            poll: |_, _, poll| poll,
            instance_id: |_, _, id| id,
            binding_id: |_, id| id,
            refuses: |_| false,
            name: str::to_owned,
            encode: |text| {
                let set = percent_encoding::NON_ALPHANUMERIC;
                percent_encoding::utf8_percent_encode(text, set).to_string()
            },
            flaw: Flaw::None,
        }
    }
}
