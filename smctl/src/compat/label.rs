//! `smctl label`.

use super::call::Call;
use super::flags::{self, bad};
use crate::client::Doing;
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use qm_manager_api::{broker, instance, path, platform};

/// Flags of `smctl label`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// platform, broker or service-instance; its id; add, add-values, remove or remove-values; the key.
    #[arg(value_name = "RESOURCE ID OPERATION KEY")]
    words: Vec<String>,
    /// Label value to be used.
    #[arg(long = "val", value_name = "VALUE", allow_hyphen_values = true)]
    values: Vec<String>,
    #[command(flatten)]
    params: flags::Params,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        if self.words.len() > 4 {
            return Err(bad(
                "too much arguments, in case you have whitespaces in some of the arguments consider enclosig it with single quotes",
            ));
        }
        let [resource, id, operation, key] = self.words.as_slice() else {
            return Err(bad(
                "resource type, id, operation, key and values are required",
            ));
        };
        let collection = match resource.as_str() {
            "platform" => platform::PATH,
            "broker" => broker::PATH,
            "service-instance" => instance::PATH,
            _ => return Err(bad("unknown resource")),
        };
        let operation = match operation.as_str() {
            "add" | "remove" => operation.clone(),
            "add-values" => "add_values".to_owned(),
            "remove-values" => "remove_values".to_owned(),
            _ => return Err(bad("unknown operation")),
        };
        // The old smctl wants a value also to remove a whole label.
        if self.values.is_empty() && (global.compat || operation != "remove") {
            return Err(bad("at least one value is required"));
        }
        let call = Call::open(global, &self.params, None).await?;
        let change = Doc::map()
            .with("op", operation)
            .with("key", key)
            .with("values", self.values.as_slice());
        let body = Doc::map().with("labels", vec![change]);
        call.client
            .patch(&path::item(collection, id), &call.query, &body)
            .await
            .doing(|| format!("the labels of {id} were not changed"))?;
        print!("Resource labeled successfully!");
        if !global.compat && console::Term::stdout().is_term() {
            println!();
        }
        Ok(Exit::Done)
    }
}
