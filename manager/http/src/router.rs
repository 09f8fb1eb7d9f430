//! The whole route table. What stands here is what there is, and OpenAPI is made from it.
//!
//! The rule: a door is in one of four groups, and the group decides what a request meets on its way: who
//! calls must be known (`guarded`), must be a platform (`osb`), may be known (`welcome`), or is not asked (`open`).

mod document;
mod table;

pub use document::openapi;

use crate::middleware::Entrance;
use crate::middleware::rate::Limiter;
use crate::rest::{
    agents, attempt, audit, bindings, brokers, clients, config, credentials, info, instances,
    notifications, offerings, operations, plans, platforms, tenants, users, visibilities,
};
use crate::{App, Failure, health, meter, metrics, middleware, osb, token};
use axum::Router;
use axum::extract::Request;
use axum::middleware::from_fn_with_state;
use axum::routing::{MethodFilter, MethodRouter, any, get};
use std::sync::Arc;
use table::{Table, routes};

/// The doors by what is asked of a caller.
struct Doors {
    guarded: Table,
    osb: Table,
    welcome: Table,
    open: Table,
}

/// Everything there is.
fn doors() -> Doors {
    let guarded = Table::new()
        // Brokers.
        .routes(routes!(
            brokers::list,
            brokers::register,
            brokers::remove_many
        ))
        .routes(routes!(brokers::get, brokers::update, brokers::remove))
        .routes(routes!(brokers::operation))
        // Platforms.
        .routes(routes!(
            platforms::list,
            platforms::register,
            platforms::remove_many
        ))
        .routes(routes!(
            platforms::get,
            platforms::update,
            platforms::remove
        ))
        .routes(routes!(platforms::operation))
        // Visibilities.
        .routes(routes!(
            visibilities::list,
            visibilities::create,
            visibilities::remove_many
        ))
        .routes(routes!(
            visibilities::get,
            visibilities::update,
            visibilities::remove
        ))
        .routes(routes!(visibilities::operation))
        // Catalogs.
        .routes(routes!(offerings::list))
        .routes(routes!(offerings::get, offerings::update))
        .routes(routes!(offerings::operation))
        .routes(routes!(plans::list))
        .routes(routes!(plans::get, plans::update))
        .routes(routes!(plans::operation))
        // Instances and bindings.
        .routes(routes!(instances::list, instances::create::create))
        .routes(routes!(
            instances::get,
            instances::change::change,
            instances::delete::delete
        ))
        .routes(routes!(instances::parameters::get))
        .routes(routes!(instances::operation))
        .routes(routes!(instances::repair::undelete))
        .routes(routes!(instances::repair::retry))
        .routes(routes!(instances::repair::rollback))
        .routes(routes!(instances::grants::list, instances::grants::grant))
        .routes(routes!(instances::grants::revoke))
        .routes(routes!(bindings::list, bindings::create::create))
        .routes(routes!(
            bindings::get,
            bindings::change::change,
            bindings::delete::delete
        ))
        .routes(routes!(bindings::parameters::get))
        .routes(routes!(bindings::operation))
        // What is done.
        .routes(routes!(operations::list))
        .routes(routes!(operations::get, operations::remove))
        .routes(routes!(audit::list))
        // For platforms.
        .routes(routes!(credentials::put))
        .routes(routes!(credentials::activate))
        .routes(routes!(notifications::open))
        // The built-in issuer's people and programs.
        .routes(routes!(users::list, users::add))
        .routes(routes!(users::get, users::update, users::remove))
        .routes(routes!(users::own_password))
        .routes(routes!(clients::list, clients::add))
        .routes(routes!(clients::get, clients::update, clients::remove))
        // The process.
        .routes(routes!(config::get))
        .routes(routes!(config::logging, config::set_logging))
        // Tenants. Nothing else is there, and nobody without a proof learns that: any method.
        .routes(routes!(tenants::delete))
        .routes(routes!(tenants::operation))
        .route("/v1/tenants", any(tenants::nothing))
        .route("/v1/tenants/{id}", nothing_but(MethodFilter::DELETE))
        .route("/v1/tenants/{id}/{*rest}", any(tenants::nothing))
        .route(
            "/v1/tenants/{id}/operations/{operation}",
            nothing_but(MethodFilter::GET),
        );
    let osb = Table::new()
        .routes(routes!(osb::catalog::catalog))
        .routes(routes!(
            osb::provision::provision,
            osb::fetch_instance::fetch_instance,
            osb::update::update,
            osb::deprovision::deprovision
        ))
        .routes(routes!(osb::poll_instance::poll_instance))
        .routes(routes!(
            osb::bind::bind,
            osb::fetch_binding::fetch_binding,
            osb::unbind::unbind
        ))
        .routes(routes!(osb::poll_binding::poll_binding))
        .routes(routes!(osb::adapt_credentials::adapt_credentials))
        // Nothing else is there, and nobody without a proof learns that.
        .route("/v1/osb/{broker_id}", any(tenants::nothing))
        .route("/v1/osb/{broker_id}/{*rest}", any(tenants::nothing));
    let welcome = Table::new()
        .routes(routes!(health::monitor))
        .routes(routes!(health::ready))
        .routes(routes!(metrics::get));
    let open = Table::new()
        .routes(routes!(health::alive))
        .routes(routes!(info::get))
        .routes(routes!(agents::versions))
        .routes(routes!(token::discovery))
        .routes(routes!(token::jwks))
        .routes(routes!(token::authorize))
        .routes(routes!(token::token))
        .routes(routes!(token::revoke))
        .route("/openapi.json", get(document::serve));
    Doors {
        guarded,
        osb,
        welcome,
        open,
    }
}

/// The manager's doors as one service.
pub fn router(app: App) -> Entrance {
    meter::describe();
    let Doors {
        guarded,
        osb,
        welcome,
        open,
    } = doors();
    let limiter = Arc::new(Limiter::new(&app.settings.rate));
    // Before the guard of these doors: who is no platform is told nothing of them, not even this.
    let osb = osb.serve().method_not_allowed_fallback(not_this_way);
    // Innermost: whoever comes here has proved who they are, and nothing of the request has been read.
    let attempted = guarded
        .serve()
        .layer(from_fn_with_state(app.clone(), attempt::run));
    let doors = Router::new()
        .merge(middleware::guard(attempted, &app, &limiter))
        .merge(middleware::door(osb, &app, &limiter))
        .merge(middleware::welcome(welcome.serve(), &app))
        .merge(middleware::open(open.serve(), &app, &limiter))
        .fallback(nowhere)
        // After the guard: that a path has no such method is no secret, and needs no proof.
        .method_not_allowed_fallback(not_this_way);
    middleware::around(doors, app)
}

/// The methods that a path has not, for paths of which nobody without a proof learns even that.
fn nothing_but(known: MethodFilter) -> MethodRouter<App> {
    let all = [
        MethodFilter::GET,
        MethodFilter::POST,
        MethodFilter::PUT,
        MethodFilter::PATCH,
        MethodFilter::DELETE,
    ];
    let others = all.into_iter().filter(|method| *method != known);
    others.fold(MethodRouter::new(), |router, method| {
        router.on(method, tenants::nothing)
    })
}

async fn nowhere(request: Request) -> Failure {
    Failure::no_such_path(request.uri().path())
}

async fn not_this_way(request: Request) -> Failure {
    Failure::no_such_method(request.method())
}
