//! Lists by pages: tokens, links, numbers.

use crate::harness::answer::{items, text};
use crate::harness::{Client, Engine, Manager, Platform, Setup, query};
use serde_json::{Value, json};

on_both_engines!(
    a_list_is_read_page_by_page,
    rows_that_come_and_go_shift_nothing,
    what_is_wrong_with_a_page_is_said,
    page_sizes_are_configured,
);

const PATH: &str = "/v1/platforms";

async fn platforms(manager: &Manager, from: usize, to: usize) {
    for number in from..to {
        Platform::register(manager, &format!("p{number:02}"), "t").await;
    }
}

/// All names, following `token` as every client does.
async fn walk(client: &Client, size: &str, extra: &[(&str, &str)]) -> Vec<String> {
    let mut names = Vec::new();
    let mut token: Option<String> = None;
    loop {
        let mut parameters = vec![("max_items", size), ("fieldQuery", "type eq 't'")];
        parameters.extend(extra);
        if let Some(token) = &token {
            parameters.push(("token", token));
        }
        let page = client.get(&query(PATH, &parameters)).await.expect(200);
        names.extend(items(&page).iter().map(|item| text(item, "name")));
        match page.get("token") {
            Some(next) => token = Some(next.as_str().unwrap().to_owned()),
            None => return names,
        }
    }
}

async fn a_list_is_read_page_by_page(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    platforms(&manager, 0, 7).await;
    let all: Vec<_> = (0..7).map(|number| format!("p{number:02}")).collect();
    for size in ["1", "2", "3", "6", "7", "8", "200", "100000"] {
        assert_eq!(walk(&admin, size, &[]).await, all, "pages of {size}");
    }

    let first = admin.get(&format!("{PATH}?max_items=3")).await;
    let link = first.header("link").unwrap().to_owned();
    let page = first.expect(200);
    assert_eq!(page["num_items"], 8, "the manager itself is the eighth");
    assert_eq!(items(&page).len(), 3);
    let token = text(&page, "token");
    let target = link.strip_prefix('<').unwrap().split('>').next().unwrap();
    assert!(target.starts_with(PATH), "{link}");
    assert!(link.ends_with("rel=\"next\""), "{link}");
    let by_link = admin.get(target).await.expect(200);
    let by_token = query(PATH, &[("max_items", "3"), ("token", &token)]);
    assert_eq!(admin.get(&by_token).await.expect(200), by_link);
    assert_eq!(by_link["num_items"], 8, "of all pages together");

    // The last page has neither.
    let last = admin.get(&format!("{PATH}?max_items=8")).await;
    assert_eq!(last.header("link"), None);
    assert_eq!(last.expect(200).get("token"), None);

    // Only the number, and that without items.
    let count = admin.get(&format!("{PATH}?max_items=0")).await;
    assert_eq!(count.header("link"), None);
    assert_eq!(count.expect(200), json!({"num_items": 8}));
    let filtered = query(PATH, &[("max_items", "0"), ("fieldQuery", "name eq 'p01'")]);
    assert_eq!(
        admin.get(&filtered).await.expect(200),
        json!({"num_items": 1})
    );

    // The BTP operator appends tokens and never removes any: the last one counts.
    let second = text(&by_link, "token");
    let both = query(
        PATH,
        &[("max_items", "3"), ("token", &token), ("token", &second)],
    );
    let third = admin.get(&both).await.expect(200);
    assert_eq!(items(&third).len(), 2, "{third}");
    assert_eq!(third.get("token"), None);

    // A list without anything has items all the same.
    let none = query(PATH, &[("fieldQuery", "name eq 'nobody'")]);
    assert_eq!(
        admin.get(&none).await.expect(200),
        json!({"num_items": 0, "items": []})
    );
}

async fn rows_that_come_and_go_shift_nothing(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    platforms(&manager, 0, 6).await;
    let parameters = [("max_items", "2"), ("fieldQuery", "type eq 't'")];
    let first = admin.get(&query(PATH, &parameters)).await.expect(200);
    let seen: Vec<_> = items(&first).iter().map(|item| text(item, "id")).collect();
    for id in &seen {
        admin.delete(&format!("{PATH}/{id}")).await.expect(200);
    }
    platforms(&manager, 6, 8).await;
    let token = text(&first, "token");
    let rest = query(PATH, &[("token", &token), ("fieldQuery", "type eq 't'")]);
    let rest = admin.get(&rest).await.expect(200);
    let names: Vec<_> = items(&rest).iter().map(|item| text(item, "name")).collect();
    assert_eq!(names, ["p02", "p03", "p04", "p05", "p06", "p07"]);
}

async fn what_is_wrong_with_a_page_is_said(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    for wrong in ["-1", "x", "1.5", "99999999999999999999999"] {
        let answer = admin.get(&query(PATH, &[("max_items", wrong)])).await;
        answer.refused(400, "InvalidMaxItems");
    }
    // "x" is no base64, the next is no number, the next is below zero, the last too large.
    for wrong in ["x", "YWJj", "LTE=", "OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5"] {
        let answer = admin.get(&query(PATH, &[("token", wrong)])).await;
        answer.refused(400, "TokenInvalid");
    }
    let odd = format!("{PATH}?environment=x&async=true&whatever=1");
    admin.get(&odd).await.expect(200);
}

async fn page_sizes_are_configured(engine: Engine) {
    let setup = Setup::new(engine)
        .set("QM_API_DEFAULT_PAGE_SIZE", "2")
        .set("QM_API_MAX_PAGE_SIZE", "3");
    let manager = setup.start().await;
    let admin = manager.admin();
    platforms(&manager, 0, 5).await;
    let length = async |path: &str| -> usize {
        let page: Value = admin.get(path).await.expect(200);
        items(&page).len()
    };
    assert_eq!(length(PATH).await, 2);
    assert_eq!(length(&format!("{PATH}?max_items=100")).await, 3);
    assert_eq!(length(&format!("{PATH}?max_items=1")).await, 1);
}
