//! A caller that shows one plan to one platform after the other, with changing labels.

use super::brokers::send;
use super::registry::Registry;
use super::tally::{Belief, Tally};
use crate::faults::Dice;
use crate::harness::Client;
use http::Method;
use serde_json::json;
use std::collections::BTreeSet;

/// What a visibility is known by.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Visibility {
    /// Empty: public.
    platform: String,
    organizations: BTreeSet<String>,
}

pub(super) struct VisibilitySlot {
    id: String,
    plan: String,
    platforms: Vec<String>,
    deed: u64,
    pub(super) belief: Belief<Visibility>,
}

impl VisibilitySlot {
    pub(super) fn new(n: usize, plan: String, platforms: &[String]) -> Self {
        let public = std::iter::once(String::new());
        Self {
            id: format!("visibility-{n}"),
            plan,
            platforms: public.chain(platforms.iter().cloned()).collect(),
            deed: 0,
            belief: Belief::nothing(),
        }
    }

    /// Does one thing; false when there was no answer.
    pub(super) async fn act(&mut self, admin: &Client, dice: &mut Dice) -> bool {
        self.deed += 1;
        let fresh = format!("org-{}", self.deed);
        let choice = dice.roll(self.platforms.len() as u64);
        let platform = self.platforms[usize::try_from(choice).unwrap()].clone();
        let path = format!("/v1/visibilities/{}", self.id);
        let Some(old) = self.belief.known.clone() else {
            let then = Visibility {
                platform,
                organizations: [fresh.clone(), "org-always".to_owned()].into(),
            };
            let body = json!({
                "id": self.id, "service_plan_id": self.plan, "platform_id": then.platform,
                "labels": {"organization_guid": then.organizations},
            });
            let answered = send(admin, Method::POST, "/v1/visibilities", &body, 201).await;
            self.belief.after(Some(then), answered);
            return answered;
        };
        let mut then = old.clone();
        let body = match dice.roll(8) {
            0 => {
                let gone = admin.try_send(Method::DELETE, &path, &[], "").await;
                let answered = gone.is_ok();
                if let Ok(answer) = gone {
                    answer.expect(200);
                }
                self.belief.after(None, answered);
                return answered;
            }
            1..3 => {
                then.platform.clone_from(&platform);
                json!({"platform_id": platform})
            }
            3..6 => {
                then.organizations.insert(fresh.clone());
                json!({"labels": [{"op": "add_values", "key": "organization_guid", "values": [fresh]}]})
            }
            _ => {
                // The oldest goes, a new one comes, in one step.
                let gone = old.organizations.first().cloned().unwrap_or_default();
                then.organizations.remove(&gone);
                then.organizations.insert(fresh.clone());
                json!({"labels": [
                    {"op": "remove_values", "key": "organization_guid", "values": [gone]},
                    {"op": "add_values", "key": "organization_guid", "values": [fresh]},
                ]})
            }
        };
        let answered = send(admin, Method::PATCH, &path, &body, 200).await;
        self.belief.after(Some(then), answered);
        answered
    }

    pub(super) fn check(&mut self, registry: &Registry, tally: &mut Tally, when: &str) {
        let what = format!("{when}, {}", self.id);
        let found = registry.visibilities.get(&self.id).map(|shown| {
            assert_eq!(shown["ready"], true, "{what}: {shown}");
            assert_eq!(
                shown["service_plan_id"],
                self.plan.as_str(),
                "{what}: {shown}"
            );
            let organizations = shown["labels"]["organization_guid"].clone();
            Visibility {
                platform: shown["platform_id"].as_str().unwrap().to_owned(),
                organizations: serde_json::from_value(organizations).unwrap_or_default(),
            }
        });
        self.belief.settle(found, tally, &what);
    }
}
