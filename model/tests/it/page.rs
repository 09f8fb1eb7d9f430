//! `max_items`, `token`, and what a page says.

use proptest::prelude::*;
use qm_model::Error;
use qm_model::page::{MaxItems, Page, PageError, PageLimits, PageRequest, Total, token};

fn parse(parameters: &[(&str, &str)]) -> Result<PageRequest, PageError> {
    PageRequest::parse(parameters.iter().copied(), PageLimits::default())
}

#[test]
fn max_items() {
    for (text, wanted) in [
        ("", Ok(MaxItems::Count(50))),
        ("1", Ok(MaxItems::Count(1))),
        ("200", Ok(MaxItems::Count(200))),
        ("201", Ok(MaxItems::Count(200))),
        ("4294967296", Ok(MaxItems::Count(200))),
        ("0", Ok(MaxItems::NumberOnly)),
        ("-1", Err(PageError::InvalidMaxItems)),
        ("1.5", Err(PageError::InvalidMaxItems)),
        ("ten", Err(PageError::InvalidMaxItems)),
        (" 5", Err(PageError::InvalidMaxItems)),
        ("99999999999999999999", Err(PageError::InvalidMaxItems)),
    ] {
        let found = parse(&[("max_items", text)]).map(|request| request.max_items);
        assert_eq!(found, wanted, "{text}");
    }
    assert_eq!(
        parse(&[]),
        parse(&[("max_items", ""), ("token", ""), ("async", "x")])
    );
    assert_eq!(
        parse(&[("max_items", "7"), ("max_items", "8")])
            .unwrap()
            .max_items,
        MaxItems::Count(7)
    );
}

#[test]
fn limits_come_from_outside_and_always_leave_a_page() {
    for (limits, text, count) in [
        (
            PageLimits {
                default: 10,
                max: 20,
            },
            "",
            10,
        ),
        (
            PageLimits {
                default: 10,
                max: 20,
            },
            "30",
            20,
        ),
        (
            PageLimits {
                default: 10,
                max: 5,
            },
            "",
            5,
        ),
        (PageLimits { default: 0, max: 0 }, "", 1),
        (PageLimits { default: 0, max: 0 }, "3", 1),
    ] {
        let found = PageRequest::parse([("max_items", text)], limits).unwrap();
        assert_eq!(found.max_items, MaxItems::Count(count), "{limits:?} {text}");
    }
}

#[test]
fn tokens() {
    assert_eq!(token(42), "NDI=");
    for (text, wanted) in [
        ("", Ok(None)),
        ("NDI=", Ok(Some(42))),
        // 0, -1, x1, nothing, a number that is too large, and no base64 at all.
        ("MA==", Ok(Some(0))),
        ("LTE=", Err(PageError::TokenInvalid)),
        ("eDE=", Err(PageError::TokenInvalid)),
        ("=", Err(PageError::TokenInvalid)),
        ("OTk5OTk5OTk5OTk5OTk5OTk5OTk=", Err(PageError::TokenInvalid)),
        ("_%", Err(PageError::TokenInvalid)),
        ("/w==", Err(PageError::TokenInvalid)),
    ] {
        let found = parse(&[("token", text)]).map(|request| request.after);
        assert_eq!(found, wanted, "{text}");
    }
}

/// The operator appends the new token to a URL that has the old one.
#[test]
fn the_last_token_counts() {
    let (first, second) = (token(50), token(100));
    let request = parse(&[("token", &first), ("max_items", "50"), ("token", &second)]);
    assert_eq!(request.unwrap().after, Some(100));
    // Only the last is looked at.
    assert!(parse(&[("token", "_"), ("token", &second)]).is_ok());
}

#[test]
fn words_of_errors() {
    for (error, word) in [
        (PageError::InvalidMaxItems, "InvalidMaxItems"),
        (PageError::TokenInvalid, "TokenInvalid"),
    ] {
        let error = Error::from(error);
        assert_eq!((error.status(), error.word()), (400, word));
    }
}

#[test]
fn a_page_says_what_follows() {
    let page = Page {
        items: vec![1, 2],
        next: Some(42),
        total: Total::AtLeast(1000),
    };
    assert_eq!(page.token().as_deref(), Some("NDI="));
    let page = page.map(|item| item * 10);
    assert_eq!((page.items, page.next), (vec![10, 20], Some(42)));
    for (total, exact) in [
        (Total::Exact(7), true),
        (Total::AtLeast(7), false),
        (Total::Estimate(7), false),
    ] {
        assert_eq!((total.number(), total.is_exact()), (7, exact));
    }
}

proptest! {
    #[test]
    fn a_token_reads_as_it_was_written(sequence in 0..=i64::MAX) {
        let request = parse(&[("token", &token(sequence))]).unwrap();
        prop_assert_eq!(request.after, Some(sequence));
    }

    #[test]
    fn any_token_is_answered(text in "\\PC{0,12}|[0-9A-Za-z+/]{0,8}={0,2}") {
        if let Ok(PageRequest { after: Some(sequence), .. }) = parse(&[("token", &text)]) {
            prop_assert!(sequence >= 0);
        }
    }
}
