//! Writes down that a platform's agent is here: when it connects, at its pings, when it leaves; and asks at its pings
//! whether it may still be here. The door holds one per connection.
//!
//! The rule: a connection never waits for the store. What is written or asked runs beside it, one at a time, and not more
//! often than [`EVERY`] and [`ASKED`] say; if it fails, the next ping tries again. A platform that is gone from the
//! registry, or whose pair was replaced by one that is in use, loses its connection, whichever replica did that. Whoever
//! does not ping is closed anyway.

use super::feed::Pulse;
use crate::App;
use qm_lifecycle::{Lifecycle, identity, platform};
use qm_model::{Chain, Ctx, Error};
use qm_stream::{Stream, Subscription};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// A sign of life is written at most so often.
const EVERY: Duration = Duration::from_secs(30);
/// Whether it may still be here is asked at most so often: clients may ping as fast as they like.
const ASKED: Duration = Duration::from_secs(1);

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
    /// When it is asked next.
    ask_at: Instant,
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
            ask_at: Instant::now(),
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
        let now = Instant::now();
        if self.writing.is_some() || now < self.ask_at {
            return;
        }
        self.ask_at = now + ASKED;
        let sign = if now < self.due {
            None
        } else if self.greeted {
            Some(Sign::Life)
        } else {
            Some(Sign::Greeting(self.version.clone()))
        };
        if sign.is_some() {
            self.due = now + EVERY;
        }
        let (deeds, ctx) = (self.deeds.clone(), Arc::clone(&self.ctx));
        self.writing = Some(Box::pin(async move {
            let deed = write(deeds.clone(), ctx, sign);
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
                Err(Error::Unauthenticated { .. }) => return,
                Err(_) => self.due = Instant::now(),
            }
        }
        std::future::pending::<()>().await;
    }
}

/// What is worth writing.
enum Sign {
    /// It has connected, with what it calls itself.
    Greeting(Option<String>),
    /// It is still here.
    Life,
}

/// Writes the sign, if there is one, and asks whether who gave it may be here.
async fn write(deeds: Lifecycle, ctx: Arc<Ctx>, sign: Option<Sign>) -> Result<(), Error> {
    match sign {
        Some(Sign::Greeting(version)) => platform::connected(&deeds, &ctx, version).await?,
        Some(Sign::Life) => platform::seen(&deeds, &ctx).await?,
        None => {}
    }
    identity::still(&deeds, &ctx).await
}

fn note(written: &Result<(), Error>) {
    if let Err(error) = written {
        tracing::debug!(error = %Chain(error), "a platform's activity could not be written");
    }
}
