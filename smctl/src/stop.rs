//! Signals that want an end: caught from the first moment to the last, so that nothing is left behind or half done.
//! `smctl exec` and `smctl top` use it.
//!
//! The rule: whoever waits for something asks [`Stop::unless`]; what must not be broken off is awaited without it, and a
//! signal that came meanwhile is seen by the next question.

use crate::exit::Exit;
use crate::problem::Problem;
use std::future::Future;

/// What was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sent {
    Interrupt,
    #[cfg(unix)]
    Quit,
    #[cfg(unix)]
    Terminate,
    #[cfg(unix)]
    Hangup,
}

/// The signals.
#[cfg(unix)]
#[derive(Debug)]
pub(crate) struct Stop {
    interrupt: tokio::signal::unix::Signal,
    quit: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    hangup: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Stop {
    /// From now on they end nothing by themselves.
    pub(crate) fn catch() -> Result<Self, Problem> {
        use tokio::signal::unix::{SignalKind, signal};

        let catch = |kind| signal(kind).map_err(|error| uncaught(&error));
        Ok(Self {
            interrupt: catch(SignalKind::interrupt())?,
            quit: catch(SignalKind::quit())?,
            terminate: catch(SignalKind::terminate())?,
            hangup: catch(SignalKind::hangup())?,
        })
    }

    /// The next one.
    pub(crate) async fn came(&mut self) -> Sent {
        tokio::select! {
            _ = self.interrupt.recv() => Sent::Interrupt,
            _ = self.quit.recv() => Sent::Quit,
            _ = self.terminate.recv() => Sent::Terminate,
            _ = self.hangup.recv() => Sent::Hangup,
        }
    }
}

/// The signals.
#[cfg(not(unix))]
#[derive(Debug)]
pub(crate) struct Stop {}

#[cfg(not(unix))]
impl Stop {
    #[allow(clippy::unnecessary_wraps, reason = "elsewhere it can fail")]
    pub(crate) fn catch() -> Result<Self, Problem> {
        Ok(Self {})
    }

    pub(crate) async fn came(&mut self) -> Sent {
        let _ = tokio::signal::ctrl_c().await;
        Sent::Interrupt
    }
}

impl Stop {
    /// What comes of it, unless a signal comes first.
    pub(crate) async fn unless<T>(
        &mut self,
        work: impl Future<Output = Result<T, Problem>>,
    ) -> Result<T, Problem> {
        tokio::select! {
            _ = self.came() => Err(Problem::new(Exit::Interrupted, "interrupted before the program was started")),
            done = work => done,
        }
    }
}

#[cfg(unix)]
fn uncaught(error: &std::io::Error) -> Problem {
    Problem::new(Exit::Failed, "signals cannot be caught").why(error.to_string())
}
