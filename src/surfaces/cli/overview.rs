//! The overview of all commands that `exitpath --help` prints.

use std::fmt::Write;

use clap::Command;

/// A group of commands: what they are about, an example, and their names.
type CommandGroup = (&'static str, &'static str, &'static [&'static str]);

const GROUPS: [CommandGroup; 4] = [
    (
        "The repository",
        "exitpath check --base origin/master",
        &[
            "check", "diff", "graph", "simulate", "path", "channels", "serve", "compare", "promql",
            "risk", "from", "test", "promote", "release", "digest", "lsp",
        ],
    ),
    (
        "Clusters",
        "oc get clusterversion -o yaml | exitpath cluster -",
        &["cluster", "rollout", "fleet"],
    ),
    ("Catalogs of operators", "exitpath catalog check catalog/", &["catalog"]),
    (
        "exitpath itself",
        "exitpath explain vague-url",
        &["init", "rules", "explain", "guide", "schema", "completions", "man"],
    ),
];

/// Where the parts of the help are: flags are last.
const TEMPLATE: &str = "\
{about-with-newline}
{usage-heading} {usage}

{before-help}\x1b[1m\x1b[4mGlobal options:\x1b[0m
{options}";

/// Makes the help of the program list the commands in groups.
pub(super) fn grouped(command: Command) -> Command {
    let mut list = String::new();
    for (title, example, names) in GROUPS {
        let _ = writeln!(list, "\x1b[1m\x1b[4m{title}:\x1b[0m (`{example}`)");
        for name in names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            // A build without a feature does not have all commands.
            if let Some(about) = about {
                let _ = writeln!(list, "  \x1b[1m{name:<11}\x1b[0m  {about}");
            }
        }
        list.push('\n');
    }
    command.help_template(TEMPLATE).before_help(list)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::{Command, CommandFactory};

    use super::super::args::Args;
    use super::GROUPS;

    #[test]
    fn each_command_is_in_one_group() {
        let listed: Vec<&str> = GROUPS.iter().flat_map(|(_, _, names)| *names).copied().collect();
        let command = Args::command();
        let known: BTreeSet<&str> = command.get_subcommands().map(Command::get_name).collect();
        let listed_once: BTreeSet<&str> = listed.iter().copied().collect();
        assert_eq!(listed.len(), listed_once.len());
        assert!(known.is_subset(&listed_once), "{:?}", known.difference(&listed_once));
    }
}
