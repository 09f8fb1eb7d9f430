//! Marked secrets in everything that people, the manager and a broker say to each other over instances and bindings,
//! through success and every failure, at the most talkative log level. Then everything that was written is searched.
//!
//! The rule: parameters, credentials and the broker's words are sealed at rest. They leave in the answers that are
//! made to show them, to those who may see them, and nowhere else.

use super::world::{BINDINGS, INSTANCES, Person, World, id_in, quick};
use crate::canary::found::Places;
use crate::canary::marks::Marks;
use crate::harness::Engine;
use qm_testkit::hostile::Fault;
use quartermaster_osb::Verb;
use serde_json::{Value, json};

mod sqlite {
    #[tokio::test]
    async fn nothing_that_people_and_brokers_say_is_written_down() {
        super::nothing_that_people_and_brokers_say_is_written_down(crate::harness::Engine::Sqlite)
            .await;
    }
}

mod postgres {
    #[tokio::test]
    async fn nothing_that_people_and_brokers_say_is_written_down() {
        super::nothing_that_people_and_brokers_say_is_written_down(
            crate::harness::Engine::Postgres,
        )
        .await;
    }
}

async fn nothing_that_people_and_brokers_say_is_written_down(engine: Engine) {
    let setup = quick(engine)
        .set("QM_LOG_LEVEL", "trace")
        .set("QM_LOG_FORMAT", "json");
    let mut world = World::on(setup).await;
    let (mut marks, mut places) = (Marks::default(), Places::default());
    let viewer = world.somebody("vera", "viewer", None).await;
    for slow in [false, true] {
        live(&world, &mut marks, slow).await;
    }
    for slow in [false, true] {
        fail(&world, &mut marks, slow).await;
    }
    kill(&mut world, &mut marks).await;
    waiting(&world, &mut marks).await;
    // What may be seen without being able to change anything holds none.
    for path in [INSTANCES, BINDINGS] {
        let path = format!("{path}?max_items=200");
        places.answer(viewer.0.get(&path).await).expect(200);
    }
    let admin = world.manager.admin();
    for path in ["/v1/audit?max_items=200", "/metrics", "/v1/monitor/health"] {
        places.answer(admin.get(path).await);
    }
    places.database(&world.manager);
    if engine == Engine::Sqlite {
        places.files(&world.manager);
    }
    world.broker.behave();
    world.settled().await;
    places.database(&world.manager);
    world.manager.stop().await;
    places.add("the log", &world.manager.output());
    places.files(&world.manager);
    let leaks = places.search(&marks);
    assert!(
        leaks.is_empty(),
        "{} leaks:\n{}",
        leaks.len(),
        leaks.join("\n")
    );
    assert!(marks.len() > 60, "only {} secrets were driven", marks.len());
    // The search itself must be able to find something.
    places.add("a place with a leak", &format!("x{}x", marks.any()));
    assert_eq!(places.search(&marks).len(), 1);
}

fn wish(world: &World, slow: bool, name: &str, secret: &str) -> Value {
    let mut wish = if slow {
        world.slow_wish(name)
    } else {
        world.wish(name)
    };
    wish["parameters"] = json!({"password": secret});
    wish
}

/// Asks in the background and waits for any end.
async fn ended(person: &Person, answer: crate::harness::Answer) -> Option<String> {
    if answer.status != 202 {
        return None;
    }
    let location = answer.location();
    person.end(&location).await;
    Some(id_in(&location))
}

/// A whole life, with secrets wherever there is room for one.
async fn live(world: &World, marks: &mut Marks, slow: bool) {
    let person = world.person();
    let secret = marks.make("a parameter of an instance");
    let made = person
        .create("?async=true", &wish(world, slow, "live", &secret))
        .await;
    let id = ended(&person, made).await.unwrap();
    let secret = marks.make("a parameter of a change");
    let path = format!("{INSTANCES}/{id}?async=true");
    let changed = person
        .0
        .patch(&path, &json!({"parameters": {"password": secret}}))
        .await;
    ended(&person, changed).await;
    let parameters = person.0.get(&format!("{INSTANCES}/{id}/parameters")).await;
    assert_eq!(parameters.expect(200)["password"], secret);
    let handed = marks.make("credentials");
    let said = json!({
        "credentials": {"uri": format!("postgres://u:{handed}@h/d"), "password": handed},
        "syslog_drain_url": format!("syslog://{}@h:1", marks.make("a drain")),
        "route_service_url": format!("https://{}@h/", marks.make("a route")),
    });
    for verb in [Verb::Bind, Verb::FetchBinding] {
        world
            .broker
            .on(verb)
            .for_instance(&id)
            .then(Fault::edit(said.clone()));
    }
    let bind = json!({"name": "b", "service_instance_id": id,
        "parameters": {"password": marks.make("a parameter of a binding")}});
    let bound = person
        .0
        .post(&format!("{BINDINGS}?async=false"), &bind)
        .await;
    assert_eq!(
        bound.body["credentials"]["password"], handed,
        "{}",
        bound.status
    );
    let bound = crate::harness::answer::id(&bound.body);
    assert_eq!(
        person.binding(&bound).await.expect(200)["credentials"]["password"],
        handed
    );
    person
        .0
        .patch(&format!("{BINDINGS}/{bound}"), &json!({"name": "c"}))
        .await
        .expect(200);
    marks.add(
        "the broker's own credentials",
        &format!("secret-of-{bound}"),
    );
    world.broker.behave();
    // What cannot be read, and what is refused.
    let broken = format!(
        "{{\"parameters\": {{\"password\": \"{}\"}}",
        marks.make("half a body")
    );
    let headers = [("content-type", "application/json")];
    let answer = person
        .0
        .send(http::Method::POST, INSTANCES, &headers, broken)
        .await;
    assert_eq!(answer.status, 400);
    let secret = marks.make("a parameter of a taken name");
    person
        .create("", &wish(world, slow, "live", &secret))
        .await
        .expect(409);
    let user =
        json!({"username": "ada", "extra": {"token": [marks.make("what a user is")]}}).to_string();
    let with = [
        ("content-type", "application/json"),
        ("x-originating-identity", user.as_str()),
    ];
    let change = json!({"parameters": {"a": 1}}).to_string();
    let changed = person
        .0
        .send(http::Method::PATCH, &path, &with, change)
        .await;
    ended(&person, changed).await;
    let location = person
        .0
        .delete(&format!("{INSTANCES}/{id}?cascade=true"))
        .await
        .location();
    person.good_end(&location).await;
}

/// Every way to say something.
fn failures(said: &str) -> Vec<Fault> {
    let body = json!({"error": said, "description": said, "password": said});
    vec![
        Fault::answer(400, body.clone()),
        Fault::answer(422, body.clone()),
        Fault::answer(500, body.clone()),
        Fault::answer(500, json!(said)),
        Fault::answer(
            201,
            json!(format!("{{\"credentials\": {{\"password\": \"{said}\"")),
        ),
        Fault::redirect(302, &format!("http://127.0.0.1:1/{said}")),
        Fault::fail_work(said),
        Fault::Raw {
            text: format!("HTTP/1.1 200 {said}\r\nbad header {said}\r\n\r\n"),
        },
        Fault::Cut,
    ]
}

/// A life for every failure of every verb; whatever is answered is the caller's.
async fn fail(world: &World, marks: &mut Marks, slow: bool) {
    let person = world.person();
    let verbs = [
        Verb::Provision,
        Verb::Update,
        Verb::Bind,
        Verb::Unbind,
        Verb::Deprovision,
        Verb::FetchBinding,
        Verb::PollInstance,
    ];
    for verb in verbs {
        let said = marks.make(&format!(
            "what the broker says when it fails to {}",
            verb.as_str()
        ));
        for (n, fault) in failures(&said).into_iter().enumerate() {
            world.broker.behave();
            world.broker.on(verb).times(1).then(fault);
            let secret = marks.make("a parameter of what fails");
            let name = format!("{}-{slow}-{n}", verb.as_str());
            let made = person
                .create("?async=true", &wish(world, slow, &name, &secret))
                .await;
            let id = ended(&person, made).await.unwrap();
            let path = format!("{INSTANCES}/{id}?async=true");
            let changed = person
                .0
                .patch(&path, &json!({"parameters": {"password": secret}}))
                .await;
            ended(&person, changed).await;
            person.0.get(&format!("{INSTANCES}/{id}/parameters")).await;
            let bind =
                json!({"name": "b", "service_instance_id": id, "parameters": {"password": secret}});
            let bound = person
                .0
                .post(&format!("{BINDINGS}?async=true"), &bind)
                .await;
            if let Some(bound) = ended(&person, bound).await {
                marks.add(
                    "the broker's own credentials",
                    &format!("secret-of-{bound}"),
                );
                let gone = person
                    .0
                    .delete(&format!("{BINDINGS}/{bound}?async=true"))
                    .await;
                ended(&person, gone).await;
            }
            let gone = person.0.delete(&path).await;
            ended(&person, gone).await;
        }
    }
    world.broker.behave();
}

/// The process dies with a secret in its hands.
async fn kill(world: &mut World, marks: &mut Marks) {
    for step in ["queued", "launched", "called"] {
        // What an earlier one has left would die of it too.
        world.settled().await;
        let case = format!("provision.{step}");
        world
            .manager
            .restart_with(&[("QUARTERMASTER_DIE_AT", &case)])
            .await;
        let secret = marks.make("a parameter at a death");
        let wish = wish(world, false, step, &secret).to_string();
        let path = format!("{INSTANCES}?async=true");
        let headers = [("content-type", "application/json")];
        let client = world.manager.admin();
        let _ = client
            .try_send(http::Method::POST, &path, &headers, wish)
            .await;
        world.manager.process().wait().await.unwrap();
        world
            .manager
            .restart_with(&[("QUARTERMASTER_DIE_AT", "")])
            .await;
    }
    world.settled().await;
}

/// Some that are under way, failed or put off when the database is looked at.
async fn waiting(world: &World, marks: &mut Marks) {
    let person = world.person();
    let made = world.made_slowly("failed").await;
    world
        .broker
        .on(Verb::Update)
        .times(1)
        .then(Fault::fail_work(&marks.make("why a change failed")));
    let secret = marks.make("a parameter that may be tried again");
    let failed = person
        .change(&made, &json!({"parameters": {"password": secret}}))
        .await;
    ended(&person, failed).await;
    world
        .broker
        .on(Verb::PollInstance)
        .always()
        .then(Fault::state("in progress"));
    let secret = marks.make("a waiting parameter");
    person
        .create("", &wish(world, true, "waiting", &secret))
        .await
        .location();
    let busy = json!({"error": "ConcurrencyError", "description": marks.make("why it is put off")});
    world
        .broker
        .on(Verb::Provision)
        .always()
        .then(Fault::answer(422, busy));
    let secret = marks.make("a parameter that is put off");
    person
        .create("", &wish(world, false, "later", &secret))
        .await
        .location();
}
