//! Functions and data that both sides have: here and in `render/oracle` (functions.go, data.go).

mod objects;

use std::sync::Arc;

use qm_gotemplate::{
    Failure, Function, Functions, JsonNumber, List, Map, Numbers, Signature, Str, Type, Value,
};

use objects::{Level, Names, Thing, Values, Version, Word};

/// The part of the data that comes from JSON; data.go has the same text.
const PLAIN: &str = r#"{
  "name": "demo", "empty": "", "uni": "héllo wörld ☃", "html": "<a href=\"x\">'&'</a>", "multi": "a\nb\tc",
  "zero": 0, "one": 1, "n": 42, "neg": -7, "big": 123456789, "huge": 1e21, "frac": 2.5, "tiny": 1e-7,
  "yes": true, "no": false, "nil": null,
  "list": [1, "two", 3.5, true, null], "strings": ["b", "a", "c"], "nums": [3, 1, 2], "nolist": [],
  "map": {"b": 2, "a": 1, "c": {"d": "deep", "list": [10, 20]}}, "nomap": {}, "mapnil": {"x": null},
  "users": [{"name": "ann", "age": 31, "tags": ["x", "y"]}, {"name": "bob", "age": 25, "tags": []}],
  "key": "a", "idx": 1
}"#;

pub(crate) fn data(numbers: Numbers) -> Value {
    let root = Value::from_json(&serde_json::from_str(PLAIN).unwrap(), numbers);
    let Value::Map(map) = &root else {
        unreachable!()
    };
    let nil = |of: Type| Value::NilOf(Arc::new(of));
    map.insert("i", 42_i64);
    map.insert("i8", -8_i8);
    map.insert("i16", 1600_i16);
    map.insert("i32", -32000_i32);
    map.insert("i64", Value::Int64(1 << 40));
    map.insert("u", Value::Uint(7));
    map.insert("u8", 200_u8);
    map.insert("u16", 65535_u16);
    map.insert("u32", 1_u32 << 31);
    map.insert("u64", u64::MAX);
    map.insert("f32", 0.1_f32);
    map.insert("inf", f64::NEG_INFINITY);
    map.insert("nan", f64::NAN);
    map.insert("cplx", Value::Complex(1.5, -2.0));
    map.insert("raw", Str::from_bytes(b"a\xffb".to_vec()));
    map.insert("strs", List::strings(["x", "y", "z"]));
    map.insert("ints", List::ints([5, 6, 7, 8]));
    map.insert("bytes", Value::Bytes(b"hi\0"[..].into()));
    map.insert(
        "ms",
        typed(Type::String, [("k", "v".into()), ("j", "w".into())]),
    );
    map.insert(
        "mi",
        typed(Type::Int, [("one", Value::Int(1)), ("two", Value::Int(2))]),
    );
    map.insert("ver", Value::object(Version(1, 2)));
    let vals = Map::from_iter([("a", Value::Int(1)), ("b", "x".into())]);
    map.insert("vals", Value::object(Values(vals)));
    map.insert("names", Value::object(Names(List::strings(["n1", "n2"]))));
    map.insert("level", Value::object(Level(4)));
    map.insert("word", Value::object(Word("wd".into())));
    map.insert("jnum", Value::object(JsonNumber("12.50".into())));
    map.insert("nilmap", nil(Type::dict()));
    map.insert("nilstrs", nil(Type::strings()));
    map.insert(
        "nilobj",
        nil(Type::named("*main.Thing", qm_gotemplate::Kind::Ptr)),
    );
    root
}

fn typed<const N: usize>(element: Type, entries: [(&str, Value); N]) -> Map {
    let map = Map::typed(element);
    for (key, value) in entries {
        map.insert(key, value);
    }
    map
}

fn double() -> Function {
    Function::new(
        "fn",
        Signature::new([Type::Int]).returns(Type::Int),
        |_, args| Ok(Value::Int(args.int(0).wrapping_mul(2))),
    )
}

fn join() -> Function {
    let signature = Signature::variadic([Type::String], Type::String);
    Function::new(
        "join",
        signature.returns(Type::String).fails(),
        |_, args| {
            let words: Vec<_> = args
                .rest(1)
                .iter()
                .map(|word| word.as_string().unwrap().to_text())
                .collect();
            Ok(words.join(&args.text(0)).into())
        },
    )
}

pub(crate) fn sum(values: &[Value]) -> i64 {
    values
        .iter()
        .filter_map(Value::as_signed)
        .fold(0, i64::wrapping_add)
}

pub(crate) fn functions() -> Functions {
    use Type::{Any, Bool, Float64, Int, Int8, Int64, String, Uint64};
    let mut f = Functions::new();
    let one = |of: Type| Signature::new([of]);
    f.add("upper", one(String).returns(String), |_, args| {
        Ok(args.text(0).to_uppercase().into())
    });
    f.add(
        "repeat",
        Signature::new([Int, String]).returns(String),
        |_, args| {
            let count = usize::try_from(args.int(0).clamp(0, 20)).unwrap();
            Ok(Str::from_bytes(args.str(1).as_bytes().repeat(count)).into())
        },
    );
    f.add(
        "add",
        Signature::variadic([], Int).returns(Int),
        |_, args| Ok(Value::Int(sum(args.all()))),
    );
    f.add(
        "add64",
        Signature::new([Int64, Int64]).returns(Int64),
        |_, args| Ok(Value::Int64(args.int(0).wrapping_add(args.int(1)))),
    );
    f.add("half", one(Float64).returns(Float64), |_, args| {
        Ok((args.float(0) / 2.0).into())
    });
    f.add(
        "both",
        Signature::new([Bool, Bool]).returns(Bool),
        |_, args| Ok((args.bool(0) && args.bool(1)).into()),
    );
    f.add("unsigned", one(Uint64).returns(Uint64), |_, mut args| {
        Ok(args.take(0))
    });
    f.add("small", one(Int8).returns(Int8), |_, mut args| {
        Ok(args.take(0))
    });
    f.add(
        "list",
        Signature::variadic([], Any).returns(Type::list()),
        |_, args| Ok(args.all().to_vec().into()),
    );
    f.add(
        "strs",
        Signature::variadic([], String).returns(Type::strings()),
        |_, args| Ok(List::typed(String, args.all().to_vec()).into()),
    );
    f.add("count", one(Type::dict()).returns(Int), |_, args| {
        Ok(args.map(0).len().into())
    });
    f.add("first", one(Type::list()), |_, args| {
        Ok(args.list(0).get(0).cloned().unwrap_or(Value::Nil))
    });
    f.add("same", one(Any), |_, mut args| Ok(args.take(0)));
    f.add("nothing", Signature::new([]), |_, _| Ok(Value::Nil));
    f.add("nomap", Signature::new([]).returns(Type::dict()), |_, _| {
        Ok(Value::NilOf(Arc::new(Type::dict())))
    });
    f.add("fail", one(String).returns(String).fails(), |_, args| {
        Err(Failure::new(args.text(0)))
    });
    // A panic in Go is an error there and here; the engine's own catching has its own test.
    f.add("panics", one(String).returns(String), |_, args| {
        Err(Failure::new(args.text(0)))
    });
    f.add(
        "adder",
        one(Int).returns(Type::Func(Arc::new(double().signature().clone()))),
        |_, args| {
            let a = args.int(0);
            let signature = Signature::new([Int]).returns(Int);
            let add = move |_: &mut qm_gotemplate::Context<'_>, args: qm_gotemplate::Args<'_>| {
                Ok(Value::Int(a.wrapping_add(args.int(0))))
            };
            Ok(Arc::new(Function::new("adder", signature, add)).into())
        },
    );
    f.add(
        "dict",
        Signature::variadic([], Any).returns(Type::dict()).fails(),
        |_, args| {
            if args.len() % 2 != 0 {
                return Err("odd number of arguments".into());
            }
            let map = Map::new();
            for pair in args.all().chunks(2) {
                let key = pair[0].as_string().ok_or("key is not a string")?;
                map.insert(key.clone(), pair[1].clone());
            }
            Ok(map.into())
        },
    );
    f.add(
        "set",
        Signature::new([Type::dict(), String, Any]).returns(Type::dict()),
        |_, mut args| {
            let Value::Map(map) = args.get(0).clone() else {
                return Err("assignment to entry in nil map".into());
            };
            map.insert(args.str(1).clone(), args.take(2));
            Ok(map.into())
        },
    );
    let thing = Type::named("*main.Thing", qm_gotemplate::Kind::Ptr);
    f.add("thing", Signature::new([]).returns(thing), |_, _| {
        Ok(Value::object(Thing {
            name: "made".into(),
            ..Thing::default()
        }))
    });
    f.add("fns", Signature::new([]).returns(Type::dict()), |_, _| {
        let map = Map::new();
        map.insert("fn", Arc::new(double()));
        map.insert("join", Arc::new(join()));
        map.insert("obj", Value::object(Thing::named("thing")));
        Ok(map.into())
    });
    let version = Type::named("main.Version", qm_gotemplate::Kind::Struct);
    f.add(
        "version",
        Signature::new([Int, Int]).returns(version),
        |_, args| Ok(Value::object(Version(args.int(0), args.int(1)))),
    );
    let values = Type::named("main.Values", qm_gotemplate::Kind::Map);
    f.add("values", one(Type::dict()).returns(values), |_, args| {
        Ok(Value::object(Values(args.map(0))))
    });
    f.add(
        "opt",
        Signature::variadic([String], Any).returns(Int),
        |_, args| Ok(args.rest(1).len().into()),
    );
    f
}
