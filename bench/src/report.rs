//! The table of results: each line as soon as it is known, and at the end what was missed.

use anyhow::{Result, bail};

/// What is asked of a figure.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Wanted {
    /// Not more than this.
    Below(f64),
    /// Not less than this.
    AtLeast(f64),
    /// Nothing; it is there for orientation.
    Nothing,
}

/// Figures so far.
#[derive(Debug, Default)]
pub(crate) struct Report {
    begun: bool,
    missed: Vec<String>,
}

impl Report {
    /// A heading, and what the next figures were taken on.
    pub(crate) fn part(&mut self, text: &str) {
        println!("\n{text}");
        self.begun = false;
    }

    /// One figure.
    pub(crate) fn figure(&mut self, name: &str, figure: f64, unit: &str, wanted: Wanted) {
        self.beside(name, figure, unit, wanted, "");
    }

    /// One figure, with the measured limit it is to be seen beside.
    pub(crate) fn beside(
        &mut self,
        name: &str,
        figure: f64,
        unit: &str,
        wanted: Wanted,
        limit: &str,
    ) {
        if !self.begun {
            println!(
                "{:<62} {:>12} {:<8} {:>10} {:<7} beside",
                "", "", "", "wanted", ""
            );
            self.begun = true;
        }
        let (bound, met) = match wanted {
            Wanted::Below(bound) => (format!("< {bound}"), figure < bound),
            Wanted::AtLeast(bound) => (format!(">= {bound}"), figure >= bound),
            Wanted::Nothing => (String::new(), true),
        };
        let word = match (wanted, met) {
            (Wanted::Nothing, _) => "",
            (_, true) => "met",
            (_, false) => "MISSED",
        };
        println!("{name:<62} {figure:>12.2} {unit:<8} {bound:>10} {word:<7} {limit}");
        if !met {
            self.missed
                .push(format!("{name}: {figure:.2} {unit}, wanted {bound}"));
        }
    }

    /// An error that names what was missed, if anything was.
    pub(crate) fn close(self) -> Result<()> {
        if self.missed.is_empty() {
            return Ok(());
        }
        bail!("missed: {}", self.missed.join("; "));
    }
}
