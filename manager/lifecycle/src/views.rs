//! What is remembered of each broker: what it offers, to whom, and how to log in at it. Every call at an OSB door asks
//! here, so a door needs the store only for what the call itself changes.
//!
//! The rule: nothing that is outdated is given to a call that began after the change was answered. The store says what
//! a change has touched before the change returns (`Memory::watching`), other replicas hear of it by the outbox
//! (`follow`), and a load that a change overtook is not kept (`Stamps`). All of it can be lost.
//!
//! ```text
//!   view -> keep (by broker, bounded by bytes) | turns -> load -> store
//!   change -> store -> Memory::forget -> stamps (outdated from now on), keep (room given back)
//! ```

mod follow;
mod keep;
mod load;
mod menu;
mod stamps;
mod turns;

pub use follow::{follow, forget_all};
pub use menu::Catalog;
pub(crate) use stamps::{Mark, Of, Since, Stamps};
pub(crate) use turns::Turns;

use keep::Keep;
use menu::Menu;
use qm_model::broker::Access;
use qm_model::{Ctx, Error};
use qm_policy::door::Stock;
use qm_store::{Store, Touched};
use std::sync::{Arc, Mutex};

/// How many bytes all views together may take.
const MOST: usize = 32 * 1024 * 1024;

/// A broker as its door knows it.
pub struct View {
    /// What it offers and to whom.
    pub stock: Stock,
    /// How to log in at it.
    pub access: Access,
    menu: Menu,
}

impl View {
    /// The catalog as the caller may see it. Made once for all who see the same.
    ///
    /// # Errors
    /// What was stored is no catalog.
    pub fn catalog_for(&self, ctx: &Ctx) -> Result<Arc<Catalog>, Error> {
        self.menu.for_caller(ctx, &self.stock)
    }

    /// About how many bytes it takes at most.
    fn weight(&self) -> usize {
        self.stock.size() + self.menu.weight()
    }
}

/// What this process remembers of the registry.
pub(crate) struct Memory {
    pub(crate) stamps: Stamps,
    views: Keep,
    loading: Turns,
    /// The revision up to which other replicas' changes are known.
    seen: Mutex<Option<i64>>,
}

impl Memory {
    fn new(most: usize) -> Self {
        Self {
            stamps: Stamps::new(),
            views: Keep::new(most),
            loading: Turns::new(),
            seen: Mutex::default(),
        }
    }

    /// One that hears of every change of this store's.
    pub(crate) fn watching(store: &Store) -> Arc<Self> {
        let memory = Arc::new(Self::new(MOST));
        let watching = Arc::downgrade(&memory);
        store.watch(move |touched| {
            if let Some(memory) = watching.upgrade() {
                touched.iter().for_each(|touched| memory.forget(touched));
            }
        });
        memory
    }

    /// What is known of this is outdated.
    fn forget(&self, touched: &Touched) {
        match touched {
            Touched::View(broker) => {
                self.stamps.touch(Of::View(broker.as_str()));
                self.views.forget(broker.as_str());
            }
            Touched::Gone(broker) => {
                self.stamps.touch(Of::View(broker.as_str()));
                self.stamps.touch(Of::Gone(broker.as_str()));
                self.views.forget(broker.as_str());
            }
            Touched::Platform(platform) => self.stamps.touch(Of::Platform(platform.as_str())),
            Touched::Credential(credential) => {
                self.stamps.touch(Of::Credential(credential.as_str()));
            }
        }
    }

    /// Everything that is known may be outdated.
    fn forget_all(&self) {
        self.stamps.touch_all();
        self.views.clear();
    }
}
