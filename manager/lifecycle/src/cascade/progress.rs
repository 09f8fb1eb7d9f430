//! How far a cascade is, in words, and how much of it may be under way at once. Pure.

use qm_store::operation::family::Tally;

/// More children than these are not under way at once, however slow their brokers are.
const MOST_OPEN: u64 = 1_000;

/// How many more children a node may begin. What the broker has accepted or what waits to be tried again costs little
/// and does not count; what is being sent does, over the whole tree.
pub(super) fn room(at_once: usize, tree: &Tally, mine: &Tally) -> usize {
    let at_once = u64::try_from(at_once).unwrap_or(u64::MAX);
    let sent = at_once.saturating_sub(tree.calling);
    let nodes = at_once.saturating_sub(mine.cascading);
    let open = MOST_OPEN.saturating_sub(mine.open);
    usize::try_from(sent.min(nodes).min(open)).unwrap_or(usize::MAX)
}

/// What people read at the root: `120 of 10,000 gone, 3 failed`.
pub(super) fn words(tally: &Tally, living: u64) -> String {
    let Tally { gone, failed, .. } = *tally;
    let all = grouped(gone + living);
    let mut words = format!("{} of {all} gone", grouped(gone));
    if failed > 0 {
        words.push_str(&format!(", {} failed", grouped(failed)));
    }
    words
}

/// Which tenth of it is done; a step of the operation's story is written when that grows.
pub(super) fn tenth(tally: &Tally, living: u64) -> u64 {
    let all = tally.gone + living;
    (tally.gone * 10).checked_div(all).unwrap_or(10)
}

/// A number with commas.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (n, digit) in digits.chars().enumerate() {
        if n > 0 && (digits.len() - n).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(gone: u64, failed: u64) -> Tally {
        Tally {
            gone,
            failed,
            ..Tally::default()
        }
    }

    #[test]
    fn says_how_far_it_is() {
        for (gone, failed, living, wanted) in [
            (0, 0, 0, "0 of 0 gone"),
            (0, 0, 7, "0 of 7 gone"),
            (120, 3, 9_880, "120 of 10,000 gone, 3 failed"),
            (999, 1_000, 1, "999 of 1,000 gone, 1,000 failed"),
            (1_234_567, 0, 0, "1,234,567 of 1,234,567 gone"),
        ] {
            assert_eq!(words(&tally(gone, failed), living), wanted);
        }
    }

    #[test]
    fn counts_tenths() {
        for (gone, living, wanted) in [(0, 0, 10), (0, 5, 0), (1, 9, 1), (5, 5, 5), (3, 0, 10)] {
            assert_eq!(tenth(&tally(gone, 0), living), wanted, "{gone} {living}");
        }
    }

    #[test]
    fn leaves_room_for_others() {
        let open = |open, cascading, calling| Tally {
            open,
            cascading,
            calling,
            ..Tally::default()
        };
        let none = Tally::default();
        for (tree, mine, wanted) in [
            (none, none, 20),
            (open(5, 0, 5), open(5, 0, 5), 15),
            // Another node of the tree has them all.
            (open(20, 0, 20), none, 0),
            // Slow brokers have accepted them.
            (open(300, 0, 0), open(300, 0, 0), 20),
            (open(1_000, 0, 0), open(1_000, 0, 0), 0),
            (open(995, 0, 0), open(995, 0, 0), 5),
            // Nodes that wait leave room for what they wait for, but not for more of them.
            (open(20, 20, 0), open(20, 20, 0), 0),
            (open(20, 20, 0), none, 20),
            (open(99, 0, 99), none, 0),
        ] {
            assert_eq!(room(20, &tree, &mine), wanted, "{tree:?} {mine:?}");
        }
    }
}
