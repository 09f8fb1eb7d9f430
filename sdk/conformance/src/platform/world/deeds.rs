//! What a case lets the platform do, through the driver.

use super::World;
use crate::platform::broker::Plan;
use crate::platform::driver::{State, Told, Wish};
use crate::verdict::{Check, Stop};
use serde_json::Value;

/// An instance or a binding that the platform has made for a case.
#[derive(Debug, Clone)]
pub(crate) struct Made {
    /// By what name the platform knows it.
    pub(crate) handle: String,
    /// By what id the broker knows it.
    pub(crate) id: String,
}

/// What an update changes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Change {
    pub(crate) plan: Option<Plan>,
    pub(crate) parameters: Option<Value>,
    pub(crate) maintenance_info: Option<Value>,
}

impl Change {
    pub(crate) fn parameters(value: Value) -> Self {
        Self {
            parameters: Some(value),
            ..Self::default()
        }
    }

    pub(crate) fn plan(plan: Plan) -> Self {
        Self {
            plan: Some(plan),
            ..Self::default()
        }
    }
}

impl World {
    fn broker(&self) -> String {
        self.script.name.clone()
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("{}-{}", self.script.name, self.names)
    }

    /// A wish; what cannot be wished for ends the case without a verdict.
    pub(crate) async fn wish(&self, wish: Wish) -> Result<Told, Stop> {
        let longest = self.scene.options.patience + self.scene.options.request_timeout;
        let told = tokio::time::timeout(longest, self.scene.driver.fulfil(wish)).await;
        let told = told.unwrap_or_else(|_| {
            let text = format!("no end within {} s", longest.as_secs());
            Told::new(State::Pending, text)
        });
        match told.state {
            State::Unsupported | State::Broken => Err(Stop::skip(told.line())),
            _ => Ok(told),
        }
    }

    /// Creates an instance of a plan.
    pub(crate) async fn create_with(
        &mut self,
        plan: &Plan,
        parameters: Option<Value>,
    ) -> Result<Told, Stop> {
        let wish = Wish::CreateInstance {
            broker: self.broker(),
            name: self.name(),
            service_id: plan.service_id.clone(),
            service_name: plan.service_name.clone(),
            plan_id: plan.id.clone(),
            plan_name: plan.name.clone(),
            parameters,
        };
        self.wish(wish).await
    }

    /// Creates an instance of the first plan.
    pub(crate) async fn create(&mut self) -> Result<Told, Stop> {
        let plan = self.plan(0)?;
        self.create_with(&plan, None).await
    }

    pub(crate) async fn update(&mut self, instance: &Made, change: Change) -> Result<Told, Stop> {
        let (plan_id, plan_name) = change.plan.map(|plan| (plan.id, plan.name)).unzip();
        let wish = Wish::UpdateInstance {
            broker: self.broker(),
            instance: instance.handle.clone(),
            plan_id,
            plan_name,
            parameters: change.parameters,
            maintenance_info: change.maintenance_info,
        };
        self.wish(wish).await
    }

    pub(crate) async fn delete(&mut self, instance: &Made) -> Result<Told, Stop> {
        let wish = Wish::DeleteInstance {
            broker: self.broker(),
            instance: instance.handle.clone(),
        };
        self.wish(wish).await
    }

    pub(crate) async fn bind_with(
        &mut self,
        instance: &Made,
        parameters: Option<Value>,
    ) -> Result<Told, Stop> {
        let wish = Wish::CreateBinding {
            broker: self.broker(),
            instance: instance.handle.clone(),
            name: self.name(),
            parameters,
        };
        self.wish(wish).await
    }

    pub(crate) async fn bind(&mut self, instance: &Made) -> Result<Told, Stop> {
        self.bind_with(instance, None).await
    }

    pub(crate) async fn unbind(&mut self, instance: &Made, binding: &Made) -> Result<Told, Stop> {
        let wish = Wish::DeleteBinding {
            broker: self.broker(),
            instance: instance.handle.clone(),
            binding: binding.handle.clone(),
        };
        self.wish(wish).await
    }

    pub(crate) async fn rotate(&mut self, instance: &Made, binding: &Made) -> Result<Told, Stop> {
        let wish = Wish::RotateBinding {
            broker: self.broker(),
            instance: instance.handle.clone(),
            binding: binding.handle.clone(),
            name: self.name(),
        };
        self.wish(wish).await
    }

    pub(crate) async fn refresh(&mut self) -> Check {
        let wish = Wish::Refresh {
            broker: self.broker(),
        };
        let told = self.wish(wish).await?;
        if told.is_done() {
            Ok(())
        } else {
            Err(Stop::failed(
                "the platform takes the changed catalog",
                told.line(),
            ))
        }
    }

    pub(crate) async fn show(&self, instance: &Made) -> Result<Told, Stop> {
        let wish = Wish::ShowInstance {
            broker: self.broker(),
            instance: instance.handle.clone(),
        };
        self.wish(wish).await
    }

    pub(crate) async fn show_binding(&self, instance: &Made, binding: &Made) -> Result<Told, Stop> {
        let wish = Wish::ShowBinding {
            broker: self.broker(),
            instance: instance.handle.clone(),
            binding: binding.handle.clone(),
        };
        self.wish(wish).await
    }
}
