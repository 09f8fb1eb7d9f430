//! Defect 16: an empty list in a query of the manager's own was an internal error.

use crate::harness::answer::id;
use crate::harness::brokers::{broker, plans, register, show};
use crate::harness::{Engine, Manager, Platform, query};
use serde_json::json;

on_both_engines!(defect_16_nothing_visible_is_an_empty_list);

async fn defect_16_nothing_visible_is_an_empty_list(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let k8s = Platform::register(&manager, "k8s", "kubernetes").await;
    let cluster = k8s.client();
    let empty = json!({"num_items": 0, "items": []});
    let lists = [
        "/v1/service_brokers",
        "/v1/service_offerings",
        "/v1/service_plans",
        "/v1/visibilities",
    ];
    for path in lists {
        assert_eq!(cluster.get(path).await.expect(200), empty, "{path}");
        cluster
            .get(&format!("{path}/nobody"))
            .await
            .refused(404, "NotFound");
        let ready = query(path, &[("fieldQuery", "ready eq true")]);
        assert_eq!(cluster.get(&ready).await.expect(200), empty);
    }
    // There is a broker, and nothing of it is for the cluster.
    let hostile = broker().await;
    let made = register(&admin, "db", &hostile).await;
    let plans = plans(&admin, &made).await;
    let broker = format!("/v1/service_brokers/{}", id(&made));
    let plan = format!("/v1/service_plans/{}", id(&plans[0]));
    for path in lists {
        assert_eq!(cluster.get(path).await.expect(200), empty, "{path}");
    }
    cluster.get(&broker).await.refused(404, "NotFound");
    cluster.get(&plan).await.refused(404, "NotFound");

    // With a visibility exactly this plan, its offering and its broker are seen.
    show(&admin, &plans[0], Some(&k8s.id)).await.expect(201);
    for path in &lists {
        assert_eq!(
            cluster.get(path).await.expect(200)["num_items"],
            1,
            "{path}"
        );
    }
    cluster.get(&broker).await.expect(200);
    cluster.get(&plan).await.expect(200);
    let hidden = format!("/v1/service_plans/{}", id(&plans[1]));
    cluster.get(&hidden).await.refused(404, "NotFound");
    // Other types of platforms see every broker and plan.
    let cf = Platform::register(&manager, "cf", "cloudfoundry")
        .await
        .client();
    assert_eq!(
        cf.get("/v1/service_plans").await.expect(200)["num_items"],
        2
    );
    // An empty list in a caller's query is none either.
    let nothing = query(
        "/v1/service_plans",
        &[("fieldQuery", "ready eq true and id in ()")],
    );
    assert_eq!(admin.get(&nothing).await.expect(200), empty);
    // A broker all of whose plans are gone from sight can be removed.
    admin.delete(&broker).await.expect(200);
    for path in lists {
        assert_eq!(cluster.get(path).await.expect(200), empty, "{path}");
    }
}
