//! What a manager takes that has nothing to do.

use crate::manager::{self, Manager};
use crate::report::{Report, Wanted};
use anyhow::Result;

const MIB: f64 = 25.0;

pub(super) async fn measure(report: &mut Report) -> Result<()> {
    report.part("an idle manager on SQLite, after its first login");
    let folder = tempfile::tempdir()?;
    let manager = Manager::start(&folder.path().join("data"), None).await?;
    manager.get("/v1/service_brokers").await?;
    manager::rest().await;
    report.figure(
        "memory",
        manager.served.resident_mib()?,
        "MiB",
        Wanted::Below(MIB),
    );
    Ok(())
}
