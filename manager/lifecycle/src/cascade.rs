//! INTERIM: D completes it.

use crate::Lifecycle;
use qm_model::operation::Operation;
use qm_model::{Ctx, Error, Kind};
use qm_store::operation::Taken;

pub async fn begin(_: &Lifecycle, _: &Ctx, _: Kind, _: &str, _: bool) -> Result<Operation, Error> {
    Err(Error::NotImplemented("cascade".to_owned()))
}

pub(crate) async fn turn(_: &Lifecycle, _: Taken) -> Result<(), Error> {
    Err(Error::NotImplemented("cascade".to_owned()))
}
