//! Names or ids anywhere: from a word to the one thing it means.

use super::noun::Kind;
use crate::client::{Client, Query, quoted};
use crate::doc::Doc;
use crate::exit::Exit;
use crate::problem::Problem;
use qm_manager_api::{offering, path, plan};

/// The one thing of a kind that has this name or id.
pub(crate) async fn resolve(client: &Client, kind: &Kind, word: &str) -> Result<Doc, Problem> {
    let Some(field) = kind.by_name else {
        let all = client.list(kind.path, &Query::new()).await?;
        let found = all
            .into_iter()
            .find(|doc| doc.str("id") == word || doc.str("name") == word);
        return found.ok_or_else(|| missing(kind, word));
    };
    if kind.path == plan::PATH && word.contains('/') {
        return plan_of(client, word).await;
    }
    // What looks like an id is asked for as one first; both ways are tried.
    let id_first = field == "id" || uuid::Uuid::try_parse(word).is_ok();
    if id_first && let Some(doc) = by_id(client, kind, word).await? {
        return Ok(doc);
    }
    if field != "id" {
        let query = Query::new().fields(&[format!("{field} eq {}", quoted(word))]);
        let found = client.list(kind.path, &query).await?;
        match found.as_slice() {
            [] => {}
            // A list does not hold everything that the thing itself does.
            [one] => {
                let path = path::item(kind.path, one.str("id"));
                return client.get(&path, &Query::new()).await;
            }
            several => return Err(ambiguous(kind, word, several)),
        }
    }
    if !id_first && let Some(doc) = by_id(client, kind, word).await? {
        return Ok(doc);
    }
    Err(missing(kind, word))
}

async fn by_id(client: &Client, kind: &Kind, id: &str) -> Result<Option<Doc>, Problem> {
    match client.get(&path::item(kind.path, id), &Query::new()).await {
        Ok(doc) => Ok(Some(doc)),
        Err(problem) if matches!(problem.status, Some(400 | 404)) => Ok(None),
        Err(problem) => Err(problem),
    }
}

/// `offering/plan`.
pub(crate) async fn plan_of(client: &Client, word: &str) -> Result<Doc, Problem> {
    let (offering_name, plan_name) = word.split_once('/').unwrap_or((word, ""));
    let query = Query::new().fields(&[format!("name eq {}", quoted(offering_name))]);
    let offerings = client.list(offering::PATH, &query).await?;
    let mut plans = Vec::new();
    for found in &offerings {
        let conditions = [
            format!("service_offering_id eq {}", quoted(found.str("id"))),
            format!("name eq {}", quoted(plan_name)),
        ];
        plans.extend(
            client
                .list(plan::PATH, &Query::new().fields(&conditions))
                .await?,
        );
    }
    match plans.len() {
        1 => Ok(plans.remove(0)),
        0 => Err(Problem::not_found(format!("there is no plan {word}"))
            .why(if offerings.is_empty() {
                format!("no offering is called {offering_name}")
            } else {
                format!("the offering {offering_name} has no plan {plan_name}, or it is not visible to you")
            })
            .hint("smctl marketplace")),
        _ => Err(Problem::new(Exit::Conflict, format!("several brokers have {word}"))
            .hint("take its id: smctl plan list -o wide")),
    }
}

fn missing(kind: &Kind, word: &str) -> Problem {
    Problem::not_found(format!("there is no {} {word}", kind.noun))
        .why(format!(
            "nothing that you may see has this name or id at {}",
            kind.path
        ))
        .hint(format!("smctl {} list", kind.noun))
}

fn ambiguous(kind: &Kind, word: &str, several: &[Doc]) -> Problem {
    let ids = several.iter().map(|doc| doc.str("id")).collect::<Vec<_>>();
    Problem::new(
        Exit::Conflict,
        format!("{} {} are called {word}", several.len(), kind.plural),
    )
    .why(format!("their ids are {}", ids.join(", ")))
    .hint(format!("take the id: smctl {} get ID", kind.noun))
}
