//! The examples at the end of the help of each command.

/// Lines of examples, under their heading.
macro_rules! examples {
    ($($line:literal)+) => {
        concat!("\x1b[1m\x1b[4mExamples:\x1b[0m", $("\n  ", $line),+)
    };
}

pub(super) const CHECK: &str = examples!(
    "exitpath check                       # the whole repository"
    "exitpath check --base origin/master  # only what a change adds"
    "exitpath check --fix --diff          # the edits that would repair it"
);
pub(super) const DIFF: &str = examples!(
    "exitpath diff origin/master                    # what this branch changes for clusters"
    "exitpath diff origin/master --format markdown  # as a comment on a pull request"
);
pub(super) const GRAPH: &str = examples!(
    "# the releases of a channel, and their updates"
    "exitpath graph --channel stable-4.20"
    "# a page to explore all channels"
    "exitpath graph --format html --output graph.html"
);
pub(super) const FLEET: &str = examples!(
    "exitpath fleet clusters.csv                               # who has no update, and why"
    "exitpath fleet clusters.csv --base origin/master --list   # who loses one with this branch"
    "exitpath fleet clusters.csv --mirror imageset.yaml        # who gets stuck with a mirror"
    "exitpath fleet --promql --risk NAME                       # queries for a telemetry store"
);
pub(super) const SIMULATE: &str = examples!(
    "exitpath simulate                   # who is stranded if no conditional update is taken"
    "exitpath simulate --explain 4.19.4  # why one release is, or is not"
    "# a guarantee for a pull request that others can check"
    "exitpath simulate --certificate certificate.json --base origin/master"
);
pub(super) const PATH: &str = examples!(
    "# to the newest 4.20"
    "exitpath path 4.18.9 4.20"
    "# to the newest release, whatever this risk says"
    "exitpath path 4.18.9 latest --accept SomeRisk"
);
pub(super) const CLUSTER: &str = examples!(
    "# a made-up cluster on AWS"
    "exitpath cluster --version 4.19.4 --channel stable-4.20 --sample aws"
    "# a real one"
    "oc get clusterversion -o yaml | exitpath cluster -"
);
pub(super) const FROM: &str = examples!(
    "exitpath from 4.17..4.18.20 --except 4.18.3  # all of 4.17, and 4.18 up to 4.18.20"
    "exitpath from '4[.]18[.]([0-9]|1[0-4])[+].*'  # what does this pattern match?"
);
pub(super) const CHANNELS: &str = examples!(
    "exitpath channels              # all channels"
    "exitpath channels stable-4.20  # one channel, and its releases"
);
#[cfg(feature = "serve")]
pub(super) const SERVE: &str = examples!(
    "exitpath serve                 # this repository, for test clusters"
    "exitpath serve --scenario all  # made-up channels, for tests of clients"
);
pub(super) const COMPARE: &str = examples!(
    "exitpath compare --service https://api.openshift.com     # with production"
    "exitpath compare --answers saved/ --channel stable-4.20  # with saved answers"
);
pub(super) const TEST: &str = examples!(
    "exitpath test                 # all tests in risk-tests/"
    "exitpath test --new SomeRisk  # write a first test for a risk"
);
pub(super) const RULES: &str = examples!(
    "exitpath rules                  # all rules"
    "exitpath rules --family promql  # the rules about queries"
);
pub(super) const EXPLAIN: &str = examples!(
    "exitpath explain vague-url  # by name"
    "exitpath explain EP620      # by code"
);
pub(super) const SCHEMA: &str = examples!(
    "exitpath schema               # the names of the schemas"
    "exitpath schema check-report  # what `check --format json` prints"
);
pub(super) const COMPLETIONS: &str = examples!(
    "exitpath completions bash > ~/.local/share/bash-completion/completions/exitpath"
    "exitpath completions fish > ~/.config/fish/completions/exitpath.fish"
);
pub(super) const MAN: &str = examples!(
    "exitpath man | man -l -    # read it"
    "exitpath man > exitpath.1  # write it for a package"
);
pub(super) const ROLLOUT_PAYLOAD: &str = examples!(
    "exitpath rollout payload extracted/                  # the order of its manifests"
    "exitpath rollout payload extracted/ --older before/  # and what is new"
);
pub(super) const ROLLOUT_STATUS: &str = examples!(
    "oc get clusterversion,clusteroperators,mcp,nodes -o yaml | exitpath rollout status -"
    "exitpath rollout status objects.yaml --payload extracted/  # with the run levels"
);
pub(super) const ROLLOUT_POOL: &str = examples!(
    "exitpath rollout pool --nodes 12 --max-unavailable 2            # a made-up pool"
    "oc get mcp,nodes -o yaml | exitpath rollout pool - --reboot 8m  # the pools of a cluster"
);
pub(super) const PROMQL_CHECK: &str = examples!(
    "exitpath promql check 'cluster_operator_conditions{name=\"etcd\"}'  # one query"
    "exitpath promql check - < query.txt                               # a query in a file"
);
pub(super) const PROMQL_EVAL: &str = examples!(
    "exitpath promql eval 'group(cluster_version)' --sample aws           # on a sample cluster"
    "exitpath promql eval - --url https://thanos.example.com < query.txt  # on a running server"
);
pub(super) const PROMQL_FORMAT: &str = examples!(
    "exitpath promql format 'max(up)or vector(0)'"
    "exitpath promql format --width 60 - < query.promql"
);
pub(super) const PROMQL_METRICS: &str = examples!(
    "exitpath promql metrics                        # all metrics that exitpath knows"
    "exitpath promql metrics --against metrics.txt  # in what a real cluster differs"
);
pub(super) const GUIDE: &str = examples!(
    "exitpath guide risk                   # for people"
    "exitpath guide risk --output risk.md  # for an assistant"
);
pub(super) const INIT: &str = examples!(
    "exitpath init                              # show all of them"
    "exitpath init pre-commit settings --write  # write two files"
);
#[cfg(feature = "lsp")]
pub(super) const LSP: &str = examples!(
    "exitpath lsp                       # what an editor starts"
    "exitpath lsp --base origin/master  # only findings that are new"
);
pub(super) const PROMOTE: &str = examples!(
    "exitpath promote                              # all channels, now"
    "exitpath promote --errata public.txt --write  # in the files, with the errata that are public"
);
pub(super) const DIGEST: &str = examples!(
    "exitpath digest --since 2026-01-31                 # since that day"
    "exitpath digest --since HEAD~50 --format markdown  # for a mail"
);
pub(super) const RELEASE_OPEN: &str = examples!(
    "exitpath release open 5.1         # writes its candidate channel, and the ranges for builds"
    "exitpath release open 5.1 --diff  # only shows them"
);
pub(super) const RELEASE_GA: &str = examples!(
    "exitpath release ga 5.1           # writes its channels"
    "exitpath release ga 5.1 --commit  # as a commit"
);
pub(super) const RELEASE_END: &str = examples!(
    "exitpath release end 4.16         # changes the filters of stable channels"
    "exitpath release end 4.16 --diff  # only shows that"
);
pub(super) const RISK_LIST: &str = examples!(
    "exitpath risk list            # all risks, those that wait first"
    "exitpath risk list --waiting  # what somebody has to decide about"
);
pub(super) const RISK_NEW: &str = examples!(
    "# asks for everything"
    "exitpath risk new"
    "# as a file of the repository says it, for two releases"
    "exitpath risk new --template risk.yaml --to 4.18.20..4.18.21 --dry-run"
);
pub(super) const RISK_EXTEND: &str = examples!(
    "exitpath risk extend SomeRisk                   # to all releases that wait"
    "exitpath risk extend SomeRisk 4.18.21 --commit  # to one, as a commit"
);
pub(super) const RISK_FIX: &str = examples!(
    "exitpath risk fix SomeRisk 4.18.22 4.19.3  # in two minor versions"
    "exitpath risk fix SomeRisk 4.18.22 --diff  # only show the change"
);
pub(super) const RISK_SPREAD: &str = examples!(
    "# after an edit of one file: the others get the same text"
    "exitpath risk spread SomeRisk --like 4.18.20"
    "# other origins for the releases of one minor version"
    "exitpath risk spread SomeRisk --from 4.17..4.18.19 --to 4.18"
);
pub(super) const RISK_RENAME: &str = examples!(
    "exitpath risk rename SomeRisk AnotherName           # its files and its tests"
    "exitpath risk rename SomeRisk AnotherName --commit  # as a commit"
);
pub(super) const RISK_DROP: &str = examples!(
    "exitpath risk drop SomeRisk 4.18.20  # only the file for 4.18.20"
    "exitpath risk drop SomeRisk          # all its files, and its tests"
);
pub(super) const RISK_EXPOSURE: &str = examples!(
    "exitpath risk exposure                                # a line for each risk with a fix"
    "exitpath risk exposure --format json --output e.json  # for a chart"
);
pub(super) const RISK_SHOW: &str = examples!(
    "exitpath risk show SomeRisk                # what the repository says of it today"
    "exitpath risk show SomeRisk --rev HEAD~10  # and what it said before"
);
pub(super) const CATALOG_CHECK: &str = examples!(
    "exitpath catalog check catalog/                     # as `opm validate`, and the installs"
    "exitpath catalog check catalog/ --base origin/main  # only what a change adds"
);
pub(super) const CATALOG_SIMULATE: &str = examples!(
    "# which installs get stuck, and what helps"
    "exitpath catalog simulate catalog/"
    "# with OLM v1"
    "exitpath catalog simulate catalog/ --channel stable,fast --policy v1"
);
pub(super) const CATALOG_PATH: &str = examples!(
    "exitpath catalog path catalog/ 1.2.0        # to the head of its channels"
    "exitpath catalog path catalog/ 1.2.0 1.4.0  # to a version"
);
pub(super) const CATALOG_SWITCH: &str = examples!(
    "# from each channel to each other one"
    "exitpath catalog switch catalog/"
    "# one switch"
    "exitpath catalog switch catalog/ --from-channel stable --channel fast"
);
pub(super) const CATALOG_EXPLAIN: &str = examples!(
    "# where this version goes next, and why"
    "exitpath catalog explain catalog/ 1.2.0"
    "# in one channel"
    "exitpath catalog explain catalog/ 1.2.0 --channel stable"
);
pub(super) const CATALOG_DIFF: &str = examples!(
    "exitpath catalog diff catalog/ --base origin/main  # what this branch changes"
    "exitpath catalog diff old.yaml new.yaml --worse    # what gets worse between two files"
);
pub(super) const CATALOG_GRAPH: &str = examples!(
    "# a picture"
    "exitpath catalog graph catalog/ --channel stable --format svg"
    "# each edge, and whether it is taken"
    "exitpath catalog graph catalog/ --channel stable --all-edges"
);
pub(super) const CATALOG_SUBSTITUTE: &str = examples!(
    "exitpath catalog substitute catalog/         # what rebuilds change"
    "exitpath catalog substitute catalog/ --diff  # the lines that change"
);
pub(super) const CATALOG_BRIDGE: &str = examples!(
    "exitpath catalog bridge 4.16=now/ --next-catalog 4.17=next/ --installed foo.v1.2.0"
    "oc get clusterversion,subscriptions,csv -A -o yaml > o.yaml && exitpath catalog bridge now/ --operators o.yaml"
);
pub(super) const CATALOG_FAIL_FORWARD: &str = examples!(
    "exitpath catalog fail-forward catalog/  # the entries that no later entry rescues"
    "exitpath catalog fail-forward catalog/ --installed 1.2.0 --event \"v1.3.0's CSV fails\""
);

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use clap::{Command, CommandFactory};

    use super::super::args::Args;

    /// The commands that have no commands of their own.
    fn leaves(command: &Command) -> Vec<&Command> {
        let own: Vec<&Command> =
            command.get_subcommands().filter(|one| one.get_name() != "help").collect();
        match own.as_slice() {
            [] => vec![command],
            _ => own.into_iter().flat_map(leaves).collect(),
        }
    }

    /// The words of a line, as a shell splits it: without comments, redirections, and other
    /// programs.
    fn words(line: &str) -> Vec<String> {
        let line = line.split("  # ").next().unwrap_or_default();
        let start = line.find("exitpath ").unwrap_or_default();
        let (mut words, mut quote) = (vec![String::new()], None);
        for character in line[start..].chars() {
            match (character, quote) {
                ('>' | '<' | '|', None) => break,
                (' ', None) => words.push(String::new()),
                ('\'' | '"', None) => quote = Some(character),
                (character, Some(end)) if character == end => quote = None,
                (character, _) => words.last_mut().unwrap().push(character),
            }
        }
        words.retain(|word| !word.is_empty());
        words
    }

    #[test]
    fn each_command_has_two_examples_that_it_understands() {
        let mut command = Args::command();
        command.build();
        for leaf in leaves(&command) {
            let help = leaf.get_after_help().map(ToString::to_string).unwrap_or_default();
            let name = leaf.get_bin_name().unwrap_or_default();
            let lines = help.lines().map(str::trim).skip(1).filter(|line| !line.starts_with('#'));
            let examples: Vec<&str> = lines.collect();
            assert!(examples.len() >= 2, "{name} has {} examples", examples.len());
            for example in examples {
                let words = words(example);
                assert!(words.join(" ").starts_with(name), "{example} is not about {name}");
                let parsed = Args::command().try_get_matches_from(&words);
                assert!(parsed.is_ok(), "{example}: {}", parsed.unwrap_err());
            }
        }
    }
}
