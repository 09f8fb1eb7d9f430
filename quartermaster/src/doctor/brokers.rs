//! Whether each registered broker gives its catalog. Nothing that it says is stored.

use super::Report;
use qm_model::broker::Broker;
use qm_model::{Chain, Error, Query};
use qm_policy::Scope;
use qm_relay::{Relay, Target};
use qm_store::{Store, broker, resource};

const NAME: &str = "brokers";
/// More would take longer than anybody waits.
const MOST: usize = 200;

pub(super) async fn look(store: &Store, relay: &Relay, report: &mut Report) {
    let brokers = match all(store).await {
        Ok(brokers) => brokers,
        Err(error) => {
            let what = format!("they cannot be read: {}", Chain(&error));
            return report.problem(NAME, what, "look at the database");
        }
    };
    if brokers.is_empty() {
        return report.ok(NAME, "none is registered");
    }
    let mut well = 0;
    let asked = brokers.len().min(MOST);
    for one in brokers.iter().take(MOST) {
        match ask(store, relay, one).await {
            Ok(()) => well += 1,
            Err(error) => report.warning(
                NAME,
                format!("{}: {}", one.name, Chain(&error)),
                "start it, or PATCH its broker_url or credentials; what it offers stays as it was",
            ),
        }
    }
    if well > 0 {
        report.ok(NAME, format!("{well} of {asked} give their catalogs"));
    }
    if brokers.len() > asked {
        report.skipped(
            NAME,
            format!("{} more were not asked", brokers.len() - asked),
        );
    }
}

async fn all(store: &Store) -> Result<Vec<Broker>, Error> {
    store
        .read(async move |tx| {
            Ok(resource::matching::<Broker>(tx, &Scope::All, &Query::default()).await?)
        })
        .await
}

async fn ask(store: &Store, relay: &Relay, one: &Broker) -> Result<(), Error> {
    let id = one.id.clone();
    let access = store
        .read(async move |tx| Ok::<_, Error>(broker::access(tx, &id).await?))
        .await?
        .ok_or(Error::Missing(qm_model::Kind::Broker))?;
    let target = Target {
        id: &one.id,
        url: &one.url,
        access: &access,
    };
    relay.catalog(&target, None).await?;
    Ok(())
}
