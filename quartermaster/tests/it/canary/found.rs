//! Where secrets are searched for.

use super::marks::Marks;
use crate::harness::{Answer, Engine, Manager};
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

    /// Which secret stands where.
    pub(crate) fn search(&self, marks: &Marks) -> Vec<String> {
        let mut leaks = Vec::new();
        for (place, bytes) in &self.places {
            for mark in marks.all() {
                let form = mark
                    .forms
                    .iter()
                    .find(|form| contains(bytes, form.as_bytes()));
                if let Some(form) = form {
                    let around = around(bytes, form.as_bytes());
                    leaks.push(format!("{} in {place}: ...{around}...", mark.name));
                }
            }
        }
        leaks
    }
}

fn position(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    let first = *wanted.first()?;
    let mut from = 0;
    while let Some(next) = bytes[from..].iter().position(|byte| *byte == first) {
        let at = from + next;
        if bytes[at..].starts_with(wanted) {
            return Some(at);
        }
        from = at + 1;
    }
    None
}

fn contains(bytes: &[u8], wanted: &[u8]) -> bool {
    position(bytes, wanted).is_some()
}

/// What stands before it, to know who wrote it.
fn around(bytes: &[u8], wanted: &[u8]) -> String {
    let at = position(bytes, wanted).unwrap_or_default();
    let text = &bytes[at.saturating_sub(200)..(at + wanted.len()).min(bytes.len())];
    String::from_utf8_lossy(text).into_owned()
}
