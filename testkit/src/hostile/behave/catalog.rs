//! `GET /v2/catalog`, with an entity tag so that platforms may ask conditionally.

use super::Asked;
use crate::hostile::deliver::Reply;
use crate::hostile::memory::Memory;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

pub(super) fn answer(memory: &Memory, call: &Asked<'_>) -> Reply {
    // A catalog always is JSON; were it not, the platform would see `null`.
    let body = serde_json::to_value(&memory.catalog).unwrap_or_default();
    let mut hasher = DefaultHasher::new();
    body.to_string().hash(&mut hasher);
    let tag = format!("\"{:016x}\"", hasher.finish());
    let mut reply = Reply::new(200, &body);
    if call.request.header("if-none-match") == Some(&tag) {
        reply = Reply {
            status: 304,
            headers: Vec::new(),
            body: Vec::new(),
        };
    }
    reply.headers.push(("ETag".to_owned(), tag));
    reply
}
