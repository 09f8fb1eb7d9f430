//! Roles and ids of the built-in issuer's users and clients.

use qm_manager_api::Role as Shape;
use qm_model::id::{ClientId, UserId};
use qm_model::identity::Role;
use qm_model::{Error, Kind};
use std::collections::BTreeSet;

pub(crate) fn roles(shapes: Vec<Shape>) -> BTreeSet<Role> {
    let role = |shape| match shape {
        Shape::Viewer => Role::Viewer,
        Shape::Developer => Role::Developer,
        Shape::Admin => Role::Admin,
        Shape::Purge => Role::Purge,
    };
    shapes.into_iter().map(role).collect()
}

/// An id that cannot be one is nobody's.
pub(crate) fn user(id: String) -> Result<UserId, Error> {
    UserId::new(id).map_err(|_| Error::Missing(Kind::User))
}

/// An id that cannot be one is nobody's.
pub(crate) fn client(id: String) -> Result<ClientId, Error> {
    ClientId::new(id).map_err(|_| Error::Missing(Kind::Client))
}
