//! Where tokens are got: the issuer's discovery document.

use crate::doc::Doc;
use crate::exit::Exit;
use crate::problem::Problem;
use crate::transport::Transport;
use bytes::Bytes;
use http::Request;
use qm_manager_api::discovery;
use std::time::Duration;

/// The doors of an issuer; empty texts for those it has not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Issuer {
    pub(crate) url: String,
    pub(crate) token: String,
    pub(crate) authorization: String,
    pub(crate) device: String,
    pub(crate) revocation: String,
}

/// Reads the document. Who comes with a certificate is sent to the doors for certificates.
pub(crate) async fn discover(
    transport: &Transport,
    issuer: &str,
    certificate: bool,
) -> Result<Issuer, Problem> {
    let url = format!("{issuer}{}", discovery::PATH);
    let failed = |why: String| {
        Problem::new(Exit::Failed, format!("the issuer {issuer} says nothing of itself"))
            .old(format!("Could not build authenticator\nReason: error occurred while fetching openid configuration: {why}"))
            .why(why)
            .hint("the manager names the issuer in /v1/info; ask its administrator")
    };
    let request = Request::get(&url)
        .body(Bytes::new())
        .map_err(|error| failed(error.to_string()))?;
    let reply = transport
        .send(request, Some(Duration::from_secs(30)))
        .await?;
    if reply.status.as_u16() != 200 {
        return Err(failed("unexpected status code".to_owned()));
    }
    let doc = Doc::parse(&reply.body).map_err(|error| failed(error.to_string()))?;
    let door = |name: &str| {
        let alias = doc.get("mtls_endpoint_aliases").str(name);
        if certificate && !alias.is_empty() {
            alias.to_owned()
        } else {
            doc.str(name).to_owned()
        }
    };
    Ok(Issuer {
        url: issuer.to_owned(),
        token: door("token_endpoint"),
        authorization: door("authorization_endpoint"),
        device: door("device_authorization_endpoint"),
        revocation: door("revocation_endpoint"),
    })
}
