//! What a reference asks for: read from its parameters, and chosen among what there is.

use crate::door::{Object, Refusal};
use qm_model::Kind;
use qm_model::query::{LabelCriterion, Query};
use serde_json::Value;

const ID: &str = "referenced_instance_id";
const SELECTORS: &str = "selectors";
const NAME: &str = "instance_name_selector";
const PLAN: &str = "plan_name_selector";
const LABELS: &str = "instance_label_selector";

/// Which shared instance is meant.
#[derive(Debug, Clone, PartialEq)]
pub enum Wanted {
    /// This one.
    Id(String),
    /// The only one that is like this. Without any selector: the only one there is.
    Like(Selectors),
}

/// What the shared instance is like. All must hold.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Selectors {
    /// Its name.
    pub name: Option<String>,
    /// The name of its plan in the catalog.
    pub plan: Option<String>,
    /// Its labels.
    pub labels: Vec<LabelCriterion>,
}

/// Reads the parameters of a reference.
///
/// # Errors
/// 400 unless there is either an id or selectors, in their form.
pub fn wanted(parameters: Option<&Object>) -> Result<Wanted, Refusal> {
    let named = |key: &str| {
        let value = parameters.and_then(|parameters| parameters.get(key));
        value.filter(|value| !value.is_null())
    };
    match (named(ID), named(SELECTORS)) {
        (Some(id), None) => Ok(match text(ID, id)? {
            "*" => Wanted::Like(Selectors::default()),
            id => Wanted::Id(id.to_owned()),
        }),
        (None, Some(selectors)) => Ok(Wanted::Like(read(selectors)?)),
        (None, None) => Err(wrong(&format!(
            "a reference needs the parameter {ID} (an id, or * for the only one), or {SELECTORS}"
        ))),
        (Some(_), Some(_)) => Err(wrong(&format!(
            "a reference takes either the parameter {ID} or {SELECTORS}, not both"
        ))),
    }
}

fn read(selectors: &Value) -> Result<Selectors, Refusal> {
    let Value::Object(selectors) = selectors else {
        return Err(wrong(&format!("{SELECTORS} must be an object")));
    };
    let mut read = Selectors::default();
    for (key, value) in selectors {
        match key.as_str() {
            NAME => read.name = Some(text(NAME, value)?.to_owned()),
            PLAN => read.plan = Some(text(PLAN, value)?.to_owned()),
            LABELS => read.labels = labels(value)?,
            _ => {
                return Err(wrong(&format!(
                    "{SELECTORS} may have {NAME}, {PLAN} and {LABELS}, and nothing else"
                )));
            }
        }
    }
    if read == Selectors::default() {
        return Err(wrong(&format!(
            "{SELECTORS} must have at least one of {NAME}, {PLAN} and {LABELS}"
        )));
    }
    Ok(read)
}

fn text<'a>(key: &str, value: &'a Value) -> Result<&'a str, Refusal> {
    let text = value.as_str().filter(|text| !text.is_empty());
    text.ok_or_else(|| wrong(&format!("{key} must be a text that is not empty")))
}

/// Parameters may hold anything, so a query that is none is not repeated.
fn labels(value: &Value) -> Result<Vec<LabelCriterion>, Refusal> {
    let Value::Array(texts) = value else {
        return Err(wrong(&format!("{LABELS} must be a list of label queries")));
    };
    let mut all: Vec<LabelCriterion> = Vec::new();
    for (n, text) in texts.iter().enumerate() {
        let query = Query::parse(&[], None, Some(self::text(LABELS, text)?));
        let criteria = query.map_err(|_| {
            let example = "environment eq 'dev'";
            wrong(&format!(
                "{LABELS}[{n}] is no label query, as in: {example}"
            ))
        })?;
        for criterion in criteria.labels {
            if all.iter().any(|other| other.key == criterion.key) {
                return Err(wrong(&format!("{LABELS}[{n}] asks for a label again")));
            }
            all.push(criterion);
        }
    }
    Ok(all)
}

fn wrong(what: &str) -> Refusal {
    Refusal::invalid("reference-parameters", what)
}

/// The one that is meant, of those that are like it and that the caller may refer to.
///
/// # Errors
/// 404 when there is none, and when there are several: with the word `BadRequest` then, as clients of the old server
/// know it.
pub fn chosen<T>(mut found: Vec<T>) -> Result<T, Refusal> {
    let rule = "reference-choice";
    match (found.pop(), found.len()) {
        (Some(one), 0) => Ok(one),
        (None, _) => {
            let what = format!(
                "could not find such {}: no shared instance of this service that you may refer to is like that",
                Kind::Instance.path()
            );
            Err(Refusal::not_found(rule, "NotFound", &what))
        }
        (Some(_), others) => {
            let what = format!(
                "{} shared instances of this service are like that; name the id of one, or narrow the selectors",
                others + 1
            );
            Err(Refusal::not_found(rule, "BadRequest", &what))
        }
    }
}

/// May a change of a reference bring these parameters? Only what it has already.
///
/// # Errors
/// 400 when they differ.
pub fn unchanged(parameters: Option<&Object>, referenced: &str) -> Result<(), Refusal> {
    let Some(parameters) = parameters else {
        return Ok(());
    };
    let same = |(key, value): (&String, &Value)| {
        key == ID && value.as_str() == Some(referenced) || value.is_null()
    };
    if parameters.iter().all(same) {
        return Ok(());
    }
    Err(Refusal::invalid(
        "reference-parameters",
        "what an instance refers to cannot be changed; create another one",
    ))
}
