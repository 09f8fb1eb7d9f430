//! How a deletion is asked for: which of `async`, `cascade` and `force` mean something where.
//!
//! The rule: a parameter that would be dangerous to pass over (somebody believes that more, or less, is
//! removed) is refused where it means nothing.

use super::Params;
use crate::Failure;
use qm_model::Kind;

/// How one resource is to be deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Removal {
    /// It alone.
    Alone,
    /// What depends on it goes first.
    Cascade {
        /// What the broker refuses to delete is forgotten.
        force: bool,
    },
}

/// How it is to be deleted.
pub(crate) fn of(params: &Params, kind: Kind) -> Result<Removal, Failure> {
    let cascade = params.flag("cascade");
    let force = params.flag("force");
    let has_force = matches!(kind, Kind::Instance | Kind::Binding | Kind::Tenant);
    let has_cascade = has_force || kind == Kind::Platform;
    if cascade && !has_cascade {
        let words = format!("cascade means nothing for {}", kind.path());
        return Err(Failure::bad_request(words));
    }
    if force && !has_force {
        let words = format!("force means nothing for {}", kind.path());
        return Err(Failure::bad_request(words));
    }
    if force && !cascade {
        return Err(Failure::bad_request(
            "force is only for cascade=true; say both or none",
        ));
    }
    Ok(match cascade {
        true => Removal::Cascade { force },
        false => Removal::Alone,
    })
}

/// Many at once: always in the request, never with what depends on them.
pub(crate) fn many(params: &Params) -> Result<(), Failure> {
    params.not_async()?;
    for name in ["cascade", "force"] {
        if params.flag(name) {
            let words = format!("{name} is only for the deletion of one resource");
            return Err(Failure::bad_request(words));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cascade_and_force_only_where_they_mean_something() {
        use Kind::{Binding, Broker, Instance, Operation, Platform, Tenant, Visibility};
        use Removal::{Alone, Cascade};
        let (cascade, forced) = (Cascade { force: false }, Cascade { force: true });
        let cases = [
            (Platform, "cascade=true", Some(cascade)),
            (Platform, "cascade=false", Some(Alone)),
            (Platform, "", Some(Alone)),
            (Broker, "", Some(Alone)),
            (Broker, "cascade=true", None),
            (Visibility, "cascade=true", None),
            (Operation, "cascade=true", None),
            (Platform, "force=true", None),
            (Platform, "cascade=true&force=true", None),
            (Instance, "force=true", None),
            (Instance, "cascade=true&force=true", Some(forced)),
            (Binding, "cascade=true", Some(cascade)),
            (Binding, "cascade=true&force=false", Some(cascade)),
            (Tenant, "cascade=true&force=true", Some(forced)),
            (Tenant, "", Some(Alone)),
        ];
        for (kind, query, wanted) in cases {
            let params = Params::read(query).unwrap();
            assert_eq!(of(&params, kind).ok(), wanted, "{kind} {query}");
        }
    }

    #[test]
    fn many_are_deleted_in_the_request_only() {
        for (query, fine) in [
            ("", true),
            ("async=false", true),
            ("async=true", false),
            ("cascade=true", false),
        ] {
            assert_eq!(many(&Params::read(query).unwrap()).is_ok(), fine, "{query}");
        }
    }
}
