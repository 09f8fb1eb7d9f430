//! Hostile templates end with an error, on a stack of 2 MiB and within the memory allowed.

use std::sync::Arc;

use qm_gotemplate::{
    Error, Functions, Limit, Limits, List, Map, Signature, TemplateSet, Type, Value,
};

/// What a worker thread of a server has.
const STACK: usize = 2 << 20;

fn on_a_small_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        thread.spawn_scoped(scope, work).unwrap().join().unwrap()
    })
}

fn functions() -> Functions {
    let mut functions = Functions::new();
    functions.add(
        "include",
        Signature::new([Type::String, Type::Any]),
        |context, mut args| {
            let data = args.take(1);
            context.render(&args.text(0), data).map(Value::String)
        },
    );
    functions.add("list", Signature::variadic([], Type::Any), |_, args| {
        Ok(args.all().to_vec().into())
    });
    functions.add("dict", Signature::new([]), |_, _| Ok(Map::new().into()));
    functions.add(
        "set",
        Signature::new([Type::dict(), Type::String, Type::Any]),
        |_, mut args| {
            let map = args.map(0);
            map.insert(args.str(1).clone(), args.take(2));
            Ok(map.into())
        },
    );
    functions.add("boom", Signature::new([]), |_, _| {
        panic!("the function is broken")
    });
    functions
}

fn render(text: &str) -> Result<String, Error> {
    render_within(text, Limits::default())
}

fn render_within(text: &str, limits: Limits) -> Result<String, Error> {
    on_a_small_stack(|| {
        let mut set = TemplateSet::new(Arc::new(functions())).limits(limits);
        set.parse("t", text)?;
        set.execute("t", Value::Missing)
    })
}

/// Small enough that an unoptimised build gets there soon.
const SMALL: Limits = Limits {
    depth: 200,
    calls: 100_000,
    steps: 100_000,
    output_bytes: 1 << 20,
    value_bytes: 1 << 20,
    memory_bytes: 4 << 20,
};

fn limit_of(text: &str) -> Limit {
    match render_within(text, SMALL) {
        Err(Error::Limit { limit, .. }) => limit,
        Err(other) => panic!("{other}"),
        Ok(text) => panic!("it gave {} bytes", text.len()),
    }
}

#[test]
fn nested_parentheses_are_refused_when_parsed() {
    let text = format!("{{{{{}1{}}}}}", "(".repeat(200_000), ")".repeat(200_000));
    assert_eq!(
        render(&text).unwrap_err().to_string(),
        "template: t:1: max expression depth exceeded"
    );
    let deepest = format!("{{{{{}1{}}}}}", "(".repeat(190), ")".repeat(190));
    assert_eq!(render(&deepest).unwrap(), "1");
    let calls = format!("{{{{{}1{}}}}}", "(print ".repeat(190), ")".repeat(190));
    assert_eq!(render(&calls).unwrap(), "1");
}

#[test]
fn nested_blocks_need_no_stack() {
    let text = format!(
        "{}x{}",
        "{{if true}}".repeat(50_000),
        "{{end}}".repeat(50_000)
    );
    assert_eq!(render(&text).unwrap(), "x");
    let chain = format!(
        "{{{{if false}}}}{}y{{{{end}}}}",
        "{{else if true}}".repeat(50_000)
    );
    assert_eq!(render(&chain).unwrap(), "");
    let open = "{{range .}}".repeat(50_000);
    assert_eq!(
        render(&open).unwrap_err().to_string(),
        "template: t:1: unexpected EOF"
    );
}

#[test]
fn long_loops_end() {
    assert_eq!(limit_of("{{range 1000000000}}{{end}}"), Limit::Steps);
    assert_eq!(
        limit_of("{{range 100000}}{{range 100000}}{{end}}{{end}}"),
        Limit::Steps
    );
    let text =
        "{{range 1000000000}}{{print \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"}}{{end}}";
    assert_eq!(limit_of(text), Limit::Output);
}

#[test]
fn growing_strings_end() {
    let doubling = format!(
        "{{{{$x := \"0123456789\"}}}}{}",
        "{{$x = print $x $x}}".repeat(40)
    );
    assert_eq!(limit_of(&doubling), Limit::Value);
    let wide = format!("{{{{printf \"{}\" 1}}}}", "%1000000[1]d".repeat(20));
    assert_eq!(limit_of(&wide), Limit::Value);
    let many = "{{$d := dict}}{{range $i := 1000000}}{{$_ := set $d (print $i) (printf \"%100000d\" $i)}}{{end}}";
    assert_eq!(limit_of(many), Limit::Memory);
}

#[test]
fn recursion_ends() {
    let text = "{{define \"r\"}}{{if true}}{{with 1}}{{range 1}}{{template \"r\" .}}{{end}}{{end}}{{end}}{{end}}{{template \"r\"}}";
    let error = render(text).unwrap_err();
    assert_eq!(
        error.to_string(),
        "template: t:1:57: executing \"r\" at <{{template \"r\" .}}>: exceeded maximum template depth (100000)"
    );
    assert!(matches!(
        error,
        Error::Limit {
            limit: Limit::Calls,
            ..
        }
    ));
    let inside = "{{define \"r\"}}{{include \"r\" .}}{{end}}{{include \"r\" .}}";
    assert_eq!(limit_of(inside), Limit::Depth);
    let both = format!(
        "{{{{define \"r\"}}}}{{{{{}(include \"r\" .){}}}}}{{{{end}}}}{{{{template \"r\"}}}}",
        "(print ".repeat(50),
        ")".repeat(50)
    );
    assert_eq!(limit_of(&both), Limit::Depth);
}

#[test]
fn deeply_nested_values_can_be_made_and_dropped() {
    let lists = "{{$x := list}}{{range 30000}}{{$x = list $x}}{{end}}ok";
    assert_eq!(render(lists).unwrap(), "ok");
    let maps = "{{$x := dict}}{{range 30000}}{{$x = set (dict) \"a\" $x}}{{end}}ok";
    assert_eq!(render(maps).unwrap(), "ok");
    assert_eq!(
        limit_of(&format!("{}{{{{$x}}}}", &lists[..lists.len() - 2])),
        Limit::Depth
    );
    assert_eq!(
        limit_of("{{$d := dict}}{{$_ := set $d \"d\" $d}}{{$d}}"),
        Limit::Depth
    );
}

#[test]
fn time_is_asked_for() {
    let mut set = TemplateSet::new(Arc::new(functions()));
    set.parse("t", "{{range 1000000}}{{end}}").unwrap();
    let error = set.run("t").stop_when(|| true).text().unwrap_err();
    assert!(
        matches!(
            error,
            Error::Limit {
                limit: Limit::Deadline,
                ..
            }
        ),
        "{error}"
    );
    set.parse("t", "short").unwrap();
    assert_eq!(set.run("t").stop_when(|| true).text().unwrap(), "short");
}

#[test]
fn a_panic_becomes_an_error() {
    assert_eq!(
        render("{{boom}}").unwrap_err().to_string(),
        "template: t:1:2: executing \"t\" at <boom>: error calling boom: the function is broken"
    );
}

#[test]
fn limits_can_be_raised_and_lowered() {
    let text = format!("{{{{{}1{}}}}}", "(".repeat(20), ")".repeat(20));
    let few = Limits {
        depth: 10,
        ..Limits::default()
    };
    assert!(render_within(&text, few).is_err());
    let short = Limits {
        output_bytes: 3,
        ..Limits::default()
    };
    assert_eq!(render_within("abc", short).unwrap(), "abc");
    assert!(matches!(
        render_within("{{print \"ab\" \"cd\"}}", short),
        Err(Error::Limit {
            limit: Limit::Output,
            ..
        })
    ));
    assert!(matches!(
        render_within("{{list 1 2 3}}", short),
        Err(Error::Limit {
            limit: Limit::Output,
            ..
        })
    ));
}

#[test]
fn one_set_serves_many_threads() {
    let mut set = TemplateSet::new(Arc::new(functions()));
    set.parse("t", "{{range .}}{{.}},{{end}}").unwrap();
    let data = Value::List(List::ints(0..100));
    let wanted = set.execute("t", data.clone()).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..100 {
                    assert_eq!(set.execute("t", data.clone()).unwrap(), wanted);
                }
            });
        }
    });
}
