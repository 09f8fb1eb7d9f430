//! What a request meets at the doors that want to know who calls: one service, for the reason that `frame` is one.

use super::authenticate;
use super::denied::Tried;
use super::rate::{self, Limiter};
use super::share::Shares;
use crate::App;
use axum::extract::Request;
use axum::response::Response;
use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tower::{Layer, Service, ServiceExt as _};

/// Puts a guard before each door.
#[derive(Clone)]
pub(super) struct Guarded(Arc<Common>);

/// What all doors of a group share.
struct Common {
    app: App,
    limiter: Arc<Limiter>,
    group: Group,
}

enum Group {
    /// Anybody who proves who they are.
    Rest,
    /// Platforms only.
    Osb(Shares),
}

impl Guarded {
    /// For `/v1`.
    pub(super) fn rest(app: &App, limiter: &Arc<Limiter>) -> Self {
        Self::new(app, limiter, Group::Rest)
    }

    /// For `/v1/osb`.
    pub(super) fn osb(app: &App, limiter: &Arc<Limiter>) -> Self {
        Self::new(app, limiter, Group::Osb(Shares::new(app)))
    }

    fn new(app: &App, limiter: &Arc<Limiter>, group: Group) -> Self {
        Self(Arc::new(Common {
            app: app.clone(),
            limiter: Arc::clone(limiter),
            group,
        }))
    }
}

impl<S> Layer<S> for Guarded {
    type Service = Guard<S>;

    fn layer(&self, door: S) -> Guard<S> {
        Guard {
            common: Arc::clone(&self.0),
            door,
        }
    }
}

/// One door with its guard.
#[derive(Clone)]
pub(super) struct Guard<S> {
    common: Arc<Common>,
    door: S,
}

impl<S> Service<Request> for Guard<S>
where
    S: Service<Request, Response = Response, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let Self { common, door } = self.clone();
        Box::pin(async move {
            match &common.group {
                Group::Rest => rest(&common, door, request).await,
                Group::Osb(shares) => osb(&common, shares, door, request).await,
            }
        })
    }
}

async fn rest<S>(common: &Common, door: S, request: Request) -> Result<Response, Infallible>
where
    S: Service<Request, Response = Response, Error = Infallible> + Send,
    S::Future: Send,
{
    let Common { app, limiter, .. } = common;
    // Who calls; 401 otherwise.
    let request = match authenticate::required(app, &limiter.distrust, request).await {
        Ok(request) => request,
        Err(refused) => return Ok(refused),
    };
    // How often: counted for each caller, so after knowing who it is.
    let budget = match rate::check(app, limiter, &request) {
        Ok(budget) => budget,
        Err(refused) => return Ok(refused),
    };
    // Writes down who was refused a change: after knowing who, around the handler that refuses.
    let tried = Tried::read(&request);
    let response = door.oneshot(request).await?;
    if let Some(tried) = tried
        && let Some(why) = Tried::refused(&response)
    {
        tried.note(app, why).await;
    }
    Ok(rate::shown(budget, response))
}

/// No record of refusals: nobody is refused here for want of a role, and a broker's own 403 is no refusal of ours.
async fn osb<S>(
    common: &Common,
    shares: &Shares,
    door: S,
    request: Request,
) -> Result<Response, Infallible>
where
    S: Service<Request, Response = Response, Error = Infallible> + Send,
    S::Future: Send,
{
    let Common { app, limiter, .. } = common;
    // Which platform calls; 401 otherwise.
    let request = match authenticate::platform(app, &limiter.distrust, request).await {
        Ok(request) => request,
        Err(refused) => return Ok(refused),
    };
    // How often: counted for each platform, so after knowing which it is.
    let budget = match rate::check(app, limiter, &request) {
        Ok(budget) => budget,
        Err(refused) => return Ok(refused),
    };
    // So that a broker which hangs leaves room for the others: below all that refuses for cheaper reasons.
    let _place = match shares.enter(&request) {
        Ok(place) => place,
        Err(refused) => return Ok(refused),
    };
    let response = door.oneshot(request).await?;
    Ok(rate::shown(budget, response))
}
