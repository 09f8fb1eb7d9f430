//! Lists: page after page until the last.

use super::{Client, Query};
use crate::doc::Doc;
use crate::problem::Problem;

/// How many are asked for at once. A manager that allows fewer gives fewer.
const PAGE: usize = 500;

impl Client {
    /// Everything that matches.
    pub(crate) async fn list(&self, path: &str, query: &Query) -> Result<Vec<Doc>, Problem> {
        self.list_up_to(path, query, None).await
    }

    /// What matches, up to a number.
    pub(crate) async fn list_up_to(
        &self,
        path: &str,
        query: &Query,
        limit: Option<usize>,
    ) -> Result<Vec<Doc>, Problem> {
        let mut items = Vec::new();
        let mut token: Option<String> = None;
        loop {
            let mut page = query.clone();
            if !query.has("max_items") {
                let wanted = limit.map_or(PAGE, |limit| (limit - items.len()).min(PAGE));
                page = page.with("max_items", wanted.to_string());
            }
            let page = page.with_some("token", token.as_deref());
            let mut doc = self.get(path, &page).await?;
            if let Doc::Map(entries) = &mut doc
                && let Some((_, Doc::List(found))) =
                    entries.iter_mut().find(|(key, _)| key == "items")
            {
                items.append(found);
            }
            let next = doc.str("token");
            if next.is_empty() || limit.is_some_and(|limit| items.len() >= limit) {
                break;
            }
            token = Some(next.to_owned());
        }
        if let Some(limit) = limit {
            items.truncate(limit);
        }
        Ok(items)
    }
}
