//! `smctl broker register`.

use super::super::noun::{Broker, Noun};
use super::super::{finish, label};
use super::credentials::Credentials;
use crate::client::{Doing, Query};
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{output, session, wait};

pub(super) const EXAMPLES: &str = "\
Examples:
  smctl broker register postgres https://broker.example.com --user admin
  smctl broker register postgres https://broker.example.com --bearer @token
  smctl broker register postgres https://broker.example.com --oauth2-token-url https://auth.example.com/token \\
      --oauth2-client-id sm --oauth2-client-secret @secret
  smctl broker register postgres https://broker.example.com --tls-cert c.pem --tls-key k.pem";

/// Flags of `smctl broker register`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Its name.
    name: String,
    /// Where its /v2/catalog is.
    url: String,
    /// For people.
    #[arg(short, long)]
    description: Option<String>,
    /// Its id; made up when left out.
    #[arg(long)]
    id: Option<String>,
    /// A label, key=value. May be repeated.
    #[arg(short, long, value_name = "LABEL")]
    label: Vec<String>,
    #[command(flatten)]
    credentials: Credentials,
    #[command(flatten)]
    output: output::Flag,
    #[command(flatten)]
    waiting: wait::Flags,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let labels = label::new(&self.label)?;
        let Some(credentials) = self.credentials.doc()? else {
            return Err(Problem::usage("how does the manager log in at the broker?")
                .hint("--user, --basic, --bearer, --oauth2-token-url or --tls-cert"));
        };
        let client = session::open(global).await?;
        let body = Doc::map()
            .with_some("id", self.id.as_ref())
            .with("name", &self.name)
            .with("broker_url", &self.url)
            .with_some("description", self.description.as_ref())
            .with("credentials", credentials)
            .with_some("labels", labels);
        let mut answer = client
            .post(Broker::KIND.path, &Query::new(), &body)
            .await
            .doing(|| format!("the broker {} was not registered", self.name))?;
        // They were typed a moment ago; nobody needs to read them again.
        answer.doc.remove("credentials");
        finish::changed(
            &client,
            Broker::KIND,
            &self.output.format,
            answer,
            &self.waiting,
        )
        .await?;
        Ok(Exit::Done)
    }
}
