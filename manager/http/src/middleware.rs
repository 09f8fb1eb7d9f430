//! The whole layer stack, in the order in which a request meets it.
//!
//! The rule: a layer stands above everything that it must see the end of, and below everything that it
//! needs to know. What is cheap and refuses stands above what is dear.

mod authenticate;
mod body;
mod busy;
mod caught;
mod denied;
mod observe;
pub(crate) mod rate;
pub(crate) mod request;
mod secure;
mod share;
mod slash;
mod timeout;

use crate::App;
use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use busy::Busy;
use rate::Limiter;
use share::Shares;
use std::sync::Arc;
use tower::ServiceBuilder;

/// What every request meets, whichever door it goes to.
pub(crate) fn around(doors: Router<App>, app: App) -> Router {
    let stack = ServiceBuilder::new()
        // Gives the correlation id and writes it into every answer and every error body: outermost.
        .layer(from_fn_with_state(app.clone(), request::run))
        // The span and the figures: below the id that it logs, above all whose end it must see.
        .layer(from_fn_with_state(app.clone(), observe::run))
        // Headers that every answer bears, a panic's too.
        .layer(from_fn(secure::run))
        // A panic costs its own request an answer and nobody else anything.
        .layer(from_fn(caught::run))
        // Refuses when there is too much to do: before anything is read or asked.
        .layer(from_fn_with_state(Busy::new(&app), busy::run))
        // Ends the wait of the caller: above all that can take long, reading the body too.
        .layer(from_fn_with_state(app.clone(), timeout::run))
        // Holds the body to its size: before anybody proves who they are, so that nobody can make us read.
        .layer(from_fn_with_state(app.clone(), body::run));
    slash::either_way(doors.layer(stack).with_state(app))
}

/// What a request meets at the doors that want to know who calls.
pub(crate) fn guard<S: Clone + Send + Sync + 'static>(
    doors: utoipa_axum::router::OpenApiRouter<S>,
    app: &App,
    limiter: &Arc<Limiter>,
) -> utoipa_axum::router::OpenApiRouter<S> {
    let stack = ServiceBuilder::new()
        // Who calls; 401 otherwise.
        .layer(from_fn_with_state(app.clone(), authenticate::required))
        // How often: counted for each caller, so after knowing who it is.
        .layer(from_fn_with_state(
            (app.clone(), Arc::clone(limiter)),
            rate::run,
        ))
        // Writes down who was refused a change: after knowing who, above the handler that refuses.
        .layer(from_fn_with_state(app.clone(), denied::run));
    doors.layer(stack)
}

/// What a request meets at the OSB doors. No record of refusals: nobody is refused here for want of a role, and a
/// broker's own 403 is no refusal of ours.
pub(crate) fn door<S: Clone + Send + Sync + 'static>(
    doors: utoipa_axum::router::OpenApiRouter<S>,
    app: &App,
    limiter: &Arc<Limiter>,
) -> utoipa_axum::router::OpenApiRouter<S> {
    let stack = ServiceBuilder::new()
        // Which platform calls; 401 otherwise.
        .layer(from_fn_with_state(app.clone(), authenticate::platform))
        // How often: counted for each platform, so after knowing which it is.
        .layer(from_fn_with_state(
            (app.clone(), Arc::clone(limiter)),
            rate::run,
        ))
        // So that a broker which hangs leaves room for the others: below all that refuses for cheaper reasons.
        .layer(from_fn_with_state(Shares::new(app), share::run));
    doors.layer(stack)
}

/// What a request meets at the doors that are open, and show more to those who say who they are.
pub(crate) fn welcome<S: Clone + Send + Sync + 'static>(
    doors: utoipa_axum::router::OpenApiRouter<S>,
    app: &App,
) -> utoipa_axum::router::OpenApiRouter<S> {
    doors.layer(from_fn_with_state(app.clone(), authenticate::optional))
}

/// What a request meets at the doors that ask nobody who they are. Addresses are counted, because a
/// password can be tried here.
pub(crate) fn open<S: Clone + Send + Sync + 'static>(
    doors: utoipa_axum::router::OpenApiRouter<S>,
    app: &App,
    limiter: &Arc<Limiter>,
) -> utoipa_axum::router::OpenApiRouter<S> {
    let stack = ServiceBuilder::new()
        .layer(from_fn(authenticate::nobody))
        .layer(from_fn_with_state(
            (app.clone(), Arc::clone(limiter)),
            rate::run,
        ));
    doors.layer(stack)
}
