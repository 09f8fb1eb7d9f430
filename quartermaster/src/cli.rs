//! The words of the command line. `main` parses them and calls the command's own file.
//!
//! The rule: a flag that is also a key of the configuration only sets that key (see [`Place::load`]), so
//! that `quartermaster config` tells the truth about what a command would do.

use crate::config::{self, Flag, Loaded, Problems};
use crate::data::DataDir;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Quartermaster: one place for service brokers, the platforms that use them, and what they may offer.
#[derive(Debug, Parser)]
#[command(
    name = "quartermaster",
    version,
    arg_required_else_help = true,
    disable_help_subcommand = true,
    after_help = "\
Start here:
  quartermaster manager            a Service Manager on SQLite in ./.quartermaster
  quartermaster doctor             what is wrong, if anything, and what to do about it
  quartermaster config --defaults  every setting, explained"
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run the Service Manager.
    ///
    /// With nothing configured it keeps its state in a SQLite file in the data folder and makes its keys
    /// and its first administrator there. When it is ready it prints one line to standard output:
    /// `listening on http://ADDR`. Logs go to standard error. SIGTERM and Ctrl-C stop it: requests that
    /// were accepted are finished first.
    #[command(after_help = "\
Examples:
  quartermaster manager
  quartermaster manager --listen 127.0.0.1:0 --data /var/lib/quartermaster
  quartermaster manager --database postgres://sm:secret@db.example/sm   (any number of them)
  QM_LOG_LEVEL=debug quartermaster manager --config sm.toml")]
    Manager(ManagerArgs),
    /// Bring the database to the schema of this version, and stop.
    ///
    /// `manager` does the same at its start. This is for those who want it done beforehand.
    Migrate(Place),
    /// Print the OpenAPI 3 description of the REST API as JSON.
    Openapi,
    /// Show the configuration in force, and where each value came from.
    ///
    /// Secrets are shown as stars. Without a flag the configuration is checked too, and every mistake is
    /// told at once.
    Config(ConfigArgs),
    /// Say in plain words what is wrong, and what to do about it.
    ///
    /// Looks at the configuration, the data folder, the keys, the database, the clocks, the issuers, the
    /// brokers, the disk and the port. Ends with 1 when something keeps the manager from working. It
    /// changes nothing, and may be run beside a manager.
    Doctor(DoctorArgs),
    /// The keys that seal secrets in the database.
    #[command(subcommand)]
    Keys(KeysCommand),
}

/// Where state and configuration are.
#[derive(Debug, Clone, Args)]
pub(crate) struct Place {
    /// The data folder: SQLite file, keys, the first administrator's password.
    #[arg(
        long,
        value_name = "DIR",
        default_value = ".quartermaster",
        env = "QM_DATA"
    )]
    pub(crate) data: PathBuf,
    /// Lay this TOML file over the defaults.
    #[arg(long, value_name = "FILE", env = "QM_CONFIG")]
    pub(crate) config: Option<PathBuf>,
    /// `postgres://...` or a SQLite file, instead of the file in the data folder. In the environment it is
    /// QM_DATABASE_URL, where `ps` does not show its password.
    #[arg(long, value_name = "URL")]
    pub(crate) database: Option<String>,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct ManagerArgs {
    #[command(flatten)]
    pub(crate) place: Place,
    #[command(flatten)]
    pub(crate) listen: Listen,
}

/// Where to listen.
#[derive(Debug, Clone, Args)]
pub(crate) struct Listen {
    /// Where to listen [default: 127.0.0.1:8080]. Port 0 takes a free one.
    #[arg(long, value_name = "ADDR")]
    pub(crate) listen: Option<String>,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct ConfigArgs {
    #[command(flatten)]
    pub(crate) place: Place,
    #[command(flatten)]
    pub(crate) listen: Listen,
    /// Print the defaults with their explanations: a file to start from.
    #[arg(long, conflicts_with = "reference")]
    pub(crate) defaults: bool,
    /// Print the list of all keys as Markdown.
    #[arg(long)]
    pub(crate) reference: bool,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct DoctorArgs {
    #[command(flatten)]
    pub(crate) place: Place,
    #[command(flatten)]
    pub(crate) listen: Listen,
    /// How to print.
    #[arg(short, long, value_name = "FORMAT", default_value = "text")]
    pub(crate) output: Output,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Output {
    /// One line per check.
    Text,
    /// One object.
    Json,
}

#[derive(Debug, Subcommand)]
pub(crate) enum KeysCommand {
    /// Bring a new key into use and seal every stored secret with it, while managers run.
    ///
    /// Managers on this machine read the key file again by themselves. Where several machines have a
    /// copy of it: run it with --prepare on one, copy the file to all, then run it without.
    Rotate(RotateArgs),
    /// List the ids of the keys at hand, the one that seals first. Never the keys.
    ShowIds(Place),
    /// Print a new key, for QM_KEYS. Keep it secret.
    New,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct RotateArgs {
    #[command(flatten)]
    pub(crate) place: Place,
    /// Only add a new key that opens, and do not seal with it yet.
    #[arg(long)]
    pub(crate) prepare: bool,
}

impl Place {
    /// The configuration with these flags over it.
    pub(crate) fn load(&self, listen: Option<&Listen>) -> Result<Loaded, Problems> {
        let Self {
            data: _,
            config,
            database,
        } = self;
        let mut flags = Vec::new();
        if let Some(url) = database {
            flags.push(Flag {
                name: "--database",
                section: "database",
                key: "url",
                value: url.clone(),
            });
        }
        if let Some(listen) = listen.and_then(|it| it.listen.as_ref()) {
            flags.push(Flag {
                name: "--listen",
                section: "server",
                key: "listen",
                value: listen.clone(),
            });
        }
        let variables = std::env::vars_os().filter_map(|(name, value)| {
            let name = name.into_string().ok()?;
            Some((name, value.to_string_lossy().into_owned()))
        });
        config::load(config.as_deref(), variables, flags)
    }

    /// The data folder.
    pub(crate) fn data(&self) -> DataDir {
        DataDir::new(&self.data)
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn the_words_fit_together() {
        super::Cli::command().debug_assert();
    }
}
