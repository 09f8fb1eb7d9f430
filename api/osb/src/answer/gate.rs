//! Leaves out of an answer what the caller's version of the protocol did not have yet (T8).
//!
//! Platforms must ignore fields they do not know, and some checkers do not. Brokers gate every answer by
//! the version the platform sent. Unknown fields (`extra`) pass: the broker's author put them there.

use super::Answer;
use crate::{
    Accepted, ApiVersion, Binding, Catalog, ErrorBody, Instance, LastOperation, Offering, Plan,
    ProvisionResponse, UpdateResponse,
};

impl Answer {
    /// The same answer for a platform that speaks `version`.
    pub fn for_version(mut self, version: ApiVersion) -> Self {
        if version >= ApiVersion::CURRENT {
            return self;
        }
        match &mut self {
            Self::Catalog { body, etag: _ } => catalog(body, version),
            Self::Provisioned { created: _, body } => provisioned(body, version),
            Self::Instance(body) => instance(body, version),
            Self::Updated(body) => updated(body, version),
            Self::Bound { created: _, body } | Self::Binding(body) => binding(body, version),
            Self::Accepted(body) => accepted(body, version),
            Self::LastOperation {
                body,
                retry_after: _,
            } => last_operation(body, version),
            Self::Error { status: _, body } => error(body, version),
            Self::NotModified { etag: _ } | Self::Deleted => {}
        }
        self
    }
}

fn catalog(catalog: &mut Catalog, version: ApiVersion) {
    for offering in &mut catalog.services {
        gate_offering(offering, version);
        for plan in &mut offering.plans {
            gate_plan(plan, version);
        }
    }
}

fn gate_offering(offering: &mut Offering, version: ApiVersion) {
    if version < ApiVersion::V2_15 {
        // Context-only updates came with 2.15.
        offering.allow_context_updates = false;
    }
    if version < ApiVersion::V2_14 {
        // Fetching came with 2.14.
        offering.instances_retrievable = false;
        offering.bindings_retrievable = false;
    }
}

fn gate_plan(plan: &mut Plan, version: ApiVersion) {
    if version < ApiVersion::V2_17 {
        // Rotation came with 2.17.
        plan.binding_rotatable = false;
    }
    if version < ApiVersion::V2_15 {
        // Both came with 2.15. `plan_updateable` of a plan did too and stays: it says what the broker will
        // refuse, and nobody is helped by not knowing.
        plan.maintenance_info = None;
        plan.maximum_polling_duration = None;
    }
    if version < ApiVersion::V2_13 {
        // Schemas came with 2.13.
        plan.schemas = None;
    }
}

fn provisioned(body: &mut ProvisionResponse, version: ApiVersion) {
    if version < ApiVersion::V2_16 {
        // Labels and attributes came with 2.16.
        body.metadata = None;
    }
}

fn instance(body: &mut Instance, version: ApiVersion) {
    if version < ApiVersion::V2_16 {
        body.metadata = None;
    }
    if version < ApiVersion::V2_15 {
        body.maintenance_info = None;
    }
}

fn updated(body: &mut UpdateResponse, version: ApiVersion) {
    if version < ApiVersion::V2_16 {
        body.metadata = None;
    }
    if version < ApiVersion::V2_14 {
        // An update could not move the dashboard before 2.14.
        body.dashboard_url = None;
    }
}

fn accepted(body: &mut Accepted, version: ApiVersion) {
    if version < ApiVersion::V2_16 {
        body.metadata = None;
    }
}

fn binding(body: &mut Binding, version: ApiVersion) {
    if version < ApiVersion::V2_17 {
        // `renew_before` came with 2.17.
        if let Some(metadata) = &mut body.metadata {
            metadata.renew_before = None;
        }
    }
    if version < ApiVersion::V2_16 {
        // Expiry came with 2.16. `endpoints` and the parameters of a fetched binding are written in 2.15
        // and 2.14, and the checkers of that time refuse both.
        body.metadata = None;
        body.endpoints = None;
        body.parameters = None;
    }
}

fn last_operation(body: &mut LastOperation, version: ApiVersion) {
    if version < ApiVersion::V2_16 {
        // Both came with 2.16.
        body.instance_usable = None;
        body.update_repeatable = None;
    }
}

fn error(body: &mut ErrorBody, version: ApiVersion) {
    if version < ApiVersion::V2_16 {
        body.instance_usable = None;
        body.update_repeatable = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn everything() -> Vec<(&'static str, Answer)> {
        let catalog = json!({"services": [{
            "name": "s", "id": "s", "description": "s", "bindable": true,
            "instances_retrievable": true, "bindings_retrievable": true, "allow_context_updates": true,
            "x_vendor": 1,
            "plans": [{
                "id": "p", "name": "p", "description": "p", "binding_rotatable": true,
                "plan_updateable": true, "schemas": {}, "maximum_polling_duration": 9,
                "maintenance_info": {"version": "1.0.0"}
            }]
        }]});
        let binding = json!({
            "metadata": {"expires_at": "e", "renew_before": "r"}, "credentials": {}, "endpoints": [],
            "parameters": {}
        });
        let failed =
            json!({"state": "failed", "instance_usable": false, "update_repeatable": false});
        let binding: Binding = serde_json::from_value(binding).unwrap();
        vec![
            (
                "catalog",
                Answer::Catalog {
                    body: serde_json::from_value(catalog).unwrap(),
                    etag: None,
                },
            ),
            (
                "provisioned",
                Answer::Provisioned {
                    created: true,
                    body: serde_json::from_value(json!({"dashboard_url": "d", "metadata": {}}))
                        .unwrap(),
                },
            ),
            (
                "instance",
                Answer::Instance(
                    serde_json::from_value(json!({
                        "plan_id": "p", "maintenance_info": {"version": "1.0.0"}, "metadata": {}
                    }))
                    .unwrap(),
                ),
            ),
            (
                "updated",
                Answer::Updated(
                    serde_json::from_value(json!({"dashboard_url": "d", "metadata": {}})).unwrap(),
                ),
            ),
            (
                "bound",
                Answer::Bound {
                    created: true,
                    body: Box::new(binding.clone()),
                },
            ),
            ("binding", Answer::Binding(Box::new(binding))),
            (
                "accepted",
                Answer::Accepted(
                    serde_json::from_value(
                        json!({"operation": "o", "dashboard_url": "d", "metadata": {}}),
                    )
                    .unwrap(),
                ),
            ),
            (
                "last_operation",
                Answer::LastOperation {
                    body: serde_json::from_value(failed.clone()).unwrap(),
                    retry_after: Some(1),
                },
            ),
            (
                "error",
                Answer::Error {
                    status: http::StatusCode::BAD_REQUEST,
                    body: serde_json::from_value(failed).unwrap(),
                },
            ),
        ]
    }

    /// The oldest version that sees each field.
    const SINCE: [(&str, &str, u16); 27] = [
        ("catalog", "/services/0/x_vendor", 11),
        ("catalog", "/services/0/instances_retrievable", 14),
        ("catalog", "/services/0/bindings_retrievable", 14),
        ("catalog", "/services/0/allow_context_updates", 15),
        ("catalog", "/services/0/plans/0/free", 11),
        ("catalog", "/services/0/plans/0/binding_rotatable", 17),
        ("catalog", "/services/0/plans/0/plan_updateable", 11),
        ("catalog", "/services/0/plans/0/schemas", 13),
        (
            "catalog",
            "/services/0/plans/0/maximum_polling_duration",
            15,
        ),
        ("catalog", "/services/0/plans/0/maintenance_info", 15),
        ("provisioned", "/dashboard_url", 11),
        ("provisioned", "/metadata", 16),
        ("instance", "/plan_id", 11),
        ("instance", "/maintenance_info", 15),
        ("instance", "/metadata", 16),
        ("updated", "/dashboard_url", 14),
        ("updated", "/metadata", 16),
        ("bound", "/credentials", 11),
        ("bound", "/metadata/expires_at", 16),
        ("bound", "/metadata/renew_before", 17),
        ("bound", "/endpoints", 16),
        ("binding", "/parameters", 16),
        ("accepted", "/operation", 11),
        ("accepted", "/metadata", 16),
        ("last_operation", "/state", 11),
        ("last_operation", "/instance_usable", 16),
        ("error", "/update_repeatable", 16),
    ];

    #[test]
    fn a_field_appears_with_its_version_and_stays() {
        let answers = everything();
        for (name, path, since) in SINCE {
            let (_, answer) = answers.iter().find(|(known, _)| *known == name).unwrap();
            for minor in 11..=18 {
                let gated = answer.clone().for_version(ApiVersion::new(2, minor));
                let body: Value = serde_json::from_slice(gated.response().body()).unwrap();
                let seen = body.pointer(path).is_some();
                assert_eq!(seen, minor >= since, "{name}{path} at 2.{minor}");
            }
        }
    }
}
