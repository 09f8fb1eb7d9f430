//! Runs compiled templates. [`execute`] is called by `TemplateSet` and by functions that render.
//!
//! The rule: `node` always is what Go's engine would name in an error, so whoever evaluates a part
//! sets it first.

mod argument;
mod call;
mod command;
mod control;
mod field;
mod machine;
mod pipeline;
mod print;
mod range;
mod report;
mod value_call;

use std::any::Any;

use machine::Machine;
pub(crate) use value_call::call_value;

use crate::error::Error;
use crate::fmt::quoted;
use crate::limits::Budget;
use crate::set::TemplateSet;
use crate::value::Value;

/// An evaluation that ended early: why.
type Exec<T> = Result<T, Box<Error>>;

/// A value and whether it lay in an `interface {}`, which some error texts show.
#[derive(Clone)]
struct Item {
    value: Value,
    boxed: bool,
}

impl Item {
    fn plain(value: Value) -> Self {
        Self {
            value,
            boxed: false,
        }
    }
}

/// Executes the template `name`, appending to `output`.
pub(crate) fn execute(
    set: &TemplateSet,
    name: &str,
    data: Value,
    user: Option<&dyn Any>,
    budget: &mut Budget,
    output: &mut Vec<u8>,
) -> Result<(), Error> {
    let Some(template) = set.get(name) else {
        return Err(Error::Execute {
            text: format!(
                "template: no template {} associated with template {}",
                quoted(name),
                quoted("")
            ),
            location: None,
        });
    };
    let data = match data {
        Value::Nil => Value::Missing,
        data => data,
    };
    Machine::new(set, template, data, user, budget, output)
        .run()
        .map_err(|error| *error)
}
