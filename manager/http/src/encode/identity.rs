//! Users and clients of the built-in issuer, without passwords and secrets.

use super::date::rfc3339;
use qm_manager_api::{Client as ClientShape, Role as RoleShape, User as UserShape};
use qm_model::identity::{Client, Role, User};
use std::collections::BTreeSet;

pub(crate) fn user(user: User) -> UserShape {
    let User {
        id,
        name,
        roles: held,
        tenant,
        created_at,
        updated_at,
    } = user;
    UserShape {
        id: id.into(),
        name,
        roles: roles(&held),
        tenant,
        created_at: rfc3339(created_at),
        updated_at: rfc3339(updated_at),
    }
}

pub(crate) fn client(client: Client) -> ClientShape {
    let Client {
        id,
        description,
        roles: held,
        tenant,
        created_at,
        updated_at,
    } = client;
    ClientShape {
        id: id.into(),
        description,
        roles: roles(&held),
        tenant,
        created_at: rfc3339(created_at),
        updated_at: rfc3339(updated_at),
        secret: None,
    }
}

fn roles(roles: &BTreeSet<Role>) -> Vec<RoleShape> {
    let shape = |role: &Role| match role {
        Role::Viewer => RoleShape::Viewer,
        Role::Developer => RoleShape::Developer,
        Role::Admin => RoleShape::Admin,
        Role::Purge => RoleShape::Purge,
    };
    roles.iter().map(shape).collect()
}
