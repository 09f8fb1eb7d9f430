//! Whether the manager could listen where it should.

use super::Report;
use crate::config::Config;
use crate::data::Held;
use crate::place::Place;
use std::io::ErrorKind;
use tokio::net::TcpListener;

const NAME: &str = "address";

pub(super) async fn look(config: &Config, place: &Place, report: &mut Report) {
    let address = &config.server.listen;
    let Err(error) = TcpListener::bind(address).await else {
        return report.ok(NAME, format!("{address} is free"));
    };
    let running = matches!(place, Place::Sqlite(file) if Held::is_taken(file));
    match error.kind() {
        ErrorKind::AddrInUse if running => {
            report.ok(
                NAME,
                format!("{address} is taken, and a manager runs on this data folder"),
            );
        }
        ErrorKind::AddrInUse => report.warning(
            NAME,
            format!("{address} is taken by another program, or by a manager on PostgreSQL"),
            "if it is no manager of yours, choose another address with --listen",
        ),
        ErrorKind::PermissionDenied => report.problem(
            NAME,
            format!("{address} is not for this user"),
            "choose a port above 1023, or allow it (CAP_NET_BIND_SERVICE)",
        ),
        _ => report.problem(
            NAME,
            format!("cannot listen on {address}: {error}"),
            "name an address of this machine with --listen",
        ),
    }
}
