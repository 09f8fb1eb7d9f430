//! `smctl credentials`: what a binding lets in with.

use super::describe::Sheet;
use super::noun::{Binding, Instance, Noun};
use super::resolve::resolve;
use crate::client::{Client, Query, quoted};
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{complete, output, session};
use qm_manager_api::path;

pub(super) const EXAMPLES: &str = "\
Examples:
  smctl credentials app
  smctl credentials mydb/app -o json
  smctl credentials app -o jsonpath='{.uri}'";

/// Flags of `smctl credentials`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A binding: its name, its id, or INSTANCE/BINDING.
    #[arg(add = complete::names::<Binding>())]
    binding: String,
    #[command(flatten)]
    output: output::Flag,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let client = session::open(global).await?;
        let binding = binding(&client, &self.binding).await?;
        let credentials = binding.get("credentials");
        if credentials.is_null() {
            return Err(Problem::not_found(format!(
                "the binding {} has no credentials",
                self.binding
            ))
            .why(if binding.is("ready") {
                "the broker gave none"
            } else {
                "it is not ready"
            })
            .hint(format!("smctl binding get {} -o yaml", self.binding)));
        }
        if !self.output.format.is_table() {
            output::machine(&self.output.format, "credentials", credentials);
            return Ok(Exit::Done);
        }
        let mut sheet = Sheet::new();
        for (key, value) in credentials.entries() {
            sheet.line(key, &value.plain());
        }
        if credentials.entries().is_empty() {
            sheet.line("credentials", &credentials.plain());
        }
        sheet.print();
        Ok(Exit::Done)
    }
}

/// A binding by its name or id, by `INSTANCE/BINDING`, or the only one of an instance.
pub(crate) async fn binding(client: &Client, word: &str) -> Result<Doc, Problem> {
    if let Some((instance, name)) = word.split_once('/') {
        let instance = resolve(client, Instance::KIND, instance).await?;
        let found = of_instance(client, &instance, Some(name)).await?;
        return match found.first() {
            Some(first) => whole(client, first).await,
            None => Err(Problem::not_found(format!("there is no binding {word}"))
                .why("the instance has none of this name that you may see")
                .hint("smctl binding list")),
        };
    }
    let problem = match resolve(client, Binding::KIND, word).await {
        Ok(binding) => return Ok(binding),
        Err(problem) if problem.exit == Exit::NotFound => problem,
        Err(problem) => return Err(problem),
    };
    let Ok(instance) = resolve(client, Instance::KIND, word).await else {
        return Err(problem);
    };
    let found = of_instance(client, &instance, None).await?;
    match found.as_slice() {
        [one] => whole(client, one).await,
        [] => Err(
            Problem::not_found(format!("the instance {word} has no binding"))
                .hint(format!("smctl bind {word} NAME --wait")),
        ),
        several => {
            let names: Vec<_> = several.iter().map(|binding| binding.str("name")).collect();
            Err(Problem::new(
                Exit::Conflict,
                format!("the instance {word} has several bindings"),
            )
            .why(format!("they are {}", names.join(", ")))
            .hint(format!(
                "smctl credentials {word}/{}",
                names.first().unwrap_or(&"")
            )))
        }
    }
}

async fn of_instance(
    client: &Client,
    instance: &Doc,
    name: Option<&str>,
) -> Result<Vec<Doc>, Problem> {
    let mut conditions = vec![format!(
        "service_instance_id eq {}",
        quoted(instance.str("id"))
    )];
    conditions.extend(name.map(|name| format!("name eq {}", quoted(name))));
    client
        .list(Binding::KIND.path, &Query::new().fields(&conditions))
        .await
}

async fn whole(client: &Client, binding: &Doc) -> Result<Doc, Problem> {
    client
        .get(
            &path::item(Binding::KIND.path, binding.str("id")),
            &Query::new(),
        )
        .await
}
