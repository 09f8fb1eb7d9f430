//! The whole way of a request to its door, in the order in which it goes it.
//!
//! `frame` is what every request meets; `guard` (and `door`), `welcome` and `open` are what it meets at a door of that
//! group. Each concern is a file of its own. The rule: a concern stands above everything that it must see the end
//! of, and below everything that it needs to know. What is cheap and refuses stands above what is dear.
#![allow(
    clippy::result_large_err,
    reason = "what refuses is the answer itself, made once and moved once"
)]

mod authenticate;
pub(crate) mod body;
mod busy;
mod caught;
mod denied;
mod frame;
mod guard;
mod observe;
pub(crate) mod rate;
pub(crate) mod request;
mod secure;
mod share;
mod slash;
mod timeout;

pub use slash::Entrance;

use crate::App;
use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use frame::Around;
use guard::Guarded;
use rate::{Distrust, Limiter};
use std::sync::Arc;
use tower::ServiceBuilder;

/// What every request meets, whichever door it goes to.
pub(crate) fn around(doors: Router<App>, app: App) -> Entrance {
    let frame = Around::new(app.clone());
    Entrance(doors.layer(frame).with_state(app))
}

/// What a request meets at the doors that want to know who calls.
pub(crate) fn guard<S: Clone + Send + Sync + 'static>(
    doors: Router<S>,
    app: &App,
    limiter: &Arc<Limiter>,
) -> Router<S> {
    doors.layer(Guarded::rest(app, limiter))
}

/// What a request meets at the OSB doors.
pub(crate) fn door<S: Clone + Send + Sync + 'static>(
    doors: Router<S>,
    app: &App,
    limiter: &Arc<Limiter>,
) -> Router<S> {
    doors.layer(Guarded::osb(app, limiter))
}

/// What a request meets at the doors that are open, and show more to those who say who they are.
pub(crate) fn welcome<S: Clone + Send + Sync + 'static>(doors: Router<S>, app: &App) -> Router<S> {
    let state = (app.clone(), Arc::new(Distrust::default()));
    doors.layer(from_fn_with_state(state, authenticate::optional))
}

/// What a request meets at the doors that ask nobody who they are. Addresses are counted, because a
/// password can be tried here.
pub(crate) fn open<S: Clone + Send + Sync + 'static>(
    doors: Router<S>,
    app: &App,
    limiter: &Arc<Limiter>,
) -> Router<S> {
    let stack = ServiceBuilder::new()
        .layer(from_fn(authenticate::nobody))
        .layer(from_fn_with_state(
            (app.clone(), Arc::clone(limiter)),
            rate::run,
        ));
    doors.layer(stack)
}
