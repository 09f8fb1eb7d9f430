//! A running manager.
//!
//! The rule: it keeps the address that it found at its first start, so that a client, a token or a platform
//! that knew it before a restart finds it afterwards.

use super::engine::Store;
use super::setup::{Launch, Setup};
use super::{Client, Engine};
use super::{login, wait};
use qm_testkit::process::Process;
use std::path::Path;
use std::process::{ExitStatus, Output};
use std::sync::Arc;

/// A running manager on a database of its own. Killed when dropped.
#[derive(Debug)]
pub(crate) struct Manager {
    process: Process,
    launch: Launch,
    store: Arc<Store>,
    token: String,
    /// What earlier processes wrote.
    before: String,
}

impl Manager {
    /// One with nothing configured.
    pub(crate) async fn start(engine: Engine) -> Self {
        Setup::new(engine).start().await
    }

    pub(super) async fn first(mut launch: Launch, store: Arc<Store>) -> Self {
        let process = launch.process().await;
        let process = process.unwrap_or_else(|error| panic!("{error}"));
        launch.listen = process.address();
        Self {
            process,
            launch,
            store,
            token: String::new(),
            before: String::new(),
        }
    }

    /// Takes a new token for [`admin`](Self::admin).
    pub(crate) async fn log_in(&mut self) {
        let password = self.admin_password();
        self.token = login::access_token(&self.url(), "admin", &password).await;
    }

    /// The first administrator's password, from its file.
    pub(crate) fn admin_password(&self) -> String {
        let path = self.data().join("admin-password");
        let text = std::fs::read_to_string(&path);
        let text = text.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        text.trim().to_owned()
    }

    pub(crate) fn engine(&self) -> Engine {
        self.launch.engine
    }

    /// `http://ADDR`.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.launch.listen)
    }

    pub(crate) fn data(&self) -> &Path {
        &self.launch.data
    }

    pub(crate) fn process(&mut self) -> &mut Process {
        &mut self.process
    }

    /// Everything that all its processes have written, standard output and error together.
    pub(crate) fn output(&self) -> String {
        format!("{}{}", self.before, self.process.output())
    }

    /// The first administrator.
    pub(crate) fn admin(&self) -> Client {
        Client::bearer(&self.url(), &self.token)
    }

    /// Nobody in particular.
    pub(crate) fn anybody(&self) -> Client {
        Client::anonymous(&self.url())
    }

    /// The administrator's token itself.
    pub(crate) fn token(&self) -> &str {
        &self.token
    }

    /// Writes to or reads from its database behind its back; see [`Store::sql`].
    pub(crate) fn sql(&self, sql: &str) -> Vec<String> {
        self.store.sql(sql)
    }

    /// Waits until every change so far has its revision: who connects then and names none hears only what
    /// comes afterwards.
    pub(crate) async fn settle(&self) {
        wait::eventually("changes have their revisions", async || {
            let left = self.sql("SELECT count(*) FROM event WHERE revision IS NULL");
            (left == ["0"]).then_some(())
        })
        .await;
    }

    /// Runs another command of the executable on the same state, to its end.
    pub(crate) fn run(&self, command: &[&str]) -> Output {
        self.launch.program(command).command().output().unwrap()
    }

    /// SIGKILL.
    pub(crate) fn kill9(&mut self) {
        self.process.kill9();
    }

    /// SIGTERM, and waits for the end.
    pub(crate) async fn stop(&mut self) -> ExitStatus {
        let ended = self.process.terminate().await;
        ended.unwrap_or_else(|error| panic!("{error}"))
    }

    /// Starts it again at the same address on the same state; kills it first if it runs.
    pub(crate) async fn restart(&mut self) {
        self.restart_with(&[]).await;
    }

    /// The same with further settings.
    pub(crate) async fn restart_with(&mut self, settings: &[(&str, &str)]) {
        self.process.kill9();
        self.before = self.output();
        for (variable, value) in settings {
            let setting = ((*variable).to_owned(), (*value).to_owned());
            self.launch.settings.push(setting);
        }
        let process = self.launch.process().await;
        self.process = process.unwrap_or_else(|error| panic!("{error}"));
    }

    /// The same with settings that make it die by itself, be it before it listens; waits for its end.
    pub(crate) async fn restart_to_die(&mut self, settings: &[(&str, &str)]) {
        self.process.kill9();
        self.before = self.output();
        for (variable, value) in settings {
            let setting = ((*variable).to_owned(), (*value).to_owned());
            self.launch.settings.push(setting);
        }
        if let Ok(process) = self.launch.process().await {
            self.process = process;
            let ended = self.process.wait().await;
            ended.unwrap_or_else(|error| panic!("it lives on: {error}"));
        }
    }

    /// Another process on the same state: PostgreSQL only. It calls itself by this one's address, so that
    /// tokens count at both.
    pub(crate) async fn replica(&self) -> Self {
        self.replica_with(&[]).await
    }

    /// The same with further settings.
    pub(crate) async fn replica_with(&self, settings: &[(&str, &str)]) -> Self {
        let mut launch = self.launch.clone();
        for (variable, value) in settings {
            let setting = ((*variable).to_owned(), (*value).to_owned());
            launch.settings.push(setting);
        }
        let name = ("QM_SERVER_PUBLIC_URL".to_owned(), self.url());
        launch.settings.push(name);
        launch.listen.set_port(0);
        let process = launch.process().await;
        let process = process.unwrap_or_else(|error| panic!("{error}"));
        launch.listen = process.address();
        Self {
            process,
            launch,
            store: Arc::clone(&self.store),
            token: self.token.clone(),
            before: String::new(),
        }
    }
}
