//! Tenants: `/v1/tenants`. They are labels and no resources: one can be deleted with all it has, and asked for is how
//! far that is, at `/v1/tenants/{id}/operations/{operation}`.

/// The path that the operations of a tenant have as their `resource_type`.
pub const PATH: &str = "/v1/tenants";
