//! The lines of the specification that a platform is held to, in our own words: the checklist (P) and the rows of the
//! orphan-mitigation table (O). Cases cite them; a test sees that no observable line is left without a case.

use crate::Level::{May, Must, Should};
use crate::rules::{Rule, hidden, rule};

/// Every line, in the order of the checklist.
pub const RULES: &[Rule] = &[
    rule(
        "P1",
        Must,
        "Every request carries X-Broker-API-Version and the credentials that were agreed.",
    ),
    rule(
        "P2",
        Must,
        "Where originating identity is supported, every request caused by a user carries it: a platform word that equals context.platform, and base64 of a JSON object with the fields of its profile.",
    ),
    rule(
        "P3",
        Must,
        "Where request identity is supported, every request carries one, and it is not empty.",
    ),
    rule(
        "P4",
        Must,
        "Catalog entries are matched by id alone; names are case-sensitive; unknown fields are ignored.",
    ),
    rule(
        "P5",
        Should,
        "Texts of more than 255 characters and JSON Schemas from draft-04 on are dealt with.",
    ),
    rule(
        "P6",
        Must,
        "No plan change where plan_updateable is false, no binding where bindable is false, no rotation without binding_rotatable, no fetch unless retrievable; the plan's word counts before the offering's.",
    ),
    rule(
        "P7",
        Must,
        "Ids of instances and bindings are non-empty and globally unique, and are not used again.",
    ),
    rule(
        "P8",
        Must,
        "A poll carries the broker's operation, verbatim and percent-encoded, and service_id and plan_id; during a plan change the old plan_id.",
    ),
    rule(
        "P9",
        Must,
        "Polling stops at succeeded and failed and goes on at everything else, except that 410 means success for a deletion.",
    ),
    rule(
        "P10",
        Must,
        "Retry-After is honoured; after maximum_polling_duration the operation has failed.",
    ),
    rule(
        "P11",
        Must,
        "All bindings are deleted before the instance; what could not be deleted is remembered.",
    ),
    rule(
        "P12",
        Must,
        "422 ConcurrencyError: wait and try again, no orphan mitigation. MaintenanceInfoConflict: fetch the catalog again.",
    ),
    rule(
        "P13",
        Should,
        "An update sends only the parameters that the user gave for it.",
    ),
    rule(
        "P14",
        Should,
        "After a failed update the instance counts as usable unless instance_usable is false; then there are no new bindings. update_repeatable false: no repetition.",
    ),
    rule(
        "P15",
        Must,
        "An update without a dashboard_url, or with null, keeps the old one; unknown attributes are ignored.",
    ),
    rule(
        "P16",
        May,
        "The catalog may be fetched conditionally; 304 means that nothing changed.",
    ),
    rule(
        "P17",
        Should,
        "An answer may take its time: requests typically time out after 60 seconds.",
    ),
    rule(
        "P18",
        Must,
        "After an asynchronous bind has succeeded, the credentials are fetched at once.",
    ),
    hidden(
        rule(
            "P19",
            Should,
            "Bindings are rotated shortly before renew_before; the old one stays until the application has switched.",
        ),
        "when a platform renews depends on its applications; that a rotation itself is right is held by rotate.works",
    ),
    hidden(
        rule(
            "P20",
            Must,
            "Route services, log drains and volumes are connected as the binding says.",
        ),
        "it takes a platform with applications, routes and log streams",
    ),
    rule(
        "O1",
        Must,
        "200 with a malformed body is a failure, without orphan mitigation.",
    ),
    rule(
        "O2",
        Should,
        "201 or 202 with a malformed body to a provision or bind is a failure, with orphan mitigation.",
    ),
    rule(
        "O3",
        Should,
        "Another 2xx to a provision, deprovision, bind or unbind is a failure, with orphan mitigation.",
    ),
    rule(
        "O4",
        Must,
        "Another 2xx or a 5xx to an update is a failure; the instance is not deleted.",
    ),
    rule("O5", Should, "408 is a failure, without orphan mitigation."),
    rule(
        "O6",
        Should,
        "Another 4xx is a refusal, without orphan mitigation.",
    ),
    rule(
        "O7",
        Should,
        "5xx to a provision, deprovision, bind or unbind is a failure, with orphan mitigation.",
    ),
    rule(
        "O8",
        Should,
        "No answer in time to a provision or bind is a failure, with orphan mitigation.",
    ),
    rule(
        "O9",
        Should,
        "No answer in time to anything else is a failure, without orphan mitigation.",
    ),
    rule(
        "O10",
        Should,
        "last_operation failed for a provision, deprovision, bind or unbind is a failure, with orphan mitigation.",
    ),
    rule(
        "O11",
        Should,
        "Orphan mitigation goes on until the broker says success.",
    ),
    rule(
        "O12",
        Must,
        "200, 201 and 202 are successes; nothing is deleted.",
    ),
    hidden(
        rule(
            "O13",
            Should,
            "A failure of the platform itself while it creates something is followed by a deletion.",
        ),
        "it takes a failure inside the platform, which no broker can cause",
    ),
];
