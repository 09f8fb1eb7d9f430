//! Rows of the table of plans. [`catalog`](crate::catalog) writes them.

use crate::Error;
use crate::cells::Cells;
use crate::resource::{Resource, Table};
use qm_model::Kind;
use qm_model::id::{OfferingId, PlanId};
use qm_model::plan::Plan;

impl Resource for Plan {
    const KIND: Kind = Kind::Plan;

    fn id(&self) -> &str {
        self.id.as_str()
    }
}

impl Table for Plan {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "service_offering_id",
        "name",
        "description",
        "free",
        "bindable",
        "plan_updateable",
        "metadata",
        "schemas",
        "maximum_polling_duration",
        "maintenance_info",
        "catalog_id",
        "catalog_name",
        "ready",
        "labels",
        "created_at",
        "updated_at",
    ];

    fn read(cells: &mut Cells) -> Result<Self, Error> {
        Ok(Self {
            id: PlanId::stored(cells.text("id")?),
            offering_id: OfferingId::stored(cells.text("service_offering_id")?),
            name: cells.text("name")?,
            description: cells.text("description")?,
            free: cells.take("free")?,
            bindable: cells.take("bindable")?,
            plan_updateable: cells.take("plan_updateable")?,
            metadata: cells.json_opt("metadata")?,
            schemas: cells.json_opt("schemas")?,
            maximum_polling_duration: cells.take("maximum_polling_duration")?,
            maintenance_info: cells.json_opt("maintenance_info")?,
            catalog_id: cells.text("catalog_id")?,
            catalog_name: cells.text("catalog_name")?,
            meta: cells.meta()?,
        })
    }
}
