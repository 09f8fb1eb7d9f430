//! Which call meets which fault.
//!
//! Tests write rules by `HostileBroker::on`, other processes by `/_hostile/faults`. The rule about rules: every
//! rule counts the calls it is about from the moment it was added; of those that apply to a call the one added
//! first wins.

use super::fault::Fault;
use super::route::Route;
use super::serve::Shared;
use quartermaster_osb::Verb;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A fault and the calls it is for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Which verb; any when absent.
    #[serde(default, with = "verb_word", skip_serializing_if = "Option::is_none")]
    pub verb: Option<Verb>,
    /// Which instance; any when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instance: Option<String>,
    /// Which binding; any when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub binding: Option<String>,
    /// The first call it applies to, counted from 1.
    #[serde(default = "first")]
    pub from: u64,
    /// How many calls it applies to; all when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<u64>,
    /// What goes wrong.
    pub fault: Fault,
}

fn first() -> u64 {
    1
}

impl Rule {
    /// For every call of a verb (of every verb for `None`).
    pub fn new(verb: Option<Verb>, fault: Fault) -> Self {
        Self {
            verb,
            instance: None,
            binding: None,
            from: first(),
            times: None,
            fault,
        }
    }

    fn about(&self, route: &Route) -> bool {
        let same = |wanted: &Option<String>, got: &Option<String>| {
            wanted.is_none() || wanted.as_ref() == got.as_ref()
        };
        self.verb.is_none_or(|verb| verb == route.verb)
            && same(&self.instance, &route.instance)
            && same(&self.binding, &route.binding)
    }
}

/// All rules and what they have counted.
#[derive(Debug, Default)]
pub(super) struct Script {
    rules: Vec<(Rule, u64)>,
}

impl Script {
    pub(super) fn add(&mut self, rule: Rule) {
        self.rules.push((rule, 0));
    }

    pub(super) fn clear(&mut self) {
        self.rules.clear();
    }

    pub(super) fn rules(&self) -> Vec<&Rule> {
        self.rules.iter().map(|(rule, _)| rule).collect()
    }

    /// The fault for this call. Counts it, so ask once per call.
    pub(super) fn next(&mut self, route: &Route) -> Fault {
        let mut chosen = None;
        for (rule, count) in &mut self.rules {
            if !rule.about(route) {
                continue;
            }
            *count += 1;
            if *count < rule.from {
                continue;
            }
            let turn = *count - rule.from;
            if chosen.is_none() && rule.times.is_none_or(|times| turn < times) {
                chosen = Some(rule.fault.at(turn));
            }
        }
        chosen.unwrap_or_default()
    }
}

/// A rule in the making. Without further words it applies to every call, for ever.
#[derive(Debug)]
#[must_use = "a rule counts from `then` on"]
pub struct On<'a> {
    shared: &'a Shared,
    rule: Rule,
}

impl<'a> On<'a> {
    pub(super) fn new(shared: &'a Shared, verb: Option<Verb>) -> Self {
        Self {
            shared,
            rule: Rule::new(verb, Fault::Behave),
        }
    }

    /// Only calls about this instance.
    pub fn for_instance(mut self, id: &str) -> Self {
        self.rule.instance = Some(id.to_owned());
        self
    }

    /// Only calls about this binding.
    pub fn for_binding(mut self, id: &str) -> Self {
        self.rule.binding = Some(id.to_owned());
        self
    }

    /// Only the `n`-th call from now, counted from 1.
    pub fn nth(mut self, n: u64) -> Self {
        self.rule.from = n;
        self.rule.times = Some(1);
        self
    }

    /// From the `n`-th call on.
    pub fn from_nth(mut self, n: u64) -> Self {
        self.rule.from = n;
        self
    }

    /// Only `n` calls.
    pub fn times(mut self, n: u64) -> Self {
        self.rule.times = Some(n);
        self
    }

    /// Every call, for ever.
    pub fn always(mut self) -> Self {
        self.rule.from = first();
        self.rule.times = None;
        self
    }

    /// Puts the rule in force.
    pub fn then(self, fault: Fault) {
        let mut rule = self.rule;
        rule.fault = fault;
        self.shared.script().add(rule);
    }
}

/// Verbs in JSON are their stable words.
mod verb_word {
    use super::{Deserialize, Deserializer, Serialize, Serializer, Verb};

    pub(super) fn serialize<S: Serializer>(verb: &Option<Verb>, to: S) -> Result<S::Ok, S::Error> {
        verb.map(Verb::as_str).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Verb>, D::Error> {
        let Some(word) = Option::<String>::deserialize(from)? else {
            return Ok(None);
        };
        let known = Verb::ALL.into_iter().find(|verb| verb.as_str() == word);
        known.map(Some).ok_or_else(|| {
            let words = Verb::ALL.map(Verb::as_str).join(", ");
            serde::de::Error::custom(format!("no verb `{word}`; there are {words}"))
        })
    }
}
