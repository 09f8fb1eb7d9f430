//! Rows of the table of offerings. [`catalog`](crate::catalog) writes them.

use crate::Error;
use crate::cells::Cells;
use crate::resource::{Resource, Table};
use qm_model::Kind;
use qm_model::id::{BrokerId, OfferingId};
use qm_model::offering::Offering;

impl Resource for Offering {
    const KIND: Kind = Kind::Offering;

    fn id(&self) -> &str {
        self.id.as_str()
    }
}

impl Table for Offering {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "broker_id",
        "name",
        "description",
        "bindable",
        "plan_updateable",
        "instances_retrievable",
        "bindings_retrievable",
        "allow_context_updates",
        "tags",
        "requires",
        "metadata",
        "catalog_id",
        "catalog_name",
        "data_center",
        "ready",
        "labels",
        "created_at",
        "updated_at",
    ];

    fn read(cells: &mut Cells) -> Result<Self, Error> {
        Ok(Self {
            id: OfferingId::stored(cells.text("id")?),
            broker_id: BrokerId::stored(cells.text("broker_id")?),
            name: cells.text("name")?,
            description: cells.text("description")?,
            bindable: cells.take("bindable")?,
            plan_updateable: cells.take("plan_updateable")?,
            instances_retrievable: cells.take("instances_retrievable")?,
            bindings_retrievable: cells.take("bindings_retrievable")?,
            allow_context_updates: cells.take("allow_context_updates")?,
            tags: cells.json("tags")?,
            requires: cells.json("requires")?,
            metadata: cells.json_opt("metadata")?,
            catalog_id: cells.text("catalog_id")?,
            catalog_name: cells.text("catalog_name")?,
            data_center: cells.text("data_center")?,
            meta: cells.meta()?,
        })
    }
}
