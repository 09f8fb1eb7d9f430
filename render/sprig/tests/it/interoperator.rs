//! The interoperator's layer over sprig.

use crate::data::{functions, render_with};

fn render(template: &str) -> Result<String, String> {
    let mut functions = functions();
    functions.extend(&qm_sprig::interoperator());
    render_with(functions, template)
}

#[test]
fn the_overrides_win_over_sprig() {
    let cases = [
        (r#"{{b64enc "ä"}} {{b64dec "w6Q="}}"#, "w6Q= ä"),
        (
            r#"{{(unmarshalJSON "{\"a\":{\"b\":1000000}}").a.b}}"#,
            "1e+06",
        ),
        (
            r#"{{marshalJSON (dict "b" "<" "a" 1)}}"#,
            r#"{"a":1,"b":"\u003c"}"#,
        ),
        (r#"{{marshalJSON (unmarshalJSON "null")}}"#, "null"),
        (r#"{{toJson (list 1 "&")}}"#, r#"[1,"\u0026"]"#),
        (r#"{{(fromJson "{\"a\":1}").a}}"#, "1"),
        (
            r#"{{(fromJson "[1]").Error}}"#,
            "json: cannot unmarshal array into Go value of type map[string]interface {}",
        ),
        (
            r#"{{(fromJson "{").Error}}"#,
            "unexpected end of JSON input",
        ),
        (r#"{{fromJson "null"}}"#, "map[]"),
    ];
    for (template, wanted) in cases {
        assert_eq!(render(template).unwrap(), wanted, "{template}");
    }
}

#[test]
fn their_errors_end_the_rendering() {
    let cases = [
        (
            r#"{{b64dec "!"}}"#,
            "error calling b64dec: illegal base64 data at input byte 0",
        ),
        (
            r#"{{unmarshalJSON "[1]"}}"#,
            "error calling unmarshalJSON: json: cannot unmarshal array into Go value of type map[string]interface {}",
        ),
        (
            r#"{{unmarshalJSON "x"}}"#,
            "error calling unmarshalJSON: invalid character 'x' looking for beginning of value",
        ),
        (
            r#"{{marshalJSON (list 1)}}"#,
            "wrong type for value; expected map[string]interface {}; got []interface {}",
        ),
    ];
    for (template, wanted) in cases {
        let error = render(template).unwrap_err();
        assert!(error.ends_with(wanted), "{template}: {error}");
    }
}
