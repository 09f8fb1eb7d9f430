//! Examples for `--help`, manual pages and `docs/cli/`, of commands whose own file has none.
//!
//! The rule: every command has an example, and every example can be typed; tests hold both.

use clap::Command;

/// A command by its words, and lines to type.
const EXAMPLES: &[(&str, &str)] = &[
    (
        "audit",
        "smctl audit --limit 20\nsmctl audit --type /v1/service_brokers --from 2026-11-01T00:00:00Z\nsmctl audit --correlation 7d1c9f5e-6a57-4f0b-8f0e-3f3f4a5f1c11 -o yaml",
    ),
    ("logout", "smctl logout\nsmctl --context production logout"),
    ("info", "smctl info\nsmctl info -o json"),
    ("version", "smctl version\nsmctl version -o json"),
    (
        "diff",
        "smctl diff -f services.yaml\nsmctl diff -f services/ && echo nothing to do",
    ),
    (
        "delete",
        "smctl delete -f services.yaml\nsmctl delete -f services/ --yes",
    ),
    (
        "export",
        "smctl export > services.yaml\nsmctl export broker visibility\nsmctl export instance -o json",
    ),
    (
        "top",
        "smctl top\nsmctl top --interval 10s\nsmctl top --once -o json",
    ),
    ("doctor", "smctl doctor\nsmctl doctor -o json"),
    (
        "man",
        "smctl man | man -l -\nsmctl man /usr/local/share/man/man1",
    ),
    ("context list", "smctl context list"),
    ("context use", "smctl context use production"),
    ("context delete", "smctl context delete test"),
    (
        "instance list",
        "smctl instance list\nsmctl instance list --label env=dev -o wide\nsmctl instance list --query \"ready eq false\" -o name",
    ),
    (
        "instance get",
        "smctl instance get mydb\nsmctl instance get mydb -o jsonpath='{.id}'",
    ),
    ("instance describe", "smctl instance describe mydb"),
    (
        "instance update",
        "smctl instance update mydb --plan large --wait\nsmctl instance update mydb --set size=20 --watch\nsmctl instance update mydb --rename orders",
    ),
    (
        "instance delete",
        "smctl instance delete mydb --wait\nsmctl instance delete mydb --cascade --yes --wait",
    ),
    (
        "instance label",
        "smctl instance label mydb env=dev team=a\nsmctl instance label mydb env-",
    ),
    (
        "instance parameters",
        "smctl instance parameters mydb\nsmctl instance parameters mydb -o yaml",
    ),
    ("instance share", "smctl instance share mydb"),
    ("instance unshare", "smctl instance unshare mydb"),
    ("instance grants", "smctl instance grants mydb"),
    (
        "instance grant",
        "smctl instance grant mydb --tenant sales\nsmctl instance grant mydb --platform k8s-1",
    ),
    (
        "instance revoke",
        "smctl instance revoke mydb 0b7c1f3e-1f2a-4c55-9a1c-3a3b2f6f1d10",
    ),
    (
        "instance transfer",
        "smctl instance transfer mydb --to k8s-1 --wait",
    ),
    ("instance retry", "smctl instance retry mydb --watch"),
    ("instance rollback", "smctl instance rollback mydb --wait"),
    ("instance undelete", "smctl instance undelete mydb"),
    (
        "binding list",
        "smctl binding list\nsmctl binding list --query \"ready eq true\" -o name",
    ),
    (
        "binding get",
        "smctl binding get app\nsmctl binding get app -o yaml",
    ),
    (
        "binding create",
        "smctl binding create mydb app --wait\nsmctl binding create mydb reports --set role=reader --wait",
    ),
    ("binding rename", "smctl binding rename app web"),
    ("binding delete", "smctl binding delete app --wait"),
    ("binding label", "smctl binding label app team=a"),
    ("binding parameters", "smctl binding parameters app"),
    (
        "offering list",
        "smctl offering list\nsmctl offering list -o wide",
    ),
    ("offering get", "smctl offering get postgresql -o yaml"),
    ("offering describe", "smctl offering describe postgresql"),
    (
        "offering label",
        "smctl offering label postgresql tier=gold",
    ),
    (
        "plan list",
        "smctl plan list\nsmctl plan list --query \"free eq true\"",
    ),
    ("plan get", "smctl plan get postgresql/small -o json"),
    ("plan describe", "smctl plan describe postgresql/small"),
    ("plan label", "smctl plan label postgresql/small tier=gold"),
    (
        "operation list",
        "smctl operation list --limit 10\nsmctl operation list --query \"state eq 'failed'\"",
    ),
    (
        "operation get",
        "smctl operation get 0b7c1f3e-1f2a-4c55-9a1c-3a3b2f6f1d10",
    ),
    (
        "operation watch",
        "smctl operation watch 0b7c1f3e-1f2a-4c55-9a1c-3a3b2f6f1d10 --timeout 5m",
    ),
    (
        "broker list",
        "smctl broker list\nsmctl broker list -o wide",
    ),
    ("broker get", "smctl broker get postgres -o yaml"),
    ("broker describe", "smctl broker describe postgres"),
    (
        "broker update",
        "smctl broker update postgres --url https://broker.example.com --user admin\nsmctl broker update postgres --description databases",
    ),
    ("broker refresh", "smctl broker refresh postgres"),
    ("broker delete", "smctl broker delete postgres"),
    ("broker label", "smctl broker label postgres region=eu"),
    ("platform list", "smctl platform list"),
    ("platform get", "smctl platform get k8s-1 -o yaml"),
    (
        "platform register",
        "smctl platform register k8s-1 kubernetes\nsmctl platform register cf-1 cloudfoundry --label region=eu -o json",
    ),
    (
        "platform update",
        "smctl platform update k8s-1 --description 'the first cluster'",
    ),
    ("platform rotate", "smctl platform rotate k8s-1"),
    (
        "platform delete",
        "smctl platform delete k8s-1\nsmctl platform delete k8s-1 --cascade --wait",
    ),
    ("platform label", "smctl platform label k8s-1 region=eu"),
    ("visibility list", "smctl visibility list"),
    (
        "visibility get",
        "smctl visibility get 0b7c1f3e-1f2a-4c55-9a1c-3a3b2f6f1d10 -o yaml",
    ),
    (
        "visibility update",
        "smctl visibility update 0b7c1f3e-1f2a-4c55-9a1c-3a3b2f6f1d10 --platform k8s-1",
    ),
    (
        "visibility delete",
        "smctl visibility delete 0b7c1f3e-1f2a-4c55-9a1c-3a3b2f6f1d10 --yes",
    ),
    (
        "visibility label",
        "smctl visibility label 0b7c1f3e-1f2a-4c55-9a1c-3a3b2f6f1d10 organization_guid=o-1",
    ),
    ("user list", "smctl user list"),
    ("user get", "smctl user get jane -o yaml"),
    (
        "user create",
        "smctl user create jane --role developer\nsmctl user create root --role admin --role purge",
    ),
    (
        "user update",
        "smctl user update jane --role viewer\nsmctl user update jane --password",
    ),
    ("user delete", "smctl user delete jane"),
    ("user password", "smctl user password"),
    ("client list", "smctl client list"),
    ("client get", "smctl client get ci -o yaml"),
    ("client create", "smctl client create ci --role developer"),
    (
        "client update",
        "smctl client update ci --role viewer\nsmctl client update ci --secret",
    ),
    ("client delete", "smctl client delete ci"),
    ("tenant delete", "smctl tenant delete sales --wait"),
    ("manager health", "smctl manager health"),
    ("manager config", "smctl manager config -o json"),
    (
        "manager logging",
        "smctl manager logging\nsmctl manager logging --level debug",
    ),
    (
        "verify list",
        "smctl verify list\nsmctl verify list platform -o json",
    ),
    (
        "label",
        "smctl label broker 0b7c1f3e-1f2a-4c55-9a1c-3a3b2f6f1d10 add region --val eu",
    ),
    (
        "list-brokers",
        "smctl list-brokers -f \"name eq 'postgres'\" -o json",
    ),
    ("get-broker", "smctl get-broker postgres"),
    (
        "register-broker",
        "smctl register-broker postgres https://broker.example.com --basic admin:secret",
    ),
    (
        "update-broker",
        "smctl update-broker postgres '{\"description\": \"databases\"}'",
    ),
    ("delete-broker", "smctl delete-broker postgres -f"),
    ("list-platforms", "smctl list-platforms -o json"),
    (
        "register-platform",
        "smctl register-platform k8s-1 kubernetes",
    ),
    (
        "update-platform",
        "smctl update-platform k8s-1 '{\"description\": \"first\"}'\nsmctl update-platform k8s-1 --regenerate-credentials",
    ),
    ("delete-platform", "smctl delete-platform k8s-1 -f"),
    ("list-visibilities", "smctl list-visibilities -o json"),
    (
        "register-visibility",
        "smctl register-visibility PLATFORM-ID PLAN-ID",
    ),
    (
        "update-visibility",
        "smctl update-visibility ID '{\"platform_id\": \"k8s-1\"}'",
    ),
    ("delete-visibility", "smctl delete-visibility ID -f"),
    ("list-offerings", "smctl list-offerings -e kubernetes"),
    ("list-plans", "smctl list-plans -f \"name eq 'small'\""),
    ("list-instances", "smctl list-instances -l \"env eq 'dev'\""),
    (
        "get-instance",
        "smctl get-instance mydb --show-instance-params",
    ),
    ("update-instance", "smctl update-instance mydb --plan large"),
    (
        "transfer-instance",
        "smctl transfer-instance mydb --from PLATFORM-ID --to PLATFORM-ID -f",
    ),
    ("share-instance", "smctl share-instance mydb"),
    ("unshare-instance", "smctl unshare-instance mydb"),
    ("list-bindings", "smctl list-bindings -o yaml"),
    ("get-binding", "smctl get-binding app"),
];

/// The grammar with examples at every command.
pub(super) fn added(root: Command) -> Command {
    root.mut_subcommands(|command| below("", command))
}

fn below(parent: &str, command: Command) -> Command {
    let path = match parent {
        "" => command.get_name().to_owned(),
        parent => format!("{parent} {}", command.get_name()),
    };
    if command.has_subcommands() {
        return command.mut_subcommands(|verb| below(&path, verb));
    }
    let Some((_, lines)) = EXAMPLES.iter().find(|(words, _)| *words == path) else {
        return command;
    };
    let mut text = "Examples:".to_owned();
    for line in lines.lines() {
        text.push_str("\n  ");
        text.push_str(line);
    }
    command.after_help(text)
}

#[cfg(test)]
mod tests;
