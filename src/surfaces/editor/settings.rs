//! `exitpath.toml` in an editor.

use std::ops::Range;

use crate::domain::Named;
use crate::lint::Config;
use crate::rules::{Family, RULES, Rule};
use crate::schema::{CONFIG, SchemaKey};
use crate::text::Failure;

use super::completion::{Completion, CompletionKind, Completions, fitting};

/// A line with the table that it is in.
struct SettingsLine<'t> {
    table: Vec<&'t str>,
    start: usize,
    text: &'t str,
}

const LEVELS: [&str; 4] = ["error", "warning", "info", "off"];

/// What is wrong with the settings, and where. Each check refuses to run with such settings.
pub(crate) fn fault(text: &str) -> Option<(Range<usize>, String)> {
    let failure = Config::parse(text).err()?;
    let range = Config::fault_range(text).or_else(|| named_place(text, &failure));
    let range = range.unwrap_or(0..text.find('\n').unwrap_or(text.len()));
    Some((range, in_one_text(&failure)))
}

/// The first place of a word that the failure quotes.
fn named_place(text: &str, failure: &Failure) -> Option<Range<usize>> {
    let quoted = failure.words().0.split('`').skip(1).step_by(2);
    let mut places = quoted.filter_map(|word| Some((text.find(word)?, word.len())));
    places.next().map(|(start, length)| start..start + length)
}

fn in_one_text(failure: &Failure) -> String {
    let (what, hint) = failure.words();
    // The excerpt is where the editor shows the message.
    let last = what.lines().last().unwrap_or_default();
    hint.map_or_else(|| last.to_owned(), |hint| format!("{last}\n{hint}"))
}

fn line_at(text: &str, offset: usize) -> SettingsLine<'_> {
    let start = text[..text.floor_char_boundary(offset)].rfind('\n').map_or(0, |at| at + 1);
    let line = text[start..].lines().next().unwrap_or_default();
    let header = text[..start].lines().rev().find_map(|line| {
        let name = line.trim().strip_prefix('[')?;
        Some(name.trim_start_matches('[').split(']').next().unwrap_or_default())
    });
    let table = header.map(|header| header.split('.').map(str::trim).collect());
    SettingsLine { table: table.unwrap_or_default(), start, text: line }
}

/// What can be written at a byte of the settings.
pub(crate) fn complete_settings(text: &str, offset: usize) -> Option<Completions> {
    let SettingsLine { table, start, text: line } = line_at(text, offset);
    let column = offset.saturating_sub(start).min(line.len());
    let before = line.get(..column)?;
    if before.trim_start().starts_with('[') {
        return None;
    }
    let is_quoted = is_in_quotes(before)?;
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let word = before.len() - before.trim_end_matches(is_word).len();
    let after = line[column..].len() - line[column..].trim_start_matches(is_word).len();
    let range = offset - word..offset + after;
    let written = &before[column - word..];
    let of_key = before.split_once('=').map(|(name, _)| name.trim());
    let mut items = match (of_key.or_else(|| key_of_list(&text[..start])), table.as_slice()) {
        (None, ["rules"]) => rules_and_families(CompletionKind::Key),
        (None, table) => CONFIG.keys(&path(table)).iter().map(key).collect(),
        (Some(_), ["rules"]) => LEVELS.iter().map(|level| value(level)).collect(),
        (Some("rules"), _) => rules_and_families(CompletionKind::Value),
        (Some(name), table) => {
            let keys = CONFIG.keys(&path(table));
            let key = keys.into_iter().find(|key| key.name == name);
            key.map(|key| key.values.into_iter().map(value).collect()).unwrap_or_default()
        }
    };
    items = fitting(items, written);
    if !is_quoted {
        let values = items.iter_mut().filter(|item| item.kind == CompletionKind::Value);
        values.for_each(|item| item.text = format!("\"{}\"", item.text));
    }
    Some(Completions::new(text, range, items))
}

/// Whether the end of a part of a line is between quotes. None if it is in a comment.
fn is_in_quotes(before: &str) -> Option<bool> {
    let mut open = None;
    for c in before.chars() {
        match (open, c) {
            (None, '#') => return None,
            (None, '"' | '\'') => open = Some(c),
            (Some(quote), _) if c == quote => open = None,
            _ => {}
        }
    }
    Some(open.is_some())
}

/// The key of a list of several lines that is not closed at the end of a text.
fn key_of_list(before: &str) -> Option<&str> {
    let mut depth = 0_i32;
    for line in before.lines().rev() {
        let opened = |part: &str| {
            let of = |bracket| i32::try_from(part.matches(bracket).count()).unwrap_or_default();
            of('[') - of(']')
        };
        if let Some((name, value)) = line.split_once('=') {
            return (depth + opened(value) > 0).then(|| name.trim());
        }
        depth += opened(line);
    }
    None
}

/// The keys of the schema that lead to a table. Tables of metrics have names of their own.
fn path<'t>(table: &[&'t str]) -> Vec<&'t str> {
    table.iter().take(1).copied().collect()
}

fn key(key: &SchemaKey<'_>) -> Completion {
    Completion::new(CompletionKind::Word, key.name, "key").about(key.about)
}

fn value(value: &str) -> Completion {
    Completion::new(CompletionKind::Value, value, "")
}

fn rules_and_families(kind: CompletionKind) -> Vec<Completion> {
    let kind = if kind == CompletionKind::Key { CompletionKind::Word } else { kind };
    let rules = RULES
        .iter()
        .map(|rule| Completion::new(kind, rule.name, rule.severity.name()).about(rule.summary));
    let families = Family::ALL.iter().map(|family| Completion::new(kind, family.name(), "family"));
    rules.chain(families).collect()
}

/// What is known about the word at a byte of the settings, and the range of the word.
pub(crate) fn about_setting(text: &str, offset: usize) -> Option<(String, Range<usize>)> {
    let SettingsLine { table, start, text: line } = line_at(text, offset);
    let column = offset.saturating_sub(start).min(line.len());
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let before = line.get(..column)?;
    let from = column - (before.len() - before.trim_end_matches(is_word).len());
    let to = column + line[column..].find(|c| !is_word(c)).unwrap_or(line.len() - column);
    let word = &line[from..to];
    let range = start + from..start + to;
    if let Some(rule) = Rule::find(word) {
        let about = format!("**{}** ({}): {}", rule.name, rule.severity.name(), rule.summary);
        return Some((about, range));
    }
    let keys = CONFIG.keys(&path(&table));
    let key = keys.into_iter().find(|key| key.name == word)?;
    Some((format!("**{}**: {}", key.name, key.about), range))
}

#[cfg(test)]
mod tests {
    use super::{about_setting, complete_settings, fault};

    fn texts(marked: &str) -> Vec<String> {
        let offset = marked.find('¦').unwrap_or_default();
        let found = complete_settings(&marked.replace('¦', ""), offset);
        found
            .map(|found| found.items.into_iter().map(|item| item.text).collect())
            .unwrap_or_default()
    }

    #[test]
    fn keys_rules_and_levels_are_completed() {
        assert!(texts("fail¦").contains(&"fail-on".to_owned()));
        assert_eq!(texts("[rules]\nvague-u¦")[0], "vague-url");
        assert_eq!(texts("[rules]\nvague-url = \"w¦\"")[0], "warning");
        assert!(texts("[supported]\nd¦").contains(&"days".to_owned()));
        assert_eq!(texts("[[ignore]]\nrules = [\"vague-u¦\"]")[0], "vague-url");
        assert_eq!(texts("[[ignore]]\nrules = [\n  \"vague-u¦\",\n]")[0], "vague-url");
    }

    #[test]
    fn a_value_without_quotes_gets_them_and_a_comment_is_not_completed() {
        assert_eq!(texts("fail-on = ¦")[0], "\"error\"");
        assert_eq!(texts("[rules]\nvague-url = w¦")[0], "\"warning\"");
        assert_eq!(texts("[[ignore]]\nrules = [vague-u¦]")[0], "\"vague-url\"");
        assert!(texts("fail-on = \"error\" # ¦").is_empty());
        assert!(texts("# fail¦").is_empty());
    }

    #[test]
    fn a_fault_has_its_place() {
        let text = "fail-on = \"error\"\n[supported]\ndays = \"many\"\n";
        let found = fault(text).map(|(range, _)| &text[range]);
        assert_eq!(found, Some("\"many\""));
        let text = "fail-on = \"error\"\n[rules]\nvague-urk = \"off\"\n";
        let found = fault(text).map(|(range, _)| &text[range]);
        assert_eq!(found, Some("vague-urk"));
        assert_eq!(fault("fail-on = \"error\"\n"), None);
    }

    #[test]
    fn a_rule_is_explained() {
        let about = about_setting("[rules]\nvague-url = \"off\"\n", 10);
        assert!(about.is_some_and(|(about, _)| about.contains("vague-url")));
    }
}
