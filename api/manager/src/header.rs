//! Names of the headers that clients of the manager know. Lower case, as `http` wants them.

/// Request to the notification stream: what the platform's agent calls itself.
pub const AGENT_VERSION: &str = "x-peripli-agent-version";
/// Answer of the notification stream: the highest revision.
pub const LAST_NOTIFICATION_REVISION: &str = "last_notification_revision";
/// Answer of the notification stream: how long the client may be silent, as a Go duration (`30s`).
pub const MAX_PING_PERIOD: &str = "max_ping_period";
/// Request: who asked the caller, as raw JSON of a Kubernetes `UserInfo`.
pub const ORIGINATING_IDENTITY: &str = "x-originating-identity";
/// Request: joins the call with logs, operations and events. The first of these that is not empty and not `-`.
pub const CORRELATION: [&str; 6] = [
    "x-correlationid",
    "x-correlation-id",
    "x-forrequest-id",
    "x-request-id",
    "x-vcap-request-id",
    "x-broker-api-request-identity",
];
