//! Questions of cases: what arrived, what was made, what the platform remembers; and the setting of scenes.

use super::{Made, World};
use crate::platform::broker::{Call, Plan, Verb};
use crate::platform::driver::{State, Told};
use crate::verdict::{Check, Stop};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout_at};

impl World {
    /// All calls of a kind so far.
    pub(crate) fn calls(&self, verb: Verb) -> Vec<Arc<Call>> {
        let mut calls = self.script.calls();
        calls.retain(|call| call.verb == verb);
        calls
    }

    /// Calls of a kind about one instance or binding (by its id at the broker).
    pub(crate) fn about(&self, verb: Verb, id: &str) -> Vec<Arc<Call>> {
        let mut calls = self.calls(verb);
        calls.retain(|call| call.instance == id || call.binding == id);
        calls
    }

    /// The last call of a kind.
    pub(crate) fn last(&self, verb: Verb) -> Option<Arc<Call>> {
        self.calls(verb).pop()
    }

    /// The last call of a kind, which has to be there.
    pub(crate) fn arrived(&self, verb: Verb, told: &Told) -> Result<Arc<Call>, Stop> {
        self.last(verb).ok_or_else(|| {
            Stop::failed(
                format!("a {} arrives at the broker", verb.word()),
                told.line(),
            )
        })
    }

    /// Waits until something was seen; none when patience ended.
    pub(crate) async fn until<T>(
        &self,
        mut look: impl FnMut(&[Arc<Call>]) -> Option<T>,
    ) -> Option<T> {
        self.until_within(self.scene.options.patience, &mut look)
            .await
    }

    /// The same with a patience of its own.
    pub(crate) async fn until_within<T>(
        &self,
        patience: Duration,
        mut look: impl FnMut(&[Arc<Call>]) -> Option<T>,
    ) -> Option<T> {
        let mut news = self.script.news();
        let end = Instant::now() + patience;
        loop {
            news.mark_unchanged();
            if let Some(found) = look(&self.script.calls()) {
                return Some(found);
            }
            match timeout_at(end, news.changed()).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) | Err(_) => return look(&self.script.calls()),
            }
        }
    }

    /// Waits until so many calls of a kind about something have arrived.
    pub(crate) async fn until_count(&self, verb: Verb, id: &str, count: usize) -> bool {
        let seen = |calls: &[Arc<Call>]| {
            let mine = |call: &&Arc<Call>| {
                call.verb == verb && (call.instance == id || call.binding == id)
            };
            (calls.iter().filter(mine).count() >= count).then_some(())
        };
        self.until(seen).await.is_some()
    }

    /// Leaves the platform the time in which it would do what it must not do.
    pub(crate) async fn settle(&self) {
        sleep(self.scene.options.settle).await;
    }

    /// The platform says that it was done; else the case fails.
    pub(crate) fn done(&self, told: &Told, what: &str, verb: Verb) -> Check {
        if told.is_done() {
            return Ok(());
        }
        let expected = format!("{what} succeeds");
        Err(match self.last(verb) {
            Some(call) => call.fail(expected, told.line()),
            None => Stop::failed(expected, told.line()),
        })
    }

    /// The platform says that it failed; else the case fails. Without a call there was nothing to look at.
    pub(crate) fn failed(&self, told: &Told, what: &str, verb: Verb) -> Check {
        let missing = || Stop::skip(format!("no {} arrived: {}", verb.word(), told.line()));
        let call = self.last(verb).ok_or_else(missing)?;
        let expected = format!("{what} counts as failed");
        match told.state {
            State::Failed | State::Refused => Ok(()),
            _ => Err(call.fail(expected, told.line())),
        }
    }

    /// An instance to work with; without one the case cannot look.
    pub(crate) async fn instance(&mut self) -> Result<Made, Stop> {
        let plan = self.plan(0)?;
        self.instance_of(&plan, None).await
    }

    /// The same of a plan, with parameters.
    pub(crate) async fn instance_of(
        &mut self,
        plan: &Plan,
        parameters: Option<Value>,
    ) -> Result<Made, Stop> {
        let told = self.create_with(plan, parameters).await?;
        let call = self.last(Verb::Provision);
        made(told, call.map(|call| call.instance.clone()), "instance")
    }

    /// A binding to work with.
    pub(crate) async fn binding(&mut self, instance: &Made) -> Result<Made, Stop> {
        let told = self.bind(instance).await?;
        let call = self.last(Verb::Bind);
        made(told, call.map(|call| call.binding.clone()), "binding")
    }

    /// The platform still knows the instance; else the case fails.
    pub(crate) async fn remembers(&self, instance: &Made, after: &str) -> Check {
        match self.show(instance).await?.exists {
            Some(false) => Err(Stop::failed(
                format!("the platform remembers it after {after}"),
                "the platform no longer knows it",
            )),
            _ => Ok(()),
        }
    }
}

fn made(told: Told, id: Option<String>, what: &str) -> Result<Made, Stop> {
    let line = told.line();
    let missing = || Stop::skip(format!("the case needs an {what} and got none: {line}"));
    match (told.is_done(), told.handle, id) {
        (true, Some(handle), Some(id)) => Ok(Made { handle, id }),
        _ => Err(missing()),
    }
}
