//! Who sees a plan: its visibilities, compiled, so that a provision asks a set and not a list of a thousand rows.
//!
//! The rule: a public row shows the plan to all. A platform's row shows it to everybody on that platform, except on
//! Cloud Foundry, where labels narrow it: there only a row without labels is for the whole platform, and a label
//! `organization_guid` is for that organization, whichever platform's row bears it. Organizations have ids that are
//! unique everywhere, and a Cloud Foundry may be registered more than once.

use qm_model::Labels;
use qm_model::id::PlatformId;
use qm_model::visibility::Visibility;
use std::collections::HashSet;

/// The label that lists the organizations which see a plan.
pub(super) const ORGANIZATION: &str = "organization_guid";

/// Who sees one plan.
#[derive(Debug, Clone, Default)]
pub(super) struct Viewers {
    public: bool,
    /// Platforms with a row, labelled or not.
    platforms: HashSet<PlatformId>,
    /// Platforms with a row without labels.
    whole: HashSet<PlatformId>,
    organizations: HashSet<String>,
    /// The labels of the manager's own rows, which name tenants.
    own: Vec<Labels>,
}

impl Viewers {
    pub(super) fn add(&mut self, visibility: Visibility) {
        let Visibility {
            id: _,
            platform_id,
            plan_id: _,
            meta,
        } = visibility;
        match platform_id {
            None => self.public = true,
            Some(platform) => {
                if meta.labels.is_empty() {
                    self.whole.insert(platform.clone());
                } else if platform.is_manager() {
                    self.own.push(meta.labels.clone());
                }
                self.platforms.insert(platform);
            }
        }
        let organizations = meta.labels.get(ORGANIZATION).into_iter().flatten();
        self.organizations.extend(organizations.cloned());
    }

    /// Whether a platform sees the plan at all.
    pub(super) fn platform(&self, id: &PlatformId) -> bool {
        self.public || self.platforms.contains(id)
    }

    /// Whether an organization of a Cloud Foundry sees it.
    pub(super) fn organization(&self, id: &PlatformId, organization: &str) -> bool {
        self.public || self.whole.contains(id) || self.organizations.contains(organization)
    }

    /// Whether a tenant sees it at the manager's own desk.
    pub(super) fn tenant(&self, key: &str, tenant: &str) -> bool {
        let named = |labels: &Labels| labels.get(key).is_some_and(|named| named.contains(tenant));
        self.public || self.whole.contains(&PlatformId::manager()) || self.own.iter().any(named)
    }

    /// About how many bytes it takes.
    pub(super) fn size(&self) -> usize {
        let ids = self.platforms.iter().chain(&self.whole);
        let ids: usize = ids.map(|id| id.as_str().len() + 40).sum();
        let organizations = self.organizations.iter().map(|guid| guid.len() + 40);
        let own = self.own.iter().map(|labels| 200 * labels.len());
        ids + organizations.sum::<usize>() + own.sum::<usize>()
    }
}
