//! Query parameters that an operator has switched off. Old clients send some that would cost much.

use super::Params;
use crate::{App, Failure};
use qm_model::Error;

/// Refuses a list that is asked for with such a parameter.
pub(crate) fn check(app: &App, params: &Params) -> Result<(), Failure> {
    let disabled = &app.settings.disabled_parameters;
    match params.pairs().find(|(name, _)| disabled.contains(*name)) {
        None => Ok(()),
        Some((name, _)) => {
            let words = format!("the query parameter {name} is switched off on this server");
            Err(Error::NotImplemented(words).into())
        }
    }
}
