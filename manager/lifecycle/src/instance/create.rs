//! Somebody has an instance made: plan, schema, name, intent, call, outcome.
//!
//! The rule: the name is taken together with the intent, so of any number of callers one has it.

use super::{NewInstance, plan, reference};
use crate::engine::{Entered, OwnIntent, Row, Started, Subject, own};
use crate::schema::{self, For};
use crate::{Done, How, Lifecycle, desk};
use qm_model::id::{InstanceId, PlatformId};
use qm_model::instance::Instance;
use qm_model::operation::Verb as Deed;
use qm_model::{Ctx, Error, Kind, Meta, Secret};
use qm_policy::door::Ware;
use qm_store::deed::NewRow;
use serde_json::{Value, json};

/// Makes an instance.
///
/// # Errors
/// 400 for a name or parameters that cannot be, 404 for a plan that the caller does not see, 409 for a name that is
/// taken, 502 when the broker said no or broke.
pub async fn create(
    deeds: &Lifecycle,
    ctx: &Ctx,
    new: NewInstance,
    how: How,
) -> Result<Done<Instance>, Error> {
    let permit = qm_policy::door::desk(ctx, Kind::Instance, &deeds.settings.policy)?;
    desk::check_name(Kind::Instance, &new.name)?;
    crate::catalog::check_protected(deeds, new.labels.keys())?;
    let mut labels = new.labels.clone();
    let tenant = desk::tenant(deeds, ctx, &mut labels)?;
    let (view, plan) = plan::find(deeds, permit.scope(), &new.plan).await?;
    let ware = view
        .stock
        .by_plan(&plan)
        .ok_or(Error::Missing(Kind::Plan))?;
    let key = &deeds.settings.policy.tenant_label;
    qm_policy::door::offered(ware, key, tenant.as_deref())?;
    if reference::is_reference(&ware.plan) {
        return reference::create(deeds, ctx, new, ware, how).await;
    }
    let given = new.parameters.as_ref();
    schema::check(&ware.plan, For::Create, given.map(Secret::expose))?;
    let subject = Subject::Instance(InstanceId::stored(deeds.fresh()));
    let context = desk::context(deeds, tenant.as_deref(), &new.name, &labels);
    let mut order = desk::order(ctx, &how, &view, Some(ware), &subject);
    let maintenance_info = maintenance_info(&new, ware);
    if let Some(own) = &mut order.own {
        own.body = Some(body(&new, ware, &context, maintenance_info.as_ref()));
    }
    let instance = Instance {
        id: subject.instance().clone(),
        name: new.name.clone(),
        plan_id: ware.plan.id.clone(),
        platform_id: PlatformId::manager(),
        dashboard_url: None,
        maintenance_info,
        context: Some(Value::Object(context)),
        referenced_instance_id: None,
        shared: None,
        usable: false,
        meta: Meta {
            ready: false,
            ..Meta::new(deeds.now(), labels)
        },
    };
    let started = Started {
        verb: Deed::Create,
        order,
        row: NewRow::Instance(Box::new(instance.clone())),
        over: None,
        longest: ware.plan.maximum_polling_duration,
        own: OwnIntent {
            name_key: Some(desk::instance_key(tenant.as_deref(), &new.name)),
            parameters: desk::parameters(given),
            tenant,
            ..OwnIntent::default()
        },
    };
    let id = instance.id.clone();
    let entered = Entered {
        view: view.clone(),
        permit,
        subject,
    };
    let row = Row::Instance(Box::new(instance));
    match own::go(deeds, ctx, entered, started, row, how.mode).await? {
        Some(course) => desk::shown(deeds, course, id.as_str()).await,
        // Ids are random.
        None => Err(Error::internal("the id of a new instance was taken")),
    }
}

/// What is asked for, or else what the catalog says: so the broker can tell whether the catalog is known here.
fn maintenance_info(new: &NewInstance, ware: &Ware) -> Option<Value> {
    if new.maintenance_info.is_some() {
        return new.maintenance_info.clone();
    }
    let version = ware.plan.maintenance_info.as_ref()?.get("version")?;
    Some(json!({"version": version}))
}

fn body(
    new: &NewInstance,
    ware: &Ware,
    context: &quartermaster_osb::Object,
    maintenance_info: Option<&Value>,
) -> Value {
    let mut body = json!({
        "service_id": ware.offering.catalog_id,
        "plan_id": ware.plan.catalog_id,
        "organization_guid": "-",
        "space_guid": "-",
        "context": context,
    });
    if let Some(given) = &new.parameters {
        body["parameters"] = Value::Object(given.expose().clone());
    }
    if let Some(info) = maintenance_info {
        body["maintenance_info"] = info.clone();
    }
    body
}
