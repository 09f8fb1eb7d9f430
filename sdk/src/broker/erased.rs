//! An author's broker with its parameter types taken off, so that the engine is compiled once.
//!
//! `check` tells, before anything is stored, whether parameters decode. The other functions hand back
//! the author's future, not yet started; the engine runs it after the intent is stored.

use super::call::{
    Bind, Deprovision, FetchedBinding, FetchedInstance, Provision, Rotate, Unbind, Update,
};
use super::failure::Failure;
use super::outcome::{Later, Outcome, Provisioned, Updated};
use super::{Broker, Reply};
use crate::catalog::{CatalogError, Input};
use quartermaster_osb::{Binding, Catalog, Instance, Object, json};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

/// What any verb makes.
#[derive(Debug)]
pub(crate) enum Done {
    Provisioned(Provisioned),
    Updated(Updated),
    Bound(Box<Binding>),
    Deleted,
}

/// A future of the author's, boxed.
pub(crate) type Boxed<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// An author's function with its call, ready to run.
pub(crate) type Prepared = Boxed<Reply<Done>>;

/// A broker whose parameters are plain objects.
pub(crate) trait AnyBroker: Send + Sync {
    fn catalog(&self) -> Result<Catalog, CatalogError>;
    /// Whether parameters decode to the author's type.
    fn check(&self, input: Input, parameters: &Object) -> Result<(), Failure>;
    fn provision(&self, call: Provision<Object>) -> Result<Prepared, Failure>;
    fn update(&self, call: Update<Object>) -> Result<Prepared, Failure>;
    fn deprovision(&self, call: Deprovision) -> Prepared;
    fn bind(&self, call: Bind<Object>) -> Result<Prepared, Failure>;
    fn rotate(&self, call: Rotate<Object>) -> Result<Prepared, Failure>;
    fn unbind(&self, call: Unbind) -> Prepared;
    fn fetch_instance(&self, call: FetchedInstance) -> Boxed<Result<Instance, Failure>>;
    fn fetch_binding(&self, call: FetchedBinding) -> Boxed<Result<Binding, Failure>>;
}

/// The author's broker behind that.
pub(crate) struct Typed<B>(pub(crate) Arc<B>);

impl<B: Broker> AnyBroker for Typed<B> {
    fn catalog(&self) -> Result<Catalog, CatalogError> {
        self.0.catalog()
    }

    fn check(&self, input: Input, parameters: &Object) -> Result<(), Failure> {
        let parameters = parameters.clone();
        match input {
            Input::Create => typed::<B::Parameters>(parameters).map(drop),
            Input::Update => typed::<B::Changes>(parameters).map(drop),
            Input::Bind => typed::<B::BindParameters>(parameters).map(drop),
        }
    }

    fn provision(&self, call: Provision<Object>) -> Result<Prepared, Failure> {
        let broker = self.0.clone();
        let Provision {
            instance,
            offering,
            plan,
            parameters,
            organization,
            space,
            context,
            asked,
            progress,
        } = call;
        let parameters = typed::<B::Parameters>(parameters)?;
        let call = Provision {
            instance,
            offering,
            plan,
            parameters,
            organization,
            space,
            context,
            asked,
            progress,
        };
        Ok(Box::pin(async move {
            broker
                .provision(call)
                .await
                .map(|outcome| outcome.map(Done::Provisioned))
        }))
    }

    fn update(&self, call: Update<Object>) -> Result<Prepared, Failure> {
        let broker = self.0.clone();
        let Update {
            instance,
            offering,
            plan,
            previous_plan,
            changes,
            parameters,
            maintenance_version,
            context,
            asked,
            progress,
        } = call;
        let changes = changes.map(typed::<B::Changes>).transpose()?;
        let call = Update {
            instance,
            offering,
            plan,
            previous_plan,
            changes,
            parameters,
            maintenance_version,
            context,
            asked,
            progress,
        };
        Ok(Box::pin(async move {
            broker
                .update(call)
                .await
                .map(|outcome| outcome.map(Done::Updated))
        }))
    }

    fn deprovision(&self, call: Deprovision) -> Prepared {
        let broker = self.0.clone();
        Box::pin(async move {
            broker
                .deprovision(call)
                .await
                .map(|outcome| outcome.map(|()| Done::Deleted))
        })
    }

    fn bind(&self, call: Bind<Object>) -> Result<Prepared, Failure> {
        let broker = self.0.clone();
        let call = typed_bind(call)?;
        Ok(Box::pin(async move {
            broker.bind(call).await.map(|outcome| outcome.map(bound))
        }))
    }

    fn rotate(&self, call: Rotate<Object>) -> Result<Prepared, Failure> {
        let broker = self.0.clone();
        let Rotate {
            bind,
            predecessor,
            predecessor_binding,
        } = call;
        let call = Rotate {
            bind: typed_bind(bind)?,
            predecessor,
            predecessor_binding,
        };
        Ok(Box::pin(async move {
            broker.rotate(call).await.map(|outcome| outcome.map(bound))
        }))
    }

    fn unbind(&self, call: Unbind) -> Prepared {
        let broker = self.0.clone();
        Box::pin(async move {
            broker
                .unbind(call)
                .await
                .map(|outcome| outcome.map(|()| Done::Deleted))
        })
    }

    fn fetch_instance(&self, call: FetchedInstance) -> Boxed<Result<Instance, Failure>> {
        Box::pin(self.0.clone().fetch_instance(call))
    }

    fn fetch_binding(&self, call: FetchedBinding) -> Boxed<Result<Binding, Failure>> {
        Box::pin(self.0.clone().fetch_binding(call))
    }
}

impl<T: Send + 'static> Outcome<T> {
    /// The same outcome of another type.
    fn map<U: 'static>(self, to: impl FnOnce(T) -> U + Send + 'static) -> Outcome<U> {
        match self {
            Self::Now(value) => Outcome::Now(to(value)),
            Self::Later(Later { job, dashboard_url }) => Outcome::Later(Later {
                job: Box::pin(async move { job.await.map(to) }),
                dashboard_url,
            }),
        }
    }
}

fn bound(binding: Binding) -> Done {
    Done::Bound(Box::new(binding))
}

fn typed_bind<P: DeserializeOwned>(call: Bind<Object>) -> Result<Bind<P>, Failure> {
    let Bind {
        instance,
        binding,
        offering,
        plan,
        parameters,
        app,
        bind_resource,
        context,
        asked,
        progress,
    } = call;
    Ok(Bind {
        instance,
        binding,
        offering,
        plan,
        parameters: typed(parameters)?,
        app,
        bind_resource,
        context,
        asked,
        progress,
    })
}

/// Decodes parameters; the message names the place and never the value.
fn typed<T: DeserializeOwned>(parameters: Object) -> Result<T, Failure> {
    let value = Value::Object(parameters);
    T::deserialize(&value).map_err(|_| {
        let fault = serde_json::to_vec(&value)
            .ok()
            .and_then(|text| json::read::<T>(&text).err());
        let what = fault.map_or_else(|| "they do not fit".to_owned(), |fault| fault.to_string());
        Failure::bad_request(format!("parameters: {what}"))
    })
}
