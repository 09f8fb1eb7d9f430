//! `VCAP_SERVICES`, as Cloud Foundry gives it to applications.

use super::Bound;
use crate::doc::Doc;

pub(crate) fn of(services: &[Bound]) -> Doc {
    let mut vcap = Doc::map();
    for bound in services {
        let label = match bound.offering.str("catalog_name") {
            "" => bound.offering.str("name"),
            name => name,
        };
        let label = if label.is_empty() {
            "user-provided"
        } else {
            label
        };
        let tags = match bound.offering.get("tags") {
            Doc::List(tags) => Doc::List(tags.clone()),
            _ => Doc::List(Vec::new()),
        };
        let service = Doc::map()
            .with("name", bound.name())
            .with("label", label)
            .with("tags", tags)
            .with("plan", bound.plan.get("name").clone())
            .with("instance_guid", bound.instance.str("id"))
            .with("instance_name", bound.name())
            .with("binding_guid", bound.binding.str("id"))
            .with("binding_name", bound.binding.str("name"))
            .with("credentials", bound.credentials().clone())
            .with(
                "syslog_drain_url",
                bound.binding.get("syslog_drain_url").clone(),
            )
            .with(
                "volume_mounts",
                match bound.binding.get("volume_mounts") {
                    Doc::Null => Doc::List(Vec::new()),
                    mounts => mounts.clone(),
                },
            );
        let mut list = vcap.get(label).items().to_vec();
        list.push(service);
        vcap.set(label, list);
    }
    vcap
}

#[cfg(test)]
mod tests {
    use super::{Bound, of};
    use crate::doc::Doc;

    #[test]
    fn services_stand_under_their_label() {
        let bound = Bound {
            instance: Doc::map().with("id", "i").with("name", "db"),
            binding: Doc::map()
                .with("id", "b")
                .with("name", "app")
                .with("credentials", Doc::map().with("uri", "x")),
            offering: Doc::map().with("catalog_name", "postgresql"),
            plan: Doc::map().with("name", "small"),
        };
        let vcap = of(&[bound.clone(), bound]);
        let service = &vcap.get("postgresql").items()[1];
        assert_eq!(service.str("name"), "db");
        assert_eq!(service.at(&["credentials", "uri"]).as_str(), "x");
    }
}
