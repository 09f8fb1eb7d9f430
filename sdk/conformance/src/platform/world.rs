//! What a case works with: its scripted broker, the driver, and questions to what was seen.
//!
//! Made by `run` for each case. The rule: deeds and waits end by themselves when patience ends; a case cannot hang.

mod deeds;
mod look;

pub(crate) use deeds::{Change, Made};

use super::broker::{Answer, Plan, Script, Verb};
use super::driver::Driver;
use super::options::Options;
use crate::Finding;
use crate::verdict::{Check, Stop};
use serde_json::Value;
use std::sync::Arc;

/// What all cases of a run share.
pub(crate) struct Scene {
    pub(crate) driver: Arc<dyn Driver>,
    pub(crate) options: Options,
}

/// One case at work.
pub(crate) struct World {
    pub(crate) scene: Arc<Scene>,
    pub(crate) script: Arc<Script>,
    /// A broken SHOULD of a case that is about a MUST.
    pub(crate) warnings: Vec<Finding>,
    /// Which of several allowed ways was seen.
    pub(crate) notes: Vec<String>,
    names: usize,
}

impl World {
    pub(crate) fn new(scene: Arc<Scene>, script: Arc<Script>) -> Self {
        Self {
            scene,
            script,
            warnings: Vec::new(),
            notes: Vec::new(),
            names: 0,
        }
    }

    /// A plan of the case's catalog.
    pub(crate) fn plan(&self, index: usize) -> Result<Plan, Stop> {
        let plans = Plan::all(&self.script.catalog());
        let found = plans.into_iter().nth(index);
        found.ok_or_else(|| Stop::skip("the suite's own catalog lacks a plan; please report it"))
    }

    /// The broker answers these, in order, and then soundly again.
    pub(crate) fn on(&self, verb: Verb, answers: impl IntoIterator<Item = Answer>) {
        self.script.on(verb, answers);
    }

    /// The broker answers these, in order, and the last one for ever.
    pub(crate) fn always(&self, verb: Verb, answers: impl IntoIterator<Item = Answer>) {
        self.script.always(verb, answers);
    }

    /// Changes the first offering, or its first plan, in the catalog.
    pub(crate) fn edit_catalog(&self, edit: impl FnOnce(&mut Value)) {
        let mut catalog = self.script.catalog();
        edit(&mut catalog["services"][0]);
        self.script.set_catalog(catalog);
    }

    /// Something worth knowing.
    pub(crate) fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }

    /// A SHOULD: what is wrong is told, and the case goes on.
    pub(crate) fn should(&mut self, check: Check) -> Check {
        match check {
            Err(Stop::Failed(mut findings)) => {
                self.warnings.append(&mut findings);
                Ok(())
            }
            other => other,
        }
    }
}
