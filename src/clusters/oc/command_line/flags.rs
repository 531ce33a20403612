//! Flags, parsed as the library pflag does.

use std::collections::BTreeMap;
use std::slice::Iter;

use crate::go::{self, csv, in_single_quotes, quoted, strconv};

/// The name of the flag that every command has.
pub(super) const HELP: &str = "help";

/// A flag that a command has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flag {
    pub(super) name: &'static str,
    pub(super) kind: FlagKind,
}

/// The flag that every command has.
const HELP_FLAG: Flag = Flag { name: HELP, kind: FlagKind::Switch };

/// The kind of value that a flag takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FlagKind {
    /// No value, `=true`, or `=false`.
    Switch,
    /// One text.
    Text,
    /// Texts, separated by commas. The flag can be repeated.
    List,
}

/// The flags that were given, and the other arguments.
#[derive(Debug, Default)]
pub(in super::super) struct Flags {
    switches: BTreeMap<&'static str, bool>,
    texts: BTreeMap<&'static str, String>,
    lists: BTreeMap<&'static str, Vec<String>>,
    /// The arguments that are not flags.
    pub(in super::super) arguments: Vec<String>,
}

impl Flags {
    /// Whether a switch is on.
    pub(in super::super) fn is_on(&self, name: &str) -> bool {
        self.switches.get(name).copied().unwrap_or(false)
    }

    /// The text of a flag. Empty if it was not given.
    pub(in super::super) fn text(&self, name: &str) -> &str {
        self.texts.get(name).map_or("", String::as_str)
    }

    /// The text of a flag, or `default` if it was not given.
    pub(in super::super) fn text_or<'a>(&'a self, name: &str, default: &'a str) -> &'a str {
        self.texts.get(name).map_or(default, String::as_str)
    }

    /// The texts of a flag.
    pub(in super::super) fn list(&self, name: &str) -> &[String] {
        self.lists.get(name).map_or(&[], Vec::as_slice)
    }

    fn set(&mut self, flag: Flag, shown: &str, value: &str) -> Result<(), go::Error> {
        let Flag { name, kind } = flag;
        let invalid = |fault: go::Error| {
            format!("invalid argument {} for {} flag: {fault}", quoted(value), quoted(shown))
        };
        match kind {
            FlagKind::Switch => {
                self.switches.insert(name, strconv::boolean(value).map_err(invalid)?);
            }
            FlagKind::Text => {
                self.texts.insert(name, value.to_owned());
            }
            FlagKind::List => {
                self.lists.entry(name).or_default().extend(csv::fields(value).map_err(invalid)?);
            }
        }
        Ok(())
    }

    fn long(
        &mut self,
        known: &[Flag],
        arg: &str,
        rest: &mut Iter<'_, &str>,
    ) -> Result<(), go::Error> {
        let name = arg.trim_start_matches('-');
        if arg.starts_with("---") || name.starts_with('=') {
            return Err(format!("bad flag syntax: {arg}").into());
        }
        let (name, value) = name.split_once('=').map_or((name, None), |(a, b)| (a, Some(b)));
        let flag = known.iter().chain([&HELP_FLAG]).find(|flag| flag.name == name);
        let flag = *flag.ok_or_else(|| format!("unknown flag: --{name}"))?;
        let value = match value {
            Some(value) => value,
            None if flag.kind == FlagKind::Switch => "true",
            None => rest.next().ok_or_else(|| format!("flag needs an argument: {arg}"))?,
        };
        self.set(flag, &format!("--{name}"), value)
    }

    /// Reads flags of one letter. The only one is `-h`.
    fn short(&mut self, letters: &str) -> Result<(), go::Error> {
        let mut rest = letters;
        while let Some(letter) = rest.bytes().next() {
            if letter != b'h' {
                let letter = in_single_quotes(char::from(letter));
                return Err(format!("unknown shorthand flag: {letter} in -{rest}").into());
            }
            if let Some(value) = rest.strip_prefix("h=").filter(|value| !value.is_empty()) {
                return self.set(HELP_FLAG, "-h, --help", value);
            }
            self.set(HELP_FLAG, "-h, --help", "true")?;
            rest = &rest[1..];
        }
        Ok(())
    }
}

/// Parses arguments. The error is pflag's message.
pub(super) fn parse(known: &[Flag], args: &[&str]) -> Result<Flags, go::Error> {
    let mut flags = Flags::default();
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        match *arg {
            "--" => {
                flags.arguments.extend(rest.map(|&arg| arg.to_owned()));
                break;
            }
            arg if arg.starts_with("--") => flags.long(known, arg, &mut rest)?,
            arg if arg.starts_with('-') && arg.len() > 1 => flags.short(&arg[1..])?,
            arg => flags.arguments.push(arg.to_owned()),
        }
    }
    Ok(flags)
}
