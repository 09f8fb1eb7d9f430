//! How a manager is to be started: engine, settings, data folder. `start` does it.

use super::engine::Store;
use super::{Engine, Manager};
use qm_testkit::clock::Clock;
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
    password: String,
}

impl Setup {
    pub(crate) fn new(engine: Engine) -> Self {
        Self {
            engine,
            settings: Vec::new(),
            password: String::new(),
        }
    }

    /// A password in the database's address, where the engine has one. (The server takes any.)
    #[must_use]
    pub(crate) fn database_password(mut self, password: &str) -> Self {
        self.password = password.to_owned();
        self
    }

    /// A key of the configuration by its variable: `QM_SECTION_KEY`.
    #[must_use]
    pub(crate) fn set(mut self, variable: &str, value: &str) -> Self {
        self.settings.push((variable.to_owned(), value.to_owned()));
        self
    }

    /// Lets it go by a clock of its own.
    #[must_use]
    pub(crate) fn clock(self, clock: &Clock) -> Self {
        let environment = clock.environment().into_iter();
        environment.fold(self, |setup, (name, value)| {
            setup.set(name, value.to_str().unwrap())
        })
    }

    /// Starts it on a fresh database in a fresh folder, and logs in as the first administrator.
    pub(crate) async fn start(self) -> Manager {
        let mut manager = self.start_without_login().await;
        manager.log_in().await;
        manager
    }

    /// The same for managers at which nobody can log in like that.
    pub(crate) async fn start_without_login(self) -> Manager {
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
            engine: self.engine,
            _folder: folder,
            data,
            database: match &store {
                Store::Sqlite(_) => None,
                Store::Postgres(database) if self.password.is_empty() => Some(database.url()),
                Store::Postgres(database) => {
                    let user = format!("test:{}@", self.password);
                    Some(database.url().replacen("test@", &user, 1))
                }
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
    pub(crate) engine: Engine,
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
