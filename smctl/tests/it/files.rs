//! `apply`, `diff`, `delete -f` and `export`.

use crate::lab::Lab;

#[tokio::test(flavor = "multi_thread")]
async fn applying_twice_changes_nothing_the_second_time() {
    let lab = Lab::new().await;
    let file = lab.folder.path().join("all.yaml");
    let text = format!(
        "kind: binding\ninstance: mydb\nname: app\n---\nkind: broker\nname: tokens\nurl: {}\ncredentials: {{basic: {{username: u, password: \"${{LAB_PASSWORD}}\"}}}}\n---\n\
         kind: platform\nname: k8s\ntype: kubernetes\nlabels: {{env: dev}}\n---\nkind: visibility\nplan: token/instant\n---\n\
         kind: instance\nname: mydb\nplan: token/instant\nlabels: {{team: [a, b]}}\n",
        lab.broker.url()
    );
    std::fs::write(&file, &text).unwrap();
    let file = file.display().to_string();
    let apply = |words: &[&str]| {
        let output = lab
            .smctl()
            .env("LAB_PASSWORD", "p")
            .args(words)
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout.clone()).unwrap();
        (
            output.status.code().unwrap(),
            text,
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (code, said, error) = apply(&["apply", "-f", &file, "--dry-run"]);
    assert_eq!(
        (code, said.lines().last()),
        (
            0,
            Some("5 would be made, 0 would be changed, 0 as they should be")
        ),
        "{error}"
    );
    let (code, said, error) = apply(&["apply", "-f", &file]);
    assert_eq!(
        (code, said.lines().last()),
        (0, Some("5 made, 0 changed, 0 as they should be")),
        "{said}{error}"
    );
    let (code, said, error) = apply(&["apply", "-f", &file]);
    assert_eq!(
        (code, said.lines().last()),
        (0, Some("0 made, 0 changed, 5 as they should be")),
        "{said}{error}"
    );
    assert_eq!(apply(&["diff", "-f", &file]).0, 0);

    std::fs::write(
        &file,
        text.replace("env: dev", "env: qa").replace("[a, b]", "[a]"),
    )
    .unwrap();
    let (code, said, _) = apply(&["diff", "-f", &file]);
    assert_eq!(code, 1);
    assert!(
        said.contains("~ platform k8s\n    labels: env=dev -> env=qa"),
        "{said}"
    );
    let (code, said, error) = apply(&["apply", "-f", &file]);
    assert_eq!(
        (code, said.lines().last()),
        (0, Some("0 made, 2 changed, 3 as they should be")),
        "{said}{error}"
    );

    let exported = lab.done(&["export"]);
    assert!(
        exported.contains("kind: instance\nname: mydb\nplan: token/instant\n"),
        "{exported}"
    );
    let (code, said, error) = apply(&["delete", "-f", &file, "--yes"]);
    assert_eq!(code, 0, "{said}{error}");
    assert_eq!(
        lab.json(&["instance", "list", "-o", "json"])["items"]
            .as_array()
            .unwrap()
            .len(),
        0
    );
    assert_eq!(
        lab.json(&["broker", "list", "-o", "json"])["items"]
            .as_array()
            .unwrap()
            .len(),
        0
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_makes_no_sense_is_refused_before_anything_is_done() {
    let lab = Lab::new().await;
    for (text, wanted) in [
        ("kind: nonsense\nname: x\n", "no kind that is known"),
        ("kind: platform\nname: x\n", "a platform has no type"),
        (
            "kind: platform\nname: x\ntype: k\nsecret: y\n",
            "a platform has no secret",
        ),
        (
            "kind: platform\nname: ${NOT_SET_ANYWHERE}\ntype: k\n",
            "NOT_SET_ANYWHERE is not set",
        ),
        ("kind: [\n", "is no YAML"),
    ] {
        let file = lab.folder.path().join("bad.yaml");
        std::fs::write(&file, text).unwrap();
        let (error, code) = lab.fails(&["apply", "-f", &file.display().to_string()]);
        assert_eq!(code, 2, "{error}");
        assert!(error.contains(wanted), "{error}");
    }
}
