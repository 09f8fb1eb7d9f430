//! Everything that the hostile broker can do wrong, for every verb, and a life in which it does.

use super::super::world::{Door, wanted};
use crate::harness::Answer;
use qm_testkit::hostile::{ASYNC_PLAN, Fault, HostileBroker, SERVICE, SYNC_PLAN};
use quartermaster_osb::Verb;
use serde_json::json;
use std::time::Duration;

const VERBS: [Verb; 9] = [
    Verb::Provision,
    Verb::Update,
    Verb::Bind,
    Verb::Unbind,
    Verb::Deprovision,
    Verb::FetchInstance,
    Verb::FetchBinding,
    Verb::PollInstance,
    Verb::PollBinding,
];

fn faults() -> Vec<Fault> {
    vec![
        Fault::slow(100),
        Fault::Trickle {
            bytes: 1,
            millis: 1,
        },
        Fault::Hang,
        Fault::HangInBody,
        Fault::Close,
        Fault::Reset,
        Fault::lose_answer(),
        Fault::work_then(Fault::Hang),
        Fault::work_then(Fault::Reset),
        Fault::work_then(Fault::status(500)),
        Fault::Cut,
        Fault::status(400),
        Fault::unauthorized(),
        Fault::status(404),
        Fault::status(409),
        Fault::status(410),
        Fault::status(412),
        Fault::status(422),
        Fault::status(500),
        Fault::status(503),
        Fault::answer(200, json!({})),
        Fault::answer(200, json!("what")),
        Fault::answer(202, json!({"operation": 7})),
        Fault::answer(204, json!(null)),
        Fault::redirect(302, "http://127.0.0.1:1/"),
        Fault::wrong_operation("of somebody else"),
        Fault::edit(json!({"operation": "x".repeat(20_000)})),
        Fault::Edit {
            status: Some(299),
            headers: Vec::new(),
            patch: json!(null),
        },
        Fault::Malformed,
        Fault::NotJson,
        Fault::Gigantic {
            bytes: Some(3 << 20),
        },
        Fault::Gigantic { bytes: None },
        Fault::WrongLength { by: 10 },
        Fault::WrongLength { by: -1 },
        Fault::Raw {
            text: "nonsense\r\n\r\n".to_owned(),
        },
        Fault::forget(),
        Fault::fail_work("no room"),
        Fault::state("thinking"),
        Fault::state("failed"),
        Fault::succeed_then_fail(),
        Fault::Cycle {
            faults: vec![Fault::Close, Fault::status(500)],
        },
    ]
}

/// One fault at one verb.
#[derive(Debug)]
pub(super) struct Case {
    pub(super) id: String,
    verb: Verb,
    fault: Fault,
    plan: &'static str,
}

/// All of them. What is polled works asynchronously; of the others every second one does.
pub(super) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for verb in VERBS {
        for (n, fault) in faults().into_iter().enumerate() {
            let polled = matches!(verb, Verb::PollInstance | Verb::PollBinding);
            cases.push(Case {
                id: format!("{}-{n}", verb.as_str()),
                verb,
                fault,
                plan: if polled || n % 2 == 0 {
                    ASYNC_PLAN
                } else {
                    SYNC_PLAN
                },
            });
        }
    }
    cases
}

impl Case {
    /// Tells the broker what to do wrong, twice.
    pub(super) fn script(&self, broker: &HostileBroker) {
        let rule = broker.on(self.verb).for_instance(&self.id).times(2);
        rule.then(self.fault.clone());
    }

    /// Whether the broker says that something is gone that is not, or is done that will not be.
    pub(super) fn lies(&self) -> bool {
        let said = match &self.fault {
            Fault::Answer { status, .. } => matches!(status, 200..=299 | 410),
            Fault::Sequence { .. } => true,
            _ => false,
        };
        said && !matches!(self.verb, Verb::FetchInstance | Verb::FetchBinding)
    }

    /// A life from its beginning to its end. Every call is answered; what it says is not asked.
    pub(super) async fn live(self, door: Door) -> Self {
        let id = &self.id;
        let binding = format!("{id}-b");
        let path = door.binding_url(id, &binding);
        let poll = format!("{path}/last_operation");
        door.provision_as(id, &wanted(self.plan)).await;
        for _ in 0..3 {
            door.poll(id).await;
        }
        door.client.get(&door.url(id)).await;
        door.update(id, &json!({"parameters": {"a": 1}})).await;
        for _ in 0..3 {
            door.poll(id).await;
        }
        let body = json!({"service_id": SERVICE, "plan_id": self.plan});
        door.bind_as(id, &binding, &body).await;
        for _ in 0..3 {
            door.client.get(&poll).await;
        }
        door.client.get(&path).await;
        // The platform deletes until it is told that it is gone.
        for turn in 0.. {
            door.client.get(&poll).await;
            let answer = door.unbind(id, &binding).await;
            if matches!(answer.status, 200 | 410) {
                break;
            }
            pause(turn, &answer).await;
        }
        for turn in 0.. {
            door.poll(id).await;
            let answer = door.deprovision_of(id, self.plan).await;
            if matches!(answer.status, 200 | 410) {
                break;
            }
            if answer.status == 422 {
                // A binding that was thought to be gone.
                door.unbind(id, &binding).await;
            }
            pause(turn, &answer).await;
        }
        self
    }
}

/// Waits for the next turn; there are enough for any machine.
async fn pause(turn: usize, answer: &Answer) {
    assert!(turn < 300, "it never goes: {answer:?}");
    tokio::time::sleep(Duration::from_millis(100)).await;
}
