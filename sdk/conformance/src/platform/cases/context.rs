//! The context object of requests, and its profiles.

use super::sections::CONTEXT;
use crate::case::Seen;
use crate::platform::broker::{Call, Verb};
use crate::platform::case::{Case, How, must};
use serde_json::Value;

pub(super) const CASES: &[Case] = &[must("context.profile", &["P2"], CONTEXT).says(
    "A context names its platform and has the fields of that platform's profile",
    "Fill in what the profile wants: for kubernetes namespace, clusterid, instance_name; for cloudfoundry organization, space and instance names.",
    How::Each(profile),
)];

fn profile(call: &Call) -> Seen {
    let Some(context) = call.field("context") else {
        return Seen::NotMine;
    };
    let Some(platform) = context["platform"].as_str() else {
        return Seen::Wrong("context.platform".to_owned());
    };
    let of_instance = matches!(call.verb, Verb::Provision | Verb::Update);
    let mut wanted: Vec<&str> = match platform {
        "cloudfoundry" => vec![
            "organization_guid",
            "organization_name",
            "space_guid",
            "space_name",
        ],
        "kubernetes" => vec!["namespace", "clusterid"],
        _ => return Seen::Right,
    };
    if of_instance {
        wanted.push("instance_name");
    }
    match wanted
        .into_iter()
        .find(|field| context.get(*field).is_none_or(Value::is_null))
    {
        Some(field) => Seen::Wrong(format!(
            "context.{field}, which the profile {platform} needs"
        )),
        None => Seen::Right,
    }
}
