//! Nothing that a template asks for may take the memory or the stack.

use std::sync::Arc;

use qm_gotemplate::{Error, Limits, TemplateSet};

use crate::data::{data, functions};

fn outcome(template: &str) -> Error {
    let mut set = TemplateSet::new(Arc::new(functions()));
    set.parse("t", template).unwrap();
    let limits = Limits {
        value_bytes: 1 << 20,
        memory_bytes: 8 << 20,
        ..Limits::default()
    };
    let mut out = Vec::new();
    set.run("t")
        .data(data())
        .limits(limits)
        .write(&mut out)
        .unwrap_err()
}

#[test]
fn hostile_calls_end_with_a_limit() {
    let templates = [
        r#"{{repeat 1000000000 "abc"}}"#,
        "{{until 1000000000}}",
        "{{untilStep 0 9223372036854775807 1}}",
        "{{seq 1 1000000000}}",
        r#"{{indent 1000000000 "x"}}"#,
        "{{randAlphaNum 1000000000}}",
        "{{randBytes 1000000000}}",
        r#"{{$x := repeat 1000 "a\n"}}{{indent 100000 $x}}"#,
        r#"{{$x := repeat 100000 "a"}}{{replace "a" $x $x}}"#,
        r#"{{$x := repeat 100000 "a"}}{{regexReplaceAll "a" $x $x}}"#,
        r#"{{$x := repeat 100000 "a"}}{{wrapWith 1 $x $x}}"#,
        r#"{{$d := dict}}{{$_ := set $d "d" $d}}{{toJson $d}}"#,
        r#"{{$d := dict}}{{$_ := set $d "d" $d}}{{deepCopy $d}}"#,
        r#"{{$d := dict}}{{$_ := set $d "d" $d}}{{$e := dict}}{{$_ := set $e "d" $e}}{{deepEqual $d $e}}"#,
        r#"{{$d := dict}}{{$_ := set $d "d" $d}}{{$e := dict}}{{$_ := set $e "d" $e}}{{merge $d $e}}"#,
        r#"{{fromJson (repeat 100000 "[")}}"#,
    ];
    for template in templates {
        let error = outcome(template);
        assert!(
            matches!(error, Error::Limit { .. }),
            "{template}: {error:?}"
        );
    }
}
