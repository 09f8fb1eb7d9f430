//! What a caller may see, as conditions on the row `t`. [`sql::Select`] and
//! [`resource::get`](crate::resource::get) use it.
//!
//! The rule: what lies outside is not there. A tenant sees what bears its label; a broker that bears nobody's
//! belongs to all, one that bears another's to nobody else, with all its offerings and plans.

use crate::sql::{self, Binds};
use qm_db::Value;
use qm_model::Kind;
use qm_model::query::{LabelCriterion, LabelTest};
use qm_policy::Scope;

/// What the text of a condition depends on, beside the kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Form {
    All,
    Tenant,
    Platform { by_visibility: bool },
}

impl Form {
    pub(crate) fn of(scope: &Scope) -> Self {
        match scope {
            Scope::All => Self::All,
            Scope::Tenant { .. } => Self::Tenant,
            Scope::Platform { by_visibility, .. } => Self::Platform {
                by_visibility: *by_visibility,
            },
        }
    }
}

/// What the scope leaves of a kind.
pub(crate) enum Within {
    /// Everything.
    All,
    /// What bears this label.
    Label { key: String, value: String },
    /// Rows for which one of these holds; each can be walked along an index.
    Any(Vec<String>),
    /// Rows for which this holds.
    Only(String),
}

impl Within {
    /// As a condition on `t`.
    pub(crate) fn condition(self, binds: &mut Binds, kind: Kind) -> Option<String> {
        match self {
            Self::All => None,
            Self::Label { key, value } => {
                let test = LabelTest::Eq(value);
                Some(sql::label(binds, kind, &LabelCriterion { key, test }))
            }
            Self::Any(conditions) => Some(format!("({})", conditions.join(" OR "))),
            Self::Only(condition) => Some(condition),
        }
    }
}

/// What is shown to anybody: a technical platform only stands for visibilities, and what somebody was told had failed is
/// not found again while its remains are deleted. It has lost its name by that.
pub(crate) fn shown(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::Platform => Some("NOT t.technical"),
        Kind::Instance | Kind::Binding => Some(
            "NOT (t.name_key IS NULL AND t.ready = FALSE AND t.platform_id = 'service-manager')",
        ),
        _ => None,
    }
}

/// What the scope leaves of a kind.
pub(crate) fn within(binds: &mut Binds, kind: Kind, scope: &Scope) -> Within {
    match scope {
        Scope::All => Within::All,
        Scope::Tenant { key, value } => of_tenant(binds, kind, key, value),
        Scope::Platform {
            id,
            by_visibility,
            tenant_key,
        } => of_platform(binds, kind, id.as_str(), *by_visibility, tenant_key),
    }
}

/// What the condition of [`within`] binds, in its order: for a text that was made before.
pub(crate) fn values(kind: Kind, scope: &Scope) -> Vec<Value> {
    match scope {
        Scope::All => Vec::new(),
        Scope::Tenant { key, value } => match kind {
            Kind::Operation => vec![value.into()],
            Kind::Credential | Kind::User | Kind::Client | Kind::Tenant => Vec::new(),
            _ => vec![key.into(), value.into()],
        },
        Scope::Platform { id, tenant_key, .. } => match kind {
            Kind::Visibility | Kind::Broker | Kind::Offering | Kind::Plan => {
                vec![id.as_str().into(), tenant_key.into()]
            }
            _ => vec![id.as_str().into()],
        },
    }
}

fn of_tenant(binds: &mut Binds, kind: Kind, key: &str, value: &str) -> Within {
    let broker = match kind {
        Kind::Broker | Kind::Platform | Kind::Instance | Kind::Binding => {
            return Within::Label {
                key: key.to_owned(),
                value: value.to_owned(),
            };
        }
        Kind::Operation => return Within::Only(format!("t.tenant = {}", binds.bind(value))),
        Kind::Offering => BROKER_OF_OFFERING,
        Kind::Plan => BROKER_OF_PLAN,
        Kind::Visibility => BROKER_OF_VISIBILITY,
        // Confined callers have no business with these.
        Kind::Credential | Kind::User | Kind::Client | Kind::Tenant => {
            return Within::Only("1 = 0".to_owned());
        }
    };
    let key = binds.bind(key);
    let own = format!("= {}", binds.bind(value));
    let mut mine = not_anothers(broker, &key, &own);
    if kind == Kind::Visibility {
        // What others' platforms may see, and which of their organizations, is theirs to know.
        mine.push_str(&format!(
            " AND (t.platform_id IS NULL OR EXISTS (SELECT 1 FROM label p WHERE p.kind = 'platform' \
             AND p.object_id = t.platform_id AND p.key = {key} AND p.value {own}))"
        ));
    }
    Within::Only(mine)
}

fn of_platform(
    binds: &mut Binds,
    kind: Kind,
    id: &str,
    by_visibility: bool,
    tenant_key: &str,
) -> Within {
    let id = binds.bind(id);
    let (broker, visible) = match kind {
        Kind::Platform => return Within::Only(format!("t.id = {id}")),
        Kind::Instance | Kind::Binding | Kind::Operation => {
            return Within::Only(format!("t.platform_id = {id}"));
        }
        Kind::Visibility => {
            let mine = of_tenants(binds, BROKER_OF_VISIBILITY, &id, tenant_key);
            return Within::Any(vec![
                format!("t.platform_id = {id} AND {mine}"),
                format!("t.platform_id IS NULL AND {mine}"),
            ]);
        }
        Kind::Credential => return Within::Only(format!("t.platform_id = {id}")),
        Kind::User | Kind::Client | Kind::Tenant => {
            return Within::Only(format!("{id} = ''"));
        }
        Kind::Broker => (
            "t.id",
            format!(
                "EXISTS (SELECT 1 FROM offering o JOIN plan p ON p.service_offering_id = o.id \
                 WHERE o.broker_id = t.id AND {})",
                visible("p.id", &id)
            ),
        ),
        Kind::Offering => (
            BROKER_OF_OFFERING,
            format!(
                "EXISTS (SELECT 1 FROM plan p WHERE p.service_offering_id = t.id AND {})",
                visible("p.id", &id)
            ),
        ),
        Kind::Plan => (BROKER_OF_PLAN, visible("t.id", &id)),
    };
    let mine = of_tenants(binds, broker, &id, tenant_key);
    Within::Only(if by_visibility {
        format!("{mine} AND {visible}")
    } else {
        mine
    })
}

/// The broker is nobody's or of the platform's own tenant; a platform of no tenant sees all, as it hears of all.
fn of_tenants(binds: &mut Binds, broker: &str, id: &str, tenant_key: &str) -> String {
    let key = binds.bind(tenant_key);
    let own =
        format!("FROM label p WHERE p.kind = 'platform' AND p.object_id = {id} AND p.key = {key}");
    let mine = not_anothers(broker, &key, &format!("IN (SELECT p.value {own})"));
    format!("(NOT EXISTS (SELECT 1 {own}) OR {mine})")
}

const BROKER_OF_OFFERING: &str = "t.broker_id";
const BROKER_OF_PLAN: &str =
    "(SELECT o.broker_id FROM offering o WHERE o.id = t.service_offering_id)";
const BROKER_OF_VISIBILITY: &str = "(SELECT o.broker_id FROM offering o JOIN plan p \
    ON p.service_offering_id = o.id WHERE p.id = t.service_plan_id)";

/// The broker bears no tenant's label, or (also) one's own.
fn not_anothers(broker: &str, key: &str, own: &str) -> String {
    let label = format!(
        "SELECT 1 FROM label l WHERE l.kind = 'broker' AND l.object_id = {broker} AND l.key = {key}"
    );
    format!("(NOT EXISTS ({label}) OR EXISTS ({label} AND l.value {own}))")
}

fn visible(plan: &str, platform: &str) -> String {
    format!(
        "EXISTS (SELECT 1 FROM visibility v WHERE v.service_plan_id = {plan} \
         AND (v.platform_id = {platform} OR v.platform_id IS NULL))"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use qm_db::Dialect;
    use qm_model::id::PlatformId;

    /// A text that was made for one caller is run with the values of another.
    #[test]
    fn values_are_what_a_condition_binds() {
        let platform = |by_visibility| Scope::Platform {
            id: PlatformId::stored("p".to_owned()),
            by_visibility,
            tenant_key: "k".to_owned(),
        };
        let tenant = Scope::Tenant {
            key: "k".to_owned(),
            value: "v".to_owned(),
        };
        for scope in [Scope::All, tenant, platform(false), platform(true)] {
            for kind in Kind::ALL {
                let mut binds = Binds::new(Dialect::Sqlite);
                let within = within(&mut binds, kind, &scope);
                let _ = within.condition(&mut binds, kind);
                assert_eq!(
                    values(kind, &scope),
                    binds.into_values(),
                    "{kind:?} {scope:?}"
                );
            }
        }
    }
}
