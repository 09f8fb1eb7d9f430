//! Headings of the specification, written once so that cases cite them alike.

pub(super) const VERSION: &str = "API Version Header";
pub(super) const AUTH: &str = "Platform to Service Broker Authentication";
pub(super) const ORIGINATING: &str = "Originating Identity";
pub(super) const IDENTITY: &str = "Request Identity";
pub(super) const CONTENT: &str = "Content Type";
pub(super) const VENDOR: &str = "Vendor Extension Fields";
pub(super) const CONTEXT: &str = "Context Object";
pub(super) const URLS: &str = "URL Properties";
pub(super) const ERRORS: &str = "Service Broker Errors";
pub(super) const CATALOG: &str = "Catalog Management";
pub(super) const SYNC: &str = "Synchronous and Asynchronous Operations";
pub(super) const BLOCKING: &str = "Blocking Operations";
pub(super) const POLL: &str = "Polling Last Operation";
pub(super) const POLL_INTERVAL: &str = "Polling Interval and Duration";
pub(super) const PROVISION: &str = "Provisioning";
pub(super) const UPDATE: &str = "Updating a Service Instance";
pub(super) const BIND: &str = "Binding";
pub(super) const ROTATE: &str = "Binding, rotation";
pub(super) const FETCH: &str = "Fetching a Service Instance or Binding";
pub(super) const UNBIND: &str = "Unbinding";
pub(super) const DEPROVISION: &str = "Deprovisioning";
pub(super) const MAINTENANCE: &str = "Maintenance Info Object";
pub(super) const ORPHANS: &str = "Orphan Mitigation";
