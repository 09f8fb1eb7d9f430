//! The form of every request, watched over the whole run.

use super::sections::{DEPROVISION, PROVISION, SYNC, URLS};
use crate::case::Seen;
use crate::platform::broker::{Call, Verb};
use crate::platform::case::{Case, How, must};

pub(super) const CASES: &[Case] = &[
    must("requests.known", &["P7"], URLS).says(
        "Every request is one of the ten that the specification has, with ids that are not empty",
        "Build paths exactly as the specification writes them, without a slash at the end.",
        How::Each(known),
    ),
    must("requests.provision-fields", &["P4"], PROVISION).says(
        "A provision has service_id, plan_id, organization_guid and space_guid, none empty",
        "Fill in all four; a platform without organizations sends any non-empty text.",
        How::Each(provision_fields),
    ),
    must("requests.delete-ids", &["P4", "P11"], DEPROVISION).says(
        "Every DELETE names the service_id and plan_id of what it deletes, in the query",
        "Send the ids under which the resource stands, the new plan's after a plan change.",
        How::Each(delete_ids),
    ),
    must("requests.accepts-incomplete", &["P8"], SYNC).says(
        "accepts_incomplete is true or false where it stands",
        "Write accepts_incomplete=true, or leave it out.",
        How::Each(accepts_incomplete),
    ),
];

fn known(call: &Call) -> Seen {
    let binding = matches!(
        call.verb,
        Verb::Bind | Verb::Unbind | Verb::FetchBinding | Verb::PollBinding
    );
    match call.verb {
        Verb::Other => Seen::Wrong("a method and path of the specification".to_owned()),
        Verb::Catalog => Seen::Right,
        _ if call.instance.is_empty() => Seen::Wrong("an instance id in the path".to_owned()),
        _ if binding && call.binding.is_empty() => {
            Seen::Wrong("a binding id in the path".to_owned())
        }
        _ => Seen::Right,
    }
}

fn provision_fields(call: &Call) -> Seen {
    if call.verb != Verb::Provision {
        return Seen::NotMine;
    }
    let fields = ["service_id", "plan_id", "organization_guid", "space_guid"];
    let missing = fields
        .into_iter()
        .find(|field| call.text(field).is_none_or(str::is_empty));
    match missing {
        Some(field) => Seen::Wrong(format!("{field} as a text that is not empty")),
        None => Seen::Right,
    }
}

fn delete_ids(call: &Call) -> Seen {
    if !matches!(call.verb, Verb::Deprovision | Verb::Unbind) {
        return Seen::NotMine;
    }
    for (key, right) in [
        ("service_id", &call.known.service_id),
        ("plan_id", &call.known.plan_id),
    ] {
        let given = call.asked(key).unwrap_or_default();
        if given.is_empty() {
            return Seen::Wrong(format!("{key} in the query"));
        }
        if !right.is_empty() && given != right {
            return Seen::Wrong(format!("{key}={right}, which it stands under, not {given}"));
        }
    }
    Seen::Right
}

fn accepts_incomplete(call: &Call) -> Seen {
    match call.asked("accepts_incomplete") {
        None => Seen::NotMine,
        Some("true" | "false") => Seen::Right,
        Some(other) => Seen::Wrong(format!("true or false, not {other:?}")),
    }
}
