//! Sends a platform's request to the broker, as it came.

use crate::Lifecycle;
use crate::views::View;
use bytes::Bytes;
use http::Response;
use qm_model::{Ctx, Error};
use qm_relay::{Passed, RelayError, Target};
use quartermaster_osb::{Object, Verb};
use serde_json::Value;

/// The broker's answer, or why there is none.
pub(crate) async fn send(
    deeds: &Lifecycle,
    ctx: &Ctx,
    view: &View,
    verb: Verb,
    passed: Passed,
) -> Result<Response<Bytes>, RelayError> {
    deeds
        .relay
        .pass(&target(view), verb, &ctx.correlation_id, passed)
        .await
}

/// Whom to call.
pub(crate) fn target(view: &View) -> Target<'_> {
    let broker = &view.stock.broker;
    Target {
        id: &broker.id,
        url: &broker.url,
        access: &view.access,
    }
}

/// The request with its context signed, when the manager has a key for that; otherwise as it came.
///
/// # Errors
/// Ours: what was read can be written.
pub(crate) fn signed(
    deeds: &Lifecycle,
    body: &Object,
    instance: &str,
    passed: Passed,
) -> Result<Passed, Error> {
    if deeds.relay.signing_key().is_none() {
        return Ok(passed);
    }
    let Some(Value::Object(context)) = body.get("context") else {
        return Ok(passed);
    };
    let mut context = context.clone();
    deeds.relay.sign(&mut context, instance);
    let mut body = body.clone();
    body.insert("context".to_owned(), Value::Object(context));
    let bytes = serde_json::to_vec(&body).map_err(Error::internal)?;
    Ok(Passed {
        body: bytes.into(),
        ..passed
    })
}
