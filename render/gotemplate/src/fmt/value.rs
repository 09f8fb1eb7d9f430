//! Any value under any verb: scalars go to their files, containers print what they hold.

use super::{MAX_DEPTH, Printer};
use crate::types::Kind;
use crate::value::{Object, Value};

/// What stands for an address; Go prints a real one.
const ADDRESS: u64 = 0xc0_0000_0000;

impl Printer<'_> {
    /// An argument of a directive.
    pub(super) fn argument(&mut self, value: &Value, verb: char) {
        match (value, verb) {
            // By far the most usual.
            (Value::String(text), 'v') if !self.spec.syntax => self.plain(text.as_bytes()),
            (Value::Missing | Value::Nil, 'T' | 'v') => self.pad(b"<nil>"),
            (Value::Missing | Value::Nil, _) => self.complain(verb, value),
            (_, 'T') => {
                let name = value.type_of().map(|kind| kind.to_string());
                self.plain(name.unwrap_or_default().as_bytes());
            }
            (_, 'p') => self.pointer(value, 'p'),
            (Value::Bytes(bytes), _) if self.byte_list(bytes, verb, "[]byte") => {}
            _ => self.nested(value, verb, 0),
        }
    }

    /// A value inside another, or a whole argument at depth 0.
    fn nested(&mut self, value: &Value, verb: char, depth: u32) {
        if self.failure.is_some() {
            return;
        }
        if depth > MAX_DEPTH {
            self.too_deep();
            return;
        }
        let syntax = self.spec.syntax;
        match value {
            Value::Missing | Value::Nil if syntax => self.put(b"interface {}(nil)"),
            Value::Missing | Value::Nil => self.put(b"<nil>"),
            // `%w` belongs to errors only; Go says so for the whole container.
            Value::List(_) | Value::Map(_) | Value::NilOf(_) | Value::Func(_) | Value::Bytes(_)
                if verb == 'w'
                    && !self.complaining
                    && !(depth == 0 && matches!(value, Value::Bytes(_))) =>
            {
                self.complain(verb, value);
            }
            Value::Object(object) => self.object(&**object, value, verb, depth),
            Value::NilOf(of) => match of.kind() {
                Kind::Map | Kind::Slice if syntax => {
                    self.put(of.to_string().as_bytes());
                    self.put(b"(nil)");
                }
                Kind::Map => self.put(b"map[]"),
                Kind::Slice => self.put(b"[]"),
                _ => self.pointer(value, verb),
            },
            Value::Func(_) => self.pointer(value, verb),
            Value::Bytes(bytes) => {
                if !matches!(verb, 's' | 'q' | 'x' | 'X') || !self.byte_list(bytes, verb, "[]uint8")
                {
                    let items: Vec<Value> = bytes.iter().map(|byte| Value::Uint8(*byte)).collect();
                    self.list(&items, "[]uint8", verb, depth);
                }
            }
            Value::List(list) => {
                let name = if syntax {
                    format!("[]{}", list.element())
                } else {
                    String::new()
                };
                self.list(list.as_slice(), &name, verb, depth);
            }
            Value::Map(map) => {
                let name = if syntax {
                    format!("map[string]{}", map.element())
                } else {
                    String::new()
                };
                self.map(map, &name, verb, depth);
            }
            scalar => self.scalar(scalar, verb, value),
        }
    }

    fn scalar(&mut self, value: &Value, verb: char, shown: &Value) {
        match value {
            Value::Bool(x) if matches!(verb, 't' | 'v') => {
                self.pad(if *x { b"true" } else { b"false" });
            }
            Value::Float32(x) => self.float(f64::from(*x), true, verb, shown),
            Value::Float64(x) => self.float(*x, false, verb, shown),
            Value::Complex(re, im) => self.complex(*re, *im, verb, shown),
            Value::String(text) => self.string(text.as_bytes(), verb, shown),
            number => match (number.as_signed(), number.as_unsigned()) {
                (Some(n), _) => self.integer(n.unsigned_abs(), n < 0, true, verb, shown),
                (_, Some(n)) => self.integer(n, false, false, verb, shown),
                _ => self.complain(verb, shown),
            },
        }
    }

    fn list(&mut self, items: &[Value], name: &str, verb: char, depth: u32) {
        let (open, between, close): (&[u8], &[u8], &[u8]) = match self.spec.syntax {
            true => (b"{", b", ", b"}"),
            false => (b"[", b" ", b"]"),
        };
        if self.spec.syntax {
            self.put(name.as_bytes());
        }
        self.put(open);
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.put(between);
            }
            self.nested(item, verb, depth + 1);
        }
        self.put(close);
    }

    fn map(&mut self, map: &crate::value::Map, name: &str, verb: char, depth: u32) {
        let syntax = self.spec.syntax;
        if syntax {
            self.put(name.as_bytes());
            self.put(b"{");
        } else {
            self.put(b"map[");
        }
        for (index, (key, value)) in map.entries().into_iter().enumerate() {
            if index > 0 {
                self.put(if syntax { b", " } else { b" " });
            }
            self.nested(&Value::String(key), verb, depth + 1);
            self.put(b":");
            self.nested(&value, verb, depth + 1);
        }
        self.put(if syntax { b"}" } else { b"]" });
    }

    fn object(&mut self, object: &dyn Object, value: &Value, verb: char, depth: u32) {
        if !self.complaining {
            if verb == 'w' {
                self.complain(verb, value);
                return;
            }
            if !self.spec.syntax
                && matches!(verb, 'v' | 's' | 'x' | 'X' | 'q')
                && let Some(text) = object.text()
            {
                self.string(text.as_bytes(), verb, value);
                return;
            }
        }
        let name = object.type_name();
        match object.kind() {
            Kind::Struct => self.fields(object, &name, verb, depth),
            Kind::Ptr if depth == 0 => {
                self.put(b"&");
                self.fields(object, name.trim_start_matches('*'), verb, depth + 1);
            }
            Kind::Ptr | Kind::Func => self.pointer(value, verb),
            _ => match object.underlying() {
                Some(Value::List(list)) => self.list(list.as_slice(), &name, verb, depth),
                Some(Value::Map(map)) => self.map(&map, &name, verb, depth),
                Some(plain) => self.scalar(&plain, verb, value),
                None => self.fields(object, &name, verb, depth),
            },
        }
    }

    /// What an object points to.
    pub(super) fn pointee(&mut self, object: &dyn Object) {
        self.fields(object, object.type_name().trim_start_matches('*'), 'v', 0);
    }

    fn fields(&mut self, object: &dyn Object, name: &str, verb: char, depth: u32) {
        let syntax = self.spec.syntax;
        if syntax {
            self.put(name.as_bytes());
        }
        self.put(b"{");
        for (index, (name, value)) in object.fields().into_iter().enumerate() {
            if index > 0 {
                self.put(if syntax { b", " } else { b" " });
            }
            if syntax || self.spec.names {
                self.put(name.as_bytes());
                self.put(b":");
            }
            self.nested(&value, verb, depth + 1);
        }
        self.put(b"}");
    }

    fn pointer(&mut self, value: &Value, verb: char) {
        let address = match value {
            Value::NilOf(_) => 0,
            _ => ADDRESS,
        };
        let can = matches!(
            value.kind(),
            Kind::Func | Kind::Map | Kind::Ptr | Kind::Slice
        );
        match verb {
            _ if !can => self.complain(verb, value),
            'v' if self.spec.syntax => {
                let name = value.type_of().map(|kind| kind.to_string());
                let name = name.unwrap_or_default();
                self.put(format!("({name})(").as_bytes());
                if address == 0 {
                    self.put(b"nil");
                } else {
                    self.hex(address);
                }
                self.put(b")");
            }
            'v' if address == 0 => self.pad(b"<nil>"),
            'v' | 'p' => {
                let sharp = self.spec.sharp;
                self.spec.sharp = !sharp;
                self.number(address, false, 16, 'v');
                self.spec.sharp = sharp;
            }
            'b' | 'o' | 'd' | 'x' | 'X' => self.integer(address, false, false, verb, value),
            _ => self.complain(verb, value),
        }
    }

    /// `%!verb(type=value)`: the verb does not fit the value.
    #[cold]
    pub(super) fn complain(&mut self, verb: char, value: &Value) {
        let before = std::mem::replace(&mut self.complaining, true);
        self.put(b"%!");
        self.put_char(verb);
        self.put(b"(");
        match value.type_of() {
            None => self.put(b"<nil>"),
            Some(kind) => {
                self.put(kind.to_string().as_bytes());
                self.put(b"=");
                self.argument(value, 'v');
            }
        }
        self.put(b")");
        self.complaining = before;
    }
}
