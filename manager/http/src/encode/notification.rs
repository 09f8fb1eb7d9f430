//! A message of the notification stream. The payload was made when the change was stored and is sent as it
//! is.

use super::base::plain;
use qm_manager_api::{Change as ChangeShape, Notification};
use qm_model::event::{Audience, Change, Event};
use serde_json::value::RawValue;

/// The manager's words on the wire: what events and messages are made of.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wire;

impl qm_stream::Encode for Wire {
    fn message(&self, event: &Event) -> String {
        let Event {
            revision,
            id,
            resource,
            // Stands in the payload.
            resource_id: _,
            change,
            audience,
            payload,
            correlation_id,
            created_at,
        } = event;
        let Ok(payload) = serde_json::from_str::<&RawValue>(payload) else {
            tracing::error!(event = %id, "a stored payload is no JSON");
            return String::new();
        };
        let message = Notification {
            base: plain(id.as_str(), *created_at, *created_at),
            resource: resource.path().to_owned(),
            kind: match change {
                Change::Created => ChangeShape::Created,
                Change::Modified => ChangeShape::Modified,
                Change::Deleted => ChangeShape::Deleted,
            },
            platform_id: only(audience),
            revision: *revision,
            payload,
            correlation_id: correlation_id.clone(),
        };
        serde_json::to_string(&message).unwrap_or_default()
    }
}

/// The platform, when it is told alone.
fn only(audience: &Audience) -> Option<String> {
    match audience {
        Audience::Only(these) if these.len() == 1 => these.first().map(ToString::to_string),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use qm_model::id::{EventId, PlatformId};
    use qm_model::{Kind, Time};
    use qm_stream::Encode as _;
    use serde_json::{Value, json};

    #[test]
    fn the_payload_is_sent_as_it_was_stored() {
        let event = Event {
            revision: 311,
            id: EventId::stored("n1".to_owned()),
            resource: Kind::Visibility,
            resource_id: "v1".to_owned(),
            change: Change::Modified,
            audience: Audience::Only([PlatformId::new("cf-1").unwrap()].into()),
            payload: r#"{"new":{"z":1,"a":2}}"#.into(),
            correlation_id: "c1".to_owned(),
            created_at: Time(0),
        };
        let message = Wire.message(&event);
        assert!(
            message.contains(r#""payload":{"new":{"z":1,"a":2}}"#),
            "{message}"
        );
        let wanted = json!({
            "id": "n1",
            "created_at": "1970-01-01T00:00:00Z",
            "updated_at": "1970-01-01T00:00:00Z",
            "ready": true,
            "resource": "/v1/visibilities",
            "type": "MODIFIED",
            "platform_id": "cf-1",
            "revision": 311,
            "payload": {"new": {"z": 1, "a": 2}},
            "correlation_id": "c1",
        });
        assert_eq!(serde_json::from_str::<Value>(&message).unwrap(), wanted);
    }
}
