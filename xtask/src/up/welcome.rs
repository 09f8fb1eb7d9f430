//! What `up` prints when the broker is ready: where it is, who may call it, and three lines to paste.
//! Each curl stands on one line, so that it can be copied whole, and works again on a later run.

use std::net::SocketAddr;
use std::path::Path;

use super::catalog::Choice;

pub(super) fn text(
    address: SocketAddr,
    user: &str,
    password: &str,
    choice: &Choice,
    server: &Path,
) -> String {
    let Choice {
        service_id,
        plan_id,
    } = choice;
    let url = format!("http://{address}");
    let curl = format!("curl -sS -u {user}:{password} -H 'X-Broker-API-Version: 2.17'");
    let ids = format!("service_id={service_id}&plan_id={plan_id}");
    let body = serde_json::json!({
        "service_id": service_id, "plan_id": plan_id,
        "organization_guid": "demo-org", "space_guid": "demo-space",
    });
    format!(
        "
the broker is ready
  url       {url}
  user      {user}
  password  {password}
  server    PostgreSQL in {server}

what it offers; then a database; then how that is going:

{curl} {url}/v2/catalog
{curl} -X PUT -H 'Content-Type: application/json' -d '{body}' '{url}/v2/service_instances/demo?accepts_incomplete=true'
{curl} '{url}/v2/service_instances/demo/last_operation?{ids}'

Ctrl-C stops it; the data is kept
",
        server = server.display(),
    )
}

#[cfg(test)]
mod tests {
    use super::text;
    use crate::up::catalog::Choice;

    #[test]
    fn three_whole_curl_lines_with_the_ids_of_the_catalog() {
        let choice = Choice {
            service_id: "s-1".into(),
            plan_id: "p-1".into(),
        };
        let text = text(
            "127.0.0.1:9".parse().unwrap(),
            "u",
            "p",
            &choice,
            std::path::Path::new("/data"),
        );
        let lines: Vec<_> = text
            .lines()
            .filter(|line| line.starts_with("curl "))
            .collect();
        assert_eq!(lines.len(), 3, "{text}");
        assert!(lines[1].contains(r#""service_id":"s-1""#), "{text}");
        assert!(lines[2].ends_with("?service_id=s-1&plan_id=p-1'"), "{text}");
    }
}
