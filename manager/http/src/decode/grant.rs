//! To whom a shared instance is opened: a tenant or a platform, one of the two.

use crate::Failure;
use qm_lifecycle::instance::grant::Grantee;
use qm_manager_api::NewGrant;

/// The model's form of it.
pub(crate) fn grantee(shape: NewGrant) -> Result<Grantee, Failure> {
    let NewGrant {
        tenant,
        platform_id,
    } = shape;
    let said = |text: Option<String>| text.filter(|text| !text.is_empty());
    match (said(tenant), said(platform_id)) {
        (Some(tenant), None) => Ok(Grantee::Tenant(tenant)),
        (None, Some(platform)) => Ok(Grantee::Platform(platform)),
        (None, None) => Err(Failure::bad_request(
            "tenant or platform_id: is required; say who may refer to the instance",
        )),
        (Some(_), Some(_)) => Err(Failure::bad_request(
            "tenant and platform_id: exclude each other; make two grants",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_one_of_the_two() {
        let of = |tenant: &str, platform: &str| {
            let said = |text: &str| Some(text.to_owned());
            grantee(NewGrant {
                tenant: said(tenant),
                platform_id: said(platform),
            })
        };
        assert!(matches!(of("t", ""), Ok(Grantee::Tenant(tenant)) if tenant == "t"));
        assert!(matches!(of("", "k"), Ok(Grantee::Platform(platform)) if platform == "k"));
        for (tenant, platform) in [("", ""), ("t", "k")] {
            assert_eq!(of(tenant, platform).err().unwrap().status.as_u16(), 400);
        }
    }
}
