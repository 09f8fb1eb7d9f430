//! Decimal numbers of any size: an integer and a power of ten. Made from the shortest digits of a
//! float; a quotient has 16 places behind the point.

use std::ops::{Add, Mul, Sub};

use num_bigint::{BigInt, Sign};
use qm_gotemplate::Failure;

const PLACES: i64 = 16;

#[derive(Debug, Clone)]
pub(super) struct Decimal {
    digits: BigInt,
    exponent: i64,
}

impl Decimal {
    pub(super) const ZERO: Self = Self {
        digits: BigInt::ZERO,
        exponent: 0,
    };

    /// The shortest decimal number that is this float.
    pub(super) fn new(x: f64) -> Result<Self, Failure> {
        if !x.is_finite() {
            let shown = if x.is_nan() {
                "NaN"
            } else if x > 0.0 {
                "+Inf"
            } else {
                "-Inf"
            };
            return Err(format!("Cannot create a Decimal from {shown}").into());
        }
        let text = format!("{x:e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let exponent: i64 = exponent.parse().unwrap_or(0);
        Ok(Self {
            digits: format!("{whole}{fraction}").parse().unwrap_or(BigInt::ZERO),
            exponent: exponent - i64::try_from(fraction.len()).unwrap_or(0),
        })
    }

    /// Rounded half away from zero.
    pub(super) fn divided_by(&self, other: &Self) -> Result<Self, Failure> {
        if other.digits.sign() == Sign::NoSign {
            return Err("decimal division by 0".into());
        }
        let shift = self.exponent - other.exponent + PLACES;
        let (above, below) = if shift < 0 {
            (self.digits.clone(), &other.digits * ten_to(-shift))
        } else {
            (&self.digits * ten_to(shift), other.digits.clone())
        };
        let mut quotient = &above / &below;
        let rest = &above - &quotient * &below;
        if rest.magnitude() * 2_u32 >= *below.magnitude() {
            let negative = (above.sign() == Sign::Minus) != (below.sign() == Sign::Minus);
            quotient += if negative { -1 } else { 1 };
        }
        Ok(Self {
            digits: quotient,
            exponent: -PLACES,
        })
    }

    /// The nearest float.
    pub(super) fn to_float(&self) -> f64 {
        let text = format!("{}e{}", self.digits, self.exponent);
        text.parse().unwrap_or(f64::NAN)
    }

    /// Both with the smaller exponent.
    fn aligned(self, other: Self) -> (BigInt, BigInt, i64) {
        let exponent = self.exponent.min(other.exponent);
        let scaled = |number: Self| match number.exponent - exponent {
            0 => number.digits,
            shift => number.digits * ten_to(shift),
        };
        (scaled(self), scaled(other), exponent)
    }
}

fn ten_to(exponent: i64) -> BigInt {
    BigInt::from(10).pow(u32::try_from(exponent).unwrap_or(0))
}

impl Add for Decimal {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let (left, right, exponent) = self.aligned(other);
        Self {
            digits: left + right,
            exponent,
        }
    }
}

impl Sub for Decimal {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        let (left, right, exponent) = self.aligned(other);
        Self {
            digits: left - right,
            exponent,
        }
    }
}

impl Mul for Decimal {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self {
            digits: self.digits * other.digits,
            exponent: self.exponent + other.exponent,
        }
    }
}
