//! What a function takes and returns. Printed as Go prints the type of a function.

use std::fmt;

use crate::types::Type;

/// Parameters and result of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    params: Vec<Type>,
    rest: Option<Type>,
    result: Type,
    fails: bool,
}

impl Signature {
    /// Takes exactly these; returns `interface {}` unless [`returns`](Self::returns) says otherwise.
    #[must_use]
    pub fn new<const N: usize>(params: [Type; N]) -> Self {
        Self {
            params: params.into(),
            rest: None,
            result: Type::Any,
            fails: false,
        }
    }

    /// Takes these, then any number of `rest`.
    #[must_use]
    pub fn variadic<const N: usize>(params: [Type; N], rest: Type) -> Self {
        Self {
            rest: Some(rest),
            ..Self::new(params)
        }
    }

    /// The type of the result. A result of type `Any` is an `interface {}` to Go, which shows in
    /// few error texts only.
    #[must_use]
    pub fn returns(mut self, result: Type) -> Self {
        self.result = result;
        self
    }

    /// Go's function also returns an `error`; shows in the printed type only.
    #[must_use]
    pub fn fails(mut self) -> Self {
        self.fails = true;
        self
    }

    /// The parameters before the variadic one.
    #[must_use]
    pub fn params(&self) -> &[Type] {
        &self.params
    }

    /// The type of each further argument, when it is variadic.
    #[must_use]
    pub fn rest(&self) -> Option<&Type> {
        self.rest.as_ref()
    }

    /// The type of the result.
    #[must_use]
    pub fn result(&self) -> &Type {
        &self.result
    }

    /// The type of argument `index`.
    pub(crate) fn param(&self, index: usize) -> Option<&Type> {
        self.params.get(index).or(self.rest.as_ref())
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("func(")?;
        for (index, param) in self.params.iter().enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            write!(f, "{comma}{param}")?;
        }
        if let Some(rest) = &self.rest {
            let comma = if self.params.is_empty() { "" } else { ", " };
            write!(f, "{comma}...{rest}")?;
        }
        let result = &self.result;
        if self.fails {
            write!(f, ") ({result}, error)")
        } else {
            write!(f, ") {result}")
        }
    }
}
