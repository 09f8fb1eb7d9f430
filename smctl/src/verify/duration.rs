//! Durations as people type them: `500ms`, `30s`, `5m`.

use qm_conformance::Duration;

/// Reads a duration. A bare number counts seconds.
pub(crate) fn parse(text: &str) -> Result<Duration, String> {
    let split = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let scale = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("{text:?} is not a duration like 500ms, 30s or 5m")),
    };
    let number: f64 = number
        .parse()
        .map_err(|_| format!("{text:?} is not a duration like 500ms, 30s or 5m"))?;
    Duration::try_from_secs_f64(number * scale).map_err(|_| format!("{text:?} is too long"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_known() {
        assert_eq!(parse("500ms").unwrap(), Duration::from_millis(500));
        assert_eq!(parse("30").unwrap(), Duration::from_secs(30));
        assert_eq!(parse("1.5m").unwrap(), Duration::from_secs(90));
        assert!(parse("soon").is_err() && parse("3 days").is_err() && parse("").is_err());
    }
}
