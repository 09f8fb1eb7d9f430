//! How a manager is to be started: engine, settings, data folder. `start` does it.

use super::engine::Store;
use super::{Engine, Manager};
use qm_testkit::process::{Error, Process, Program};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

/// A manager to be started.
#[derive(Debug, Clone)]
pub(crate) struct Setup {
    engine: Engine,
    settings: Vec<(String, String)>,
}

impl Setup {
    pub(crate) fn new(engine: Engine) -> Self {
        Self {
            engine,
            settings: Vec::new(),
        }
    }

    /// A key of the configuration by its variable: `QM_SECTION_KEY`.
    #[must_use]
    pub(crate) fn set(mut self, variable: &str, value: &str) -> Self {
        self.settings.push((variable.to_owned(), value.to_owned()));
        self
    }

    /// Starts it on a fresh database in a fresh folder, and logs in as the first administrator.
    pub(crate) async fn start(self) -> Manager {
        let folder = Arc::new(tempfile::tempdir().unwrap());
        let data = folder.path().join("data");
        let store = match self.engine {
            Engine::Sqlite => Store::Sqlite(data.join("manager.db")),
            Engine::Postgres => {
                let database = qm_testkit::postgres::database().await;
                Store::Postgres(database.expect("on_both_engines asks first"))
            }
        };
        let launch = Launch {
            _folder: folder,
            data,
            database: match &store {
                Store::Sqlite(_) => None,
                Store::Postgres(database) => Some(database.url()),
            },
            settings: self.settings,
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
        };
        Manager::first(launch, Arc::new(store)).await
    }
}

/// What starts one process of a manager, and starts it again.
#[derive(Debug, Clone)]
pub(crate) struct Launch {
    _folder: Arc<TempDir>,
    pub(crate) data: PathBuf,
    database: Option<String>,
    pub(crate) settings: Vec<(String, String)>,
    pub(crate) listen: SocketAddr,
}

impl Launch {
    /// The executable with the place of its state, for any command of it.
    pub(crate) fn program(&self, command: &[&str]) -> Program {
        let mut program = executable().args(command).arg("--data").arg(&self.data);
        if let Some(url) = &self.database {
            program = program.arg("--database").arg(url);
        }
        for (variable, value) in &self.settings {
            program = program.env(variable, value);
        }
        program
    }

    pub(crate) async fn process(&self) -> Result<Process, Error> {
        let listen = self.listen.to_string();
        let program = self.program(&["manager"]);
        program.arg("--listen").arg(listen).start().await
    }
}

/// The executable under test, without arguments.
pub(crate) fn executable() -> Program {
    Program::new(Path::new(env!("CARGO_BIN_EXE_quartermaster")))
}
