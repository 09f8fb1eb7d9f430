//! `/v1/info`: what a client must know before it logs in. Open, and tolerant of any parameter.

use crate::App;
use crate::decode::public_url::PublicUrl;
use crate::encode::answer;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use qm_lifecycle::{door, identity};
use qm_manager_api::Info;

/// What a client must know before it logs in.
#[utoipa::path(get, path = "/v1/info", tag = "about", operation_id = "info", security(()),
    responses((status = 200, body = Info, description = "Where to log in")))]
pub(crate) async fn get(State(app): State<App>, public: PublicUrl) -> Response {
    let (context_rsa_public_key, context_successor_rsa_public_key) = door::signing_keys(&app.deeds);
    let info = Info {
        token_issuer_url: identity::token_issuer_url(&app.deeds, &public.seen),
        token_basic_auth: app.settings.token_basic_auth,
        service_manager_tenant_id: app.settings.tenant_id.clone(),
        context_rsa_public_key,
        context_successor_rsa_public_key,
    };
    answer::json(StatusCode::OK, &info)
}
