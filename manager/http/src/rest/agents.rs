//! `/v1/agents/versions`: which agents platforms may run. Open.

use crate::App;
use crate::encode::answer;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use qm_manager_api::AgentVersions;

/// The supported versions of each agent.
#[utoipa::path(get, path = "/v1/agents/versions", tag = "about", operation_id = "agent_versions", security(()),
    responses((status = 200, body = AgentVersions, description = "Versions by agent")))]
pub(crate) async fn versions(State(app): State<App>) -> Response {
    let versions = AgentVersions(app.settings.agent_versions.clone());
    answer::json(StatusCode::OK, &versions)
}
