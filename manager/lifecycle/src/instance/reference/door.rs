//! What platforms do to references at an OSB door: provision, update, deprovision, fetch, poll. The deeds of the same
//! names come here when the plan or the instance is a reference.
//!
//! The rule: no broker is called. What is done is there at once, with its operation, event and audit record in one
//! transaction; the same request again is answered 200, another one for the same id is a conflict.

use super::find::find;
use crate::Lifecycle;
use crate::door::{Asked, Reply};
use crate::engine::{self, Entered, body};
use crate::instance::note::{Noted, note};
use http::StatusCode;
use qm_model::instance::Instance;
use qm_model::operation::Verb;
use qm_model::{Ctx, Error, Kind, Labels};
use qm_policy::door::Ware;
use qm_policy::share::{Consumer, wanted};
use qm_policy::{Change, Permit, Scope};
use qm_store::facts::{Facts, facts};
use qm_store::operation::Phase;
use qm_store::reference::{self, Kept};
use qm_store::{Tx, resource};
use serde_json::{Value, json};

/// How often the way is found free and taken again before the caller is told to come back.
const ROUNDS: usize = 3;

/// Makes a reference. `row` is the instance as it will be; the fingerprint is of what was asked.
///
/// # Errors
/// 400 for parameters that cannot be, 404 when what is meant is not there for the platform, 409 when the id is another
/// one's, 422 while something is under way.
pub(crate) async fn provision(
    deeds: &Lifecycle,
    ctx: &Ctx,
    asked: &Asked,
    ware: &Ware,
    mut row: Instance,
    fingerprint: Vec<u8>,
) -> Result<Reply, Error> {
    let given = asked.body.expose();
    let context = body::object(given, "context");
    let key = deeds.settings.policy.tenant_label.clone();
    let consumer = Consumer::asking(ctx, &key, &Labels::new(), context);
    row.meta.ready = true;
    row.usable = true;
    let permit = own(deeds, ctx)?;
    for _ in 0..ROUNDS {
        let known = facts(&deeds.store, &row.id, None, engine::platform(ctx)).await?;
        if let Some(reply) = repeated(&known, &row, &fingerprint)? {
            return Ok(reply);
        }
        let meant = wanted(body::object(given, "parameters"))?;
        let stored = deeds.store.change(&permit, {
            let (deeds, ctx, row, key) = (deeds.clone(), ctx.clone(), row.clone(), key.clone());
            let (offering, consumer) = (ware.offering.id.clone(), consumer.clone());
            let fingerprint = fingerprint.clone();
            async move |tx: &Tx<'_>| {
                let shared = find(tx, &key, &offering, &meant, &consumer).await?;
                let mut row = row.clone();
                let detail = format!("refers to {}", shared.id);
                row.referenced_instance_id = Some(shared.id);
                if reference::insert(tx, &row, Some(&fingerprint), None).await? != Kept::Stored {
                    return Ok(false);
                }
                let noted = Noted {
                    verb: Verb::Create,
                    action: "create",
                    detail,
                };
                note(tx, &deeds, &ctx, &row, noted).await?;
                Ok::<_, Error>(true)
            }
        });
        if stored.await? {
            return Ok(done(StatusCode::CREATED));
        }
    }
    Err(engine::just_now(Kind::Instance))
}

/// What is there under the id already.
fn repeated(known: &Facts, row: &Instance, fingerprint: &[u8]) -> Result<Option<Reply>, Error> {
    if known.terminating {
        return Err(engine::terminating());
    }
    if let Some(found) = &known.instance {
        let same = found.resource.platform_id == row.platform_id
            && found.resource.plan_id == row.plan_id
            && found.fingerprint.as_deref() == Some(fingerprint);
        return match same {
            true => Ok(Some(done(StatusCode::OK))),
            false => Err(Error::conflict(Kind::Instance, row.id.as_str())),
        };
    }
    match &known.operation {
        Some(work) if work.phase != Phase::Done => Err(engine::in_the_way(&work.operation)),
        _ => Ok(None),
    }
}

/// Changes what surrounds a reference. Its plan was looked at before.
///
/// # Errors
/// 400 when it would refer to something else, 422 while its platform is being removed.
pub(crate) async fn update(
    deeds: &Lifecycle,
    ctx: &Ctx,
    asked: &Asked,
    known: &Instance,
) -> Result<Reply, Error> {
    let given = asked.body.expose();
    super::unchanged(known, body::object(given, "parameters"))?;
    let facts = facts(&deeds.store, &known.id, None, engine::platform(ctx)).await?;
    if facts.terminating {
        return Err(engine::terminating());
    }
    let context = body::context(given);
    let name = context
        .as_ref()
        .and_then(|context| context.get("instance_name")?.as_str())
        .filter(|name| !name.is_empty())
        .map(str::to_owned);
    let maintenance_info = body::value(given, "maintenance_info");
    let (deeds2, ctx2, id) = (deeds.clone(), ctx.clone(), known.id.clone());
    deeds
        .store
        .change(&own(deeds, ctx)?, async move |tx: &Tx<'_>| {
            let mut row = resource::get::<Instance>(tx, &Scope::All, id.as_str())
                .await?
                .ok_or(Error::Missing(Kind::Instance))?;
            row.context = context.clone().or(row.context);
            row.name = name.clone().unwrap_or(row.name);
            row.maintenance_info = maintenance_info.clone().or(row.maintenance_info);
            row.meta.updated_at = deeds2.now();
            qm_store::instance::update(tx, &row).await?;
            let noted = Noted {
                verb: Verb::Update,
                action: "update",
                detail: "a reference".to_owned(),
            };
            note(tx, &deeds2, &ctx2, &row, noted).await.map(drop)
        })
        .await?;
    Ok(done(StatusCode::OK))
}

/// Deletes a reference.
///
/// # Errors
/// 400 while it has bindings.
pub(crate) async fn deprovision(
    deeds: &Lifecycle,
    ctx: &Ctx,
    known: &Instance,
) -> Result<Reply, Error> {
    match super::remove(deeds, ctx, &known.id).await? {
        Some(_) => Ok(done(StatusCode::OK)),
        None => Ok(done(StatusCode::GONE)),
    }
}

/// What a broker would say of it.
pub(crate) fn fetch(entered: &Entered, known: &Instance) -> Reply {
    let mut answer = json!({});
    if let Some(ware) = entered.view.stock.by_plan(&known.plan_id) {
        answer["service_id"] = json!(ware.offering.catalog_id);
        answer["plan_id"] = json!(ware.plan.catalog_id);
    }
    if let Some(info) = &known.maintenance_info {
        answer["maintenance_info"] = info.clone();
    }
    if let Some(shared) = &known.referenced_instance_id {
        answer["parameters"] = Value::Object(super::parameters(shared));
    }
    engine::json_reply(StatusCode::OK, answer.to_string())
}

/// How its last operation went: it is there, so it went well.
pub(crate) fn poll() -> Reply {
    engine::json_reply(StatusCode::OK, json!({"state": "succeeded"}).to_string())
}

fn done(status: StatusCode) -> Reply {
    engine::json_reply(status, "{}".to_owned())
}

/// The platform may enter the door; what follows is the manager's own affair.
fn own(deeds: &Lifecycle, ctx: &Ctx) -> Result<Permit<Change>, Error> {
    let own = Ctx::system("reference", ctx.correlation_id.clone());
    qm_policy::change(&own, Kind::Instance, &deeds.settings.policy)
}
