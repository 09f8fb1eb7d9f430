//! What was readable or reachable by those who should not: defects 1, 2, 4 and 6.

use crate::harness::answer::{fields, id};
use crate::harness::brokers::{broker, hash, register};
use crate::harness::{Engine, Manager, Platform, Setup, query};
use http::Method;
use serde_json::json;

on_both_engines!(
    defect_01_queries_are_never_sql,
    defect_02_every_path_asks_who_calls,
    defect_04_the_configuration_holds_no_secret,
    defect_06_a_platform_activates_only_its_own_credentials,
);

/// `existQuery` and `subQuery` went into the statement as they were.
async fn defect_01_queries_are_never_sql(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    for name in ["a", "b"] {
        Platform::register(&manager, name, "t").await;
    }
    let platform = Platform::register(&manager, "c", "t").await.client();
    let everything = fields(&admin.get("/v1/platforms").await.expect(200), "name");
    let hostile = [
        "id eq '1=0'",
        "id eq 'SELECT 1 WHERE false'",
        "id in ('SELECT id FROM platform WHERE 1=0')",
        "id eq ''' OR ''1''=''1'",
        "id eq 'x'); DROP TABLE platform; --'",
    ];
    for text in hostile {
        for parameter in ["subQuery", "existQuery"] {
            let path = query("/v1/platforms", &[(parameter, text)]);
            for caller in [&admin, &platform] {
                let answer = caller.get(&path).await;
                assert!([200, 400].contains(&answer.status), "{answer:#?}");
            }
            let answer = admin.get(&path).await;
            if answer.status == 200 {
                assert_eq!(
                    fields(&answer.body, "name"),
                    everything,
                    "{parameter}={text}"
                );
            }
        }
    }
    // Values, keys and paths are data, whatever stands in them.
    for text in [
        "' OR '1'='1",
        "x'; DROP TABLE platform; --",
        "\\' OR 1=1 --",
        "%' OR '%'='",
        "$1",
    ] {
        let quoted = text.replace('\'', "''");
        let value = query(
            "/v1/platforms",
            &[("fieldQuery", &format!("name eq '{quoted}'"))],
        );
        assert_eq!(
            admin.get(&value).await.expect(200)["num_items"],
            0,
            "{text}"
        );
        let label = query(
            "/v1/platforms",
            &[("labelQuery", &format!("k eq '{quoted}'"))],
        );
        assert_eq!(
            admin.get(&label).await.expect(200)["num_items"],
            0,
            "{text}"
        );
        let part = query(
            "/v1/platforms",
            &[("fieldQuery", &format!("name contains '{quoted}'"))],
        );
        assert_eq!(admin.get(&part).await.expect(200)["num_items"], 0, "{text}");
        let unquoted = query(
            "/v1/platforms",
            &[("fieldQuery", &format!("name eq '{text}'"))],
        );
        let answer = admin.get(&unquoted).await;
        assert!([200, 400].contains(&answer.status), "{answer:#?}");
    }
    for key in [
        "a'b",
        "a\"b",
        "a;--",
        "metadata/a'||(select 1)||'",
        "metadata/$.x",
        "a->>b",
    ] {
        for parameter in ["fieldQuery", "labelQuery"] {
            let path = query(
                "/v1/service_plans",
                &[(parameter, &format!("{key} eq 'x'"))],
            );
            let answer = admin.get(&path).await;
            assert!([200, 400].contains(&answer.status), "{key}: {answer:#?}");
        }
    }
    assert_eq!(
        fields(&admin.get("/v1/platforms").await.expect(200), "name"),
        everything
    );
}

/// `POST .../adapt_credentials` and `GET /v1/tenants/**` had no rule, so they were open.
async fn defect_02_every_path_asks_who_calls(engine: Engine) {
    let manager = Manager::start(engine).await;
    let hostile = broker().await;
    let made = register(&manager.admin(), "db", &hostile).await;
    let before = hostile.calls().len();
    let osb = format!("/v1/osb/{}/v2", id(&made));
    let paths = [
        format!("{osb}/service_instances/i/service_bindings/b/adapt_credentials"),
        format!("{osb}/service_instances/i"),
        format!("{osb}/catalog"),
        "/v1/osb/nobody/v2/service_instances/i/service_bindings/b/adapt_credentials".to_owned(),
        "/v1/tenants/t/operations/o".to_owned(),
        "/v1/tenants/t".to_owned(),
        "/v1/tenants".to_owned(),
        "/v1/service_brokers/x/y/z".to_owned(),
    ];
    for path in &paths {
        for method in [
            Method::GET,
            Method::POST,
            Method::PUT,
            Method::PATCH,
            Method::DELETE,
        ] {
            let body = (method != Method::GET).then(|| json!({}));
            let answer = manager.anybody().call(method, path, body.as_ref()).await;
            // A path that nothing is known of may say so to everybody.
            let unknown = answer.status == 404 && path.contains("/x/y/z");
            assert!(answer.status == 401 || unknown, "{answer:#?}");
        }
    }
    assert_eq!(
        hostile.calls().len(),
        before,
        "nobody's call reached the broker"
    );
}

/// `/v1/config` showed the encryption key and the database's password.
async fn defect_04_the_configuration_holds_no_secret(engine: Engine) {
    let key = {
        let made = crate::harness::setup::executable()
            .args(["keys", "new"])
            .command()
            .output();
        String::from_utf8(made.unwrap().stdout)
            .unwrap()
            .trim()
            .to_owned()
    };
    assert!(key.len() > 20, "{key}");
    let manager = Setup::new(engine)
        .database_password("canary-in-the-url")
        .set("QM_KEYS", &key)
        .start()
        .await;
    let secrets = [
        key.split_once(':').unwrap().1.to_owned(),
        "canary-in-the-url".to_owned(),
        manager.admin_password(),
    ];
    let shown = manager.admin().get("/v1/config").await;
    let printed = manager.run(&["config"]);
    let printed = String::from_utf8_lossy(&printed.stdout).into_owned();
    assert_eq!(shown.status, 200);
    assert!(printed.contains("max_body_bytes"), "{printed}");
    for secret in &secrets {
        assert!(!shown.text.contains(secret), "{secret} in /v1/config");
        assert!(
            !printed.contains(secret),
            "{secret} in `quartermaster config`"
        );
    }
    if engine == Engine::Postgres {
        assert!(
            shown.text.contains("***"),
            "that there is one may be seen: {}",
            shown.text
        );
    }
}

/// Any platform could activate any credential, which erases the pair that another platform still uses.
async fn defect_06_a_platform_activates_only_its_own_credentials(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let hostile = broker().await;
    let made = register(&admin, "db", &hostile).await;
    let owner = Platform::register(&manager, "owner", "cloudfoundry")
        .await
        .client();
    let thief = Platform::register(&manager, "thief", "cloudfoundry")
        .await
        .client();
    let pair =
        |user: &str| json!({"broker_id": id(&made), "username": user, "password_hash": hash(user)});
    let put = owner.put("/v1/credentials", &pair("one")).await.expect(200);
    let activate = format!("/v1/credentials/{}/activate", id(&put));
    owner.put(&activate, &json!({})).await.expect(200);
    owner
        .put("/v1/credentials?force=true", &pair("two"))
        .await
        .expect(200);

    thief
        .put(&activate, &json!({}))
        .await
        .refused(404, "NotFound");
    let row = format!(
        "SELECT coalesce(old_username, 'none') FROM credential WHERE id = '{}'",
        id(&put)
    );
    assert_eq!(manager.sql(&row), ["one"], "the pair in use is still there");
    admin
        .put(&activate, &json!({}))
        .await
        .refused(401, "Unauthorized");
    let active = owner.put(&activate, &json!({})).await.expect(200);
    assert_eq!(active["active"], true);
    assert_eq!(manager.sql(&row), ["none"]);
}
