//! The table: which kind of caller may read or change which kind of resource. Every deed asks here first.
//!
//! The rule: nothing is allowed because nobody thought of it. A caller that is not in the table is refused.

use crate::{Change, Permit, Read, Scope};
use qm_model::ctx::{Person, PlatformCaller};
use qm_model::identity::Role;
use qm_model::{Caller, Ctx, Error, Kind};

/// What an operator may set.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The label whose value is the tenant.
    pub tenant_label: String,
}

/// May the caller look at this kind?
///
/// # Errors
/// 401 when this needs another proof, 403 when the caller has not the role.
pub fn read(ctx: &Ctx, kind: Kind, settings: &Settings) -> Result<Permit<Read>, Error> {
    match &ctx.caller {
        Caller::System(_) => Ok(Permit::new(Scope::All)),
        Caller::Anonymous => Err(who(kind)),
        Caller::Platform(platform) => match kind {
            Kind::Broker
            | Kind::Platform
            | Kind::Visibility
            | Kind::Offering
            | Kind::Plan
            | Kind::Instance
            | Kind::Binding
            | Kind::Operation => Ok(Permit::new(of_platform(platform, settings))),
            Kind::Credential | Kind::User | Kind::Client | Kind::Tenant => Err(who(kind)),
        },
        Caller::Person(person) => {
            let wanted = match kind {
                Kind::User | Kind::Client | Kind::Credential | Kind::Tenant => Role::Admin,
                _ => Role::Viewer,
            };
            has(person, wanted, "read", kind)?;
            if person.tenant.is_some()
                && matches!(
                    kind,
                    Kind::User | Kind::Client | Kind::Credential | Kind::Tenant
                )
            {
                return Err(confined(kind));
            }
            Ok(Permit::new(of_person(person, settings)))
        }
    }
}

/// May the caller change this kind?
///
/// # Errors
/// 401 when this needs another proof, 403 when the caller has not the role.
pub fn change(ctx: &Ctx, kind: Kind, settings: &Settings) -> Result<Permit<Change>, Error> {
    match &ctx.caller {
        Caller::System(_) => Ok(Permit::new(Scope::All)),
        Caller::Anonymous => Err(who(kind)),
        Caller::Platform(platform) => match kind {
            Kind::Credential => Ok(Permit::new(of_platform(platform, settings))),
            _ => Err(who(kind)),
        },
        Caller::Person(person) => {
            let wanted = match kind {
                Kind::Instance | Kind::Binding => Role::Developer,
                // Only a platform may set what its own registrations log in with.
                Kind::Credential => return Err(who(kind)),
                _ => Role::Admin,
            };
            has(person, wanted, "change", kind)?;
            let own = matches!(
                kind,
                Kind::Broker | Kind::Platform | Kind::Instance | Kind::Binding
            );
            if person.tenant.is_some() && !own {
                return Err(confined(kind));
            }
            Ok(Permit::new(of_person(person, settings)))
        }
    }
}

fn of_person(person: &Person, settings: &Settings) -> Scope {
    match &person.tenant {
        None => Scope::All,
        Some(tenant) => Scope::Tenant {
            key: settings.tenant_label.clone(),
            value: tenant.clone(),
        },
    }
}

pub(crate) fn of_platform(platform: &PlatformCaller, settings: &Settings) -> Scope {
    Scope::Platform {
        id: platform.id.clone(),
        by_visibility: platform.platform_type == qm_model::platform::KUBERNETES,
        tenant_key: settings.tenant_label.clone(),
    }
}

/// Whether the person's roles cover the wanted one.
fn has(person: &Person, wanted: Role, deed: &str, kind: Kind) -> Result<(), Error> {
    let covered = person.roles.iter().any(|role| match role {
        Role::Admin => wanted != Role::Purge,
        Role::Developer => matches!(wanted, Role::Developer | Role::Viewer),
        Role::Viewer => wanted == Role::Viewer,
        Role::Purge => wanted == Role::Purge,
    });
    if covered {
        return Ok(());
    }
    Err(Error::Forbidden {
        rule: "role",
        message: format!(
            "the role {wanted} is needed to {deed} {}; {} has {}",
            kind.plural(),
            person.name,
            words(person),
        ),
    })
}

fn words(person: &Person) -> String {
    if person.roles.is_empty() {
        return "no role".to_owned();
    }
    let words: Vec<_> = person.roles.iter().map(|role| role.word()).collect();
    words.join(", ")
}

fn confined(kind: Kind) -> Error {
    Error::Forbidden {
        rule: "tenant",
        message: format!(
            "a caller that is confined to a tenant may not do this to {}",
            kind.plural()
        ),
    }
}

fn who(kind: Kind) -> Error {
    Error::Unauthenticated {
        message: format!(
            "No authenticated user found: this needs {}",
            match kind {
                Kind::Credential => "a platform's Basic credentials",
                Kind::User | Kind::Client | Kind::Tenant => "a Bearer token",
                _ => "a Bearer token or, to read, a platform's Basic credentials",
            }
        ),
    }
}
