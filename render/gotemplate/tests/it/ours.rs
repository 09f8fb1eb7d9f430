//! Our engine, asked as the oracle is asked.

use std::sync::{Arc, LazyLock};

use qm_gotemplate::{Functions, Limits, MissingKey, Numbers, TemplateSet};

use super::oracle::{Answer, Request};
use super::world;

static FUNCTIONS: LazyLock<Arc<Functions>> = LazyLock::new(|| Arc::new(world::functions()));

pub(crate) fn answer(request: &Request) -> Answer {
    let missing = match request.missingkey.as_str() {
        "zero" => MissingKey::Zero,
        "error" => MissingKey::Error,
        _ => MissingKey::Default,
    };
    let numbers = match request.numbers.as_str() {
        "int64" => Numbers::Int64,
        _ => Numbers::Float64,
    };
    let mut set = TemplateSet::new(Arc::clone(&FUNCTIONS))
        .delimiters(&request.left, &request.right)
        .missing_key(missing);
    set.parse("t", &request.text)
        .map_err(|error| error.to_string())?;
    let limits = Limits {
        output_bytes: 1 << 18,
        ..Limits::default()
    };
    let mut output = Vec::new();
    set.run("t")
        .limits(limits)
        .data(world::data(numbers))
        .write(&mut output)
        .map_err(|error| error.to_string())?;
    Ok(output)
}
