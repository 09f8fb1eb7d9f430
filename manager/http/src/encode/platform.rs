//! A platform. A fresh pair is put into it by the two handlers that may show one.

use super::Encode;
use super::base::base;
use super::operation::last;
use qm_lifecycle::Shown;
use qm_manager_api::{BasicCredentials, Platform as Shape, PlatformCredentials};
use qm_model::platform::{Credentials, Platform};

impl Encode for Platform {
    type Shape = Shape;

    fn encode(shown: Shown<Self>) -> Shape {
        let Shown {
            resource,
            last_operation,
        } = shown;
        let Self {
            id,
            name,
            platform_type,
            description,
            technical,
            suspended,
            // Signs of life can be asked for in a query; the old server does not show them.
            active: _,
            last_active: _,
            version: _,
            meta,
        } = resource;
        Shape {
            base: base(id, meta),
            last_operation: last(last_operation),
            kind: platform_type,
            name,
            description,
            credentials: None,
            technical,
            suspended,
        }
    }
}

/// A fresh pair, shown once.
pub(crate) fn credentials(credentials: Credentials) -> PlatformCredentials {
    let Credentials { username, password } = credentials;
    PlatformCredentials {
        basic: BasicCredentials { username, password },
    }
}
