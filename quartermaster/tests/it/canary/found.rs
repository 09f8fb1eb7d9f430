//! Where secrets are searched for.

use super::marks::Marks;
use crate::harness::{Answer, Engine, Manager};
use aho_corasick::AhoCorasick;
use std::collections::BTreeSet;
use std::path::Path;

/// Texts and bytes by the place they stand in.
#[derive(Debug, Default)]
pub(crate) struct Places {
    places: Vec<(String, Vec<u8>)>,
}

impl Places {
    pub(crate) fn add(&mut self, name: &str, text: &str) {
        self.places
            .push((name.to_owned(), text.as_bytes().to_vec()));
    }

    /// An answer that should hold no secret, headers included; gives it back.
    pub(crate) fn answer(&mut self, answer: Answer) -> Answer {
        let text = format!("{:?}\n{}", answer.headers, answer.text);
        let name = format!("the answer {} to {}", answer.status, answer.asked);
        self.add(&name, &text);
        answer
    }

    /// Everything that the database server shows of the tables, bytes as hex.
    pub(crate) fn database(&mut self, manager: &Manager) {
        if manager.engine() == Engine::Sqlite {
            return; // its files are read
        }
        let tables = manager.sql("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
        assert!(tables.len() > 10, "{tables:?}");
        for table in tables {
            let rows = manager.sql(&format!("SELECT t::text FROM \"{table}\" t"));
            self.add(&format!("the table {table}"), &rows.join("\n"));
        }
    }

    /// The files of the data folder, but the one that is made to hold a password.
    pub(crate) fn files(&mut self, manager: &Manager) {
        let mut found = 0;
        for entry in std::fs::read_dir(manager.data()).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() && !path.ends_with("admin-password") {
                found += 1;
                self.file(&path);
            }
        }
        assert!(found > 0, "the data folder is empty");
    }

    fn file(&mut self, path: &Path) {
        let bytes = std::fs::read(path).unwrap();
        self.places
            .push((format!("the file {}", path.display()), bytes));
    }

    /// Which secret stands where, each place read once for all of them.
    pub(crate) fn search(&self, marks: &Marks) -> Vec<String> {
        let forms = marks.all().iter().enumerate();
        let forms: Vec<(usize, &str)> = forms
            .flat_map(|(n, mark)| mark.forms.iter().map(move |form| (n, form.as_str())))
            .collect();
        let search = AhoCorasick::new(forms.iter().map(|(_, form)| form)).unwrap();
        let mut leaks = Vec::new();
        for (place, bytes) in &self.places {
            let mut told = BTreeSet::new();
            for found in search.find_overlapping_iter(bytes) {
                let (n, _) = forms[found.pattern().as_usize()];
                if told.insert(n) {
                    let name = &marks.all()[n].name;
                    let around = around(bytes, found.start(), found.end());
                    leaks.push(format!("{name} in {place}: ...{around}..."));
                }
            }
        }
        leaks
    }
}

/// What stands before it, to know who wrote it.
fn around(bytes: &[u8], start: usize, end: usize) -> String {
    String::from_utf8_lossy(&bytes[start.saturating_sub(200)..end]).into_owned()
}
