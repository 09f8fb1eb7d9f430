//! Writes down that a platform's agent is here: when it connects, at its pings, when it leaves. The door holds one per
//! connection.
//!
//! The rule: a connection never waits for the store. What is written runs beside it, one at a time and not more often
//! than [`EVERY`]; if it fails, the next ping tries again. A platform that is gone from the registry loses its connection.

use super::feed::Pulse;
use crate::App;
use qm_lifecycle::{Lifecycle, platform, read};
use qm_model::platform::Platform;
use qm_model::{Chain, Ctx, Error, Kind};
use qm_stream::{Stream, Subscription};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// A sign of life is written at most so often.
const EVERY: Duration = Duration::from_secs(30);

type Writing = Pin<Box<dyn Future<Output = Result<(), Error>> + Send>>;

/// What is written of one connection.
pub(super) struct Activity {
    deeds: Lifecycle,
    stream: Stream,
    ctx: Arc<Ctx>,
    /// What the agent calls itself.
    version: Option<String>,
    /// Whether it is written that it has connected.
    greeted: bool,
    /// When the next sign of life is worth writing.
    due: Instant,
    /// Begins when it is first waited for, and then goes on by itself.
    writing: Option<Writing>,
}

impl Activity {
    /// The agent has connected. Using the current credentials here makes the old ones invalid.
    pub(super) fn begin(app: &App, ctx: Ctx, version: Option<String>) -> Self {
        let mut activity = Self {
            deeds: app.deeds.clone(),
            stream: app.stream.clone(),
            ctx: Arc::new(ctx),
            version,
            greeted: false,
            due: Instant::now(),
            writing: None,
        };
        activity.beat();
        activity
    }

    /// The agent has gone. It is written only when the platform has no other connection here; the subscription is held
    /// until then, so that a process that stops waits for it.
    pub(super) async fn end(mut self, subscription: &mut Subscription) {
        // What is under way must not come after what follows.
        if let Some(writing) = self.writing.take() {
            note(&writing.await);
        }
        let Some(platform) = self.ctx.caller.platform().map(|caller| caller.id.clone()) else {
            return;
        };
        if !subscription.leave() {
            return;
        }
        note(&platform::left(&self.deeds, &self.ctx).await);
        if self.stream.connected_as(&platform) > 0 {
            // It has come back while that was being written.
            note(&platform::seen(&self.deeds, &self.ctx).await);
        }
    }
}

impl Pulse for Activity {
    fn beat(&mut self) {
        if self.writing.is_some() || Instant::now() < self.due {
            return;
        }
        self.due = Instant::now() + EVERY;
        let (deeds, ctx) = (self.deeds.clone(), Arc::clone(&self.ctx));
        let greeting = (!self.greeted).then(|| self.version.clone());
        self.writing = Some(Box::pin(async move {
            let deed = write(deeds.clone(), ctx, greeting);
            deeds.detach(deed).await
        }));
    }

    async fn lost(&mut self) {
        if let Some(writing) = &mut self.writing {
            let written = writing.await;
            self.writing = None;
            note(&written);
            match written {
                Ok(()) => self.greeted = true,
                Err(Error::Missing(_)) => return,
                Err(_) => self.due = Instant::now(),
            }
        }
        std::future::pending::<()>().await;
    }
}

/// A greeting, with the agent's version, or a mere sign of life.
async fn write(
    deeds: Lifecycle,
    ctx: Arc<Ctx>,
    greeting: Option<Option<String>>,
) -> Result<(), Error> {
    match greeting {
        Some(version) => platform::connected(&deeds, &ctx, version).await?,
        None => platform::seen(&deeds, &ctx).await?,
    }
    still_registered(&deeds, &ctx).await
}

/// Whoever was removed after it had connected must not hear anything more.
async fn still_registered(deeds: &Lifecycle, ctx: &Ctx) -> Result<(), Error> {
    match ctx.caller.platform() {
        Some(caller) => read::one::<Platform>(deeds, ctx, caller.id.as_str())
            .await
            .map(drop),
        None => Err(Error::Missing(Kind::Platform)),
    }
}

fn note(written: &Result<(), Error>) {
    if let Err(error) = written {
        tracing::debug!(error = %Chain(error), "a platform's activity could not be written");
    }
}
