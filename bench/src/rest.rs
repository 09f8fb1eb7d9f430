//! What people do at the manager itself: `qm-bench rest [create | polling | cascade]`.
//!
//! ```text
//!   create    instances over REST next to provisions at an OSB door, same manager, same broker
//!   polling   10,000 operations that a broker works on, followed by one process
//!   cascade   10,000 instances deleted at once while platforms call at the doors
//! ```
//!
//! The rule: ratios in one run; the door is the measure of what the engine can do.

pub(crate) mod broker;
mod cascade;
mod create;
mod polling;

use crate::manager;
use crate::report::Report;
use anyhow::{Result, bail};
use bytes::Bytes;
use http::{Method, Request, header};
use http_body_util::Full;

/// Runs one part, or all.
pub(crate) async fn run(part: Option<&str>) -> Result<()> {
    manager::build()?;
    let mut report = Report::default();
    match part {
        None => {
            create::measure(&mut report).await?;
            polling::measure(&mut report).await?;
            cascade::measure(&mut report).await?;
        }
        Some("create") => create::measure(&mut report).await?,
        Some("polling") => polling::measure(&mut report).await?,
        Some("cascade") => cascade::measure(&mut report).await?,
        Some(_) => bail!("usage: qm-bench rest [create | polling | cascade]"),
    }
    report.close()
}

/// A request with a body in JSON.
fn request(method: Method, path: &str, authorization: &str, body: String) -> Request<Full<Bytes>> {
    let mut request = Request::new(Full::new(Bytes::from(body)));
    *request.method_mut() = method;
    if let Ok(uri) = path.parse() {
        *request.uri_mut() = uri;
    }
    let headers = request.headers_mut();
    let values = [
        (header::HOST, "localhost"),
        (header::CONTENT_TYPE, "application/json"),
        (header::AUTHORIZATION, authorization),
        (
            header::HeaderName::from_static("x-broker-api-version"),
            "2.17",
        ),
    ];
    for (name, value) in values {
        if let Ok(value) = value.parse() {
            headers.insert(name, value);
        }
    }
    request
}
