//! The words of `ErrorBody::error` that clients know, with the statuses they come with.

/// 400: the request is wrong in itself. Also 429: too many requests.
pub const BAD_REQUEST: &str = "BadRequest";
/// 400: `async` where there is none; fields that a binding cannot change.
pub const INVALID_REQUEST: &str = "InvalidRequest";
/// 400: `max_items` is no number, or negative.
pub const INVALID_MAX_ITEMS: &str = "InvalidMaxItems";
/// 400: `token` is none of ours.
pub const TOKEN_INVALID: &str = "TokenInvalid";
/// 400: an instance cannot be made on, or moved to, that platform.
pub const INVALID_TRANSFER: &str = "InvalidTransfer";
/// 400: instances cannot be moved here.
pub const TRANSFER_DISABLED: &str = "TransferDisabled";
/// 400: the plan does not support the platform.
pub const UNSUPPORTED_PLATFORM: &str = "UnsupportedPlatform";
/// 400: the offering takes no new context.
pub const UNSUPPORTED_CONTEXT_UPDATE: &str = "UnsupportedContextUpdate";
/// 400 or 409: broker-platform credentials.
pub const CREDENTIALS_ERROR: &str = "CredentialsError";
/// 401: nobody is logged in.
pub const UNAUTHORIZED: &str = "Unauthorized";
/// 403: somebody is, and may not.
pub const FORBIDDEN: &str = "Forbidden";
/// 403: what failed to be created cannot be changed.
pub const UPDATE_NOT_ALLOWED: &str = "UpdateOperationIsNotAllowed";
/// 404: it is not there, or not for the caller.
pub const NOT_FOUND: &str = "NotFound";
/// 404: the plan is not visible to the platform.
pub const PLAN_NOT_FOUND: &str = "ServicePlanNotFound";
/// 409: something with that name or id is there.
pub const CONFLICT: &str = "Conflict";
/// 409: something still depends on it.
pub const EXISTING_REFERENCE: &str = "ExistingReferenceEntity";
/// 410: what was asked for is not kept any more.
pub const GONE: &str = "Gone";
/// 412: somebody else changed it in between.
pub const CONCURRENT_UPDATE: &str = "ConcurrentResourceUpdate";
/// 413: the body is too large.
pub const PAYLOAD_TOO_LARGE: &str = "PayloadTooLarge";
/// 415: the body is no JSON by its own account.
pub const UNSUPPORTED_MEDIA_TYPE: &str = "UnsupportedMediaType";
/// 422: another operation on it is not finished.
pub const CONCURRENT_OPERATION: &str = "ConcurrentOperationInProgress";
/// 422: the instance is not ready, or is being deleted.
pub const OPERATION_IN_PROGRESS: &str = "OperationInProgress";
/// 422: an operation hangs, and a person must look.
pub const MANUAL_ACTION_REQUIRED: &str = "ManualActionRequired";
/// 422: understood, and not possible now.
pub const UNPROCESSABLE_ENTITY: &str = "UnprocessableEntity";
/// 500: our fault.
pub const INTERNAL_ERROR: &str = "InternalError";
/// 501: a parameter that is switched off.
pub const NOT_IMPLEMENTED: &str = "NotImplemented";
/// 502, or 400 when a plan cannot be bound: the broker refused what the manager asked for itself.
pub const BROKER_ERROR: &str = "BrokerError";
/// 502, 400 or 504: the broker cannot be reached, or its catalog cannot be used.
pub const SERVICE_BROKER_ERROR: &str = "ServiceBrokerErr";
/// 503: too busy, or not ready.
pub const SERVICE_UNAVAILABLE: &str = "ServiceUnavailable";
/// 503: the request took too long.
pub const TIMEOUT: &str = "Timeout";
/// 400 and others: the notification stream could not be opened.
pub const WEBSOCKET_UPGRADE: &str = "WebsocketUpgradeError";
