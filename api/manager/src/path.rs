//! Paths that are made from a collection's `PATH`.
//!
//! The doors use it for `Location`, clients for what they ask. The rule: an id is one segment, whatever it
//! holds; and the path has no host, because smctl puts its own before it.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Where the manager speaks OSB: `/v1/osb/{broker}/v2/...`.
pub const OSB: &str = "/v1/osb";

/// Unreserved characters of RFC 3986 stand for themselves.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// One resource of a collection, as in `/v1/platforms/{id}`.
pub fn item(collection: &str, id: &str) -> String {
    // A dot segment would be taken out by whoever normalises the path, on the way or at the other end.
    if id == "." || id == ".." {
        return format!("{collection}/{}", id.replace('.', "%2E"));
    }
    format!("{collection}/{}", utf8_percent_encode(id, SEGMENT))
}

/// One operation of a resource, as in `/v1/platforms/{id}/operations/{operation}`: the `Location` of a 202.
pub fn operation(collection: &str, id: &str, operation: &str) -> String {
    item(&format!("{}/operations", item(collection, id)), operation)
}

/// The parameters of an instance or binding, as in `/v1/service_instances/{id}/parameters`.
pub fn parameters(collection: &str, id: &str) -> String {
    format!("{}/parameters", item(collection, id))
}

/// Who may refer to a shared instance: `/v1/service_instances/{id}/grants`.
pub fn grants(instance: &str) -> String {
    format!("{}/grants", item(crate::instance::PATH, instance))
}

/// Activates a broker-platform credential: `/v1/credentials/{id}/activate`.
pub fn activate(id: &str) -> String {
    format!("{}/activate", item(crate::credential::PATH, id))
}

/// A broker's OSB door, as platforms register it: `/v1/osb/{broker}`.
pub fn osb(broker: &str) -> String {
    item(OSB, broker)
}
