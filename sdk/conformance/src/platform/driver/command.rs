//! Drives any platform through a program: one line of JSON per wish on its standard input, one per answer on its
//! standard output, matched by `id`.
//!
//! Made by `smctl verify platform --driver`; the lines are described in docs/verify-platform.md. The rule: wishes come
//! side by side and answers in any order; what is not an answer is ignored, and a program that ends answers every
//! open wish with `Broken`.

use super::{Driver, Fulfilling, State, Told, Wish};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::process::Stdio;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// The program cannot be started. The caller changes what was typed.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// It does not start.
    #[error("the driver {program:?} does not start")]
    Start {
        /// What was typed.
        program: String,
        /// Why it does not.
        #[source]
        source: std::io::Error,
    },
}

type Open = Arc<Mutex<HashMap<u64, oneshot::Sender<Told>>>>;

/// A running program.
pub struct Command {
    input: tokio::sync::Mutex<ChildStdin>,
    open: Open,
    next: AtomicU64,
    reader: JoinHandle<()>,
    /// Killed when dropped.
    _child: Child,
}

#[derive(Serialize)]
struct Line<'a> {
    id: u64,
    #[serde(flatten)]
    wish: &'a Wish,
}

#[derive(Deserialize)]
struct Answered {
    id: u64,
    #[serde(flatten)]
    told: Told,
}

impl Command {
    /// Starts `command` with the shell. What it writes to standard error is shown as it is.
    pub fn start(command: &str) -> Result<Self, CommandError> {
        let failed = |source| CommandError::Start {
            program: command.to_owned(),
            source,
        };
        let mut child = tokio::process::Command::new("sh")
            .args(["-c", command])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(failed)?;
        let missing = || failed(std::io::ErrorKind::BrokenPipe.into());
        let input = child.stdin.take().ok_or_else(missing)?;
        let output = child.stdout.take().ok_or_else(missing)?;
        let open = Open::default();
        let reader = tokio::spawn(read(BufReader::new(output).lines(), Arc::clone(&open)));
        Ok(Self {
            input: tokio::sync::Mutex::new(input),
            open,
            next: AtomicU64::new(1),
            reader,
            _child: child,
        })
    }

    async fn ask(&self, wish: Wish) -> Told {
        let broken = |text: String| Told::new(State::Broken, text);
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let line = match serde_json::to_string(&Line { id, wish: &wish }) {
            Ok(line) => line + "\n",
            Err(error) => return broken(format!("the wish cannot be written: {error}")),
        };
        let (sender, answer) = oneshot::channel();
        lock(&self.open).insert(id, sender);
        // The reader empties the map when the program ends; a wish that came later has nobody left to answer it.
        if self.reader.is_finished() {
            return broken("the driver has ended".to_owned());
        }
        let written = {
            let mut input = self.input.lock().await;
            input.write_all(line.as_bytes()).await
        };
        if let Err(error) = written {
            return broken(format!("the driver takes no more wishes: {error}"));
        }
        let ended = |_| broken("the driver has ended".to_owned());
        answer.await.unwrap_or_else(ended)
    }
}

impl Driver for Command {
    fn fulfil(&self, wish: Wish) -> Fulfilling<'_> {
        Box::pin(self.ask(wish))
    }
}

impl Drop for Command {
    fn drop(&mut self) {
        self.reader.abort();
    }
}

fn lock(open: &Open) -> std::sync::MutexGuard<'_, HashMap<u64, oneshot::Sender<Told>>> {
    open.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn read(mut lines: Lines<BufReader<ChildStdout>>, open: Open) {
    while let Ok(Some(line)) = lines.next_line().await {
        let Ok(answered) = serde_json::from_str::<Answered>(&line) else {
            continue;
        };
        if let Some(sender) = lock(&open).remove(&answered.id) {
            // The wish may have been given up.
            let _ = sender.send(answered.told);
        }
    }
    lock(&open).clear();
}
