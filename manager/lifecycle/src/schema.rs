//! Parameters against the schema in the catalog, before a broker is called.
//!
//! The rule: what the schema refuses never reaches the broker, and the refusal names every place that is wrong, never
//! what was written there: parameters are secrets. A schema that is none is passed over; the broker will say.

use qm_model::Error;
use qm_model::plan::Plan;
use quartermaster_osb::Object;
use serde_json::Value;

/// Problems that are named.
const MOST: usize = 10;

/// What the parameters are for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum For {
    Create,
    Update,
    Bind,
}

impl For {
    fn path(self) -> [&'static str; 2] {
        match self {
            Self::Create => ["service_instance", "create"],
            Self::Update => ["service_instance", "update"],
            Self::Bind => ["service_binding", "create"],
        }
    }
}

/// Whether the plan's schema takes these parameters. None are like empty ones.
///
/// # Errors
/// 400 with every place that is wrong.
pub(crate) fn check(plan: &Plan, what: For, parameters: Option<&Object>) -> Result<(), Error> {
    let [of, deed] = what.path();
    let schema = plan
        .schemas
        .as_ref()
        .and_then(|schemas| schemas.get(of)?.get(deed)?.get("parameters"));
    let Some(schema) = schema else {
        return Ok(());
    };
    let validator = match jsonschema::validator_for(schema) {
        Ok(validator) => validator,
        Err(error) => {
            tracing::debug!(plan = %plan.id, error = %error.masked(), "the plan's schema is none");
            return Ok(());
        }
    };
    let given = Value::Object(parameters.cloned().unwrap_or_default());
    let problems: Vec<String> = validator
        .iter_errors(&given)
        .take(MOST)
        .map(|problem| {
            let place = problem.instance_path().to_string();
            let place = if place.is_empty() { "/" } else { &place };
            format!("{place}: {}", problem.masked())
        })
        .collect();
    if problems.is_empty() {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "parameters do not fit the schema of the plan {:?}: {}",
        plan.name,
        problems.join("; ")
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use qm_model::id::{OfferingId, PlanId};
    use qm_model::{Labels, Meta, Time};
    use serde_json::json;

    fn plan(schema: &Value) -> Plan {
        Plan {
            id: PlanId::stored("p".to_owned()),
            offering_id: OfferingId::stored("o".to_owned()),
            name: "small".to_owned(),
            description: String::new(),
            free: true,
            bindable: None,
            plan_updateable: None,
            metadata: None,
            schemas: Some(json!({"service_instance": {"create": {"parameters": schema}}})),
            maximum_polling_duration: None,
            maintenance_info: None,
            catalog_id: "p".to_owned(),
            catalog_name: "small".to_owned(),
            meta: Meta::new(Time(0), Labels::new()),
        }
    }

    fn object(value: Value) -> Object {
        match value {
            Value::Object(object) => object,
            _ => panic!("no object"),
        }
    }

    #[test]
    fn every_place_is_named_and_no_value() {
        let plan = plan(&json!({
            "type": "object",
            "required": ["size"],
            "properties": {"size": {"type": "integer"}, "password": {"maxLength": 3}},
        }));
        let given = object(json!({"size": "hunter2", "password": "hunter2"}));
        let error = check(&plan, For::Create, Some(&given)).unwrap_err();
        let words = error.to_string();
        assert_eq!(error.status(), 400);
        assert!(
            words.contains("/size") && words.contains("/password"),
            "{words}"
        );
        assert!(!words.contains("hunter2"), "{words}");
        assert!(check(&plan, For::Create, None).is_err(), "size is required");
        assert!(check(&plan, For::Update, None).is_ok(), "it has no schema");
        let good = object(json!({"size": 1}));
        assert!(check(&plan, For::Create, Some(&good)).is_ok());
    }

    #[test]
    fn what_is_no_schema_is_passed_over() {
        assert!(check(&plan(&json!({"type": 5})), For::Create, None).is_ok());
    }
}
