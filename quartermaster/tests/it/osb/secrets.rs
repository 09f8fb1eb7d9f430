//! Marked secrets in everything that a platform and a broker say to each other, through success and every failure, at
//! the most talkative log level. Then everything that was written is searched for them.
//!
//! The rule: what goes through a door belongs to the platform and the broker; the manager writes none of it down in the
//! clear but what it must show (names, contexts, addresses of dashboards).

use super::world::{Door, World, quick, wanted};
use crate::canary::found::Places;
use crate::canary::marks::Marks;
use crate::harness::Engine;
use qm_testkit::hostile::{ASYNC_PLAN, Fault, SERVICE, SYNC_PLAN};
use quartermaster_osb::Verb;
use serde_json::json;
use std::sync::Arc;
use tokio::task::JoinSet;

on_both_engines!(nothing_that_goes_through_a_door_is_written_down);

async fn nothing_that_goes_through_a_door_is_written_down(engine: Engine) {
    let setup = quick(engine)
        .set("QM_LOG_LEVEL", "trace")
        .set("QM_LOG_FORMAT", "json")
        .set("QM_BROKERS_BREAKER_FAILURES", "1000");
    let mut world = World::on(setup).await;
    let (mut marks, mut places) = (Marks::default(), Places::default());
    marks.pair(
        "the platform's pair",
        &world.platform.user,
        &world.platform.password,
    );
    for plan in [SYNC_PLAN, ASYNC_PLAN] {
        live(&world, &mut marks, plan).await;
    }
    marks.add("the broker's own credentials", "secret-of-f-");
    let secrets = ["provision", "update", "bind"]
        .map(|verb| marks.make(&format!("a parameter of {verb} that fails")));
    let secrets = Arc::new(secrets);
    let mut failing = JoinSet::new();
    for (n, verb) in [
        Verb::Provision,
        Verb::Update,
        Verb::Bind,
        Verb::Unbind,
        Verb::Deprovision,
        Verb::FetchInstance,
        Verb::FetchBinding,
        Verb::PollInstance,
        Verb::PollBinding,
    ]
    .into_iter()
    .enumerate()
    {
        let said = marks.make(&format!(
            "what the broker says when it fails to {}",
            verb.as_str()
        ));
        for (m, fault) in failures(&said).into_iter().enumerate() {
            let rule = world.broker.on(verb);
            rule.for_instance(&format!("f-{n}-{m}"))
                .times(2)
                .then(fault);
            let polled = matches!(verb, Verb::PollInstance | Verb::PollBinding);
            let plan = if polled || (n + m) % 2 == 0 {
                ASYNC_PLAN
            } else {
                SYNC_PLAN
            };
            let (door, secrets) = (world.door(), Arc::clone(&secrets));
            failing.spawn(fail(door, secrets, format!("f-{n}-{m}"), plan));
        }
        while let Some(failed) = failing.join_next().await {
            failed.unwrap();
        }
    }
    // Some that are under way when the database is looked at.
    let polls = world.broker.on(Verb::PollInstance).always();
    polls.then(Fault::state("in progress"));
    let mut wish = wanted(ASYNC_PLAN);
    wish["parameters"] = json!({"password": marks.make("a waiting parameter")});
    world
        .door()
        .provision_as("waiting", &wish)
        .await
        .expect(202);
    let admin = world.manager.admin();
    for path in [
        "service_instances",
        "service_bindings",
        "operations",
        "audit",
    ] {
        let answer = admin.get(&format!("/v1/{path}?max_items=200")).await;
        // Why an operation failed is said in the broker's words to those who may see it; they are kept sealed.
        match path {
            "operations" => answer.expect(200),
            _ => places.answer(answer).expect(200),
        };
    }
    places.answer(admin.get("/metrics").await);
    places.database(&world.manager);
    if engine == Engine::Sqlite {
        places.files(&world.manager);
    }
    world.broker.behave();
    settled(&world).await;
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
    assert!(marks.len() > 20, "only {} secrets were driven", marks.len());
    // The search itself must be able to find something.
    places.add("a place with a leak", &format!("x{}x", marks.any()));
    assert_eq!(places.search(&marks).len(), 1);
}

/// A whole life, with secrets wherever there is room for one.
async fn live(world: &World, marks: &mut Marks, plan: &str) {
    let door = world.door();
    let id = format!("live-{plan}");
    let mut wish = wanted(plan);
    wish["parameters"] = json!({"password": marks.make("a parameter of provision")});
    assert!(door.provision_as(&id, &wish).await.status < 300);
    assert_eq!(door.end_of(&id).await, "succeeded");
    // The same again, another one, and one that cannot be read.
    door.provision_as(&id, &wish).await.expect(200);
    wish["parameters"]["password"] = json!(marks.make("a parameter of a conflict"));
    door.provision_as(&id, &wish).await.expect(409);
    let broken = format!(
        "{{\"parameters\": {{\"password\": \"{}\"}}",
        marks.make("half a body")
    );
    let headers = [("content-type", "application/json")];
    let answer = door
        .client
        .send(http::Method::PUT, &door.url(&id), &headers, broken)
        .await;
    assert_eq!(answer.status, 400, "{answer:?}");
    let secret = marks.make("a parameter of update");
    assert!(
        door.update(&id, &json!({"parameters": {"password": secret}}))
            .await
            .status
            < 300
    );
    assert_eq!(door.end_of(&id).await, "succeeded");
    let binding = format!("{id}-b");
    let secret = marks.make("credentials");
    marks.add(
        "the broker's own credentials",
        &format!("secret-of-{binding}"),
    );
    let handed = Fault::edit(
        json!({"credentials": {"uri": format!("postgres://u:{secret}@h/d"), "password": secret}}),
    );
    for verb in [Verb::Bind, Verb::FetchBinding] {
        let rule = world.broker.on(verb).for_instance(&id);
        rule.then(handed.clone());
    }
    let body = json!({
        "service_id": SERVICE, "plan_id": plan,
        "parameters": {"password": marks.make("a parameter of bind")},
    });
    assert!(door.bind_as(&id, &binding, &body).await.status < 300);
    door.bind_as(&id, &binding, &body).await;
    let path = door.binding_url(&id, &binding);
    crate::harness::eventually("it is bound", async || {
        door.client.get(&format!("{path}/last_operation")).await;
        (door.client.get(&path).await.status == 200).then_some(())
    })
    .await;
    world.broker.behave();
    let adapt = format!("{path}/adapt_credentials");
    door.client
        .post(
            &adapt,
            &json!({"credentials": {"password": marks.make("adapted credentials")}}),
        )
        .await;
    crate::harness::eventually("it is unbound", async || {
        (door.unbind(&id, &binding).await.status == 410).then_some(())
    })
    .await;
    assert!(door.deprovision_of(&id, plan).await.status < 300);
}

/// Every way to say something.
fn failures(said: &str) -> Vec<Fault> {
    let body = json!({"error": said, "description": said, "password": said});
    let header = vec![("X-Secret".to_owned(), said.to_owned())];
    vec![
        Fault::answer(400, body.clone()),
        Fault::answer(422, body.clone()),
        Fault::answer(500, body.clone()),
        Fault::answer(401, body.clone()),
        Fault::answer(500, json!(said)),
        Fault::work_then(Fault::answer(500, body.clone())),
        Fault::Answer {
            status: 503,
            headers: header,
            body: body.clone(),
        },
        Fault::redirect(302, &format!("http://127.0.0.1:1/{said}")),
        Fault::answer(200, json!({"state": "failed", "description": said})),
        Fault::answer(200, json!({"state": said, "description": said})),
        Fault::fail_work(said),
        Fault::Raw {
            text: format!("{said}\r\n\r\n"),
        },
        Fault::Raw {
            text: format!("HTTP/1.1 200 {said}\r\nbad header {said}\r\n\r\n"),
        },
        Fault::Malformed,
        Fault::Cut,
        Fault::WrongLength { by: 10 },
        Fault::Reset,
    ]
}

/// A life in which one call fails; whatever is answered is the platform's.
async fn fail(door: Door, secrets: Arc<[String; 3]>, id: String, plan: &str) {
    let [wished, changed, bound] = &*secrets;
    let id = id.as_str();
    let mut wish = wanted(plan);
    wish["parameters"] = json!({"password": wished});
    let made = door.provision_as(id, &wish).await;
    door.poll(id).await;
    door.poll(id).await;
    if made.status < 300 {
        door.update(id, &json!({"parameters": {"password": changed}}))
            .await;
        door.poll(id).await;
        door.poll(id).await;
        door.client.get(&door.url(id)).await;
        let binding = format!("{id}-b");
        let body = json!({
            "service_id": SERVICE, "plan_id": plan,
            "parameters": {"password": bound},
        });
        door.bind_as(id, &binding, &body).await;
        let path = door.binding_url(id, &binding);
        door.client.get(&format!("{path}/last_operation")).await;
        door.client.get(&path).await;
        door.unbind(id, &binding).await;
        door.client.get(&format!("{path}/last_operation")).await;
    }
    door.deprovision_of(id, plan).await;
}

/// Nothing is under way. Brokers that lie about success are not believed or disbelieved here.
async fn settled(world: &World) {
    crate::harness::eventually("nothing is under way", async || {
        world.open_operations().is_empty().then_some(())
    })
    .await;
}
