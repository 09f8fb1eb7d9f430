//! The REST doors, one file per resource. A handler decodes, calls one deed, and encodes; what all
//! resources do alike is here.

pub(crate) mod agents;
pub(crate) mod attempt;
pub(crate) mod audit;
pub(crate) mod bindings;
pub(crate) mod brokers;
pub(crate) mod clients;
pub(crate) mod config;
pub(crate) mod credentials;
pub(crate) mod info;
pub(crate) mod instances;
pub(crate) mod notifications;
pub(crate) mod offerings;
pub(crate) mod operations;
pub(crate) mod plans;
pub(crate) mod platforms;
pub(crate) mod tenants;
pub(crate) mod users;
pub(crate) mod visibilities;

use crate::decode::{Listing, Params};
use crate::encode::{Encode, answer, page, told};
use crate::{App, Failure};
use axum::response::Response;
use http::StatusCode;
use qm_lifecycle::{Lifecycle, Resource, Shown, cascade, operation, read};
use qm_model::operation::Operation;
use qm_model::{Ctx, Error, Kind, Query};

/// What a handler gives back.
pub(crate) type Answer = Result<Response, Failure>;

impl App {
    /// Runs a deed that changes something on a task of its own: a caller who hangs up stops nothing half way.
    pub(crate) async fn act<T, F>(&self, deed: impl FnOnce(Lifecycle) -> F) -> Result<T, Failure>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Error>> + Send + 'static,
    {
        Ok(self.deeds.detach(deed(self.deeds.clone())).await?)
    }
}

/// A page of any resource.
async fn list<R: Resource + Encode>(app: &App, ctx: &Ctx, listing: &Listing) -> Answer {
    let Listing {
        field,
        label,
        page: wanted,
        attach,
        ..
    } = listing;
    let (field, label) = (field.as_deref(), label.as_deref());
    let found = read::list::<R>(&app.deeds, ctx, field, label, *wanted, *attach).await?;
    Ok(page::of(listing, found))
}

/// One of any resource, with its last operation.
async fn one<R: Resource + Encode>(app: &App, ctx: &Ctx, id: &str) -> Answer {
    Ok(answer::ok(read::one::<R>(&app.deeds, ctx, id).await?))
}

/// One operation of one resource of a kind.
async fn operation_of(app: &App, ctx: &Ctx, kind: Kind, id: &str, wanted: &str) -> Answer {
    let found = operation::get(&app.deeds, ctx, kind, id, wanted).await?;
    whole(app, ctx, found).await
}

/// An operation with what the broker said about it.
async fn whole(app: &App, ctx: &Ctx, operation: Operation) -> Answer {
    let mut words = read::said(&app.deeds, ctx, [&operation]).await?;
    let shape = Operation::encode(Shown {
        resource: operation,
        last_operation: None,
    });
    let shape = told::tell(shape, &mut words);
    Ok(answer::json(StatusCode::OK, &shape))
}

/// Begins a deletion with all that depends on the resource. It always goes on in the background.
async fn cascade(app: &App, ctx: Ctx, kind: Kind, id: String, force: bool) -> Answer {
    let operation = app
        .act(move |deeds| async move { cascade::begin(&deeds, &ctx, kind, &id, force).await })
        .await?;
    Ok(answer::accepted(&operation))
}

/// Which resources a bulk deletion is for.
fn matching<R: Resource>(params: &Params) -> Result<Query, Failure> {
    let (field, label) = (params.first("fieldQuery"), params.first("labelQuery"));
    Ok(read::query::<R>(field, label)?)
}

/// An id of the caller's choice; an empty one is how some clients leave it out.
fn chosen(id: Option<String>) -> Option<String> {
    id.filter(|id| !id.is_empty())
}
