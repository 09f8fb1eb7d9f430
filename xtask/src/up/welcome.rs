//! What `up` prints when everything is ready: where it is, who may call it, and lines to paste. Each
//! stands on one line, so that it can be copied whole, and works again on a later run.

use std::net::SocketAddr;
use std::path::Path;

use super::home::Home;
use super::registry::{BROKER, PLATFORM, Plan, Registered};
use super::{broker, manager};

pub(super) fn text(
    address: SocketAddr,
    registered: &Registered,
    home: &Home,
    server: &Path,
) -> String {
    let Registered {
        token_url,
        broker,
        broker_id,
        plan: Plan {
            id: plan_id,
            catalog_ids: (service, plan),
        },
    } = registered;
    let url = format!("http://{address}");
    let file = |name: &str| short(&home.file(name));
    let admin = file("admin-password");
    let demo = file("platform");
    let user = manager::USER;
    let curl = "curl -sS -w '\\n'";
    let bearer = format!("{curl} -H \"Authorization: Bearer $TOKEN\"");
    let json = "-H 'Content-Type: application/json'";
    let platform = format!("{curl} -u \"$(cat {demo})\"");
    let door = format!("{url}/v1/osb/{broker_id}/v2");
    let osb = format!("{platform} -H 'X-Broker-API-Version: 2.17'");
    let instance = format!("{door}/service_instances/$DB");
    let binding = format!("{instance}/service_bindings/$DB-app");
    let ids = format!("service_id={service}&plan_id={plan}");
    let wait = "accepts_incomplete=true";
    let made_of = format!("\"service_id\":\"{service}\",\"plan_id\":\"{plan}\"");
    format!(
        "
the Service Manager is ready
  url        {url}
  user       {user}, password in {admin}
  broker     {BROKER} on http://{broker}, registered, its plans visible to all
  platform   {PLATFORM}, credentials in {demo}
  server     PostgreSQL in {server}; the broker's user is {broker_user}, password in {broker_password}

log in; what there is; who is told of it:

TOKEN=$(curl -sS {token_url} -d grant_type=password -d username={user} --data-urlencode password@{admin} | sed 's/.*\"access_token\" *: *\"\\([^\"]*\\)\".*/\\1/')
{bearer} {url}/v1/service_brokers
{bearer} {url}/v1/service_plans
{bearer} {url}/v1/platforms
{bearer} -X POST {json} -d '{{\"name\":\"mine-'$(date +%s)'\",\"type\":\"kubernetes\"}}' {url}/v1/platforms

the marketplace as the platform {PLATFORM} sees it:

{platform} {url}/v1/service_offerings
{platform} {url}/v1/service_plans

a database through the manager's door, as the platform {PLATFORM}: make it, ask how it does until it is there, bind, use it:

{osb} {door}/catalog
DB=$(cat /proc/sys/kernel/random/uuid); {osb} -X PUT {json} -d '{{{made_of},\"organization_guid\":\"o\",\"space_guid\":\"s\"}}' \"{instance}?{wait}\"
{osb} \"{instance}/last_operation\"
{osb} -X PUT {json} -d '{{{made_of}}}' \"{binding}?{wait}\"
{osb} \"{binding}/last_operation\"
psql \"$({osb} \"{binding}\" | sed 's/.*\"uri\" *: *\"\\([^\"]*\\)\".*/\\1/')\" -c 'SELECT current_database(), current_user'

what the manager knows of it; then take it away again:

{bearer} {url}/v1/service_instances/$DB
{bearer} {url}/v1/service_bindings/$DB-app
{osb} -X DELETE \"{binding}?{ids}&{wait}\"
{osb} \"{binding}/last_operation\"
{osb} -X DELETE \"{instance}?{ids}&{wait}\"
{osb} \"{instance}/last_operation\"

leave the first line running, type the others elsewhere (after TOKEN=...) and watch them arrive:

{platform} -iN -o - -H 'Connection: Upgrade' -H 'Upgrade: websocket' -H 'Sec-WebSocket-Version: 13' -H 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==' {url}/v1/notifications
{bearer} -X DELETE '{url}/v1/visibilities?fieldQuery=service_plan_id%20eq%20%27{plan_id}%27'
{bearer} -X POST {json} -d '{{\"service_plan_id\":\"{plan_id}\"}}' {url}/v1/visibilities

how it does:

{curl} {url}/readyz
{curl} {url}/metrics
{bearer} {url}/v1/audit

Ctrl-C stops it; the data is kept
",
        server = server.display(),
        broker_user = broker::USER,
        broker_password = file("broker-password"),
    )
}

/// As it is seen from where the person stands.
fn short(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(here)
        .unwrap_or(path)
        .display()
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::text;
    use crate::up::home::Home;
    use crate::up::registry::{Plan, Registered};

    #[test]
    fn every_line_to_paste_is_whole_and_knows_the_address() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::open(folder.path()).unwrap();
        let registered = Registered {
            token_url: "http://127.0.0.1:9/oauth/token".into(),
            broker: "127.0.0.1:8".parse().unwrap(),
            broker_id: "b-1".into(),
            plan: Plan {
                id: "p-1".into(),
                catalog_ids: ("s-1".into(), "small".into()),
            },
        };
        let text = text(
            "127.0.0.1:9".parse().unwrap(),
            &registered,
            &home,
            std::path::Path::new("/data"),
        );
        let lines: Vec<_> = text
            .lines()
            .filter(|line| {
                let starts = ["curl ", "psql ", "TOKEN=", "DB="];
                starts.iter().any(|start| line.starts_with(start))
            })
            .collect();
        assert_eq!(lines.len(), 25, "{text}");
        assert!(
            lines
                .iter()
                .all(|line| line.contains("http://127.0.0.1:9/")),
            "{text}"
        );
        assert!(text.contains("%27p-1%27"), "{text}");
        let door = "http://127.0.0.1:9/v1/osb/b-1/v2/service_instances/$DB";
        assert_eq!(text.matches(door).count(), 9, "{text}");
        assert_eq!(text.matches("service_id=s-1&plan_id=small&").count(), 2);
        assert!(text.contains(&folder.path().join("platform").display().to_string()));
    }
}
