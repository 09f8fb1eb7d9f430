//! The broker of the guide: an instance is a folder on this machine, a binding is a token in it.

use quartermaster_sdk::prelude::*;
use serde::Deserialize;
use serde_json::json;
use std::io::{Error, ErrorKind};
use std::path::PathBuf;
use uuid::Uuid;

/// What a user may ask for. It has the same form as the schema in the catalog.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Wanted {
    label: String,
}

struct Folders {
    root: PathBuf,
}

impl Folders {
    fn folder(&self, instance: &str) -> PathBuf {
        self.root.join(safe(instance))
    }
}

/// Ids are any text of any length, also with slashes: never use one as a file name.
fn safe(id: &str) -> String {
    Uuid::new_v5(&Uuid::NAMESPACE_OID, id.as_bytes()).to_string()
}

/// Gone already is as good as removed: a function may run twice.
fn gone(result: Result<(), Error>) -> Result<(), Error> {
    match result {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

impl Broker for Folders {
    type Parameters = Wanted;
    type Changes = NoParameters; // an update takes no parameters
    type BindParameters = NoParameters;

    fn catalog(&self) -> Result<Catalog, CatalogError> {
        from_yaml(include_str!("catalog.yaml"))
    }

    async fn provision(self: Arc<Self>, call: Provision<Wanted>) -> Reply<Provisioned> {
        let folder = self.folder(call.instance.as_str());
        tokio::fs::create_dir_all(&folder).await?; // an error becomes a 500, its cause goes to the log
        tokio::fs::write(folder.join("label"), call.parameters.label).await?;
        Ok(now(Provisioned::default()))
    }

    async fn update(self: Arc<Self>, _: Update<NoParameters>) -> Reply<Updated> {
        Err(Failure::refused("a folder has nothing that can be changed"))
    }

    async fn deprovision(self: Arc<Self>, call: Deprovision) -> Reply<()> {
        let folder = self.folder(call.instance.as_str());
        Ok(later(async move {
            call.progress.say("removing files").await;
            Ok(gone(tokio::fs::remove_dir_all(&folder).await)?)
        }))
    }

    async fn bind(self: Arc<Self>, call: Bind<NoParameters>) -> Reply<Binding> {
        let folder = self.folder(call.instance.as_str());
        let token = Uuid::new_v4().to_string();
        // A second run writes another token over the first, which nobody was told: the last one counts.
        tokio::fs::write(folder.join(safe(call.binding.as_str())), &token).await?;
        let credentials = json!({ "folder": folder, "token": token });
        Ok(now(Binding::with_credentials(credentials)))
    }

    async fn unbind(self: Arc<Self>, call: Unbind) -> Reply<()> {
        let folder = self.folder(call.instance.as_str());
        gone(tokio::fs::remove_file(folder.join(safe(call.binding.as_str()))).await)?;
        Ok(now(()))
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = std::env::var_os("FOLDERS").unwrap_or_else(|| "folders".into());
    let broker = Folders { root: root.into() };
    Ok(ServeArgs::from_command_line().serve(broker).await?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quartermaster_sdk::testing::Platform;

    #[tokio::test]
    async fn a_binding_is_a_token_in_the_folder() -> Result<(), Box<dyn std::error::Error>> {
        let root = std::env::temp_dir().join(Uuid::new_v4().to_string());
        let broker = Folders { root: root.clone() };
        let platform = Platform::of(broker).await?;
        platform
            .provision("i-1", "folder", "plain", json!({ "label": "mine" }))
            .await?;
        let binding = platform.bind("i-1", "b-1", json!({})).await?;
        assert!(binding.credentials.is_some());
        assert!(root.join(safe("i-1")).join(safe("b-1")).exists());
        platform.unbind("i-1", "b-1").await?;
        platform.deprovision("i-1").await?; // waits for the work for later, too
        assert!(!root.join(safe("i-1")).exists());
        tokio::fs::remove_dir_all(&root).await?;
        Ok(())
    }
}
