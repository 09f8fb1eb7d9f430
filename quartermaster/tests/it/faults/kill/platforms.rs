//! A caller that registers, changes and removes one platform; a pair that was given out must open the door.

use super::brokers::send;
use super::registry::Registry;
use super::tally::{Belief, Tally};
use crate::faults::Dice;
use crate::harness::{Client, Platform};
use http::Method;
use serde_json::json;

/// What a platform is known by: the deeds that described and labelled it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Known {
    described: u64,
    labelled: u64,
}

pub(super) struct PlatformSlot {
    id: String,
    deed: u64,
    pub(super) belief: Belief<Known>,
    /// What it logs in with, when its registration was answered.
    pair: Option<Platform>,
}

impl PlatformSlot {
    pub(super) fn new(n: usize) -> Self {
        Self {
            id: format!("platform-{n}"),
            deed: 0,
            belief: Belief::nothing(),
            pair: None,
        }
    }

    /// Does one thing; false when there was no answer.
    pub(super) async fn act(&mut self, admin: &Client, dice: &mut Dice) -> bool {
        self.deed += 1;
        let n = self.deed;
        let path = format!("/v1/platforms/{}", self.id);
        if self.belief.known.is_none() {
            return self.register(admin).await;
        }
        if dice.roll(5) == 0 {
            let gone = admin.try_send(Method::DELETE, &path, &[], "").await;
            let answered = gone.is_ok();
            if let Ok(answer) = gone {
                answer.expect(200);
            }
            self.pair = None;
            self.belief.after(None, answered);
            return answered;
        }
        let body = json!({
            "description": n.to_string(),
            "labels": [{"op": "remove", "key": "deed"}, {"op": "add", "key": "deed", "values": [n.to_string()]}],
        });
        let answered = send(admin, Method::PATCH, &path, &body, 200).await;
        let then = Known {
            described: n,
            labelled: n,
        };
        self.belief.after(Some(then), answered);
        answered
    }

    async fn register(&mut self, admin: &Client) -> bool {
        let n = self.deed;
        let body = json!({
            "id": self.id, "name": self.id, "type": "cloudfoundry", "description": n.to_string(),
            "labels": {"deed": [n.to_string()]},
        });
        let headers = [("content-type", "application/json")];
        let made = admin
            .try_send(Method::POST, "/v1/platforms", &headers, body.to_string())
            .await;
        let then = Known {
            described: n,
            labelled: n,
        };
        let answered = made.is_ok();
        self.pair = None;
        if let Ok(answer) = made {
            self.pair = Some(Platform::of("", &answer.expect(201)));
        }
        self.belief.after(Some(then), answered);
        answered
    }

    /// Whoever was given a pair can log in with it.
    pub(super) async fn log_in(&self, url: &str) {
        if let (Some(pair), Some(_)) = (&self.pair, &self.belief.known) {
            let pair = Platform {
                url: url.to_owned(),
                ..pair.clone()
            };
            let own = format!("/v1/platforms/{}", pair.id);
            pair.client().get(&own).await.expect(200);
        }
    }

    pub(super) fn check(&mut self, registry: &Registry, tally: &mut Tally, when: &str) {
        let what = format!("{when}, {}", self.id);
        let found = registry.platforms.get(&self.id).map(|shown| {
            assert_eq!(shown["ready"], true, "{what}: {shown}");
            let number = |text: &serde_json::Value| text.as_str().unwrap().parse().unwrap();
            assert_eq!(
                shown["labels"]["deed"].as_array().unwrap().len(),
                1,
                "{what}: {shown}"
            );
            Known {
                described: number(&shown["description"]),
                labelled: number(&shown["labels"]["deed"][0]),
            }
        });
        self.belief.settle(found, tally, &what);
    }
}
