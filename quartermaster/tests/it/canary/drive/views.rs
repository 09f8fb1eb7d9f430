//! Everything that shows something, after everything has happened.

use crate::canary::World;

pub(in crate::canary) async fn all(world: &mut World) {
    let admin = world.manager.admin();
    for path in [
        "/v1/config",
        "/v1/config/logging",
        "/metrics",
        "/v1/audit?max_items=200",
        "/v1/operations?max_items=200",
        "/v1/service_brokers?max_items=200&attach_last_operations=true",
        "/v1/service_offerings?max_items=200",
        "/v1/service_plans?max_items=200",
        "/v1/platforms?max_items=200",
        "/v1/visibilities",
        "/v1/users",
        "/v1/clients",
        "/v1/monitor/health",
        "/readyz",
        "/v1/info",
        "/.well-known/openid-configuration",
        "/oauth/jwks",
    ] {
        let answer = admin.get(path).await;
        assert_eq!(answer.status, 200, "{answer:#?}");
        world.places.answer(answer);
    }
    for command in [
        &["config"][..],
        &["doctor"],
        &["doctor", "--output", "json"],
        &["keys", "show-ids"],
    ] {
        let output = world.manager.run(command);
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text).into_owned();
        assert!(!text.is_empty(), "{command:?}");
        world
            .places
            .add(&format!("`quartermaster {}`", command.join(" ")), &text);
    }
}
