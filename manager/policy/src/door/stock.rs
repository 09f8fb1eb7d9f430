//! What a broker offers and to whom. The memory of the deeds compiles one for each broker and keeps it until
//! something changes; every function of the door asks it.
//!
//! The rule: plans are found by the broker's own ids among this broker's plans only. Two brokers may use the same
//! ids.

use super::viewers::Viewers;
use qm_model::broker::Broker;
use qm_model::id::PlanId;
use qm_model::offering::Offering;
use qm_model::plan::Plan;
use qm_model::visibility::Visibility;
use std::collections::HashMap;
use std::sync::Arc;

/// A broker's offers.
#[derive(Debug, Clone)]
pub struct Stock {
    /// Whose.
    pub broker: Broker,
    /// In the order of the catalog.
    offerings: Vec<Arc<Offering>>,
    /// In the order of the catalog: those of one offering stand together.
    wares: Vec<Ware>,
    /// By the broker's id of the offering, then of the plan.
    by_ids: HashMap<String, HashMap<String, usize>>,
    by_plan: HashMap<PlanId, usize>,
}

/// One plan with what belongs to it.
#[derive(Debug, Clone)]
pub struct Ware {
    /// Of this offering.
    pub offering: Arc<Offering>,
    /// The plan.
    pub plan: Plan,
    /// Who sees it.
    pub(super) viewers: Viewers,
}

impl Stock {
    /// Compiles a catalog and its visibilities. Visibilities of other plans are passed over.
    pub fn new(
        broker: Broker,
        catalog: Vec<(Offering, Vec<Plan>)>,
        visibilities: Vec<Visibility>,
    ) -> Self {
        let mut stock = Self {
            broker,
            offerings: Vec::with_capacity(catalog.len()),
            wares: Vec::new(),
            by_ids: HashMap::new(),
            by_plan: HashMap::new(),
        };
        for (offering, plans) in catalog {
            stock.put(Arc::new(offering), plans);
        }
        for visibility in visibilities {
            if let Some(&place) = stock.by_plan.get(&visibility.plan_id) {
                stock.wares[place].viewers.add(visibility);
            }
        }
        stock
    }

    fn put(&mut self, offering: Arc<Offering>, plans: Vec<Plan>) {
        let of_offering = self.by_ids.entry(offering.catalog_id.clone()).or_default();
        for plan in plans {
            let place = self.wares.len();
            of_offering.insert(plan.catalog_id.clone(), place);
            self.by_plan.insert(plan.id.clone(), place);
            self.wares.push(Ware {
                offering: Arc::clone(&offering),
                plan,
                viewers: Viewers::default(),
            });
        }
        self.offerings.push(offering);
    }

    /// A plan by the broker's own ids.
    pub fn ware(&self, service_id: &str, plan_id: &str) -> Option<&Ware> {
        let place = *self.by_ids.get(service_id)?.get(plan_id)?;
        self.wares.get(place)
    }

    /// A plan by the manager's id.
    pub fn by_plan(&self, id: &PlanId) -> Option<&Ware> {
        self.wares.get(*self.by_plan.get(id)?)
    }

    /// Any plan of an offering, by the broker's own id of it.
    pub fn by_service(&self, service_id: &str) -> Option<&Ware> {
        let place = *self.by_ids.get(service_id)?.values().min()?;
        self.wares.get(place)
    }

    /// Every plan, in the order of the catalog.
    pub fn wares(&self) -> &[Ware] {
        &self.wares
    }

    /// Every offering, in the order of the catalog.
    pub fn offerings(&self) -> &[Arc<Offering>] {
        &self.offerings
    }

    /// About how many bytes it takes, for whoever keeps many within a bound.
    pub fn size(&self) -> usize {
        let offerings = self.offerings.iter().map(|offering| {
            1_024 + offering.description.len() + written(offering.metadata.as_ref())
        });
        let wares = self.wares.iter().map(|ware| {
            let plan = &ware.plan;
            let texts = [&plan.metadata, &plan.schemas, &plan.maintenance_info];
            let texts: usize = texts.into_iter().map(|text| written(text.as_ref())).sum();
            1_024 + plan.description.len() + texts + ware.viewers.size()
        });
        1_024 + offerings.sum::<usize>() + wares.sum::<usize>()
    }
}

/// A tree in memory takes about three times its text.
fn written(value: Option<&serde_json::Value>) -> usize {
    value.map_or(0, |value| 3 * value.to_string().len())
}
