//! The lists of dependants, as SQL: rows `d` and a condition to which more can be added.

use super::Branch;
use crate::operation::of_kind;
use crate::sql::Binds;
use qm_model::Kind;
use qm_model::id::PlatformId;

/// One list of dependants.
pub(super) struct Source {
    pub(super) kind: Kind,
    list: List,
}

#[derive(Clone, Copy)]
enum List {
    OnPlatform,
    OfBroker,
    OfInstance,
    Referring,
    Labelled,
    LabelledElsewhere,
    BindingsOnPlatform,
    OnLabelledPlatforms,
}

static PLATFORM: [Source; 1] = [Source::new(Kind::Instance, List::OnPlatform)];
static BROKER: [Source; 1] = [Source::new(Kind::Instance, List::OfBroker)];
static INSTANCE: [Source; 2] = [
    Source::new(Kind::Binding, List::OfInstance),
    Source::new(Kind::Instance, List::Referring),
];
static TENANT: [Source; 3] = [
    Source::new(Kind::Platform, List::Labelled),
    Source::new(Kind::Broker, List::Labelled),
    Source::new(Kind::Instance, List::LabelledElsewhere),
];
static BELOW_PLATFORM: [Source; 1] = [Source::new(Kind::Binding, List::BindingsOnPlatform)];
static BELOW_TENANT: [Source; 1] = [Source::new(Kind::Instance, List::OnLabelledPlatforms)];

/// What depends on a resource of this kind.
pub(super) fn sources(kind: Kind) -> &'static [Source] {
    match kind {
        Kind::Platform => &PLATFORM,
        Kind::Broker => &BROKER,
        Kind::Instance => &INSTANCE,
        Kind::Tenant => &TENANT,
        _ => &[],
    }
}

impl Source {
    const fn new(kind: Kind, list: List) -> Self {
        Self { kind, list }
    }

    /// What depends on it by way of others, as far as it is easily counted.
    pub(super) fn further(kind: Kind) -> &'static [Self] {
        match kind {
            Kind::Platform => &BELOW_PLATFORM,
            Kind::Tenant => &BELOW_TENANT,
            _ => &[],
        }
    }

    /// Of a binding: its instance.
    pub(super) fn instance(&self) -> &'static str {
        match self.kind {
            Kind::Binding => "d.service_instance_id",
            _ => "NULL",
        }
    }

    /// Whether it needs a node of its own.
    pub(super) fn is_node(&self) -> &'static str {
        match self.kind {
            Kind::Binding => "FALSE",
            Kind::Instance => {
                "(d.referenced_instance_id IS NOT NULL
                  OR EXISTS (SELECT 1 FROM binding b WHERE b.service_instance_id = d.id)
                  OR EXISTS (SELECT 1 FROM instance r WHERE r.referenced_instance_id = d.id))"
            }
            _ => "TRUE",
        }
    }

    /// The rows and the condition that they are the branch's.
    pub(super) fn from(&self, binds: &mut Binds, branch: &Branch) -> String {
        let id = binds.bind(branch.id.as_str());
        let noun = self.kind.noun();
        let mut key = || binds.bind(branch.tenant_label.as_str());
        match self.list {
            List::OnPlatform => format!("instance d WHERE d.platform_id = {id}"),
            List::BindingsOnPlatform => format!("binding d WHERE d.platform_id = {id}"),
            List::OfInstance => format!("binding d WHERE d.service_instance_id = {id}"),
            List::Referring => format!("instance d WHERE d.referenced_instance_id = {id}"),
            List::OfBroker => format!(
                "instance d WHERE d.service_plan_id IN (SELECT p.id FROM plan p
                    JOIN offering f ON f.id = p.service_offering_id WHERE f.broker_id = {id})"
            ),
            List::Labelled => {
                let mut text = labelled(noun, &key(), &id);
                if self.kind == Kind::Platform {
                    text.push_str(&not_the_managers("d.id"));
                }
                text
            }
            // What is on a platform or of a broker of the tenant's goes with that.
            List::LabelledElsewhere => {
                let key = key();
                format!(
                    "{} AND NOT EXISTS (SELECT 1 FROM label p WHERE p.kind = 'platform' AND p.object_id = d.platform_id
                        AND p.key = {key} AND p.value = {id}{})
                     AND NOT EXISTS (SELECT 1 FROM plan s JOIN offering f ON f.id = s.service_offering_id
                        JOIN label b ON b.kind = 'broker' AND b.object_id = f.broker_id
                        WHERE s.id = d.service_plan_id AND b.key = {key} AND b.value = {id})",
                    labelled(noun, &key, &id),
                    not_the_managers("p.object_id"),
                )
            }
            List::OnLabelledPlatforms => format!(
                "label l JOIN instance d ON d.platform_id = l.object_id
                 WHERE l.kind = 'platform' AND l.key = {} AND l.value = {id}{}",
                key(),
                not_the_managers("d.platform_id")
            ),
        }
    }
}

fn labelled(noun: &str, key: &str, value: &str) -> String {
    format!(
        "label l JOIN {noun} d ON d.id = l.object_id
         WHERE l.kind = '{noun}' AND l.key = {key} AND l.value = {value}"
    )
}

/// The manager as a platform is nobody's.
fn not_the_managers(platform: &str) -> String {
    format!(" AND {platform} <> '{}'", PlatformId::manager().as_str())
}

/// Whether the tree with this root has an operation on `d`.
pub(super) fn in_tree(kind: Kind, root: &str) -> String {
    format!(
        "EXISTS (SELECT 1 FROM operation o WHERE {})",
        of_tree(kind, root)
    )
}

/// The operations `o` on `d` in the tree with this root. The one index that is of use is that of resources: a root
/// leads to all of its tree.
pub(super) fn of_tree(kind: Kind, root: &str) -> String {
    format!(
        "o.resource_id = d.id AND {} = '{}' AND (o.cascade_root_id || '') = {root}",
        of_kind("o"),
        kind.path()
    )
}

/// Whether something is being done to `d`.
pub(super) fn is_open(kind: Kind) -> String {
    format!(
        "EXISTS (SELECT 1 FROM operation u WHERE u.resource_type = '{}' AND u.resource_id = d.id AND u.phase <> 'done')",
        kind.path()
    )
}
