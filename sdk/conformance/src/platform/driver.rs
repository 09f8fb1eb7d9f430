//! How the suite makes a platform act: wishes, and what became of them.
//!
//! Cases speak `Wish` through `World`; `ServiceManager` and `Command` fulfil them. The rule: a driver only passes on
//! what the platform says. It tries nothing twice and cleans nothing up except in `Wish::Unregister`, because what the
//! platform does by itself is what is judged.

mod command;
mod service_manager;

pub use command::{Command, CommandError};
pub use service_manager::{Login, ServiceManager, ServiceManagerError};

use quartermaster_osb::Secret;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};
use std::future::Future;
use std::pin::Pin;

/// The future of a wish.
pub type Fulfilling<'a> = Pin<Box<dyn Future<Output = Told> + Send + 'a>>;

/// Makes a platform act. Wishes come side by side.
pub trait Driver: Send + Sync {
    /// Does what is wished and waits for its end.
    fn fulfil(&self, wish: Wish) -> Fulfilling<'_>;
}

/// The scripted broker of one case, as a platform has to know it.
#[derive(Debug, Clone, Serialize)]
pub struct Broker {
    /// Unique in this run and short enough for any platform.
    pub name: String,
    /// Where it listens, for the platform.
    pub url: String,
    /// For HTTP basic.
    pub username: String,
    /// For HTTP basic.
    #[serde(serialize_with = "exposed")]
    pub password: Secret<String>,
}

/// A driver is a trusted program that has to hand the password on.
fn exposed<S: Serializer>(secret: &Secret<String>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(secret.expose())
}

/// Something the platform shall do. `broker` is always the name of the scripted broker.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Wish {
    /// Before everything: is the platform there, and does it know us?
    Hello,
    /// Make the broker known and all its plans usable.
    Register(Broker),
    /// Fetch the broker's catalog again and make all its plans usable.
    Refresh {
        /// The broker.
        broker: String,
    },
    /// Remove everything of this broker that is left, then the broker.
    Unregister {
        /// The broker.
        broker: String,
    },
    /// Create an instance. Its handle is told.
    CreateInstance {
        /// The broker.
        broker: String,
        /// A name for the instance.
        name: String,
        /// The offering's id in the catalog.
        service_id: String,
        /// The offering's name in the catalog.
        service_name: String,
        /// The plan's id in the catalog.
        plan_id: String,
        /// The plan's name in the catalog.
        plan_name: String,
        /// What the user wants, when anything.
        #[serde(skip_serializing_if = "Option::is_none")]
        parameters: Option<Value>,
    },
    /// Change an instance.
    UpdateInstance {
        /// The broker.
        broker: String,
        /// The handle.
        instance: String,
        /// The new plan's id in the catalog.
        #[serde(skip_serializing_if = "Option::is_none")]
        plan_id: Option<String>,
        /// The new plan's name in the catalog.
        #[serde(skip_serializing_if = "Option::is_none")]
        plan_name: Option<String>,
        /// Parameters that the user gives now.
        #[serde(skip_serializing_if = "Option::is_none")]
        parameters: Option<Value>,
        /// The version to bring the instance to.
        #[serde(skip_serializing_if = "Option::is_none")]
        maintenance_info: Option<Value>,
    },
    /// Delete an instance.
    DeleteInstance {
        /// The broker.
        broker: String,
        /// The handle.
        instance: String,
    },
    /// Say what the platform knows of an instance.
    ShowInstance {
        /// The broker.
        broker: String,
        /// The handle.
        instance: String,
    },
    /// Create a binding. Its handle is told.
    CreateBinding {
        /// The broker.
        broker: String,
        /// The instance's handle.
        instance: String,
        /// A name for the binding.
        name: String,
        /// What the user wants, when anything.
        #[serde(skip_serializing_if = "Option::is_none")]
        parameters: Option<Value>,
    },
    /// Delete a binding.
    DeleteBinding {
        /// The broker.
        broker: String,
        /// The instance's handle.
        instance: String,
        /// The handle.
        binding: String,
    },
    /// Say what the platform knows of a binding.
    ShowBinding {
        /// The broker.
        broker: String,
        /// The instance's handle.
        instance: String,
        /// The handle.
        binding: String,
    },
    /// Make a successor of a binding. Its handle is told.
    RotateBinding {
        /// The broker.
        broker: String,
        /// The instance's handle.
        instance: String,
        /// The predecessor's handle.
        binding: String,
        /// A name for the successor.
        name: String,
    },
}

/// How a wish ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// The platform did it.
    Succeeded,
    /// The platform tried, and says that it failed.
    Failed,
    /// The platform did not begin.
    Refused,
    /// The platform is still at it when patience ended.
    Pending,
    /// The platform or the driver has no such feature.
    Unsupported,
    /// The driver could not ask the platform.
    Broken,
}

/// What the platform says of a wish.
#[derive(Debug, Clone, Deserialize)]
pub struct Told {
    /// How it ended.
    pub state: State,
    /// By what name the platform knows what was made. Given also for failures, when there is one.
    #[serde(default)]
    pub handle: Option<String>,
    /// What the platform says to people.
    #[serde(default)]
    pub description: String,
    /// Only for `Show…`: whether the platform remembers it.
    #[serde(default)]
    pub exists: Option<bool>,
    /// Only for `ShowInstance`: the address of the dashboard.
    #[serde(default)]
    pub dashboard_url: Option<String>,
    /// Only for `ShowBinding`: the credentials.
    #[serde(default)]
    pub credentials: Option<Map<String, Value>>,
}

impl Told {
    /// An end with words.
    pub fn new(state: State, description: impl Into<String>) -> Self {
        Self {
            state,
            handle: None,
            description: description.into(),
            exists: None,
            dashboard_url: None,
            credentials: None,
        }
    }

    /// All well.
    pub fn succeeded() -> Self {
        Self::new(State::Succeeded, "")
    }

    /// The same with a handle.
    #[must_use]
    pub fn with_handle(mut self, handle: impl Into<String>) -> Self {
        self.handle = Some(handle.into());
        self
    }

    /// Whether the platform did it.
    pub fn is_done(&self) -> bool {
        self.state == State::Succeeded
    }

    /// One line for people.
    pub fn line(&self) -> String {
        let word = match self.state {
            State::Succeeded => "the platform says: succeeded",
            State::Failed => "the platform says: failed",
            State::Refused => "the platform refused",
            State::Pending => "the platform was still at it",
            State::Unsupported => "not supported",
            State::Broken => "the driver could not ask the platform",
        };
        if self.description.is_empty() {
            word.to_owned()
        } else {
            format!(
                "{word}: {}",
                crate::evidence::shorten(&self.description, 300)
            )
        }
    }
}
