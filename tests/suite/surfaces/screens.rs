//! What people see in terminals of different widths, with and without colors.

use exitpath::Terminal;
use exitpath::testing::rules::{Check, RULES};

use crate::{exitpath, exitpath_in};

/// Commands with long lines.
fn commands() -> Vec<Vec<String>> {
    let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let mut commands = vec![
        words("simulate --graph fixtures/graphs/before-the-fix.json"),
        words("path 4.13.8 4.14.2 --graph fixtures/graphs/before-the-fix.json"),
        words("rules"),
    ];
    for rule in RULES {
        let name = rule.name;
        commands.push(vec!["explain".to_owned(), name.to_owned()]);
        let is_static = matches!(
            rule.check,
            Check::Fault(_) | Check::File(_) | Check::Declarations(_) | Check::Repository(_)
        );
        if is_static {
            let folder = format!("fixtures/rules/{name}/bad");
            commands.push(words(&format!("check {folder} --no-graph --fail-on info")));
        }
    }
    commands
}

fn is_of_a_file(line: &str) -> bool {
    // The frame of an excerpt, and the examples of `explain`.
    line.contains(['│', '·', '╭']) || line.starts_with("    ")
}

#[test]
fn lines_wrap_between_words_at_the_width_of_the_terminal() {
    for width in [60, 80, 120] {
        let terminal = Terminal { stdout: true, stderr: true, width: Some(width) };
        for command in commands() {
            let command = [command, vec!["--color=never".to_owned()]].concat();
            let run = exitpath_in(terminal, &command);
            for line in run.out.lines().filter(|line| !is_of_a_file(line)) {
                let before = line.trim_end().rsplit_once(' ').map_or("", |(before, _)| before);
                let fits = line.chars().count() <= width || before.trim().is_empty();
                assert!(fits, "{width}, {command:?}:\n{line}\n{}", run.out);
            }
        }
    }
}

#[test]
fn versions_and_names_of_channels_stay_whole() {
    let terminal = |width| Terminal { stdout: true, stderr: true, width: Some(width) };
    for width in 40..110 {
        let run = exitpath_in(terminal(width), ["explain", "ahead-of-feeder"]);
        for line in run.out.lines() {
            assert!(!line.trim_end().ends_with('-'), "{width}: {line}");
        }
    }
}

/// A screen reader and a log without colors get the same text.
#[test]
fn colors_do_not_change_the_text() {
    for command in commands() {
        let with = |color: &str| exitpath([command.clone(), vec![color.to_owned()]].concat()).out;
        let colored = with("--color=always");
        assert_eq!(without_escapes(&colored), with("--color=never"), "{command:?}");
    }
}

fn without_escapes(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, escape)) = rest.split_once('\u{1b}') {
        plain += before;
        rest = escape.split_once('m').expect("the escape ends").1;
    }
    plain + rest
}
