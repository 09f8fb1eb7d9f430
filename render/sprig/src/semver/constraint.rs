//! Ranges of versions: `>=1.2 <2 || ~3.1 || 4.x || 1.0 - 1.5`. Parts beside each other must all hold,
//! of parts around `||` one.

use std::cmp::Ordering;
use std::sync::LazyLock;

use regex::Regex;

use super::version::{Version, compare_pre, pattern};

/// Numbers, or an `x` or star for any. The library also takes a single bar here.
const CLASS: &str = r"[0-9|xX*]";
const SPACE: &str = r"[\t\n\f\r ]";
const OPERATOR: &str = r"(?:!=|>=|=>|<=|=<|~>|=|>|<|~|\^)?";

struct Patterns {
    one: Regex,
    all: Regex,
    range: Regex,
}

static PATTERNS: LazyLock<Option<Patterns>> = LazyLock::new(|| {
    let version = pattern(CLASS);
    let plain = format!("{OPERATOR}{SPACE}*{version}{SPACE}*");
    Some(Patterns {
        one: Regex::new(&format!("({OPERATOR}){SPACE}*({version})")).ok()?,
        all: Regex::new(&format!(
            "^{SPACE}*{plain}(?:(?:{SPACE}+|,{SPACE}*){plain})*$"
        ))
        .ok()?,
        range: Regex::new(&format!(
            "{SPACE}*({version}){SPACE}+-{SPACE}+({version}){SPACE}*"
        ))
        .ok()?,
    })
});

/// Ranges, of which one must hold.
pub(super) struct Constraints(Vec<Vec<Constraint>>);

impl Constraints {
    /// The error is the library's text.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let improper = |text: &str| format!("improper constraint: {text}");
        let Some(patterns) = PATTERNS.as_ref() else {
            return Err(improper(text));
        };
        let text = without_hyphens(patterns, text);
        let mut groups = Vec::new();
        for group in text.split("||") {
            if !patterns.all.is_match(group) {
                return Err(improper(group));
            }
            let parts = patterns.one.captures_iter(group).map(|parts| {
                let part = |index: usize| parts.get(index).map_or("", |part| part.as_str());
                Constraint::new(part(1), part(2), [part(3), part(4), part(5)], part(6))
            });
            groups.push(parts.collect::<Result<Vec<_>, _>>()?);
        }
        Ok(Self(groups))
    }

    pub(super) fn hold(&self, version: &Version) -> bool {
        let group = |group: &Vec<Constraint>| group.iter().all(|part| part.holds(version));
        self.0.iter().any(group)
    }
}

/// `1.2 - 3` means from 1.2 to 3.
fn without_hyphens(patterns: &Patterns, text: &str) -> String {
    let mut result = text.to_owned();
    for parts in patterns.range.captures_iter(text) {
        let part = |index: usize| parts.get(index).map_or("", |part| part.as_str());
        // Each version has five groups of its own.
        let bounds = format!(">= {}, <= {} ", part(1), part(7));
        result = result.replacen(part(0), &bounds, 1);
    }
    result
}

struct Constraint {
    operator: String,
    version: Version,
    /// Numbers are missing or any.
    open: bool,
    open_minor: bool,
    open_patch: bool,
}

impl Constraint {
    fn new(
        operator: &str,
        whole: &str,
        [major, minor, patch]: [&str; 3],
        pre: &str,
    ) -> Result<Self, String> {
        let any = |number: &str| {
            let number = number.strip_prefix('.').unwrap_or(number);
            matches!(number, "" | "x" | "X" | "*")
        };
        let pre = if pre.is_empty() {
            String::new()
        } else {
            format!("-{pre}")
        };
        let (text, open_minor, open_patch, open) = if any(major) {
            (format!("0.0.0{pre}"), false, false, true)
        } else if any(minor) {
            (format!("{major}.0.0{pre}"), true, false, true)
        } else if any(patch) {
            (format!("{major}{minor}.0{pre}"), false, true, true)
        } else {
            (whole.to_owned(), false, false, false)
        };
        let version = Version::parse(&text).map_err(|_| "constraint Parser Error".to_owned())?;
        Ok(Self {
            operator: operator.to_owned(),
            version,
            open,
            open_minor,
            open_patch,
        })
    }

    fn holds(&self, version: &Version) -> bool {
        let wanted = &self.version;
        // A preview is only found by a range that names one.
        let hidden_preview = !version.pre.is_empty() && wanted.pre.is_empty();
        if self.operator == "!=" {
            return self.differs(version, hidden_preview);
        }
        if hidden_preview {
            return false;
        }
        let order = version.compare(wanted);
        match self.operator.as_str() {
            "" | "=" if !self.open => order == Ordering::Equal,
            "" | "=" | "~" | "~>" => order != Ordering::Less && self.near(version),
            ">" => self.above(version, order),
            "<" => order == Ordering::Less,
            ">=" | "=>" => order != Ordering::Less,
            "<=" | "=<" => self.below(version, order),
            _ => order != Ordering::Less && self.compatible(version),
        }
    }

    fn differs(&self, version: &Version, hidden_preview: bool) -> bool {
        let wanted = &self.version;
        if self.open {
            if hidden_preview {
                return false;
            }
            if wanted.major != version.major {
                return true;
            }
            if self.open_minor {
                return false;
            }
            if wanted.minor != version.minor {
                return true;
            }
            if self.open_patch {
                let previews = !version.pre.is_empty() || !wanted.pre.is_empty();
                return previews && compare_pre(&version.pre, &wanted.pre) != Ordering::Equal;
            }
            if wanted.patch != version.patch {
                return true;
            }
        }
        version.compare(wanted) != Ordering::Equal
    }

    fn above(&self, version: &Version, order: Ordering) -> bool {
        let wanted = &self.version;
        if self.open && version.major != wanted.major {
            return version.major > wanted.major;
        }
        if self.open_minor {
            return false;
        }
        if self.open_patch {
            return version.minor > wanted.minor;
        }
        order == Ordering::Greater
    }

    fn below(&self, version: &Version, order: Ordering) -> bool {
        let wanted = &self.version;
        if !self.open {
            return order != Ordering::Greater;
        }
        if version.major != wanted.major {
            return version.major < wanted.major;
        }
        version.minor <= wanted.minor || self.open_minor
    }

    /// `~`: the same major and, when it was given, minor number.
    fn near(&self, version: &Version) -> bool {
        let wanted = &self.version;
        let zero = (wanted.major, wanted.minor, wanted.patch) == (0, 0, 0);
        if zero && !self.open_minor && !self.open_patch {
            return true;
        }
        version.major == wanted.major && (version.minor == wanted.minor || self.open_minor)
    }

    /// `^`: the first number that is not zero stays.
    fn compatible(&self, version: &Version) -> bool {
        let wanted = &self.version;
        if wanted.major > 0 || self.open_minor {
            return version.major == wanted.major;
        }
        if version.major > 0 {
            return false;
        }
        if wanted.minor > 0 || self.open_patch {
            return version.minor == wanted.minor;
        }
        version.minor == 0 && version.patch == wanted.patch
    }
}
