//! `smctl broker refresh`: fetches the catalog again and shows what changed.

use super::super::noun::{Broker, Noun};
use super::super::resolve::resolve;
use crate::client::{Client, Doing, Query, quoted};
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{complete, output, session};
use qm_manager_api::{offering, path, plan};
use std::collections::BTreeMap;

/// Flags of `smctl broker refresh`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Name or id.
    #[arg(add = complete::names::<Broker>())]
    name: String,
    #[command(flatten)]
    output: output::Flag,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let client = session::open(global).await?;
        let doc = resolve(&client, Broker::KIND, &self.name).await?;
        let id = doc.str("id");
        let before = catalog(&client, id).await?;
        let path = path::item(Broker::KIND.path, id);
        client
            .patch(&path, &Query::new().with("async", "false"), &Doc::map())
            .await
            .doing(|| format!("the catalog of {} was not fetched", self.name))?;
        let after = catalog(&client, id).await?;
        let broker = client.get(&path, &Query::new()).await?;
        let diff = diff(&before, &after).with("held", broker.at(&["catalog", "held"]).clone());
        if !self.output.format.is_table() {
            output::machine(
                &self.output.format,
                "broker",
                &diff.with("name", broker.str("name")),
            );
            return Ok(Exit::Done);
        }
        let mut changes = 0;
        for (key, mark) in [("added", '+'), ("removed", '-'), ("changed", '~')] {
            for plan in diff.get(key).items() {
                println!("{mark} {}", plan.as_str());
                changes += 1;
            }
        }
        if changes == 0 {
            println!(
                "The catalog of {} has not changed: {} plans.",
                self.name,
                after.len()
            );
        }
        let held = diff.get("held");
        if !held.is_null() {
            println!("A change is held: {}", held.str("reason"));
            for (key, mark) in [
                ("added_plans", '+'),
                ("removed_plans", '-'),
                ("changed_plans", '~'),
            ] {
                for plan in held.get(key).items() {
                    println!("  {mark} {}", plan.as_str());
                }
            }
        }
        Ok(Exit::Done)
    }
}

/// Plans by `offering/plan`, without what changes by itself.
async fn catalog(client: &Client, broker: &str) -> Result<BTreeMap<String, Doc>, Problem> {
    let query = Query::new().fields(&[format!("broker_id eq {}", quoted(broker))]);
    let mut plans = BTreeMap::new();
    for offering in client.list(offering::PATH, &query).await? {
        let query = Query::new().fields(&[format!(
            "service_offering_id eq {}",
            quoted(offering.str("id"))
        )]);
        for mut plan in client.list(plan::PATH, &query).await? {
            let name = format!("{}/{}", offering.str("name"), plan.str("name"));
            for key in ["id", "updated_at", "created_at"] {
                plan.remove(key);
            }
            plans.insert(name, plan);
        }
    }
    Ok(plans)
}

fn diff(before: &BTreeMap<String, Doc>, after: &BTreeMap<String, Doc>) -> Doc {
    let names = |found: Vec<&String>| Doc::List(found.into_iter().map(Into::into).collect());
    let added = after
        .keys()
        .filter(|name| !before.contains_key(*name))
        .collect();
    let removed = before
        .keys()
        .filter(|name| !after.contains_key(*name))
        .collect();
    let differs =
        |(name, plan): &(&String, &Doc)| before.get(*name).is_some_and(|old| old != *plan);
    let changed = after.iter().filter(differs).map(|(name, _)| name).collect();
    Doc::map()
        .with("added", names(added))
        .with("removed", names(removed))
        .with("changed", names(changed))
}
