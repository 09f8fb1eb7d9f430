//! What a broker's catalog may be, and what is answered when it is not.

use crate::harness::answer::{fields, items, text};
use crate::harness::brokers::{
    broker, broker_with, offering, plan, plans, register, registration, show,
};
use crate::harness::{Engine, Manager, Platform, Setup};
use qm_testkit::hostile::{Fault, standard_catalog};
use quartermaster_osb::Verb;
use serde_json::{Value, json};

on_both_engines!(
    a_broker_that_cannot_be_asked_is_not_registered,
    a_catalog_that_cannot_be_used_is_refused_with_every_problem,
    offerings_and_plans_show_what_the_catalog_says,
    plans_without_free_are_free,
    offerings_bring_their_plans_when_asked,
);

const PATH: &str = "/v1/service_brokers";

async fn a_broker_that_cannot_be_asked_is_not_registered(engine: Engine) {
    let setup = Setup::new(engine)
        .set("QM_BROKERS_TIMEOUT", "1s")
        .set("QM_BROKERS_CONNECT_TIMEOUT", "1s")
        .set("QM_BROKERS_HEADER_TIMEOUT", "1s")
        .set("QM_BROKERS_BREAKER_FAILURES", "1000");
    let manager = setup.start().await;
    let admin = manager.admin();
    let hostile = broker().await;
    let body = registration("db", &hostile);
    let html = Fault::Answer {
        status: 200,
        headers: vec![("Content-Type".to_owned(), "text/html".to_owned())],
        body: json!("<html>log in</html>"),
    };
    let outcomes = [
        (Fault::Close, 502),
        (Fault::Reset, 502),
        (Fault::status(500), 400),
        (Fault::status(404), 400),
        (Fault::unauthorized(), 400),
        (Fault::answer(204, json!({})), 400),
        (Fault::redirect(302, "http://127.0.0.1:1/"), 400),
        (Fault::Malformed, 400),
        (Fault::NotJson, 400),
        (html, 400),
        (Fault::answer(200, json!([])), 400),
        (Fault::answer(200, json!({"services": 7})), 400),
        (Fault::HangInBody, 504),
    ];
    for (fault, status) in outcomes {
        hostile.behave();
        hostile.on(Verb::Catalog).then(fault.clone());
        let answer = admin.post(PATH, &body).await;
        assert_eq!(answer.status, status, "{fault:?}: {answer:#?}");
        assert_eq!(answer.body["error"], "ServiceBrokerErr", "{fault:?}");
        assert!(!answer.text.contains("password"), "{answer:#?}");
    }
    assert_eq!(admin.get(PATH).await.expect(200)["num_items"], 0);

    let mut nowhere = body.clone();
    nowhere["broker_url"] = json!("http://127.0.0.1:1");
    let answer = admin.post(PATH, &nowhere).await;
    answer.refused(502, "ServiceBrokerErr");
    hostile.behave();
    register(&admin, "db", &hostile).await;
}

async fn a_catalog_that_cannot_be_used_is_refused_with_every_problem(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let hostile = broker().await;
    let body = registration("db", &hostile);
    let with = |key: &str, value: Value| {
        let mut plan = plan("p1", "small");
        plan[key] = value;
        json!({"services": [offering("o1", "db", &[plan])]})
    };
    let mut no_name = offering("o1", "db", &[plan("p1", "small")]);
    no_name["name"] = json!("");
    let twice = offering("o1", "db", &[plan("p1", "small"), plan("p1", "large")]);
    let same_name = offering("o1", "db", &[plan("p1", "small"), plan("p2", "small")]);
    let reserved = offering("o1", "db", &[plan("p1", "reference-instance")]);
    let two_rules = json!({"supportedPlatforms": ["kubernetes"], "excludedPlatformNames": ["x"]});
    let unbindable = json!({
        "id": "p1", "name": "small", "description": "d", "bindable": false,
        "metadata": {"supportsInstanceSharing": true},
    });
    let wrong = [
        json!({"services": [no_name]}),
        json!({"services": [twice]}),
        json!({"services": [same_name]}),
        json!({"services": [reserved]}),
        json!({"services": [offering("o1", "db", &[unbindable])]}),
        with("description", json!("")),
        with("metadata", json!("text")),
        with("schemas", json!([])),
        with("metadata", two_rules),
        json!({"services": [{"id": "o", "name": "n", "description": "d", "bindable": true,
               "tags": "t", "plans": [plan("p", "s")]}]}),
    ];
    for catalog in wrong {
        hostile.behave();
        hostile
            .on(Verb::Catalog)
            .then(Fault::answer(200, catalog.clone()));
        let answer = admin.post(PATH, &body).await;
        assert_eq!(answer.status, 400, "{catalog}: {answer:#?}");
    }
    // One answer names all that is wrong, so that an author mends it at once.
    let mut silent = plan("p2", "silent");
    silent["description"] = json!("");
    let plans = [silent, plan("p3", "reference-instance")];
    let three = json!({"services": [
        offering("o1", "", &[plan("p1", "small")]),
        offering("o2", "db", &plans),
    ]});
    hostile.behave();
    hostile.on(Verb::Catalog).then(Fault::answer(200, three));
    let answer = admin.post(PATH, &body).await;
    assert_eq!(answer.status, 400, "{answer:#?}");
    let told = text(&answer.body, "description");
    for place in [
        "$.services[0]",
        "$.services[1].plans[0]",
        "$.services[1].plans[1]",
    ] {
        assert!(told.contains(place), "{place} not in {told}");
    }
    // Also when it cannot even be understood.
    let mut odd = plan("p2", "odd");
    odd["free"] = json!("perhaps");
    let plans = [plan("", "nameless"), odd];
    let two = json!({"services": [offering("o1", "db", &plans)]});
    hostile.behave();
    hostile.on(Verb::Catalog).then(Fault::answer(200, two));
    let answer = admin.post(PATH, &body).await;
    assert_eq!(answer.status, 400, "{answer:#?}");
    let told = text(&answer.body, "description");
    for place in ["plans[0].id", "plans[1].free"] {
        assert!(told.contains(place), "{place} not in {told}");
    }
    assert_eq!(admin.get(PATH).await.expect(200)["num_items"], 0);
}

async fn offerings_and_plans_show_what_the_catalog_says(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let catalog = json!({"services": [{
        "id": "o1", "name": "db", "description": "databases", "bindable": true,
        "plan_updateable": true, "instances_retrievable": true, "bindings_retrievable": true,
        "allow_context_updates": true, "tags": ["sql", "db"], "requires": ["syslog_drain"],
        "metadata": {"displayName": "Databases", "deep": {"a": [1, 2]}},
        "plans": [{
            "id": "p1", "name": "small", "description": "a small one", "free": false,
            "bindable": false, "plan_updateable": false, "maximum_polling_duration": 60,
            "maintenance_info": {"version": "1.2.3"}, "metadata": {"cost": 3},
            "schemas": {"service_instance": {"create": {"parameters": {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}}}},
        }],
    }]});
    let hostile = broker_with(&catalog).await;
    let made = register(&admin, "db", &hostile).await;
    let page = admin.get("/v1/service_offerings").await.expect(200);
    let shown = &items(&page)[0];
    let source = &catalog["services"][0];
    for field in [
        "name",
        "description",
        "bindable",
        "plan_updateable",
        "instances_retrievable",
        "bindings_retrievable",
        "allow_context_updates",
        "tags",
        "requires",
        "metadata",
    ] {
        assert_eq!(shown[field], source[field], "{field}");
    }
    assert_eq!(shown["broker_id"], made["id"]);
    assert_eq!(shown["catalog_id"], "o1");
    assert_eq!(shown["catalog_name"], "db");
    assert_ne!(shown["id"], "o1", "the manager's ids are its own");
    assert_eq!(shown["ready"], true);
    assert_eq!(shown.get("plans"), None);

    let page = admin.get("/v1/service_plans").await.expect(200);
    let shown_plan = &items(&page)[0];
    let source = &source["plans"][0];
    for field in [
        "name",
        "description",
        "free",
        "bindable",
        "plan_updateable",
        "maximum_polling_duration",
        "maintenance_info",
        "metadata",
        "schemas",
    ] {
        assert_eq!(shown_plan[field], source[field], "{field}");
    }
    assert_eq!(shown_plan["service_offering_id"], shown["id"]);
    assert_eq!(shown_plan["catalog_id"], "p1");
    assert_eq!(shown_plan["catalog_name"], "small");

    for (collection, item) in [("service_offerings", shown), ("service_plans", shown_plan)] {
        let path = format!("/v1/{collection}/{}", text(item, "id"));
        let mut read = admin.get(&path).await.expect(200);
        read.as_object_mut().unwrap().remove("last_operation");
        assert_eq!(&read, item);
        // Labels are all that can be changed.
        admin
            .patch(&path, &json!({"name": "x"}))
            .await
            .refused(400, "BadRequest");
        let mixed = json!({"labels": [{"op": "add", "key": "k", "values": ["v"]}], "name": "x"});
        admin.patch(&path, &mixed).await.refused(400, "BadRequest");
        let change = json!({"labels": [{"op": "add", "key": "k", "values": ["v"]}]});
        let labelled = admin.patch(&path, &change).await.expect(200);
        assert_eq!(labelled["labels"], json!({"k": ["v"]}));
        assert_eq!(labelled["description"], item["description"]);
        let asynchronous = format!("{path}?async=true");
        let answer = admin.patch(&asynchronous, &change).await;
        answer.refused(400, "InvalidRequest");
        assert_eq!(admin.delete(&path).await.status, 405);
        assert_eq!(
            admin
                .post(&format!("/v1/{collection}"), &json!({}))
                .await
                .status,
            405
        );
        let nobody = admin.get(&format!("/v1/{collection}/nobody")).await;
        nobody.refused(404, "NotFound");
    }

    // Labels that a person has put stay when the catalog is read again.
    admin
        .patch(&format!("{PATH}/{}", text(&made, "id")), &json!({}))
        .await
        .expect(200);
    let again = plans(&admin, &made).await;
    assert_eq!(again[0]["labels"], json!({"k": ["v"]}));
}

async fn plans_without_free_are_free(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let hostile = broker().await;
    let mut catalog = serde_json::to_value(standard_catalog()).unwrap();
    for plan in catalog["services"][0]["plans"].as_array_mut().unwrap() {
        plan.as_object_mut().unwrap().remove("free");
    }
    hostile.on(Verb::Catalog).then(Fault::answer(200, catalog));
    let made = register(&admin, "db", &hostile).await;
    let plans = plans(&admin, &made).await;
    assert!(plans.iter().all(|plan| plan["free"] == true), "{plans:?}");
    let page = admin.get("/v1/service_plans").await.expect(200);
    assert_eq!(fields(&page, "catalog_name"), ["async", "sync"]);
}

async fn offerings_bring_their_plans_when_asked(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let path = "/v1/service_offerings?attach_plans=true";
    assert!(items(&admin.get(path).await.expect(200)).is_empty());
    for name in ["one", "two"] {
        register(&admin, name, &broker().await).await;
    }
    let plain = admin.get("/v1/service_offerings").await.expect(200);
    let plain = items(&plain);
    assert!(plain.iter().all(|offering| offering.get("plans").is_none()));
    let plans = items(&admin.get("/v1/service_plans").await.expect(200));
    let offerings = items(&admin.get(path).await.expect(200));
    assert_eq!((offerings.len(), plain.len()), (2, 2));
    for offering in &offerings {
        let own = |plan: &&Value| plan["service_offering_id"] == offering["id"];
        let own: Vec<&Value> = plans.iter().filter(own).collect();
        assert!(own.len() > 1, "{plans:?}");
        let shown: Vec<&Value> = offering["plans"].as_array().unwrap().iter().collect();
        assert_eq!(shown, own);
    }
    // Page by page.
    let path = format!("{path}&max_items=1");
    let page = admin.get(&path).await.expect(200);
    assert_eq!(items(&page), offerings[..1]);
    // A platform gets the plans that it may offer.
    let kubernetes = Platform::register(&manager, "k", "kubernetes").await;
    let shown = &plans[0];
    show(&admin, shown, Some(&kubernetes.id)).await.expect(201);
    let seen = kubernetes.client().get(path.as_str()).await.expect(200);
    let seen = items(&seen);
    assert_eq!(seen.len(), 1, "{seen:#?}");
    assert_eq!(
        fields(&json!({"items": seen[0]["plans"]}), "id"),
        [text(shown, "id")]
    );
}
