//! `[operations]`: work that outlives a request.

use crate::config::span::Span;
use serde::Deserialize;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Operations {
    pub(crate) lifespan: Span,
    pub(crate) gone_lifespan: Span,
    pub(crate) keep_at_most: u64,
    pub(crate) cleanup_interval: Span,
    pub(crate) lease: Span,
    pub(crate) poll_interval: Span,
    pub(crate) deadline: Span,
    pub(crate) follow_after: Span,
    pub(crate) first_poll: Span,
    pub(crate) slowest_poll: Span,
    pub(crate) mitigation_grace: Span,
    pub(crate) retry_interval: Span,
    pub(crate) longest: Span,
    pub(crate) cascade_at_once: usize,
    pub(crate) force_deadline: Span,
}
