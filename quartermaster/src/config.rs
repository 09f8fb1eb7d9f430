//! The configuration: defaults, file, environment, flags; later over earlier.
//!
//! Every command calls [`load`] once. The rule: a configuration is used only when all of it is
//! understood, and everything that is wrong with it is said at once.

mod check;
mod environment;
mod layer;
mod nearest;
mod problem;
mod reference;
mod section;
mod show;
mod span;

pub(crate) use layer::DEFAULTS;
use layer::Origin;
use problem::Problem;
pub(crate) use problem::Problems;
pub(crate) use reference::markdown;
pub(crate) use section::{Brokers, Builtin, Config, Format, Issuer, Osb, Server};

use layer::Layers;
use serde::Deserialize as _;
use std::path::Path;
use toml::{Table, Value};

/// A configuration in force, and where it came from.
#[derive(Debug, Clone)]
pub(crate) struct Loaded {
    pub(crate) config: Config,
    layers: Layers,
}

/// A flag that sets a key: its name, the key, the value.
pub(crate) struct Flag {
    pub(crate) name: &'static str,
    pub(crate) section: &'static str,
    pub(crate) key: &'static str,
    pub(crate) value: String,
}

impl Loaded {
    /// As TOML, with secrets starred and the origin of each value.
    pub(crate) fn text(&self) -> String {
        show::text(&self.layers)
    }

    /// The same as JSON, for the API.
    pub(crate) fn json(&self) -> serde_json::Map<String, serde_json::Value> {
        show::json(&self.layers)
    }
}

/// Reads all layers.
///
/// # Errors
/// All that is wrong.
pub(crate) fn load(
    file: Option<&Path>,
    variables: impl IntoIterator<Item = (String, String)>,
    flags: Vec<Flag>,
) -> Result<Loaded, Problems> {
    let mut layers = Layers::new().map_err(|error| ours(&error))?;
    let mut problems = Vec::new();
    if let Some(path) = file {
        let name = path.display().to_string();
        match read(path) {
            Ok(table) => layers.overlay(table, &Origin::File(name), &mut problems),
            Err(what) => problems.push(Problem::new(name, what)),
        }
    }
    environment::overlay(&mut layers, variables, &mut problems);
    for Flag {
        name,
        section,
        key,
        value,
    } in flags
    {
        let set = layers.set(section, key, Value::String(value), Origin::Flag(name));
        problems.extend(set.err());
    }
    let wrong = values(&layers);
    // A value that means nothing is told; the rest is judged as if it had not been set.
    let mut table = layers.table.clone();
    for ((section, key), problem) in wrong {
        problems.push(problem);
        let default = layers.default_of(&section, &key).cloned();
        if let (Some(Value::Table(keys)), Some(default)) = (table.get_mut(&section), default) {
            keys.insert(key, default);
        }
    }
    let config = Config::deserialize(table).map_err(|error| ours(&error))?;
    for problem in check::problems(&config) {
        problems.push(match problem.at.split_once('.') {
            Some((section, key)) => {
                let origin = layers.origin(section, key).clone();
                problem.from(&origin)
            }
            None => problem,
        });
    }
    match problems.is_empty() {
        true => Ok(Loaded { config, layers }),
        false => Err(Problems(problems)),
    }
}

fn read(path: &Path) -> Result<Table, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("cannot be read: {error}"))?;
    toml::from_str(&text).map_err(|error| {
        // The parser's own picture of the place repeats the line, which may hold a password.
        let line = error
            .span()
            .and_then(|span| text.get(..span.start))
            .map_or(1, |before| before.matches('\n').count() + 1);
        format!("line {line} is not TOML: {}", error.message())
    })
}

/// Values of the right kind that mean nothing, such as a duration of "soon". Each set key is tried alone
/// in the midst of defaults, so that each tells its own mistake.
fn values(layers: &Layers) -> Vec<(layer::Path, Problem)> {
    layers
        .set_keys()
        .filter_map(|((section, key), origin)| {
            let value = layers.table.get(section)?.get(key)?;
            let mut table = layers.defaults.clone();
            if let Some(Value::Table(keys)) = table.get_mut(section) {
                keys.insert(key.clone(), value.clone());
            }
            let error = Config::deserialize(table).err()?;
            let what = error.message().to_owned();
            let problem = Problem::new(format!("{section}.{key}"), what).from(origin);
            Some(((section.clone(), key.clone()), problem))
        })
        .collect()
}

/// The compiled-in file does not fit the structs. A test keeps this from happening.
fn ours(error: &toml::de::Error) -> Problems {
    Problems(vec![Problem::new("config.default.toml", error.message())])
}

#[cfg(test)]
mod tests {
    use super::{Flag, Loaded, Problems, load};

    fn with_file(text: &str) -> Result<Loaded, Problems> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        load(Some(file.path()), [], Vec::new())
    }

    fn with_variables(variables: &[(&str, &str)]) -> Result<Loaded, Problems> {
        let variables = variables
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        load(None, variables, Vec::new())
    }

    #[test]
    fn the_defaults_load_and_every_key_has_a_variable_of_its_own() {
        let loaded = load(None, [], Vec::new()).unwrap();
        let paths: Vec<_> = loaded.layers.paths().collect();
        let names: std::collections::BTreeSet<_> = paths
            .iter()
            .map(|(section, key)| super::environment::variable(section, key))
            .collect();
        assert_eq!(names.len(), paths.len());
        let (_, sections) = super::reference::read();
        let explained: usize = sections.iter().map(|section| section.keys.len()).sum();
        assert_eq!(explained, paths.len(), "the reference misses a key");
    }

    #[test]
    fn later_layers_win_and_are_named() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(
            file.path(),
            "[server]\nlisten = \"a:1\"\nrequest_timeout = \"1s\"\nmax_connections = 7\n[brokers]\ntimeout = \"1s\"\nconnect_timeout = \"1s\"\n",
        )
        .unwrap();
        let loaded = load(
            Some(file.path()),
            [
                ("QM_SERVER_LISTEN".to_owned(), "b:2".to_owned()),
                ("QM_SERVER_REQUEST_TIMEOUT".to_owned(), "2s".to_owned()),
            ],
            vec![Flag {
                name: "--listen",
                section: "server",
                key: "listen",
                value: "c:3".to_owned(),
            }],
        )
        .unwrap();
        assert_eq!(loaded.config.server.listen, "c:3");
        assert_eq!(loaded.config.server.request_timeout.to_string(), "2s");
        assert_eq!(loaded.config.server.max_connections, 7);
        let text = loaded.text();
        assert!(text.contains("# from --listen"), "{text}");
        assert!(text.contains("# from QM_SERVER_REQUEST_TIMEOUT"), "{text}");
        assert!(text.contains("# default"), "{text}");
    }

    #[test]
    fn what_is_shown_can_be_given_back() {
        let shown = load(None, [], Vec::new()).unwrap().text();
        let again = with_file(&shown).unwrap();
        assert_eq!(again.config.rate_limit.rules.len(), 2);
    }

    #[test]
    fn every_mistake_is_told_at_once_by_name() {
        let problems = with_file(
            "stray = 1\n[server]\nlisen = \"x\"\nmax_body_bytes = \"big\"\nrequest_timeout = \"soon\"\n\
             [database]\nconnections = 0\n[sever]\na = 1\n[api]\nlisten = \"x\"\n[[identity.issuers]]\nurll = \"x\"\n",
        )
        .unwrap_err()
        .to_string();
        for part in [
            "stray",
            "did you mean server.listen?",
            "server.max_body_bytes",
            "a whole number is needed",
            "server.request_timeout",
            "\"soon\" is no duration",
            "did you mean [server]?",
            "database.connections",
            "api.listen",
            "did you mean url?",
        ] {
            assert!(problems.contains(part), "{part:?} is missing in {problems}");
        }
    }

    #[test]
    fn a_variable_that_means_nothing_is_refused_and_that_of_another_program_is_not() {
        let problems = with_variables(&[("QM_SERVER_LISEN", "x"), ("QM_BROKER_USER", "x")])
            .unwrap_err()
            .to_string();
        assert!(
            problems.contains("did you mean QM_SERVER_LISTEN?"),
            "{problems}"
        );
        assert!(!problems.contains("QM_BROKER_USER"), "{problems}");
    }

    #[test]
    fn lists_and_tables_come_from_variables_too() {
        let config = with_variables(&[
            ("QM_RATE_LIMIT_RULES", "5-S, 10-M:/v1/platforms"),
            ("QM_API_PROTECTED_LABELS", "[\"a\",\"b\"]"),
            ("QM_API_AGENTS_VERSIONS", "{\"cf\":[\"1\"]}"),
            ("QM_IDENTITY_BUILTIN", "off"),
            ("QM_IDENTITY_ISSUERS", "[{\"url\":\"https://a.example\"}]"),
        ])
        .unwrap()
        .config;
        assert_eq!(config.rate_limit.rules.len(), 2);
        assert_eq!(config.api.protected_labels, ["a", "b"]);
        assert_eq!(config.api.agents_versions["cf"], ["1"]);
        assert_eq!(config.identity.issuers[0].roles_claim, "roles");
    }

    #[test]
    fn a_wrong_line_is_named_and_not_repeated() {
        let problems = with_file("[database]\nurl = \"postgres://u:hunter2@h/d\n")
            .unwrap_err()
            .to_string();
        assert!(problems.contains("line 2"), "{problems}");
        assert!(!problems.contains("hunter2"), "{problems}");
    }

    #[test]
    fn a_signing_key_is_shown_as_stars_wherever_it_is_shown() {
        let loaded = with_variables(&[("QM_OSB_CONTEXT_SIGNING_KEY", "hunter2")]).unwrap();
        let (text, json) = (loaded.text(), loaded.json());
        assert!(text.contains("context_signing_key = \"***\""), "{text}");
        assert_eq!(json["osb"]["context_signing_key"], "***");
        assert!(!text.contains("hunter2") && !format!("{:?}", loaded.config).contains("hunter2"));
        let twice = with_variables(&[
            ("QM_OSB_CONTEXT_SIGNING_KEY", "hunter2"),
            ("QM_OSB_CONTEXT_SIGNING_KEY_FILE", "key.pem"),
        ]);
        let problems = twice.unwrap_err().to_string();
        assert!(problems.contains("set one of the two"), "{problems}");
        assert!(!problems.contains("hunter2"), "{problems}");
    }

    #[test]
    fn denied_networks_are_read_and_what_is_none_is_told() {
        let some = with_variables(&[("QM_BROKERS_DENIED_NETWORKS", "10.0.0.0/8, fe80::/10")]);
        assert_eq!(some.unwrap().config.brokers.denied_networks.len(), 2);
        let none = with_variables(&[("QM_BROKERS_DENIED_NETWORKS", "")]);
        assert!(none.unwrap().config.brokers.denied_networks.is_empty());
        let problems = with_variables(&[("QM_BROKERS_DENIED_NETWORKS", "10.0.0.0/99")]);
        let problems = problems.unwrap_err().to_string();
        assert!(
            problems.contains("brokers.denied_networks") && problems.contains("10.0.0.0/99"),
            "{problems}"
        );
    }

    #[test]
    fn the_defaults_are_those_of_the_relay() {
        let config = with_variables(&[]).unwrap().config;
        let settings = crate::wire::relay(&config).unwrap();
        let own = qm_relay::RelaySettings::default();
        assert_eq!(settings.answer_limit, own.answer_limit);
        assert_eq!(settings.denied_networks, own.denied_networks);
        assert!(settings.signing.is_none());
    }

    #[test]
    fn a_password_is_shown_as_stars() {
        let loaded = with_variables(&[("QM_DATABASE_URL", "postgres://u:hunter2@h/d")]).unwrap();
        assert!(loaded.text().contains("postgres://u:***@h/d"));
        assert!(!format!("{:?}", loaded.config).contains("hunter2"));
    }
}
