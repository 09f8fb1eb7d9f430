//! A page of a list, with the `Link` to the next one.

use super::Encode;
use super::answer::json;
use crate::decode::Listing;
use axum::response::Response;
use http::{HeaderValue, StatusCode, header};
use qm_lifecycle::Shown;
use qm_manager_api::Page as Shape;
use qm_model::Page;
use qm_model::page::MaxItems;
use serde::Serialize;

/// A page of resources.
pub(crate) fn of<R: Encode>(listing: &Listing, page: Page<Shown<R>>) -> Response {
    answer(listing, page, R::encode)
}

/// A page of anything.
pub(crate) fn answer<T, S: Serialize>(
    listing: &Listing,
    page: Page<T>,
    encode: impl FnMut(T) -> S,
) -> Response {
    let shape = shape(listing.page.max_items, page, encode);
    let link = shape.token.as_deref().map(|token| listing.link(token));
    let mut response = json(StatusCode::OK, &shape);
    if let Some(Ok(link)) = link.map(|link| HeaderValue::from_str(&link)) {
        response.headers_mut().insert(header::LINK, link);
    }
    response
}

fn shape<T, S>(wanted: MaxItems, page: Page<T>, encode: impl FnMut(T) -> S) -> Shape<S> {
    let token = page.token();
    let Page {
        items,
        next: _,
        total,
    } = page;
    let mut shape = match wanted {
        MaxItems::NumberOnly => Shape::count(total.number()),
        MaxItems::Count(_) => {
            let items = items.into_iter().map(encode).collect();
            Shape::new(items, total.number(), token)
        }
    };
    shape.num_items_estimated = !total.is_exact();
    shape
}

#[cfg(test)]
mod tests {
    use super::*;
    use qm_model::page::Total;
    use serde_json::{json, to_value};

    fn page(next: Option<i64>, total: Total) -> Page<u8> {
        Page {
            items: vec![1, 2],
            next,
            total,
        }
    }

    #[test]
    fn a_token_stands_exactly_where_more_follows() {
        let count = MaxItems::Count(2);
        let last = shape(count, page(None, Total::Exact(2)), |item| item);
        assert_eq!(
            to_value(last).unwrap(),
            json!({"num_items": 2, "items": [1, 2]})
        );
        let first = shape(count, page(Some(17), Total::AtLeast(1000)), |item| item);
        let wanted = json!({"token": "MTc=", "num_items": 1000, "num_items_estimated": true, "items": [1, 2]});
        assert_eq!(to_value(first).unwrap(), wanted);
    }

    #[test]
    fn the_number_alone_has_no_items() {
        let number = shape(MaxItems::NumberOnly, page(None, Total::Exact(9)), |item| {
            item
        });
        assert_eq!(to_value(number).unwrap(), json!({"num_items": 9}));
    }
}
