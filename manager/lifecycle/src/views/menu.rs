//! A broker's catalog as platforms get it: its own words, with the manager's ids added, and only what each may see.
//!
//! The rule: texts are made when the view is, and a catalog is put together from them once for all platforms that see
//! the same plans. How many bytes of catalogs are kept is bounded; who finds nothing kept has it made again.

use aws_lc_rs::digest;
use bytes::Bytes;
use qm_model::id::{OfferingId, PlanId};
use qm_model::offering::Offering;
use qm_model::plan::Plan;
use qm_model::{Caller, Ctx, Error};
use qm_policy::door::{Stock, shown};
use qm_store::catalog::{RawOffering, RawPlan};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Catalogs of one view take at most so many times the room of the whole one, and a little for who sees which.
const TIMES: usize = 2;
const LITTLE: usize = 16 * 1024;
/// About so many bytes say which catalog is whose.
const CALLER: usize = 40;

/// A catalog as it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Catalog {
    /// JSON.
    pub bytes: Bytes,
    /// A strong one, with its quotation marks.
    pub etag: String,
}

/// The texts of a catalog, and the catalogs made of them.
pub(super) struct Menu {
    /// An offering's text up to its first plan.
    offerings: HashMap<OfferingId, Box<str>>,
    /// A plan's text, and its number.
    plans: HashMap<PlanId, (u32, Box<str>)>,
    /// All texts together.
    size: usize,
    hasher: RandomState,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    by_caller: HashMap<u64, Arc<Catalog>>,
    by_plans: HashMap<Vec<u32>, Arc<Catalog>>,
    bytes: usize,
}

type Shown<'a> = [(&'a Offering, Vec<&'a Plan>)];

impl Menu {
    pub(super) fn new(raw: Vec<RawOffering>) -> Result<Self, Error> {
        let mut menu = Self {
            offerings: HashMap::new(),
            plans: HashMap::new(),
            size: 0,
            hasher: RandomState::new(),
            kept: Mutex::default(),
        };
        for RawOffering {
            id,
            catalog_id: _,
            raw,
            plans,
        } in raw
        {
            let text = offering_text(raw, &id)?;
            menu.size += text.len();
            menu.offerings.insert(id, text);
            for RawPlan {
                id,
                catalog_id: _,
                raw,
            } in plans
            {
                let number = u32::try_from(menu.plans.len()).map_err(Error::internal)?;
                let text = object(raw, "sm_plan_id", id.as_str())?.into_boxed_str();
                menu.size += text.len();
                menu.plans.insert(id, (number, text));
            }
        }
        Ok(menu)
    }

    /// What the caller may see.
    pub(super) fn for_caller(&self, ctx: &Ctx, stock: &Stock) -> Result<Arc<Catalog>, Error> {
        let caller = self.caller(&ctx.caller);
        if let Some(catalog) = caller.and_then(|caller| self.lock().by_caller.get(&caller).cloned())
        {
            return Ok(catalog);
        }
        let shown = shown(ctx, stock);
        let plans = self.numbers(&shown)?;
        let same = self.lock().by_plans.get(&plans).cloned();
        let catalog = match same {
            Some(catalog) => catalog,
            None => Arc::new(self.make(&shown)?),
        };
        if let Some(caller) = caller {
            self.keep(caller, plans, &catalog);
        }
        Ok(catalog)
    }

    /// All that decides what a platform sees, as one number: two platforms that share one would have to be among
    /// billions, and nobody can choose one, because the hash is keyed. Others than platforms are not remembered.
    fn caller(&self, caller: &Caller) -> Option<u64> {
        let platform = caller.platform()?;
        let (name, kind) = (&platform.name, &platform.platform_type);
        let decides = (platform.id.as_str(), name, kind, &platform.tenants);
        Some(self.hasher.hash_one(decides))
    }

    fn numbers(&self, shown: &Shown<'_>) -> Result<Vec<u32>, Error> {
        let plans = shown.iter().flat_map(|(_, plans)| plans);
        plans.map(|plan| Ok(self.plan(plan)?.0)).collect()
    }

    fn plan(&self, plan: &Plan) -> Result<(u32, &str), Error> {
        let found = self.plans.get(&plan.id);
        let (number, text) = found.ok_or_else(|| Error::internal("a plan without its text"))?;
        Ok((*number, text))
    }

    fn make(&self, shown: &Shown<'_>) -> Result<Catalog, Error> {
        let mut text = String::from("{\"services\":[");
        for (n, (offering, plans)) in shown.iter().enumerate() {
            if n > 0 {
                text.push(',');
            }
            let begin = self.offerings.get(&offering.id);
            text.push_str(begin.ok_or_else(|| Error::internal("an offering without its text"))?);
            for (n, plan) in plans.iter().enumerate() {
                if n > 0 {
                    text.push(',');
                }
                text.push_str(self.plan(plan)?.1);
            }
            text.push_str("]}");
        }
        text.push_str("]}");
        let etag = etag(text.as_bytes());
        Ok(Catalog {
            bytes: Bytes::from(text.into_boxed_str().into_boxed_bytes()),
            etag,
        })
    }

    fn keep(&self, caller: u64, plans: Vec<u32>, catalog: &Arc<Catalog>) {
        let mut kept = self.lock();
        let whole = catalog.bytes.len() + plans.len() * size_of::<u32>();
        let more = match kept.by_plans.contains_key(&plans) {
            true => 0,
            false => whole,
        };
        if kept.bytes + more + CALLER > self.most() {
            *kept = Kept::default();
            kept.bytes = whole;
        } else {
            kept.bytes += more;
        }
        kept.by_plans.insert(plans, Arc::clone(catalog));
        if kept.by_caller.insert(caller, Arc::clone(catalog)).is_none() {
            kept.bytes += CALLER;
        }
    }

    fn most(&self) -> usize {
        TIMES * self.size + LITTLE
    }

    /// About how many bytes it takes at most.
    pub(super) fn weight(&self) -> usize {
        self.size + self.most()
    }

    /// A panic elsewhere leaves maps that are whole.
    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The broker's object, open at its end for plans.
fn offering_text(raw: Value, id: &OfferingId) -> Result<Box<str>, Error> {
    let raw = match raw {
        Value::Object(mut offering) => {
            offering.remove("plans");
            Value::Object(offering)
        }
        other => other,
    };
    let mut text = object(raw, "sm_offering_id", id.as_str())?;
    text.pop();
    // It has its metadata at least, so a comma is right.
    text.push_str(",\"plans\":[");
    Ok(text.into_boxed_str())
}

/// The broker's object with the manager's id in its metadata.
fn object(raw: Value, key: &str, id: &str) -> Result<String, Error> {
    let Value::Object(mut object) = raw else {
        return Err(Error::internal("a part of a catalog is no object"));
    };
    let metadata = object
        .entry("metadata")
        .or_insert_with(|| Value::Object(Map::new()));
    if !metadata.is_object() {
        *metadata = Value::Object(Map::new());
    }
    if let Value::Object(metadata) = metadata {
        metadata.insert(key.to_owned(), Value::from(id));
    }
    serde_json::to_string(&object).map_err(Error::internal)
}

fn etag(bytes: &[u8]) -> String {
    let hash = digest::digest(&digest::SHA256, bytes);
    let mut etag = String::from("\"");
    for byte in hash.as_ref().iter().take(16) {
        // Writing to a string cannot fail.
        let _ = write!(etag, "{byte:02x}");
    }
    etag.push('"');
    etag
}

#[cfg(test)]
mod tests;
