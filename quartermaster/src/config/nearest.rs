//! The known word that somebody most likely meant. Asked for unknown keys and variables.

/// The nearest word, if one is near enough to be meant.
pub(crate) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .map(|other| (distance(word, other), other))
        .filter(|(distance, other)| *distance <= 1 + other.len().min(word.len()) / 3)
        .min()
        .map(|(_, other)| other)
}

/// How many letters must be changed, added or removed to get from one to the other (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let changed = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_typing_error_is_understood_and_another_word_is_not() {
        let known = ["listen", "public_url", "request_timeout"];
        assert_eq!(nearest("lisen", known), Some("listen"));
        assert_eq!(nearest("request_time_out", known), Some("request_timeout"));
        assert_eq!(nearest("colour", known), None);
    }
}
