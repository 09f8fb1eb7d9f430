//! Whether the manager is well: `/v1/monitor/health` as clients of the old server know it, `/healthz` and
//! `/readyz` for those who start and stop the process.
//!
//! The rule: what is wrong in detail is told to people who log in; everybody else hears that it is wrong.

mod brokers;

use crate::App;
use crate::encode::answer;
use crate::encode::date::{or_zero, rfc3339};
use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use qm_lifecycle::health::{self, Indicator};
use qm_manager_api::{Health, HealthStatus, Indicator as Shape, Readiness, Reason};
use qm_model::{Caller, Ctx};
use std::collections::BTreeMap;

/// Every indicator; 503 when the manager cannot work.
#[utoipa::path(get, path = "/v1/monitor/health", tag = "operating", operation_id = "health", security((), ("bearer" = [])),
    responses((status = 200, body = Health, description = "Well"), (status = 503, body = Health, description = "Not well")))]
pub(crate) async fn monitor(State(app): State<App>, Extension(ctx): Extension<Ctx>) -> Response {
    let storage = health::storage(&app.deeds).await;
    let shape = shape(storage, knows(&ctx));
    let (status, code) = match shape.status {
        HealthStatus::Up | HealthStatus::Unknown => (HealthStatus::Up, StatusCode::OK),
        HealthStatus::Down => (HealthStatus::Down, StatusCode::SERVICE_UNAVAILABLE),
    };
    let brokers = brokers::shape(health::brokers(&app.deeds), app.deeds.now(), knows(&ctx));
    let details = [shape, brokers].map(|shape| (shape.name.clone(), shape));
    let details = BTreeMap::from(details);
    answer::json(code, &Health { status, details })
}

/// Whether the process lives. Nothing is asked of anybody.
#[utoipa::path(get, path = "/healthz", tag = "operating", operation_id = "liveness", security(()),
    responses((status = 200, body = Health, description = "It lives")))]
pub(crate) async fn alive() -> Response {
    let health = Health {
        status: HealthStatus::Up,
        details: BTreeMap::new(),
    };
    answer::json(StatusCode::OK, &health)
}

/// Whether the process can take requests; 503 with reasons when not.
#[utoipa::path(get, path = "/readyz", tag = "operating", operation_id = "readiness", security((), ("bearer" = [])),
    responses((status = 200, body = Readiness, description = "It can"), (status = 503, body = Readiness, description = "It cannot")))]
pub(crate) async fn ready(State(app): State<App>, Extension(ctx): Extension<Ctx>) -> Response {
    let mut reasons = Vec::new();
    if app.outside.stopping.is_cancelled() {
        reasons.push(reason("process", "it is stopping"));
    }
    if let Some(problem) = health::storage(&app.deeds).await.problem {
        tracing::warn!(
            problem,
            "not ready: the store does not answer or cannot be written"
        );
        let hidden = "it does not answer or cannot be written; the log says why";
        let why = if knows(&ctx) {
            problem.as_str()
        } else {
            hidden
        };
        reasons.push(reason("storage", why));
    }
    let readiness = Readiness {
        ready: reasons.is_empty(),
        reasons,
    };
    let code = match readiness.ready {
        true => StatusCode::OK,
        false => StatusCode::SERVICE_UNAVAILABLE,
    };
    answer::json(code, &readiness)
}

fn knows(ctx: &Ctx) -> bool {
    matches!(ctx.caller, Caller::Person(_))
}

fn reason(what: &str, why: &str) -> Reason {
    Reason {
        what: what.to_owned(),
        why: why.to_owned(),
    }
}

fn shape(indicator: Indicator, in_detail: bool) -> Shape {
    let Indicator {
        name,
        problem,
        checked_at,
        failures,
        failing_since,
    } = indicator;
    Shape {
        name: name.to_owned(),
        status: match problem {
            None => HealthStatus::Up,
            Some(_) => HealthStatus::Down,
        },
        error: problem.filter(|_| in_detail),
        fatal: true,
        details: None,
        check_time: rfc3339(checked_at),
        num_failures: u64::from(failures),
        first_failure_at: or_zero(failing_since),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use qm_model::Time;

    #[test]
    fn what_is_wrong_is_told_to_people_only() {
        let indicator = Indicator {
            name: "storage",
            problem: Some("the host db-7 is away".to_owned()),
            checked_at: Time(0),
            failures: 2,
            failing_since: Some(Time(0)),
        };
        let open = shape(indicator.clone(), false);
        assert_eq!((open.status, open.error), (HealthStatus::Down, None));
        assert!(shape(indicator, true).error.is_some());
    }
}
