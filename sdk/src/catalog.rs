//! The catalog: from code or YAML, checked, and compiled to what the pipeline asks of it.
//!
//! The endpoint holds one `Compiled` at a time. The rule: a catalog that breaks the protocol never
//! serves; the author reads every problem at the start, with its place.

use bytes::Bytes;
use http::HeaderValue;
use quartermaster_osb::header::ApiVersion;
use quartermaster_osb::{Answer, Catalog, Object, Offering, Plan, Secret};
use quartermaster_osb::{Level, Problem};
use serde_json::Value;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

/// Why a catalog cannot be served.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CatalogError {
    /// It cannot be read.
    #[error("the catalog cannot be read: {0}")]
    Unreadable(String),
    /// It breaks the protocol.
    #[error("the catalog breaks the protocol:\n{}", list(.0))]
    Problems(Vec<Problem>),
}

fn list(problems: &[Problem]) -> String {
    let lines: Vec<String> = problems
        .iter()
        .map(|problem| format!("  {}: {} ({})", problem.path, problem.message, problem.rule))
        .collect();
    lines.join("\n")
}

/// Reads a catalog from YAML or JSON text. The form is that of `GET /v2/catalog`.
pub fn from_yaml(text: &str) -> Result<Catalog, CatalogError> {
    let value: Value = serde_saphyr::from_str(text)
        .map_err(|error| CatalogError::Unreadable(error.to_string()))?;
    let problems = mandatory(quartermaster_osb::catalog::problems_of(&value));
    if !problems.is_empty() {
        return Err(CatalogError::Problems(problems));
    }
    serde_json::from_value(value).map_err(|error| CatalogError::Unreadable(error.to_string()))
}

fn mandatory(problems: Vec<Problem>) -> Vec<Problem> {
    problems
        .into_iter()
        .filter(|problem| problem.level == Level::Must)
        .collect()
}

/// A catalog as the pipeline uses it.
pub(crate) struct Compiled {
    catalog: Catalog,
    fingerprint: u64,
    plans: HashMap<String, HashMap<String, PlanEntry>>,
    /// The body per version of the protocol: fields newer than the caller are left out (T8).
    bodies: Mutex<HashMap<ApiVersion, Bytes>>,
}

/// A plan with its offering and its compiled schemas.
#[derive(Clone)]
pub(crate) struct PlanEntry {
    pub(crate) offering: Arc<Offering>,
    pub(crate) plan: Arc<Plan>,
    create: Option<Arc<jsonschema::Validator>>,
    update: Option<Arc<jsonschema::Validator>>,
    bind: Option<Arc<jsonschema::Validator>>,
}

/// Which parameters are checked.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Input {
    Create,
    Update,
    Bind,
}

impl Compiled {
    pub(crate) fn new(catalog: Catalog) -> Result<Self, CatalogError> {
        let mut problems = mandatory(catalog.problems());
        let mut plans = HashMap::new();
        for (o, offering) in catalog.services.iter().enumerate() {
            let shared = Arc::new(offering.clone());
            let mut entries = HashMap::new();
            for (p, plan) in offering.plans.iter().enumerate() {
                let mut schema = |of: Option<&Value>, at: &str| {
                    of.and_then(|of| {
                        compile(
                            of,
                            &format!("$.services[{o}].plans[{p}].schemas.{at}"),
                            &mut problems,
                        )
                    })
                };
                let entry = PlanEntry {
                    offering: shared.clone(),
                    plan: Arc::new(plan.clone()),
                    create: schema(plan.create_schema(), "service_instance.create.parameters"),
                    update: schema(plan.update_schema(), "service_instance.update.parameters"),
                    bind: schema(plan.bind_schema(), "service_binding.create.parameters"),
                };
                entries.insert(plan.id.as_str().to_owned(), entry);
            }
            plans.insert(offering.id.as_str().to_owned(), entries);
        }
        if !problems.is_empty() {
            return Err(CatalogError::Problems(problems));
        }
        let text = serde_json::to_vec(&catalog)
            .map_err(|error| CatalogError::Unreadable(error.to_string()))?;
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let fingerprint = hasher.finish();
        Ok(Self {
            catalog,
            fingerprint,
            plans,
            bodies: Mutex::new(HashMap::new()),
        })
    }

    pub(crate) fn plan(&self, service: &str, plan: &str) -> Option<&PlanEntry> {
        self.plans.get(service)?.get(plan)
    }

    pub(crate) fn has_service(&self, service: &str) -> bool {
        self.plans.contains_key(service)
    }

    /// The tag for callers of one version: the body depends on it, too.
    pub(crate) fn etag(&self, version: ApiVersion) -> String {
        format!("\"{:016x}-{version}\"", self.fingerprint)
    }

    /// Whether the caller's `If-None-Match` names this catalog.
    pub(crate) fn matches(&self, if_none_match: &str, version: ApiVersion) -> bool {
        let etag = self.etag(version);
        if_none_match
            .split(',')
            .map(|tag| tag.trim().trim_start_matches("W/"))
            .any(|tag| tag == "*" || tag == etag)
    }

    /// The answer for a caller of this version; the body is made once per version.
    pub(crate) fn response(&self, version: ApiVersion) -> http::Response<Bytes> {
        let mut bodies = self.bodies.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(body) = bodies.get(&version) {
            let mut response = http::Response::new(body.clone());
            let headers = response.headers_mut();
            headers.insert(
                http::header::CONTENT_TYPE,
                HeaderValue::from_static("application/json"),
            );
            if let Ok(tag) = HeaderValue::from_str(&self.etag(version)) {
                headers.insert(http::header::ETAG, tag);
            }
            return response;
        }
        let answer = Answer::Catalog {
            body: Box::new(self.catalog.clone()),
            etag: Some(self.etag(version)),
        };
        let response = answer.for_version(version).response();
        // Versions come from callers: keep no more than there are.
        if bodies.len() < 32 {
            bodies.insert(version, response.body().clone());
        }
        response
    }
}

impl PlanEntry {
    /// Every violation of the plan's schema, by place; values are not shown.
    pub(crate) fn violations(&self, input: Input, parameters: &Secret<Object>) -> Vec<String> {
        let validator = match input {
            Input::Create => &self.create,
            Input::Update => &self.update,
            Input::Bind => &self.bind,
        };
        let Some(validator) = validator else {
            return Vec::new();
        };
        let value = Value::Object(parameters.expose().clone());
        validator
            .iter_errors(&value)
            .map(|error| format!("parameters{}: {}", error.instance_path(), error.masked()))
            .collect()
    }
}

fn compile(
    schema: &Value,
    path: &str,
    problems: &mut Vec<Problem>,
) -> Option<Arc<jsonschema::Validator>> {
    match jsonschema::validator_for(schema) {
        Ok(validator) => Some(Arc::new(validator)),
        Err(error) => {
            problems.push(Problem {
                path: path.to_owned(),
                rule: "B13",
                level: Level::Must,
                message: format!("is not a JSON Schema that can be compiled: {error}"),
            });
            None
        }
    }
}
