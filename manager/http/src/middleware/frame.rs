//! What every request meets, whichever door it goes to: one service that calls each concern's own file, in order.
//!
//! One service and not a stack of layers, because each layer costs every request a clone of all that lies inside of
//! it. The rule: what stands above sees the end of what stands below, and what is cheap and refuses stands above what
//! is dear.

use super::body::Bodies;
use super::busy::Busy;
use super::observe::Watch;
use super::request::Name;
use super::{body, caught, secure, timeout};
use crate::App;
use crate::meter::Figures;
use axum::extract::Request;
use axum::response::Response;
use std::convert::Infallible;
use std::future::{Future, ready};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::sync::OwnedSemaphorePermit;
use tower::{Layer, Service};
use tracing::Instrument as _;

/// Puts a frame around each door.
#[derive(Clone)]
pub(super) struct Around(Arc<Common>);

/// What all doors share.
struct Common {
    app: App,
    busy: Busy,
    bodies: Bodies,
}

impl Around {
    pub(super) fn new(app: App) -> Self {
        Self(Arc::new(Common {
            busy: Busy::new(app.settings.max_in_flight),
            bodies: Bodies::new(&app.settings),
            app,
        }))
    }
}

impl<S> Layer<S> for Around {
    type Service = Frame<S>;

    fn layer(&self, door: S) -> Frame<S> {
        Frame {
            common: Arc::clone(&self.0),
            figures: Arc::default(),
            door,
        }
    }
}

/// One door in its frame.
#[derive(Clone)]
pub(super) struct Frame<S> {
    common: Arc<Common>,
    /// Of this door alone.
    figures: Arc<Figures>,
    door: S,
}

impl<S> Service<Request> for Frame<S>
where
    S: Service<Request, Response = Response, Error = Infallible>,
    S::Future: Send + 'static,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: Request) -> Self::Future {
        let Self {
            common,
            figures,
            door,
        } = self;
        let settings = &common.app.settings;
        // Gives the correlation id, which answers and error bodies bear: outermost.
        let name = Name::give(&mut request, settings);
        // The span and the figures: below the id that it logs, above all whose end it must see.
        let watch = Watch::begin(&common.app, figures, &request);
        let (place, request) = match admit(common, request) {
            Ok(admitted) => admitted,
            Err(refused) => return Box::pin(ready(Ok(leave(watch, name, refused)))),
        };
        let wait = timeout::of(settings, &request);
        // Does nothing before it is awaited below.
        let answering = door.call(request);
        Box::pin(async move {
            let answering = async move {
                let _place = place;
                // Ends the wait of the caller: above all that can take long, reading the body too.
                let answer = timeout::within(wait, answering).await;
                answer.unwrap_or_else(|never: Infallible| match never {})
            };
            let span = watch.span().clone();
            // A panic costs its own request an answer and nobody else anything.
            let response = caught::catch(answering).instrument(span).await;
            Ok(leave(watch, name, response))
        })
    }
}

/// What may refuse before anything is asked.
fn admit(
    common: &Common,
    request: Request,
) -> Result<(Option<OwnedSemaphorePermit>, Request), Response> {
    // When there is too much to do: before anything is read.
    let place = common.busy.enter(&request)?;
    // Holds the body to its size and its time: before anybody proves who they are, so that nobody can make us read.
    let request = body::hold(&common.bodies, request)?;
    Ok((place, request))
}

/// What every answer meets, a panic's too.
fn leave(watch: Watch, name: Name, mut response: Response) -> Response {
    secure::mark(&mut response);
    watch.end(&response);
    name.sign(response)
}
