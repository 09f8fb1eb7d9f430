//! The manager under measurement: built with optimisation, started on a folder, and spoken to as a client does.

use crate::server::Served;
use anyhow::{Context, Result, bail};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::{Method, Request, StatusCode, header};
use qm_testkit::http::{Client, json};
use serde_json::Value;
use std::fs::File;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// Without the spans that the log's default level asks for.
const QUIET: &str = "warn";

/// Requests that fill the registry are sent so many at once.
const AT_ONCE: usize = 16;

/// Builds the executable.
pub(crate) fn build() -> Result<()> {
    build_program("quartermaster")
}

/// Builds one of our programs as the benchmark itself was built.
pub(crate) fn build_program(package: &str) -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args(["build", "--quiet", "--profile", &profile()?])
        .args(["--package", package])
        .status()
        .context("running cargo")?;
    if !built.success() {
        bail!("{package} does not build");
    }
    Ok(())
}

/// That of the benchmark itself: its folder is called after it.
pub(crate) fn profile() -> Result<String> {
    let own = std::env::current_exe()?;
    let folder = own.parent().and_then(Path::file_name);
    let name = folder.context("no folder above the benchmark")?;
    Ok(match name.to_string_lossy().as_ref() {
        "debug" => "dev".to_owned(),
        other => other.to_owned(),
    })
}

/// Where cargo put a program.
pub(crate) fn beside(program: &str) -> Result<PathBuf> {
    let own = std::env::current_exe()?;
    let folder = own.parent().context("no folder above the benchmark")?;
    Ok(folder.join(program))
}

/// A running manager and the first administrator's token.
pub(crate) struct Manager {
    pub(crate) served: Served,
    pub(crate) token: String,
    client: Client,
}

impl Manager {
    /// Starts one on a folder and logs in.
    pub(crate) async fn start(data: &Path, database: Option<&str>) -> Result<Self> {
        Self::log_in(launch(data, database, Some(QUIET))?, data).await
    }

    /// Starts one that nothing is said to but where it keeps its state: as its users have it.
    pub(crate) async fn start_as_shipped(data: &Path, database: Option<&str>) -> Result<Self> {
        Self::log_in(launch(data, database, None)?, data).await
    }

    async fn log_in(served: Served, data: &Path) -> Result<Self> {
        let client = Client::new(&format!("http://{}", served.address), "", "");
        let password = std::fs::read_to_string(data.join("admin-password"))
            .context("the administrator's password")?;
        let token = log_in(&client, password.trim()).await?;
        Ok(Self {
            served,
            token,
            client,
        })
    }

    /// Starts one on a folder that another has left; how long it took to the first answer to an authenticated
    /// request, the program's own start included.
    pub(crate) async fn start_again(
        data: &Path,
        token: &str,
        path: &str,
    ) -> Result<(Self, Duration)> {
        let began = Instant::now();
        let served = launch(data, None, Some(QUIET))?;
        let client = Client::new(&format!("http://{}", served.address), "", "");
        let manager = Self {
            served,
            token: token.to_owned(),
            client,
        };
        manager.get(path).await?;
        Ok((manager, began.elapsed()))
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.served.address
    }

    pub(crate) async fn get(&self, path: &str) -> Result<Value> {
        self.ask(Method::GET, path, None, StatusCode::OK).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Result<Value> {
        self.ask(Method::POST, path, Some(body), StatusCode::CREATED)
            .await
    }

    /// Begins a cascade; the path of its operation.
    pub(crate) async fn cascade(&self, path: &str) -> Result<String> {
        let request = Request::builder()
            .method(Method::DELETE)
            .uri(path)
            .header(header::AUTHORIZATION, format!("Bearer {}", self.token))
            .body(Bytes::new())?;
        let answer = self.client.send(request).await?;
        let location = answer.headers().get(header::LOCATION);
        location
            .and_then(|location| location.to_str().ok())
            .map(str::to_owned)
            .with_context(|| {
                let words = String::from_utf8_lossy(answer.body());
                format!("DELETE {path}: {} {words}", answer.status())
            })
    }

    /// A change on a thread and a connection of its own, and how long it took: the callers' own work must not delay
    /// the look at the clock.
    pub(crate) async fn patch_apart(&self, path: &str, body: &Value) -> Result<Duration> {
        let url = format!("http://{}", self.served.address);
        let (token, path, body) = (self.token.clone(), path.to_owned(), body.clone());
        let apart = move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()?;
            runtime.block_on(async {
                let client = Client::new(&url, "", "");
                let began = Instant::now();
                ask(
                    &client,
                    &token,
                    Method::PATCH,
                    &path,
                    Some(&body),
                    StatusCode::OK,
                )
                .await?;
                Ok(began.elapsed())
            })
        };
        tokio::task::spawn_blocking(apart).await?
    }

    /// Many creations, some at once; the answers in the order of the bodies.
    pub(crate) async fn post_all(
        &self,
        path: &'static str,
        bodies: Vec<Value>,
    ) -> Result<Vec<Value>> {
        let turn = Arc::new(Semaphore::new(AT_ONCE));
        let mut tasks = JoinSet::new();
        for (number, body) in bodies.into_iter().enumerate() {
            let (turn, client, token) =
                (Arc::clone(&turn), self.client.clone(), self.token.clone());
            tasks.spawn(async move {
                let _turn = turn.acquire().await?;
                let answer = ask(
                    &client,
                    &token,
                    Method::POST,
                    path,
                    Some(&body),
                    StatusCode::CREATED,
                )
                .await?;
                anyhow::Ok((number, answer))
            });
        }
        let mut answers = Vec::new();
        while let Some(answer) = tasks.join_next().await {
            answers.push(answer??);
        }
        answers.sort_by_key(|(number, _)| *number);
        Ok(answers.into_iter().map(|(_, answer)| answer).collect())
    }

    async fn ask(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
        expected: StatusCode,
    ) -> Result<Value> {
        ask(&self.client, &self.token, method, path, body, expected).await
    }
}

async fn ask(
    client: &Client,
    token: &str,
    method: Method,
    path: &str,
    body: Option<&Value>,
    expected: StatusCode,
) -> Result<Value> {
    let request = Request::builder()
        .method(method.clone())
        .uri(path)
        .header(header::AUTHORIZATION, format!("Bearer {token}"))
        .header(header::CONTENT_TYPE, "application/json")
        .body(body.map_or(Bytes::new(), |body| body.to_string().into()))?;
    let answer = client.send(request).await?;
    if answer.status() != expected {
        let words = String::from_utf8_lossy(answer.body()).into_owned();
        bail!("{method} {path}: {} {words}", answer.status());
    }
    Ok(json(&answer))
}

fn launch(data: &Path, database: Option<&str>, log_level: Option<&str>) -> Result<Served> {
    // What it logs is of use only when something is wrong.
    let log = data.with_extension("log");
    let mut command = Command::new(beside("quartermaster")?);
    command
        .args(["manager", "--listen", "127.0.0.1:0", "--data"])
        .arg(data)
        .stderr(File::create(&log)?);
    if let Some(level) = log_level {
        command.env("QM_LOG_LEVEL", level);
    }
    if let Some(url) = database {
        command.args(["--database", url]);
    }
    Served::start(command).with_context(|| format!("starting the manager, see {}", log.display()))
}

async fn log_in(client: &Client, password: &str) -> Result<String> {
    // The password has no characters that a form would change.
    let form = format!("grant_type=password&username=admin&password={password}");
    let request = Request::builder()
        .method(Method::POST)
        .uri("/oauth/token")
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(Bytes::from(form))?;
    let answer = client.send(request).await?;
    let token = json(&answer)["access_token"].as_str().map(str::to_owned);
    token.with_context(|| {
        format!(
            "no token: {} {}",
            answer.status(),
            String::from_utf8_lossy(answer.body())
        )
    })
}

/// What a platform sends as `Authorization`, given the answer to its registration.
pub(crate) fn authorization(platform: &Value) -> Result<String> {
    let part = |name: &str| platform["credentials"]["basic"][name].as_str();
    let (user, password) = part("username")
        .zip(part("password"))
        .context("a platform without credentials")?;
    Ok(basic(user, password))
}

/// The header of a pair.
pub(crate) fn basic(user: &str, password: &str) -> String {
    format!("Basic {}", STANDARD.encode(format!("{user}:{password}")))
}

/// Orderly processor time, memory and numbers need a moment of rest.
pub(crate) async fn rest() {
    tokio::time::sleep(Duration::from_secs(2)).await;
}
