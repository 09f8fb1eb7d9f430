//! What `up` prints when everything is ready: where it is, who may call it, and lines to paste. Each stands on one line,
//! so that it can be copied whole.

use std::net::SocketAddr;
use std::path::Path;

use super::home::Home;
use super::registry::{BROKER, PLATFORM};
use super::{broker, manager, programs};

pub(super) fn text(
    address: SocketAddr,
    broker_at: SocketAddr,
    home: &Home,
    server: &Path,
) -> String {
    let url = format!("http://{address}");
    let file = |name: &str| short(&home.file(name));
    let admin = file("admin-password");
    let user = manager::USER;
    format!(
        "
the Service Manager is ready
  url        {url}
  user       {user}, password in {admin}
  broker     {BROKER} on http://{broker_at}, registered, its plans visible to all
  platform   {PLATFORM}, credentials in {demo}
  server     PostgreSQL in {server}; the broker's user is {broker_user}, password in {broker_password}

in another terminal, from nothing to a database that you use:

export PATH=\"{programs}:$PATH\"
smctl login -a {url} -u {user}
smctl marketplace
smctl provision mydb postgresql small --wait
smctl exec --service mydb -- psql -c 'select 1'

the login asks for the password; this one reads it:

smctl login -a {url} -u {user} --password-stdin < {admin}

smctl alone says what else there is; docs/smctl.md is its guide, README.md does the same with curl and as a platform

Ctrl-C stops it; the data is kept
",
        demo = file("platform"),
        server = server.display(),
        broker_user = broker::USER,
        broker_password = file("broker-password"),
        programs = programs::folder(home).display(),
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

    #[test]
    fn the_lines_to_paste_are_whole_and_know_the_address() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::open(folder.path()).unwrap();
        let text = text(
            "127.0.0.1:9".parse().unwrap(),
            "127.0.0.1:8".parse().unwrap(),
            &home,
            std::path::Path::new("/data"),
        );
        let lines: Vec<_> = text
            .lines()
            .filter(|line| line.starts_with("smctl ") && !line.contains("; "))
            .collect();
        let admin = folder.path().join("admin-password");
        let quiet = format!(
            "smctl login -a http://127.0.0.1:9 -u admin --password-stdin < {}",
            admin.display()
        );
        assert_eq!(
            lines,
            [
                "smctl login -a http://127.0.0.1:9 -u admin",
                "smctl marketplace",
                "smctl provision mydb postgresql small --wait",
                "smctl exec --service mydb -- psql -c 'select 1'",
                &quiet,
            ]
        );
        let path = format!(
            "export PATH=\"{}:$PATH\"",
            folder.path().join("bin").display()
        );
        assert!(text.lines().any(|line| line == path), "{text}");
    }
}
