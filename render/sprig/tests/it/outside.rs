//! What reaches outside is there only when it was handed in; the clock and the zone are the caller's.

use crate::data::{outside, render, render_with};

#[test]
fn the_environment_is_off_unless_allowed() {
    for name in ["env", "expandenv", "getHostByName"] {
        let error = render(&format!("{{{{{name} \"HOME\"}}}}")).unwrap_err();
        assert_eq!(
            error,
            format!("template: t:1: function \"{name}\" not defined")
        );
    }
}

#[test]
fn an_environment_that_is_handed_in_is_read() {
    let outside = outside().environment(|name| (name == "A").then(|| "x y".to_owned()));
    let functions = qm_sprig::functions(&outside);
    let cases = [
        (r#"{{env "A"}}|{{env "B"}}"#, "x y|"),
        (r#"{{expandenv "$A-${A}-$B-${B}-$"}}"#, "x y-x y---$"),
        (
            r#"{{expandenv "$A_ ${A"}}|{{expandenv "a$ b$$"}}"#,
            " A|a$ b",
        ),
    ];
    for (template, wanted) in cases {
        let found = render_with(functions.clone(), template).unwrap();
        assert_eq!(found, wanted, "{template}");
    }
}

#[test]
fn a_resolver_that_is_handed_in_is_asked() {
    let outside = outside().resolver(|host| match host {
        "a" => vec!["10.0.0.1".to_owned()],
        _ => Vec::new(),
    });
    let functions = qm_sprig::functions(&outside);
    let found = render_with(functions.clone(), r#"{{getHostByName "a"}}"#).unwrap();
    assert_eq!(found, "10.0.0.1");
    let error = render_with(functions, r#"{{getHostByName "b"}}"#).unwrap_err();
    assert!(
        error.ends_with("error calling getHostByName: invalid argument to Intn"),
        "{error}"
    );
}

#[test]
fn the_clock_is_the_one_handed_in() {
    let cases = [
        ("{{now}}", "2020-09-13 12:26:40.123456789 +0000 UTC"),
        ("{{now | unixEpoch}}", "1600000000"),
        (r#"{{date "2006-01-02" now}}"#, "2020-09-13"),
        (r#"{{date "15:04" "no time"}}"#, "12:26"),
        (r#"{{htmlDate nil}}"#, "2020-09-13"),
        ("{{ago 1599999940}}", "1m0s"),
        (r#"{{ago (toDate "2006-01-02" "2020-09-12")}}"#, "36h26m40s"),
        (
            r#"{{durationRound (toDate "2006-01-02" "2018-09-12")}}"#,
            "2y",
        ),
        (r#"{{(now.AddDate 0 1 -1).Format "Jan 2"}}"#, "Oct 12"),
        (
            "{{now.Weekday}} {{now.Month}} {{printf \"%d\" now.Month}} {{now.YearDay}}",
            "Sunday September 9 257",
        ),
    ];
    for (template, wanted) in cases {
        assert_eq!(render(template).unwrap(), wanted, "{template}");
    }
}

#[test]
fn local_is_the_zone_handed_in() {
    let outside = outside().local_zone("Europe/Berlin");
    let functions = qm_sprig::functions(&outside);
    let cases = [
        (
            r#"{{date "2006-01-02 15:04 MST -0700" 1600000000}}"#,
            "2020-09-13 14:26 CEST +0200",
        ),
        (
            r#"{{toDate "2006-01-02" "2020-01-01"}}"#,
            "2020-01-01 00:00:00 +0100 CET",
        ),
        (
            r#"{{toDate "2006-01-02 15:04" "2020-03-29 02:30"}}"#,
            "2020-03-29 03:30:00 +0200 CEST",
        ),
        (
            r#"{{toDate "2006-01-02 MST" "2020-07-01 CET"}}"#,
            "2020-07-01 01:00:00 +0200 CEST",
        ),
        (
            r#"{{dateInZone "15:04 MST" 1600000000 "UTC"}}"#,
            "12:26 UTC",
        ),
    ];
    for (template, wanted) in cases {
        let found = render_with(functions.clone(), template).unwrap();
        assert_eq!(found, wanted, "{template}");
    }
}
