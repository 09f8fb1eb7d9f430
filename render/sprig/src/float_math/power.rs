//! Powers of ten as Go's `math.Pow` gives them. It multiplies fractions between one half and one and
//! keeps the power of two apart, so the last bit of large powers is its own.

/// `math.Pow(10, places)`.
pub(super) fn ten_to(places: i64) -> f64 {
    let mut left = places.unsigned_abs();
    let (mut result, mut result_exponent) = (1.0_f64, 0_i64);
    // Ten is 0.625 times two to the fourth.
    let (mut square, mut exponent) = (0.625_f64, 4_i64);
    while left != 0 {
        if exponent > 1 << 12 {
            result_exponent += exponent;
            break;
        }
        if left & 1 == 1 {
            result *= square;
            result_exponent += exponent;
        }
        square *= square;
        exponent <<= 1;
        if square < 0.5 {
            square += square;
            exponent -= 1;
        }
        left >>= 1;
    }
    if places < 0 {
        result = 1.0 / result;
        result_exponent = -result_exponent;
    }
    let exponent = i32::try_from(result_exponent.clamp(-5000, 5000)).unwrap_or(0);
    let half = exponent / 2;
    result * 2f64.powi(half) * 2f64.powi(exponent - half)
}
