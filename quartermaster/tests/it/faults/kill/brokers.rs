//! A caller that registers, changes and removes one broker whose catalog is another at every deed.

use super::registry::Registry;
use super::tally::{Belief, Tally};
use crate::faults::{Dice, catalogs};
use crate::harness::answer::{items, text};
use crate::harness::brokers::{broker, registration};
use crate::harness::{Client, query};
use http::Method;
use qm_testkit::hostile::HostileBroker;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What a broker is known by: the deed that described it, the one that labelled it, and the tenant that owns it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Broker {
    described: u64,
    labelled: u64,
    owner: Option<String>,
}

/// Who may own a broker; nobody, too.
const OWNERS: [Option<&str>; 3] = [None, Some("red"), Some("blue")];

pub(super) struct BrokerSlot {
    id: String,
    host: HostileBroker,
    deed: u64,
    /// The version of the catalog that the broker has now, and the last one that the manager was seen with. It may
    /// look without being asked, but never goes back.
    served: u64,
    seen: u64,
    pub(super) belief: Belief<Broker>,
}

impl BrokerSlot {
    pub(super) async fn new(n: usize) -> Self {
        Self {
            id: format!("broker-{n}"),
            host: broker().await,
            deed: 0,
            served: 0,
            seen: 0,
            belief: Belief::nothing(),
        }
    }

    fn serve(&mut self, version: u64) {
        self.served = version;
        self.host.set_catalog(catalogs::catalog(&self.id, version));
    }

    fn path(&self) -> String {
        format!("/v1/service_brokers/{}", self.id)
    }

    /// Does one thing; false when there was no answer.
    pub(super) async fn act(&mut self, admin: &Client, dice: &mut Dice) -> bool {
        self.deed += 1;
        let n = self.deed;
        match (self.belief.known.clone(), dice.roll(9)) {
            (None, roll) => {
                let owner = OWNERS[usize::try_from(roll % 3).unwrap()];
                self.register(admin, owner.map(str::to_owned)).await
            }
            (Some(old), 0..2) => {
                // Both lines have their effect, in this order.
                let body = json!({"labels": [
                    {"op": "remove", "key": "deed"},
                    {"op": "add", "key": "deed", "values": [n.to_string()]},
                ]});
                let then = Broker { labelled: n, ..old };
                self.change(admin, body, then).await
            }
            (Some(old), 2..5) => {
                self.serve(n);
                let body = json!({"description": n.to_string()});
                let then = Broker {
                    described: n,
                    ..old
                };
                self.change(admin, body, then).await
            }
            (Some(_), 5) => self.show(admin).await,
            (Some(old), 6) => {
                // It goes from one tenant to the next; platforms gain and lose it.
                let at = OWNERS
                    .iter()
                    .position(|owner| *owner == old.owner.as_deref());
                let next = OWNERS[(at.unwrap() + 1) % OWNERS.len()];
                let mut lines = Vec::new();
                if old.owner.is_some() {
                    lines.push(json!({"op": "remove", "key": "tenant"}));
                }
                if let Some(next) = next {
                    lines.push(json!({"op": "add", "key": "tenant", "values": [next]}));
                }
                let then = Broker {
                    owner: next.map(str::to_owned),
                    ..old
                };
                self.change(admin, json!({ "labels": lines }), then).await
            }
            (Some(_), _) => {
                let gone = admin.try_send(Method::DELETE, &self.path(), &[], "").await;
                let answered = gone.is_ok();
                if let Ok(answer) = gone {
                    answer.expect(200);
                }
                self.belief.after(None, answered);
                answered
            }
        }
    }

    async fn register(&mut self, admin: &Client, owner: Option<String>) -> bool {
        let n = self.deed;
        self.serve(n);
        let mut body = registration(&self.id, &self.host);
        body["id"] = json!(self.id);
        body["description"] = json!(n.to_string());
        body["labels"] = json!({"deed": [n.to_string()], "kind": ["test"]});
        if let Some(owner) = &owner {
            body["labels"]["tenant"] = json!([owner]);
        }
        let answered = send(admin, Method::POST, "/v1/service_brokers", &body, 201).await;
        let then = Broker {
            described: n,
            labelled: n,
            owner,
        };
        self.belief.after(Some(then), answered);
        answered
    }

    async fn change(&mut self, admin: &Client, body: Value, then: Broker) -> bool {
        let answered = send(admin, Method::PATCH, &self.path(), &body, 200).await;
        self.belief.after(Some(then), answered);
        answered
    }

    /// Makes the last plan public, which goes away with some later catalog. Only the platforms are asked what became
    /// of it.
    async fn show(&mut self, admin: &Client) -> bool {
        let plans = catalogs::plans(&self.id, self.served);
        let catalog_id = plans.keys().next_back().unwrap();
        let path = query(
            "/v1/service_plans",
            &[("fieldQuery", &format!("catalog_id eq '{catalog_id}'"))],
        );
        let Ok(page) = admin.try_send(Method::GET, &path, &[], "").await else {
            return false;
        };
        let page = page.expect(200);
        let Some(plan) = items(&page).first().map(|plan| text(plan, "id")) else {
            // What the broker has now was not told yet, or a deed about it was not done.
            return true;
        };
        let body = json!({"service_plan_id": plan, "labels": {"deed": [self.deed.to_string()]}});
        let headers = [("content-type", "application/json")];
        let shown = admin
            .try_send(Method::POST, "/v1/visibilities", &headers, body.to_string())
            .await;
        match shown {
            Ok(answer) => {
                // It may have been shown before.
                assert!([201, 409].contains(&answer.status), "{answer:?}");
                true
            }
            Err(_) => false,
        }
    }

    pub(super) fn check(&mut self, registry: &Registry, tally: &mut Tally, when: &str) {
        let what = format!("{when}, {}", self.id);
        let found = registry.brokers.get(&self.id);
        let plans = registry.plans_of(&self.id);
        if let Some(shown) = found
            && shown["last_operation"]["state"] == "in progress"
        {
            assert!(
                self.belief.is_open(),
                "{what}: answered, and still under way: {shown}"
            );
            tally.under_way += 1;
            match self.belief.known.clone() {
                // Nothing of its catalog may be there before it is ready.
                None => {
                    assert_eq!(shown["ready"], false, "{what}: {shown}");
                    assert!(plans.is_empty(), "{what}: {plans:?}");
                }
                Some(before) => assert_eq!(before, self.look(shown, &plans, &what), "{what}"),
            }
            return;
        }
        let found = found.map(|shown| {
            assert_eq!(shown["ready"], true, "{what}: {shown}");
            assert_eq!(
                shown["last_operation"]["state"], "succeeded",
                "{what}: {shown}"
            );
            self.look(shown, &plans, &what)
        });
        if found.is_none() {
            assert!(
                plans.is_empty(),
                "{what}: plans without their broker: {plans:?}"
            );
        }
        self.belief.settle(found, tally, &what);
    }

    /// A broker as shown. Its catalog must be whole, of one version, not older than the last one seen and not older
    /// than its description, which came with it.
    fn look(&mut self, shown: &Value, plans: &BTreeMap<String, String>, what: &str) -> Broker {
        let version = plans
            .values()
            .next()
            .and_then(|text| text.strip_prefix("version "));
        let version = version.unwrap_or_else(|| panic!("{what}: a broker without plans: {shown}"));
        let version = version.parse().unwrap();
        assert_eq!(
            *plans,
            catalogs::plans(&self.id, version),
            "{what}: a catalog that is not whole"
        );
        let described = text(shown, "description").parse().unwrap();
        let possible = self.seen.max(described)..=self.served;
        assert!(
            possible.contains(&version),
            "{what}: version {version} not in {possible:?}"
        );
        self.seen = version;
        let labelled = shown["labels"]["deed"].as_array().unwrap();
        assert_eq!(labelled.len(), 1, "{what}: {shown}");
        Broker {
            described,
            labelled: labelled[0].as_str().unwrap().parse().unwrap(),
            owner: shown["labels"]["tenant"][0].as_str().map(str::to_owned),
        }
    }
}

/// Sends a body; false when there was no answer, and a panic for another answer than this one.
pub(super) async fn send(
    admin: &Client,
    method: Method,
    path: &str,
    body: &Value,
    status: u16,
) -> bool {
    let headers = [("content-type", "application/json")];
    match admin
        .try_send(method, path, &headers, body.to_string())
        .await
    {
        Ok(answer) => {
            answer.expect(status);
            true
        }
        Err(_) => false,
    }
}
