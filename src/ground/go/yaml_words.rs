//! Go's errors for texts that are not YAML. Go's parser is a port of libyaml, which `serde_yaml`
//! uses: the problems are the same, but the lines are counted differently.

use serde::de::IgnoredAny;

/// The most steps of the parser, which looks at all open brackets at every byte.
const MOST_STEPS: usize = 1 << 28;

/// The error of Go's parser. None if the text is YAML, or if it has too many brackets to try.
pub(crate) fn yaml_words(text: &str) -> Option<String> {
    let brackets = text.bytes().filter(|byte| matches!(byte, b'[' | b'{')).count();
    if text.len().saturating_mul(brackets) > MOST_STEPS {
        return None;
    }
    let error = serde_yaml::from_str::<IgnoredAny>(text).err()?;
    // Only the debug output has the kind of the error.
    let debug = format!("{error:?}");
    let problem = quoted_after(&debug, "problem: ")?;
    let is_scanner = debug.contains("kind: SCANNER");
    let line = |mark| line_after(&debug, mark).filter(|line| *line > 1);
    // serde_yaml counts lines from 1. Go counts from 0, and adds one only for errors of the
    // scanner.
    Some(match line("problem_mark: ").or_else(|| line("context_mark: ")) {
        Some(line) => format!("yaml: line {}: {problem}", line - usize::from(!is_scanner)),
        None => format!("yaml: {problem}"),
    })
}

fn quoted_after<'t>(text: &'t str, label: &str) -> Option<&'t str> {
    let rest = text.split_once(label)?.1.strip_prefix('"')?;
    rest.split_once('"').map(|(quoted, _)| quoted)
}

fn line_after(text: &str, label: &str) -> Option<usize> {
    let rest = text.split_once(label)?.1.strip_prefix("Mark { line: ")?;
    rest.split_once(',')?.0.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::yaml_words;

    #[test]
    fn scanner_and_parser_count_lines_differently() {
        assert_eq!(yaml_words("a: b\n"), None);
        let words = |text| yaml_words(text).unwrap_or_default();
        assert_eq!(
            words("a: b\n c: d\n"),
            "yaml: line 2: mapping values are not allowed in this context"
        );
        assert_eq!(words("a: b\nc: d\n- f\n"), "yaml: line 2: did not find expected key");
    }
}
