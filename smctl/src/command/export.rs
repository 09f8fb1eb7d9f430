//! `smctl export`: what is there, as files for `apply`. Without secrets: the manager does not give them out.

use super::names::{Names, Need};
use crate::client::{Client, Query};
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::output::{self, Format};
use crate::problem::Problem;
use crate::session;
use clap::ValueEnum;
use qm_manager_api as api;

/// Flags of `smctl export`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only these kinds; all when left out.
    #[arg(value_enum)]
    kinds: Vec<Kind>,
    #[command(flatten)]
    output: output::Flag,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    Broker,
    Platform,
    Visibility,
    Instance,
    Binding,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let client = session::open(global).await?;
        let all = [
            Kind::Broker,
            Kind::Platform,
            Kind::Visibility,
            Kind::Instance,
            Kind::Binding,
        ];
        let kinds = if self.kinds.is_empty() {
            &all[..]
        } else {
            &self.kinds
        };
        let names = Names::load(&client, &[Need::Plans, Need::Platforms, Need::Instances]).await;
        let mut docs = Vec::new();
        for kind in kinds {
            docs.extend(of(&client, *kind, &names).await?);
        }
        // Files are what it is for: a table is none.
        if self.output.format.is_table() || self.output.format == Format::Yaml {
            let pages = docs.iter().map(Doc::yaml).collect::<Vec<_>>();
            print!("{}", pages.join("---\n"));
        } else {
            let doc = Doc::map().with("items", docs);
            output::machine(&self.output.format, "item", &doc);
        }
        Ok(Exit::Done)
    }
}

async fn of(client: &Client, kind: Kind, names: &Names) -> Result<Vec<Doc>, Problem> {
    let (path, noun) = match kind {
        Kind::Broker => (api::broker::PATH, "broker"),
        Kind::Platform => (api::platform::PATH, "platform"),
        Kind::Visibility => (api::visibility::PATH, "visibility"),
        Kind::Instance => (api::instance::PATH, "instance"),
        Kind::Binding => (api::binding::PATH, "binding"),
    };
    let found = client.list(path, &Query::new()).await?;
    let mut docs = Vec::new();
    for one in &found {
        let text = |key: &str| Some(one.str(key)).filter(|text| !text.is_empty());
        let base = Doc::map().with("kind", noun);
        let doc = match kind {
            Kind::Broker => base
                .with("name", one.str("name"))
                .with("url", one.str("broker_url"))
                .with_some("description", text("description")),
            // The manager itself is always there.
            Kind::Platform if one.str("type") == "service-manager" => continue,
            Kind::Platform => base
                .with("id", one.str("id"))
                .with("name", one.str("name"))
                .with("type", one.str("type"))
                .with_some("description", text("description")),
            Kind::Visibility => base
                .with("plan", names.plan(one.str("service_plan_id")))
                .with_some("platform", text("platform_id").map(|id| names.platform(id))),
            // What a platform made is the platform's.
            Kind::Instance if one.str("platform_id") != "service-manager" => continue,
            Kind::Instance => base
                .with("name", one.str("name"))
                .with("plan", names.plan(one.str("service_plan_id"))),
            Kind::Binding => base
                .with("name", one.str("name"))
                .with("instance", names.instance(one.str("service_instance_id"))),
        };
        let labels = one.get("labels");
        docs.push(if labels.is_empty() {
            doc
        } else {
            doc.with("labels", labels.clone())
        });
    }
    Ok(docs)
}
