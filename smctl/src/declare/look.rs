//! Compares an item with what is there.

use super::{Action, Change, Item};
use crate::client::{Client, Query, quoted};
use crate::command::{self, Noun, resolve};
use crate::compat::labels as shown_labels;
use crate::doc::Doc;
use crate::exit::Exit;
use crate::problem::Problem;
use qm_manager_api::path;

/// What has to be done. `strict`: everything that the item names must be there already.
pub(crate) async fn compare(client: &Client, item: Item, strict: bool) -> Result<Change, Problem> {
    match item.kind.noun {
        "visibility" => visibility(client, item, strict).await,
        "binding" => binding(client, item, strict).await,
        _ => named(client, item, strict).await,
    }
}

async fn named(client: &Client, item: Item, strict: bool) -> Result<Change, Problem> {
    let found = existing(client, &item).await?;
    let wanted = match item.kind.noun {
        "instance" => {
            let plan = found_or_new(
                resolve(client, command::Plan::KIND, item.doc.str("plan")).await,
                strict,
            )?;
            Doc::map()
                .with("name", item.doc.str("name"))
                .with("service_plan_id", plan.str("id"))
        }
        "broker" => Doc::map()
            .with("name", item.doc.str("name"))
            .with("broker_url", item.doc.str("url"))
            .with_some("description", text(&item.doc, "description")),
        _ => Doc::map()
            .with_some("id", text(&item.doc, "id"))
            .with("name", item.doc.str("name"))
            .with("type", item.doc.str("type"))
            .with_some("description", text(&item.doc, "description")),
    };
    let Some(found) = found else {
        let mut body = wanted;
        for key in ["labels", "parameters", "credentials"] {
            let value = item.doc.get(key);
            if !value.is_null() {
                body.set(
                    key,
                    if key == "labels" {
                        listed(value)
                    } else {
                        value.clone()
                    },
                );
            }
        }
        return Ok(create(item, body));
    };
    let mut body = Doc::map();
    let mut lines = Vec::new();
    for (key, value) in wanted.entries() {
        let before = found.get(key);
        if before != value && key != "id" {
            lines.push(format!("{key}: {} -> {}", before.plain(), value.plain()));
            body.set(key, value.clone());
        }
    }
    if item.kind.noun == "broker" && !body.get("broker_url").is_null() {
        // A broker that moved must be proved to again.
        body.set("credentials", item.doc.get("credentials").clone());
    }
    if item.kind.noun == "instance" && !item.doc.get("parameters").is_null() {
        parameters(client, &item, &found, &mut body, &mut lines).await;
    }
    labels(&item, &found, &mut body, &mut lines);
    Ok(update(item, &found, body, lines))
}

/// Parameters are compared where the broker shows them; elsewhere they are sent when the instance is made.
async fn parameters(
    client: &Client,
    item: &Item,
    found: &Doc,
    body: &mut Doc,
    lines: &mut Vec<String>,
) {
    let path = path::parameters(item.kind.path, found.str("id"));
    let Ok(now) = client.get(&path, &Query::new()).await else {
        return;
    };
    let mut differs = Doc::map();
    for (key, value) in item.doc.get("parameters").entries() {
        if now.get(key) != value {
            lines.push(format!(
                "parameters.{key}: {} -> {}",
                now.get(key).plain(),
                value.plain()
            ));
            differs.set(key, value.clone());
        }
    }
    if !differs.is_empty() {
        body.set("parameters", differs);
    }
}

async fn visibility(client: &Client, item: Item, strict: bool) -> Result<Change, Problem> {
    let plan = found_or_new(
        resolve(client, command::Plan::KIND, item.doc.str("plan")).await,
        strict,
    )?;
    let platform = match item.doc.str("platform") {
        "" => Doc::map(),
        word => found_or_new(resolve(client, command::Platform::KIND, word).await, strict)?,
    };
    let body = Doc::map()
        .with("service_plan_id", plan.str("id"))
        .with_some("platform_id", text(&platform, "id"))
        .with_some(
            "labels",
            (!item.doc.get("labels").is_null()).then(|| listed(item.doc.get("labels"))),
        );
    if plan.is_empty() || (platform.is_empty() && !item.doc.str("platform").is_empty()) {
        return Ok(create(item, body));
    }
    let condition = format!("service_plan_id eq {}", quoted(plan.str("id")));
    let all = client
        .list(item.kind.path, &Query::new().fields(&[condition]))
        .await?;
    let Some(found) = all
        .iter()
        .find(|one| one.str("platform_id") == platform.str("id"))
    else {
        return Ok(create(item, body));
    };
    let (mut body, mut lines) = (Doc::map(), Vec::new());
    labels(&item, found, &mut body, &mut lines);
    Ok(update(item, found, body, lines))
}

async fn binding(client: &Client, item: Item, strict: bool) -> Result<Change, Problem> {
    let word = item.doc.str("instance");
    let instance = found_or_new(resolve(client, command::Instance::KIND, word).await, strict)?;
    let mut body = Doc::map()
        .with("name", item.doc.str("name"))
        .with("service_instance_id", instance.str("id"));
    for key in ["labels", "parameters"] {
        let value = item.doc.get(key);
        if !value.is_null() {
            body.set(
                key,
                if key == "labels" {
                    listed(value)
                } else {
                    value.clone()
                },
            );
        }
    }
    if instance.is_empty() {
        return Ok(create(item, body));
    }
    let conditions = [
        format!("name eq {}", quoted(item.doc.str("name"))),
        format!("service_instance_id eq {}", quoted(instance.str("id"))),
    ];
    let all = client
        .list(item.kind.path, &Query::new().fields(&conditions))
        .await?;
    let Some(found) = all.first() else {
        return Ok(create(item, body));
    };
    let (mut body, mut lines) = (Doc::map(), Vec::new());
    labels(&item, found, &mut body, &mut lines);
    Ok(update(item, found, body, lines))
}

async fn existing(client: &Client, item: &Item) -> Result<Option<Doc>, Problem> {
    match resolve(client, item.kind, item.doc.str("name")).await {
        Ok(doc) => Ok(Some(doc)),
        Err(problem) if problem.exit == Exit::NotFound => Ok(None),
        Err(problem) => Err(problem),
    }
}

/// What an item names; an empty object when it may come later.
fn found_or_new(found: Result<Doc, Problem>, strict: bool) -> Result<Doc, Problem> {
    match found {
        Err(problem) if problem.exit == Exit::NotFound && !strict => Ok(Doc::map()),
        other => other,
    }
}

/// Labels that the file has, and those that are there, as changes.
fn labels(item: &Item, found: &Doc, body: &mut Doc, lines: &mut Vec<String>) {
    if item.doc.get("labels").is_null() {
        return;
    }
    let wanted = listed(item.doc.get("labels"));
    let now = found.get("labels");
    let mut changes = Vec::new();
    for (key, values) in wanted.entries() {
        if sorted(now.get(key)) != sorted(values) {
            changes.push(Doc::map().with("op", "remove").with("key", key));
            changes.push(
                Doc::map()
                    .with("op", "add")
                    .with("key", key)
                    .with("values", values.clone()),
            );
            if now.get(key).is_null() {
                changes.remove(changes.len() - 2);
            }
        }
    }
    if !changes.is_empty() {
        lines.push(format!(
            "labels: {} -> {}",
            shown_labels(now),
            shown_labels(&wanted)
        ));
        body.set("labels", changes);
    }
}

fn sorted(values: &Doc) -> Vec<String> {
    let mut values: Vec<_> = values.items().iter().map(Doc::plain).collect();
    values.sort();
    values
}

/// Labels as the manager has them: every key has a list.
fn listed(labels: &Doc) -> Doc {
    let one = |(key, value): &(String, Doc)| {
        let values = match value {
            Doc::List(items) => items.iter().map(|item| Doc::Text(item.plain())).collect(),
            other => vec![Doc::Text(other.plain())],
        };
        (key.clone(), Doc::List(values))
    };
    Doc::Map(labels.entries().iter().map(one).collect())
}

fn text<'d>(doc: &'d Doc, key: &str) -> Option<&'d str> {
    Some(doc.str(key)).filter(|text| !text.is_empty())
}

fn create(item: Item, body: Doc) -> Change {
    Change {
        item,
        action: Action::Create,
        id: String::new(),
        body,
        lines: Vec::new(),
    }
}

fn update(item: Item, found: &Doc, body: Doc, lines: Vec<String>) -> Change {
    Change {
        item,
        action: if lines.is_empty() {
            Action::Nothing
        } else {
            Action::Update
        },
        id: found.str("id").to_owned(),
        body,
        lines,
    }
}
