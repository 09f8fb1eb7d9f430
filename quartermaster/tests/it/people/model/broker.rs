//! A broker's weather: failures that come and go. It breaks, loses answers and refuses, but it does not lie: what it
//! calls deleted is gone, and what it refuses did not happen.

use super::super::world::World;
use crate::faults::Dice;
use bytes::Bytes;
use qm_testkit::hostile::{Fault, Phase};
use quartermaster_osb::Verb;
use serde_json::json;

#[derive(Debug, Default)]
pub(super) struct Weather {
    away: bool,
}

const VERBS: [Verb; 9] = [
    Verb::Provision,
    Verb::Update,
    Verb::Deprovision,
    Verb::Bind,
    Verb::Unbind,
    Verb::PollInstance,
    Verb::PollBinding,
    Verb::FetchInstance,
    Verb::FetchBinding,
];

impl Weather {
    pub(super) async fn change(&mut self, world: &mut World, dice: &mut Dice) {
        match dice.roll(12) {
            0 if !self.away => {
                self.away = true;
                world.broker.stop().await;
            }
            0..=2 if self.away => {
                self.away = false;
                world.broker.resume().unwrap();
            }
            1 => world.broker.behave(),
            _ => {
                let verb = VERBS[usize::try_from(dice.roll(9)).unwrap()];
                let rule = world.broker.on(verb).times(1 + dice.roll(3));
                rule.then(fault(verb, dice));
            }
        }
    }

    pub(super) async fn clear(&mut self, world: &mut World) {
        world.broker.behave();
        world.broker.resume().unwrap();
        self.away = false;
    }
}

fn fault(verb: Verb, dice: &mut Dice) -> Fault {
    let polls = matches!(verb, Verb::PollInstance | Verb::PollBinding);
    let fetches = matches!(verb, Verb::FetchInstance | Verb::FetchBinding);
    let mut faults = vec![
        Fault::status(500),
        Fault::status(503),
        Fault::work_then(Fault::status(500)),
        Fault::slow(300),
        Fault::Close,
        Fault::lose_answer(),
        Fault::work_then(Fault::Reset),
        Fault::Cut,
        Fault::work_then(Fault::Hang),
    ];
    if polls {
        faults.push(Fault::state("in progress"));
        faults.push(Fault::status(404));
    } else if !fetches {
        faults.push(Fault::status(400));
        faults.push(Fault::status(422));
        faults.push(Fault::answer(422, json!({"error": "ConcurrencyError"})));
        faults.push(Fault::fail_work("no room"));
    }
    let most = u64::try_from(faults.len()).unwrap();
    faults.swap_remove(usize::try_from(dice.roll(most)).unwrap())
}

/// Lets a moment pass at the broker for all that it works on.
pub(super) async fn tick(world: &World) {
    let client = qm_testkit::http::Client::new(&world.broker.url(), "user", "password");
    let works = |phase| !matches!(phase, Phase::Ready | Phase::Failed);
    for instance in world.broker.instances() {
        let path = format!("/v2/service_instances/{}", instance.id);
        let mut paths = Vec::new();
        if works(instance.phase) {
            paths.push(format!("{path}/last_operation"));
        }
        for binding in instance.bindings {
            if works(binding.phase) {
                paths.push(format!(
                    "{path}/service_bindings/{}/last_operation",
                    binding.id
                ));
            }
        }
        for path in paths {
            let poll = http::Request::get(path).header("X-Broker-API-Version", "2.17");
            let _ = client.send(poll.body(Bytes::new()).unwrap()).await;
        }
    }
}
