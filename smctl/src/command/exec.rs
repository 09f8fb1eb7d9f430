//! `smctl exec`: runs a program with bindings injected, and takes away what it made for it.
//!
//! The rule: a temporary binding is written down before it is asked for and removed whatever happens: when the program
//! ends, when it cannot be started, on Ctrl-C, on SIGTERM, when the terminal is closed. Secrets are in the environment and in files that go away, never on
//! a command line.

mod child;
mod temporary;

use super::credentials::binding;
use super::noun::{Binding, Instance};
use crate::client::Client;
use crate::exit::Exit;
use crate::global::Global;
use crate::inject::{self, Bound};
use crate::problem::Problem;
use crate::stop::Stop;
use crate::{complete, session};
use std::path::{Path, PathBuf};
use temporary::Temporary;

pub(super) const EXAMPLES: &str = "\
Examples:
  smctl exec --service mydb -- psql -c 'select 1'
  smctl exec --service mydb --service cache -- ./app
  smctl exec --binding mydb/app -- env

The program gets MYDB_HOST, MYDB_PASSWORD and so on, VCAP_SERVICES, SERVICE_BINDING_ROOT (servicebinding.io), and what common
tools look for: PGHOST, DATABASE_URL, REDIS_URL, ... Its exit code is that of smctl.";

/// Flags of `smctl exec`.
#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("whose").required(true).multiple(true)))]
pub(crate) struct Args {
    /// An instance. A binding is made for the time of the program. May be repeated.
    #[arg(short, long, value_name = "INSTANCE", group = "whose", add = complete::names::<Instance>())]
    service: Vec<String>,
    /// A binding that is there: name, id, or INSTANCE/BINDING. May be repeated.
    #[arg(short, long, value_name = "BINDING", group = "whose", add = complete::names::<Binding>())]
    binding: Vec<String>,
    /// The program and its arguments, best behind --.
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        required = true,
        value_name = "COMMAND"
    )]
    command: Vec<String>,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let client = session::open(global).await?;
        // Until the program is there a signal ends this; from then on it is the program's.
        let mut stop = Stop::catch()?;
        let mut temporary = Temporary::default();
        let done = match self.prepare(&client, &mut temporary, &mut stop).await {
            Ok((folder, variables)) => {
                let exit = child::run(&self.command, &variables, &mut stop).await;
                drop(folder);
                exit
            }
            Err(problem) => Err(problem),
        };
        let cleaned = temporary.remove(&client).await;
        let exit = done?;
        cleaned?;
        Ok(exit)
    }

    /// The bindings, as files and as variables.
    async fn prepare(
        &self,
        client: &Client,
        temporary: &mut Temporary,
        stop: &mut Stop,
    ) -> Result<(tempfile::TempDir, Vec<(String, String)>), Problem> {
        let mut services = Vec::new();
        for word in &self.binding {
            let binding = stop.unless(binding(client, word)).await?;
            services.push(stop.unless(Bound::of(client, binding)).await?);
        }
        for word in &self.service {
            let binding = temporary.make(client, word, stop).await?;
            services.push(stop.unless(Bound::of(client, binding)).await?);
        }
        let folder = tempfile::Builder::new()
            .prefix("smctl-exec-")
            .tempdir_in(memory())
            .and_then(|folder| inject::write_directory(folder.path(), &services).map(|()| folder))
            .map_err(|error| {
                Problem::new(
                    Exit::Failed,
                    "the bindings cannot be written for the program",
                )
                .why(error.to_string())
            })?;
        let mut variables = inject::variables(&services);
        variables.push((
            "SERVICE_BINDING_ROOT".to_owned(),
            folder.path().display().to_string(),
        ));
        Ok((folder, variables))
    }
}

/// A place that is forgotten at power-off, if there is one.
fn memory() -> PathBuf {
    let own = session::variable("XDG_RUNTIME_DIR").map(PathBuf::from);
    let mut places = own.into_iter().chain([PathBuf::from("/dev/shm")]);
    let usable = |place: &PathBuf| place.is_dir() && is_writable(place);
    places.find(usable).unwrap_or_else(std::env::temp_dir)
}

fn is_writable(place: &Path) -> bool {
    tempfile::tempfile_in(place).is_ok()
}
