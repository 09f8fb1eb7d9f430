//! `smctl register-broker`.

use super::call::Call;
use super::flags::{self, bad};
use super::shape::Shape;
use crate::client::Doing;
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::wait;
use qm_manager_api::broker;

/// Flags of `smctl register-broker`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Its name, its URL, and what it is.
    #[arg(value_name = "NAME URL [DESCRIPTION]")]
    words: Vec<String>,
    /// Sets the username and password for basic authentication. Format is <username:password>.
    #[arg(
        short,
        long,
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    basic: String,
    #[command(flatten)]
    output: flags::Output,
    #[command(flatten)]
    params: flags::Params,
    /// How calls to SM are performed: sync or async.
    #[arg(long, default_value = "sync")]
    mode: String,
    #[command(flatten)]
    waiting: wait::Flags,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let [name, url, rest @ ..] = self.words.as_slice() else {
            return Err(bad("name and URL are required"));
        };
        if self.basic.is_empty() {
            return Err(bad("--basic flag is required"));
        }
        // A password may hold colons; the old smctl refused it.
        let Some((user, password)) = self.basic.split_once(':') else {
            return Err(bad("basic string is invalid"));
        };
        if global.compat && password.contains(':') {
            return Err(bad("basic string is invalid"));
        }
        let format = self.output.format(global.compat)?;
        let call = Call::open(global, &self.params, Some(&self.mode)).await?;
        let basic = Doc::map().with("username", user).with("password", password);
        let body = Doc::map()
            .with("name", name)
            .with("broker_url", url)
            .with_some("description", rest.first())
            .with("credentials", Doc::map().with("basic", basic));
        let answer = call
            .client
            .post(broker::PATH, &call.query, &body)
            .await
            .doing(|| format!("the broker {name} was not registered"))?;
        let message = format!("Service Broker {name} successfully scheduled for registration.");
        call.finished(Shape::Broker, answer, &format, &message, &self.waiting)
            .await
    }
}
