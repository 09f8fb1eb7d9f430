//! Whether a caller may do anything to a kind of resource at all. The doors ask before they look at what was sent, so that
//! whoever has no right hears that first and learns nothing else. The deeds ask again, and get their permit.

use crate::Lifecycle;
use qm_model::{Ctx, Error, Kind};

/// What is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// To look.
    Read,
    /// To change something.
    Change,
}

/// Whether the caller may.
///
/// # Errors
/// 401 when this needs another proof, 403 when the caller has not the role.
pub fn permitted(deeds: &Lifecycle, ctx: &Ctx, kind: Kind, wish: Wish) -> Result<(), Error> {
    let settings = &deeds.settings.policy;
    match wish {
        Wish::Read => qm_policy::read(ctx, kind, settings).map(drop),
        Wish::Change => qm_policy::change(ctx, kind, settings).map(drop),
    }
}
