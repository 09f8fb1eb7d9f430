//! Bindings that are there for the time of a program.

use super::super::noun::{Binding, Instance, Noun};
use super::super::resolve::resolve;
use crate::client::{Client, Doing, Query, quoted};
use crate::doc::Doc;
use crate::problem::Problem;
use crate::stop::Stop;
use crate::wait;
use qm_manager_api::path;

/// What was asked for, before it is known whether it was made.
#[derive(Debug, Default)]
pub(super) struct Temporary(Vec<(String, String)>);

impl Temporary {
    /// Makes a binding and waits for it.
    pub(super) async fn make(
        &mut self,
        client: &Client,
        word: &str,
        stop: &mut Stop,
    ) -> Result<Doc, Problem> {
        let instance = stop.unless(resolve(client, Instance::KIND, word)).await?;
        let id = uuid::Uuid::new_v4().simple().to_string();
        let name = format!("smctl-exec-{}", &id[..12]);
        let body = Doc::map()
            .with("name", &name)
            .with("service_instance_id", instance.str("id"))
            .with(
                "labels",
                Doc::map().with("smctl_exec", vec![Doc::from("temporary")]),
            );
        self.0.push((instance.str("id").to_owned(), name));
        // Not broken off by a signal: what was asked for may be made, and only the answer says when it can be found.
        let answer = client
            .post(
                Binding::KIND.path,
                &Query::new().with("async", "true"),
                &body,
            )
            .await
            .doing(|| format!("no binding could be made for {word}"))?;
        let Some(location) = answer.location else {
            return Ok(answer.doc);
        };
        let quietly = wait::Flags::quietly();
        stop.unless(wait::follow(client, &location, &quietly))
            .await?;
        let (path, query) = (wait::resource_of(&location), Query::new());
        stop.unless(client.get(path, &query)).await
    }

    /// Removes what there is. Everything is tried; the first problem is told.
    pub(super) async fn remove(&self, client: &Client) -> Result<(), Problem> {
        let mut first = Ok(());
        for (instance, name) in &self.0 {
            let removed = remove(client, instance, name)
                .await
                .map_err(|problem| Problem {
                    what: format!("the temporary binding {name} was not removed"),
                    hint: Some(format!("smctl binding delete {name} --yes")),
                    ..problem
                });
            first = first.and(removed);
        }
        first
    }
}

async fn remove(client: &Client, instance: &str, name: &str) -> Result<(), Problem> {
    let conditions = [
        format!("name eq {}", quoted(name)),
        format!("service_instance_id eq {}", quoted(instance)),
    ];
    let found = client
        .list(Binding::KIND.path, &Query::new().fields(&conditions))
        .await?;
    for binding in &found {
        let path = path::item(Binding::KIND.path, binding.str("id"));
        let answer = client
            .delete(&path, &Query::new().with("async", "true"))
            .await?;
        if let Some(location) = answer.location {
            wait::follow(client, &location, &wait::Flags::quietly()).await?;
        }
    }
    Ok(())
}
