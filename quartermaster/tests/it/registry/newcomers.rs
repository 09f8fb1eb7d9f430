//! A platform that is registered late and names a revision from before it was there: it is told what it may know of
//! what came since, and nothing of what is others'.

use crate::harness::answer::text;
use crate::harness::brokers::{broker, plan_named, register, register_labelled, show};
use crate::harness::{Engine, Manager, Platform};
use serde_json::{Value, json};

on_both_engines!(an_old_revision_in_the_hands_of_a_new_platform);

async fn an_old_revision_in_the_hands_of_a_new_platform(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let old = Platform::register(&manager, "old", "cloudfoundry").await;
    let host = broker().await;
    let first = register(&admin, "first", &host).await;
    manager.settle().await;
    let known = old.connect(None).await.revision().unwrap();

    // Of nobody, of a tenant, for one platform.
    register(&admin, "everybody's", &host).await;
    let labels = json!({"tenant": ["red"]});
    let red = register_labelled(&admin, "red's", &host, &labels).await;
    let plan = plan_named(&admin, &red, "sync").await;
    show(&admin, &plan, None).await.expect(201);
    let plan = plan_named(&admin, &first, "sync").await;
    show(&admin, &plan, Some(&old.id)).await.expect(201);
    let plan = plan_named(&admin, &first, "async").await;
    let public = show(&admin, &plan, None).await.expect(201);

    let mut words = Vec::new();
    for (name, kind, labels) in [
        ("blue", "cloudfoundry", json!({"tenant": ["blue"]})),
        ("red", "kubernetes", json!({"tenant": ["red"]})),
        ("nobody's", "kubernetes", json!({})),
    ] {
        let body = json!({"name": name, "type": kind, "labels": labels});
        let platform = Platform::register_as(&manager, &body).await;
        manager.settle().await;
        let mut stream = platform.connect(Some(known)).await;
        let word = format!("after {name}");
        register(&admin, &word, &host).await;
        let mut heard = Vec::new();
        while heard.last().is_none_or(|last| named(last).1 != word) {
            heard.push(stream.next().await);
        }
        assert_eq!(named(&heard[0]).1, "everybody's");
        assert_eq!(heard[1]["payload"]["new"]["resource"]["id"], public["id"]);
        let rest: Vec<_> = heard[2..].iter().map(|message| named(message).1).collect();
        words.push(word);
        assert_eq!(rest, words, "and then what came since");
        let text = format!("{heard:?}");
        assert!(!text.contains("red's") && !text.contains(&old.id), "{text}");
        // A revision that was never given is refused as always.
        let ahead = stream.revision().unwrap() + 1_000;
        let refused = platform.try_connect(Some(ahead), &[]).await;
        assert_eq!(refused.unwrap_err().status, 410);
        admin
            .delete(&format!("/v1/platforms/{}", platform.id))
            .await
            .expect(200);
    }
}

fn named(message: &Value) -> (String, String) {
    let resource = &message["payload"]["new"]["resource"];
    let name = resource["name"].as_str().unwrap_or_default();
    (text(message, "type"), name.to_owned())
}
