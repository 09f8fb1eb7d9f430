//! `DELETE .../service_bindings/{b}`: called by the pipeline.
//!
//! The rule: existence is looked at before the ids in the query (T5); for instances it is the other way round.

use super::Inner;
use super::deprovision::{agree, demand};
use crate::broker::call::Asked;
use crate::broker::failure::Failure;
use crate::record::Key;
use quartermaster_osb::{Answer, Hints, Verb};
use std::sync::Arc;

impl Inner {
    pub(super) async fn unbind(
        self: Arc<Self>,
        key: Key,
        accepts_incomplete: bool,
        hints: Hints,
        asked: Asked,
    ) -> Result<Answer, Failure> {
        let record = self.existing(&key).await?;
        demand(&hints)?;
        agree(&record, &hints)?;
        self.delete(record, accepts_incomplete, asked, Verb::Unbind)
            .await
    }
}
