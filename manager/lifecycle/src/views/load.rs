//! A broker's view: remembered, or loaded by the first who asks.
//!
//! The rule: one transaction reads all of it, so what it says fits together. What a change has overtaken while it was
//! loaded is given to those who asked before the change was answered, and to nobody after.

use super::{Memory, Menu, Of, View};
use crate::Lifecycle;
use qm_model::broker::{Access, Broker};
use qm_model::id::{BrokerId, PlanId};
use qm_model::offering::Offering;
use qm_model::plan::Plan;
use qm_model::visibility::Visibility;
use qm_model::{Error, Kind};
use qm_policy::Scope;
use qm_policy::door::Stock;
use qm_store::catalog::{self, RawOffering};
use qm_store::{broker, resource, visibility};
use std::sync::Arc;

impl Lifecycle {
    /// What is known of a broker.
    ///
    /// # Errors
    /// [`Error::Missing`] when there is none or it is not ready; what the store says.
    pub(crate) async fn view(&self, broker: &str) -> Result<Arc<View>, Error> {
        self.memory
            .view(broker, async || load(self, broker).await)
            .await
    }
}

impl Memory {
    /// What is known of a broker; if nothing is, it is loaded, by one at a time.
    pub(super) async fn view(
        &self,
        broker: &str,
        load: impl AsyncFnOnce() -> Result<View, Error>,
    ) -> Result<Arc<View>, Error> {
        if let Some(view) = self.views.get(broker, &self.stamps) {
            return Ok(view);
        }
        let _turn = self.loading.take(broker).await;
        if let Some(view) = self.views.get(broker, &self.stamps) {
            return Ok(view);
        }
        let since = self.stamps.now();
        let view = Arc::new(load().await?);
        metrics::counter!("qm_views_loaded_total").increment(1);
        let mark = self.stamps.mark(since, [Of::View(broker); 3]);
        if self.stamps.holds(&mark) {
            self.views.put(broker, Arc::clone(&view), mark);
        }
        Ok(view)
    }
}

/// Everything of a broker, as one transaction sees it.
struct Read {
    broker: Broker,
    access: Access,
    catalog: Vec<(Offering, Vec<Plan>)>,
    raw: Vec<RawOffering>,
    visibilities: Vec<Visibility>,
}

async fn load(deeds: &Lifecycle, id: &str) -> Result<View, Error> {
    let id = BrokerId::new(id).map_err(|_| Error::Missing(Kind::Broker))?;
    let Read {
        broker,
        access,
        catalog,
        raw,
        visibilities,
    } = deeds
        .store
        .read(async move |tx| {
            let broker = resource::get::<Broker>(tx, &Scope::All, id.as_str())
                .await?
                .filter(|broker| broker.meta.ready)
                .ok_or(Error::Missing(Kind::Broker))?;
            let access = broker::access(tx, &id)
                .await?
                .ok_or(Error::Missing(Kind::Broker))?;
            let catalog = catalog::of_broker(tx, &id).await?;
            let raw = catalog::raw_of_broker(tx, &id).await?;
            let plans = catalog.iter().flat_map(|(_, plans)| plans);
            let plans: Vec<PlanId> = plans.map(|plan| plan.id.clone()).collect();
            let visibilities = visibility::of_plans(tx, &plans).await?;
            Ok::<_, Error>(Read {
                broker,
                access,
                catalog,
                raw,
                visibilities,
            })
        })
        .await?;
    Ok(View {
        menu: Menu::new(raw)?,
        stock: Stock::new(broker, catalog, visibilities),
        access,
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use qm_model::broker::{Auth, CatalogState, Tls};
    use qm_model::{Labels, Meta, Time};
    use qm_store::Touched;
    use tokio::sync::{Notify, oneshot};

    pub(in crate::views) fn view(id: &str) -> View {
        named(id, "")
    }

    fn named(id: &str, name: &str) -> View {
        let broker = Broker {
            id: BrokerId::new(id).unwrap(),
            name: name.to_owned(),
            description: String::new(),
            url: String::new(),
            catalog: CatalogState::default(),
            meta: Meta::new(Time(0), Labels::new()),
        };
        View {
            stock: Stock::new(broker, Vec::new(), Vec::new()),
            access: Access {
                auth: Auth::None,
                tls: Tls::None,
            },
            menu: Menu::new(Vec::new()).unwrap(),
        }
    }

    async fn name(memory: &Memory, now: &str) -> String {
        let view = memory.view("b", async || Ok(named("b", now))).await;
        view.unwrap().stock.broker.name.clone()
    }

    fn changed() -> Touched {
        Touched::View(BrokerId::new("b").unwrap())
    }

    #[tokio::test]
    async fn a_load_that_a_change_overtakes_leaves_nothing_behind() {
        let memory = Arc::new(Memory::new(super::super::MOST));
        let (reading, has_read) = oneshot::channel();
        let go_on = Arc::new(Notify::new());
        let slow = tokio::spawn({
            let (memory, go_on) = (Arc::clone(&memory), Arc::clone(&go_on));
            async move {
                let load = async || {
                    // The store was read before the change, and this is put together after it.
                    reading.send(()).unwrap();
                    go_on.notified().await;
                    Ok(named("b", "old"))
                };
                memory.view("b", load).await.unwrap()
            }
        });
        has_read.await.unwrap();
        memory.forget(&changed());
        go_on.notify_one();
        assert_eq!(slow.await.unwrap().stock.broker.name, "old");
        assert_eq!(name(&memory, "new").await, "new");
        assert_eq!(name(&memory, "not asked for").await, "new");
    }

    #[tokio::test]
    async fn who_waited_for_an_overtaken_load_loads_anew() {
        let memory = Arc::new(Memory::new(super::super::MOST));
        let (reading, has_read) = oneshot::channel();
        let go_on = Arc::new(Notify::new());
        let slow = tokio::spawn({
            let (memory, go_on) = (Arc::clone(&memory), Arc::clone(&go_on));
            async move {
                let load = async || {
                    reading.send(()).unwrap();
                    go_on.notified().await;
                    Ok(named("b", "old"))
                };
                memory.view("b", load).await.unwrap()
            }
        });
        has_read.await.unwrap();
        memory.forget(&changed());
        // The change was answered; whoever comes now must not get what is just being loaded.
        let waiting = tokio::spawn({
            let memory = Arc::clone(&memory);
            async move { name(&memory, "new").await }
        });
        tokio::task::yield_now().await;
        go_on.notify_one();
        slow.await.unwrap();
        assert_eq!(waiting.await.unwrap(), "new");
    }

    #[tokio::test]
    async fn many_who_ask_at_once_load_once() {
        let memory = Arc::new(Memory::new(super::super::MOST));
        let loads = Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let asking: Vec<_> = (0..50)
            .map(|_| {
                let (memory, loads) = (Arc::clone(&memory), Arc::clone(&loads));
                tokio::spawn(async move {
                    let load = async || {
                        loads.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                        tokio::task::yield_now().await;
                        Ok(named("b", "x"))
                    };
                    memory.view("b", load).await.unwrap();
                })
            })
            .collect();
        for asked in asking {
            asked.await.unwrap();
        }
        assert_eq!(loads.load(std::sync::atomic::Ordering::SeqCst), 1);
    }

    #[tokio::test]
    async fn what_is_forgotten_is_loaded_again_and_what_is_missing_is_not_remembered() {
        let memory = Memory::new(super::super::MOST);
        let missing = memory
            .view("b", async || Err(Error::Missing(Kind::Broker)))
            .await;
        assert!(matches!(missing, Err(Error::Missing(Kind::Broker))));
        assert_eq!(name(&memory, "one").await, "one");
        memory.forget_all();
        assert_eq!(name(&memory, "two").await, "two");
        memory.forget(&Touched::Gone(BrokerId::new("b").unwrap()));
        assert_eq!(name(&memory, "three").await, "three");
    }
}
