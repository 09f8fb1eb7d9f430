//! Parameters to and rows from PostgreSQL. [`Session`](super::session::Session) uses it.
//!
//! The rule that keeps it right: the server says what type it wants or gives, and a value that
//! does not fit is refused with the kinds named, never its content. Types beyond the common ones
//! (`numeric`, `timestamptz`) have no equal on SQLite: cast them in the statement.

use std::error::Error as StdError;

use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};

use crate::error::Error;
use crate::row::Row;
use crate::value::{Value, ValueRef};

type Refusal = Box<dyn StdError + Sync + Send>;

impl ToSql for ValueRef<'_> {
    fn to_sql(&self, ty: &Type, out: &mut BytesMut) -> Result<IsNull, Refusal> {
        match *self {
            Self::Null => return Ok(IsNull::Yes),
            Self::Int(n) if *ty == Type::INT8 => out.extend_from_slice(&n.to_be_bytes()),
            Self::Int(n) if *ty == Type::INT4 => {
                out.extend_from_slice(&i32::try_from(n)?.to_be_bytes());
            }
            Self::Int(n) if *ty == Type::INT2 => {
                out.extend_from_slice(&i16::try_from(n)?.to_be_bytes());
            }
            #[expect(clippy::cast_precision_loss, reason = "the column holds real numbers")]
            Self::Int(n) if *ty == Type::FLOAT8 => out.extend_from_slice(&(n as f64).to_be_bytes()),
            Self::Bool(b) if *ty == Type::BOOL => out.extend_from_slice(&[u8::from(b)]),
            Self::Real(x) if *ty == Type::FLOAT8 => out.extend_from_slice(&x.to_be_bytes()),
            #[expect(clippy::cast_possible_truncation, reason = "the column is that narrow")]
            Self::Real(x) if *ty == Type::FLOAT4 => {
                out.extend_from_slice(&(x as f32).to_be_bytes());
            }
            Self::Text(text) if *ty == Type::JSON => out.extend_from_slice(text.as_bytes()),
            Self::Text(text) if *ty == Type::JSONB => {
                out.extend_from_slice(&[1]);
                out.extend_from_slice(text.as_bytes());
            }
            Self::Text(text) if <&str as ToSql>::accepts(ty) => return text.to_sql(ty, out),
            Self::Blob(bytes) if *ty == Type::BYTEA => out.extend_from_slice(bytes),
            other => return Err(format!("{} given where {ty} is wanted", other.kind()).into()),
        }
        Ok(IsNull::No)
    }

    /// Which types fit depends on the value, so this is decided in `to_sql`.
    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

pub(crate) fn row(row: &tokio_postgres::Row) -> Result<Row, Error> {
    let mut cells = Vec::with_capacity(row.len());
    for index in 0..row.len() {
        let cell = row
            .try_get::<_, Option<Cell>>(index)
            .map_err(|_| Error::Column {
                index,
                wanted: "a type that both engines have",
                found: "another (cast it in the statement)",
            })?;
        cells.push(cell.map_or(Value::Null, |cell| cell.0));
    }
    Ok(Row::new(cells))
}

/// A value of any type that we read.
struct Cell(Value);

impl<'a> FromSql<'a> for Cell {
    fn from_sql(ty: &Type, raw: &'a [u8]) -> Result<Self, Refusal> {
        Ok(Self(match *ty {
            Type::INT8 => Value::Int(i64::from_be_bytes(raw.try_into()?)),
            Type::INT4 => Value::Int(i32::from_be_bytes(raw.try_into()?).into()),
            Type::INT2 => Value::Int(i16::from_be_bytes(raw.try_into()?).into()),
            Type::OID => Value::Int(u32::from_be_bytes(raw.try_into()?).into()),
            Type::BOOL => Value::Bool(raw.first().is_some_and(|byte| *byte != 0)),
            Type::FLOAT8 => Value::Real(f64::from_be_bytes(raw.try_into()?)),
            Type::FLOAT4 => Value::Real(f32::from_be_bytes(raw.try_into()?).into()),
            Type::BYTEA => Value::Blob(raw.to_vec()),
            Type::JSON => Value::Text(str::from_utf8(raw)?.to_owned()),
            // One byte of version before the text.
            Type::JSONB => {
                Value::Text(str::from_utf8(raw.get(1..).unwrap_or_default())?.to_owned())
            }
            Type::VOID => Value::Null,
            _ => Value::Text(<&str>::from_sql(ty, raw)?.to_owned()),
        }))
    }

    fn accepts(ty: &Type) -> bool {
        const OURS: [Type; 11] = [
            Type::INT8,
            Type::INT4,
            Type::INT2,
            Type::OID,
            Type::BOOL,
            Type::FLOAT8,
            Type::FLOAT4,
            Type::BYTEA,
            Type::JSON,
            Type::JSONB,
            Type::VOID,
        ];
        OURS.contains(ty) || <&str as FromSql>::accepts(ty)
    }
}
