//! How a platform's request for a binding of a reference goes to the broker, which knows the shared instance only.
//!
//! The rule: whatever names the reference or its plan is rewritten, in the path, the query and the body; everything
//! else goes as it came. The context is the shared instance's own, as the broker knows it (defect 10).

use crate::engine;
use crate::views::View;
use crate::{Lifecycle, desk};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use qm_model::instance::Instance;
use qm_model::operation::Verb;
use qm_model::{Error, Kind};
use qm_policy::Scope;
use qm_policy::door::Ware;
use qm_relay::Passed;
use qm_store::facts::facts;
use qm_store::operation::Phase;
use quartermaster_osb::Object;
use serde_json::Value;
use std::borrow::Cow;

/// What has no meaning of its own in a path or a query.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The shared instance that a reference stands for.
#[derive(Debug, Clone)]
pub(crate) struct Shared {
    pub(crate) instance: Instance,
    /// The broker's ids of its offering and its plan.
    pub(crate) service_id: String,
    pub(crate) plan_id: String,
}

/// What stands behind an instance at a door; `None` when it stands for itself.
///
/// # Errors
/// 404 when what it refers to is not there; the store's.
pub(crate) async fn shared(
    deeds: &Lifecycle,
    view: &View,
    known: Option<&Instance>,
) -> Result<Option<Shared>, Error> {
    let Some(id) = known.and_then(|known| known.referenced_instance_id.as_ref()) else {
        return Ok(None);
    };
    let instance = desk::instance(deeds, &Scope::All, id.as_str()).await?;
    let ware = view
        .stock
        .by_plan(&instance.plan_id)
        .ok_or(Error::Missing(Kind::Plan))?;
    Ok(Some(Shared {
        service_id: ware.offering.catalog_id.clone(),
        plan_id: ware.plan.catalog_id.clone(),
        instance,
    }))
}

impl Shared {
    /// Its plan.
    pub(crate) fn ware<'a>(&self, view: &'a View) -> Option<&'a Ware> {
        view.stock.by_plan(&self.instance.plan_id)
    }

    /// Whether it can be bound now.
    ///
    /// # Errors
    /// 422 while it is being deleted.
    pub(crate) async fn free(&self, deeds: &Lifecycle) -> Result<(), Error> {
        let facts = facts(&deeds.store, &self.instance.id, None, None).await?;
        match facts.operation {
            Some(work) if work.phase != Phase::Done && work.operation.verb != Verb::Update => {
                Err(engine::in_the_way(&work.operation))
            }
            _ => Ok(()),
        }
    }

    /// A request without a body, as the broker understands it.
    pub(crate) fn named(&self, mut passed: Passed) -> Passed {
        passed.path_and_query = self.place(&passed.path_and_query);
        passed
    }

    /// A request with a body, which is given apart: what was read of it is what is sent.
    ///
    /// # Errors
    /// Ours: what was read can be written.
    pub(crate) fn forward(
        &self,
        deeds: &Lifecycle,
        body: &Object,
        passed: Passed,
    ) -> Result<Passed, Error> {
        let body = self.body(body);
        let bytes = serde_json::to_vec(&body).map_err(Error::internal)?;
        let passed = Passed {
            body: bytes.into(),
            ..self.named(passed)
        };
        engine::signed(deeds, &body, self.instance.id.as_str(), passed)
    }

    fn body(&self, body: &Object) -> Object {
        let mut body = body.clone();
        for (key, id) in [("service_id", &self.service_id), ("plan_id", &self.plan_id)] {
            if let Some(value) = body.get_mut(key) {
                *value = Value::from(id.as_str());
            }
        }
        if let (true, Some(own @ Value::Object(_))) =
            (body.contains_key("context"), &self.instance.context)
        {
            body.insert("context".to_owned(), own.clone());
        }
        body
    }

    /// `/v2/service_instances/{i}/...?...`, with the other id.
    fn place(&self, path_and_query: &str) -> String {
        let (path, query) = match path_and_query.split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (path_and_query, None),
        };
        let id = utf8_percent_encode(self.instance.id.as_str(), PLAIN).to_string();
        let mut segments: Vec<Cow<'_, str>> = path.split('/').map(Cow::Borrowed).collect();
        // Before the first slash there is an empty one.
        if let Some(segment) = segments.get_mut(3) {
            *segment = Cow::Owned(id);
        }
        let mut place = segments.join("/");
        if let Some(query) = query {
            let pairs: Vec<_> = query.split('&').map(|pair| self.pair(pair)).collect();
            place.push('?');
            place.push_str(&pairs.join("&"));
        }
        place
    }

    fn pair<'a>(&self, pair: &'a str) -> Cow<'a, str> {
        let key = pair.split('=').next().unwrap_or_default();
        let decoded = percent_decode_str(key).decode_utf8_lossy();
        let id = match decoded.as_ref() {
            "service_id" => &self.service_id,
            "plan_id" => &self.plan_id,
            _ => return Cow::Borrowed(pair),
        };
        Cow::Owned(format!("{key}={}", utf8_percent_encode(id, PLAIN)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use qm_model::id::{InstanceId, PlanId, PlatformId};
    use qm_model::{Labels, Meta, Time};
    use serde_json::json;

    fn shared() -> Shared {
        Shared {
            instance: Instance {
                id: InstanceId::new("the/shared one").unwrap(),
                name: "s".to_owned(),
                plan_id: PlanId::new("p").unwrap(),
                platform_id: PlatformId::manager(),
                dashboard_url: None,
                maintenance_info: None,
                context: Some(json!({"platform": "service-manager"})),
                referenced_instance_id: None,
                shared: Some(true),
                usable: true,
                meta: Meta::new(Time(0), Labels::new()),
            },
            service_id: "s&1".to_owned(),
            plan_id: "small".to_owned(),
        }
    }

    #[test]
    fn defect_10_paths_and_queries_name_the_shared_instance_and_its_plan() {
        let at = "/v2/service_instances/the%2Fshared%20one/service_bindings";
        let rows = [
            (
                "/v2/service_instances/r/service_bindings/b",
                format!("{at}/b"),
            ),
            (
                "/v2/service_instances/r/service_bindings/b%2F?plan_id=reference&x=%20&service_id=s",
                format!("{at}/b%2F?plan_id=small&x=%20&service_id=s%261"),
            ),
            (
                "/v2/service_instances/r/service_bindings/r/last_operation?operation=plan_id%3Dr&plan%5Fid=r",
                format!("{at}/r/last_operation?operation=plan_id%3Dr&plan%5Fid=small"),
            ),
            (
                "/v2/service_instances/r/service_bindings/b/adapt_credentials?plan_id",
                format!("{at}/b/adapt_credentials?plan_id=small"),
            ),
        ];
        for (from, to) in rows {
            assert_eq!(shared().place(from), to);
        }
    }

    #[test]
    fn a_body_says_the_plan_and_the_context_of_the_shared_instance_and_keeps_the_rest() {
        let body = json!({
            "service_id": "s", "plan_id": "reference", "parameters": {"plan_id": "mine"},
            "context": {"platform": "kubernetes"}, "bind_resource": {"app_guid": "a"},
        });
        let written = shared().body(body.as_object().unwrap());
        let wanted = json!({
            "service_id": "s&1", "plan_id": "small", "parameters": {"plan_id": "mine"},
            "context": {"platform": "service-manager"}, "bind_resource": {"app_guid": "a"},
        });
        assert_eq!(Value::Object(written), wanted);
        // What was not said is not made up.
        assert!(shared().body(&Object::new()).is_empty());
    }
}
