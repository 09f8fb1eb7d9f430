//! The five kinds of work that a platform lets a broker do, so that one piece of code plays a case for each.

use crate::platform::broker::Verb;
use crate::platform::driver::Told;
use crate::platform::world::{Change, Made, World};
use crate::verdict::{Check, Stop};
use serde_json::json;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Work {
    Provision,
    Update,
    Deprovision,
    Bind,
    Unbind,
}

impl Work {
    /// The request that begins it.
    pub(super) fn verb(self) -> Verb {
        match self {
            Self::Provision => Verb::Provision,
            Self::Update => Verb::Update,
            Self::Deprovision => Verb::Deprovision,
            Self::Bind => Verb::Bind,
            Self::Unbind => Verb::Unbind,
        }
    }

    /// The request that asks how it goes.
    pub(super) fn poll(self) -> Verb {
        match self {
            Self::Bind | Self::Unbind => Verb::PollBinding,
            _ => Verb::Poll,
        }
    }

    /// The request that takes back what it may have made.
    pub(super) fn undoing(self) -> Verb {
        match self {
            Self::Bind | Self::Unbind => Verb::Unbind,
            _ => Verb::Deprovision,
        }
    }

    pub(super) fn noun(self) -> &'static str {
        match self {
            Self::Provision => "the creation of the instance",
            Self::Update => "the update",
            Self::Deprovision => "the deletion of the instance",
            Self::Bind => "the creation of the binding",
            Self::Unbind => "the deletion of the binding",
        }
    }
}

/// Everything that has to stand before the work can begin.
pub(super) struct Stage {
    pub(super) work: Work,
    instance: Option<Made>,
    binding: Option<Made>,
}

impl Stage {
    pub(super) async fn set(world: &mut World, work: Work) -> Result<Self, Stop> {
        let instance = match work {
            Work::Provision => None,
            _ => Some(world.instance().await?),
        };
        let binding = match (&instance, work) {
            (Some(instance), Work::Unbind) => Some(world.binding(instance).await?),
            _ => None,
        };
        Ok(Self {
            work,
            instance,
            binding,
        })
    }

    /// Lets the platform do it and waits for its end.
    pub(super) async fn go(&self, world: &mut World) -> Result<Told, Stop> {
        match (self.work, &self.instance, &self.binding) {
            (Work::Update, Some(instance), _) => {
                let change = Change::parameters(json!({ "verify": 2 }));
                world.update(instance, change).await
            }
            (Work::Deprovision, Some(instance), _) => world.delete(instance).await,
            (Work::Bind, Some(instance), _) => world.bind(instance).await,
            (Work::Unbind, Some(instance), Some(binding)) => world.unbind(instance, binding).await,
            _ => world.create().await,
        }
    }

    /// The id at the broker of what is worked on; empty before a creation.
    pub(super) fn id(&self) -> &str {
        let made = self.binding.as_ref().or(self.instance.as_ref());
        made.map_or("", |made| made.id.as_str())
    }

    /// The platform still knows what is worked on.
    pub(super) async fn remembered(&self, world: &World, after: &str) -> Check {
        match self.known(world).await? {
            Some(false) => Err(Stop::failed(
                format!("the platform remembers it after {after}"),
                "the platform no longer knows it",
            )),
            _ => Ok(()),
        }
    }

    /// The platform no longer knows what was worked on.
    pub(super) async fn forgotten(&self, world: &mut World, after: &str) -> Check {
        match self.known(world).await? {
            Some(true) => Err(Stop::failed(
                format!("the platform forgets it after {after}"),
                "the platform still shows it",
            )),
            Some(false) => Ok(()),
            None => {
                world.note("whether the platform forgot it cannot be told");
                Ok(())
            }
        }
    }

    async fn known(&self, world: &World) -> Result<Option<bool>, Stop> {
        let told = match (&self.instance, &self.binding) {
            (Some(instance), Some(binding)) => world.show_binding(instance, binding).await?,
            (Some(instance), None) => world.show(instance).await?,
            _ => return Ok(None),
        };
        Ok(told.exists)
    }
}
