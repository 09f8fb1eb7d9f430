//! The lines of the specification that a broker is held to, in our own words, each with a number that
//! cases cite. Printed beside findings and used by a test that no observable line is left without a case.

use crate::Level::{self, May, Must, Should};

/// One line a broker is held to.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// Its number.
    pub id: &'static str,
    /// How binding it is.
    pub level: Level,
    /// The line.
    pub text: &'static str,
    /// Why the suite cannot look at it, when it cannot.
    pub unobservable: Option<&'static str>,
}

pub(crate) const fn rule(id: &'static str, level: Level, text: &'static str) -> Rule {
    Rule {
        id,
        level,
        text,
        unobservable: None,
    }
}

pub(crate) const fn hidden(rule: Rule, why: &'static str) -> Rule {
    Rule {
        unobservable: Some(why),
        ..rule
    }
}

/// Every line, in the order of the specification.
pub const RULES: &[Rule] = &[
    rule(
        "B1",
        Must,
        "Unknown extra JSON fields in a request are ignored, never an error.",
    ),
    rule(
        "B2",
        May,
        "A missing version header may be refused with 400, an unsupported version with 412 and a message that names the wanted one; a higher minor version is never refused for being higher.",
    ),
    rule(
        "B3",
        Must,
        "When authentication is used, every endpoint answers 401 to missing or wrong credentials, before it looks at anything else.",
    ),
    rule(
        "B4",
        Should,
        "X-Broker-API-Request-Identity comes back unchanged on every answer, errors included.",
    ),
    rule(
        "B5",
        May,
        "X-Broker-API-Originating-Identity is a platform word and a base64 JSON object; it agrees with context.platform.",
    ),
    rule(
        "B6",
        Should,
        "Bodies are application/json; another content type or a body that cannot be parsed is answered with 400.",
    ),
    rule(
        "B7",
        Must,
        "Where the specification names a code, that code is used; a refused request (4xx) leaves the broker as it was.",
    ),
    rule(
        "B8",
        Must,
        "error and description are non-empty when present; instance_usable and update_repeatable appear only where the specification has them.",
    ),
    rule(
        "B9",
        Must,
        "AsyncRequired, ConcurrencyError, RequiresApp and MaintenanceInfoConflict are used only with 422.",
    ),
    rule(
        "B10",
        Should,
        "Ids are opaque; each path segment is percent-decoded by itself.",
    ),
    rule(
        "B11",
        Must,
        "The catalog lists offerings with at least one plan each; names are unique where they must be; ids are non-empty, globally unique and stable.",
    ),
    rule(
        "B12",
        Should,
        "Names are friendly to a command line, texts have at most 255 characters, ids are GUIDs.",
    ),
    rule(
        "B13",
        Must,
        "Schemas carry $schema, have no external $ref and are at most 64 kB.",
    ),
    rule("B14", Must, "maintenance_info has a SemVer 2.0 version."),
    rule(
        "B15",
        Must,
        "Syslog drains, route services and volume mounts need the matching entry in requires.",
    ),
    rule(
        "B16",
        May,
        "The catalog may be fetched conditionally; then 304 says that nothing changed.",
    ),
    rule(
        "B20",
        Must,
        "Provision: 201 made now, 202 under way and the same operation on repeat, 200 there and identical, 409 there and different.",
    ),
    rule(
        "B21",
        Must,
        "Without accepts_incomplete=true an operation that can only run asynchronously is refused with 422 AsyncRequired.",
    ),
    rule(
        "B22",
        Must,
        "Provision: a malformed body, a missing mandatory field or an unknown id is answered with 400.",
    ),
    rule(
        "B23",
        Must,
        "A maintenance_info.version that is not the catalog's is refused with 422 MaintenanceInfoConflict; its other fields are ignored.",
    ),
    rule(
        "B24",
        Must,
        "The dashboard URL stands in the first answer, also when the operation goes on.",
    ),
    rule(
        "B25",
        Must,
        "An operation string has at most 10,000 characters.",
    ),
    rule(
        "B26",
        May,
        "Provision, update and fetch may answer metadata with labels and attributes.",
    ),
    rule(
        "B30",
        Must,
        "Fetch instance works for all plans of an offering that announces it, at once after success; 404 when unknown or still being made.",
    ),
    rule(
        "B31",
        May,
        "Fetch instance may leave out sensitive parameters; maintenance_info is the version on the instance.",
    ),
    rule(
        "B40",
        Must,
        "An update without plan_id keeps the plan, one without parameters keeps the parameters.",
    ),
    rule(
        "B41",
        Must,
        "Update: 200 when applied or nothing to do, 202 when under way and the same operation on repeat.",
    ),
    rule(
        "B42",
        Must,
        "An update that is not supported or not possible now is refused with 422 and a meaningful description.",
    ),
    rule(
        "B43",
        Must,
        "Context-only updates and plan changes happen only where the catalog announces them.",
    ),
    rule(
        "B44",
        May,
        "A failed update may say instance_usable and update_repeatable.",
    ),
    rule(
        "B45",
        Must,
        "An update answers a changed dashboard URL at once, also when it goes on.",
    ),
    rule(
        "B50",
        Must,
        "Bind: 201 made now, 202 under way without credentials and the same operation on repeat, 200 there and identical, 409 there and different.",
    ),
    rule(
        "B51",
        Must,
        "A binding that needs an application and gets none is refused with 422 RequiresApp; bind_resource.app_guid goes before app_guid.",
    ),
    rule(
        "B52",
        Must,
        "Credentials are handed out at least once; an asynchronous binding hands them out by fetch, right after success.",
    ),
    rule(
        "B53",
        Must,
        "What a binding answers fits what the offering requires.",
    ),
    rule(
        "B54",
        Must,
        "Fetch binding: 404 when unknown or still being made.",
    ),
    rule(
        "B55",
        Must,
        "Rotation: only for plans that announce it, from a living binding of the same instance, by its id alone; old and new are valid side by side.",
    ),
    rule(
        "B56",
        Must,
        "expires_at and renew_before are UTC times in ISO 8601; renew_before is not after expires_at.",
    ),
    rule(
        "B57",
        Must,
        "endpoints, when given, lists all endpoints, each with host and ports.",
    ),
    rule(
        "B58",
        May,
        "A parallel bind may be refused with 422 ConcurrencyError.",
    ),
    rule(
        "B60",
        Must,
        "Delete: 200 with {} gone now, 202 under way and the same operation on repeat, 410 not there, 400 without the mandatory query.",
    ),
    rule(
        "B61",
        Must,
        "A delete that is accepted during create halts the create and cleans up.",
    ),
    rule(
        "B62",
        May,
        "Deprovision while bindings remain: the broker's choice, carried through.",
    ),
    hidden(
        rule(
            "B63",
            Must,
            "Unbind deletes everything that belongs to the binding.",
        ),
        "what a broker keeps behind its API cannot be seen through it; the visible part is held by unbind.gone and fetch-binding.after-unbind",
    ),
    rule(
        "B70",
        Must,
        "last_operation: the state is one of three exact words; 404 for what is unknown; 410 only for a finished delete.",
    ),
    rule(
        "B71",
        Should,
        "A final state can be read again for a while; Retry-After is seconds or a date.",
    ),
    rule(
        "B72",
        Must,
        "The description of an instance operation is non-empty when present.",
    ),
    rule(
        "B73",
        Must,
        "Without an operation string there is only one operation at a time, and a poll without it reports that one.",
    ),
    rule(
        "B74",
        Must,
        "Operations that cannot run side by side are refused with 422 ConcurrencyError; state is never corrupted.",
    ),
];

/// A rule by its number, of brokers or of platforms.
pub fn rule_by_id(id: &str) -> Option<&'static Rule> {
    let mut all = RULES.iter().chain(crate::platform::rules::RULES);
    all.find(|rule| rule.id == id)
}
