//! `[notifications]`: what connected platforms are told, and how patient we are with them.

use crate::config::span::Span;
use serde::Deserialize;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Notifications {
    pub(crate) queue: usize,
    pub(crate) keep_for: Span,
    pub(crate) keep_at_most: u64,
    pub(crate) clean_interval: Span,
    pub(crate) ping_timeout: Span,
    pub(crate) poll_interval: Span,
}
