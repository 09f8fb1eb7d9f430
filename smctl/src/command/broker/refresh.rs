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
            for one in diff.get(key).items() {
                let fields = one.get("fields").items().iter().map(Doc::as_str);
                let fields = fields.collect::<Vec<_>>().join(", ");
                match one.str("name") {
                    "" => println!("{mark} {}", one.as_str()),
                    name => println!("{mark} {name}: {fields}"),
                }
                changes += 1;
            }
        }
        if changes == 0 {
            println!(
                "The catalog of {} has not changed: {} plans.",
                self.name,
                after.keys().filter(|name| name.contains('/')).count()
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

/// Offerings by their name and plans by `offering/plan`, without what changes by itself. Two requests, whatever their number.
async fn catalog(client: &Client, broker: &str) -> Result<BTreeMap<String, Doc>, Problem> {
    let query = Query::new().fields(&[format!("broker_id eq {}", quoted(broker))]);
    let none = Query::new();
    let (offerings, plans) = tokio::try_join!(
        client.list(offering::PATH, &query),
        client.list(plan::PATH, &none)
    )?;
    let mut found = BTreeMap::new();
    for plan in plans {
        let of = plan.str("service_offering_id");
        if let Some(offering) = offerings.iter().find(|offering| offering.str("id") == of) {
            let name = format!("{}/{}", offering.str("name"), plan.str("name"));
            found.insert(name, lasting(plan));
        }
    }
    for offering in offerings {
        found.insert(offering.str("name").to_owned(), lasting(offering));
    }
    Ok(found)
}

fn lasting(mut doc: Doc) -> Doc {
    for key in ["id", "updated_at", "created_at", "last_operation"] {
        doc.remove(key);
    }
    doc
}

fn diff(before: &BTreeMap<String, Doc>, after: &BTreeMap<String, Doc>) -> Doc {
    let missing_in = |there: &BTreeMap<String, Doc>, all: &BTreeMap<String, Doc>| {
        let names = all.keys().filter(|name| !there.contains_key(*name));
        Doc::List(names.map(Into::into).collect())
    };
    let changed = after.iter().filter_map(|(name, now)| {
        let fields = differing(before.get(name)?, now);
        (!fields.is_empty()).then(|| {
            Doc::map()
                .with("name", name)
                .with("fields", fields.as_slice())
        })
    });
    Doc::map()
        .with("added", missing_in(before, after))
        .with("removed", missing_in(after, before))
        .with("changed", Doc::List(changed.collect()))
}

/// The fields in which two differ.
fn differing(before: &Doc, after: &Doc) -> Vec<String> {
    let gone = before.entries().iter();
    let gone = gone.filter(|(key, _)| after.get(key).is_null());
    let other = after.entries().iter();
    let other = other.filter(|(key, value)| before.get(key) != value);
    let keys = gone.chain(other).map(|(key, _)| key.clone());
    keys.collect()
}

#[cfg(test)]
mod tests {
    use super::diff;
    use crate::doc::Doc;
    use std::collections::BTreeMap;

    #[test]
    fn what_came_went_and_changed_is_named() {
        let catalog = |plans: &[(&str, &str)]| -> BTreeMap<String, Doc> {
            let plan = |(name, text): &(&str, &str)| {
                let doc = Doc::map().with("description", *text).with("free", true);
                ((*name).to_owned(), doc)
            };
            plans.iter().map(plan).collect()
        };
        let before = catalog(&[("db", "x"), ("db/a", "x"), ("db/b", "x")]);
        let after = catalog(&[("db", "x"), ("db/b", "y"), ("db/c", "x")]);
        assert_eq!(
            diff(&before, &after).compact(),
            r#"{"added":["db/c"],"removed":["db/a"],"changed":[{"name":"db/b","fields":["description"]}]}"#
        );
    }
}
