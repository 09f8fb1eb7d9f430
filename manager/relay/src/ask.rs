//! The manager's own calls: what tasks and deeds ask a broker without a platform's request behind it.
//!
//! The rule: the request is what [`Call`] makes of it, and the answer comes back as it came, but for a date in
//! `Retry-After`; whoever asked reads it with [`Outcome::parse`](quartermaster_osb::Outcome::parse).

use crate::{Relay, RelayError, Target, call, patience};
use bytes::Bytes;
use http::{HeaderValue, Response};
use quartermaster_osb::{Call, Envelope, header};

impl Relay {
    /// Calls a broker. Any answer is returned, whatever its status.
    ///
    /// # Errors
    /// Why there is no answer; [`RelayError::outcome`] says what that means for what was asked.
    pub async fn ask(
        &self,
        target: &Target<'_>,
        call: &Call,
        envelope: &Envelope,
    ) -> Result<Response<Bytes>, RelayError> {
        let peer = self.peer(target).await?;
        let mut request = call::build(&peer, call, envelope)?;
        let identity = envelope.request_identity.as_deref().unwrap_or_default();
        if let (false, Ok(value)) = (identity.is_empty(), HeaderValue::from_str(identity)) {
            request.headers_mut().insert(header::CORRELATION_ID, value);
        }
        let settings = &self.inner.settings;
        let limits = (settings, settings.answer_limit);
        let mut answer = call::send(&peer, call.verb(), identity, request, limits)
            .await
            .map_err(RelayError::about_an_answer)?;
        patience::in_seconds(answer.headers_mut(), jiff::Timestamp::now());
        Ok(answer)
    }
}
