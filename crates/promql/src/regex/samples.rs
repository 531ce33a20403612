//! Some texts that a pattern matches.

use regex_syntax::hir::{Class, ClassUnicode, Hir, HirKind, Repetition};

use super::compiled::{ready, with_syntax};

/// The most samples of a pattern, and of each of its parts.
const MOST: usize = 32;

/// The most times that a part is repeated.
const MOST_TIMES: u32 = 64;

/// The length of the longest sample, in bytes.
const LONGEST: usize = 1_000;

/// Some texts that a pattern matches, one for each alternative if there are few alternatives. Empty
/// if the text is not a pattern.
pub fn samples(text: &str) -> Vec<String> {
    let (Some(mut samples), Ok(pattern)) = (with_syntax(text, of), ready(text)) else {
        return Vec::new();
    };
    // The samples ignore conditions on positions, such as `\b`, so each is tried.
    samples.retain(|sample| matches!(pattern.is_match(sample, true), Ok(true)));
    samples
}

fn of(hir: &Hir) -> Vec<String> {
    let mut samples = match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => vec![String::new()],
        HirKind::Literal(literal) => vec![String::from_utf8_lossy(&literal.0).into_owned()],
        HirKind::Class(Class::Unicode(class)) => characters(class),
        HirKind::Class(Class::Bytes(_)) => Vec::new(),
        HirKind::Repetition(repetition) => repeated(repetition),
        HirKind::Capture(capture) => of(&capture.sub),
        HirKind::Concat(parts) => joined(&parts.iter().map(of).collect::<Vec<_>>()),
        HirKind::Alternation(arms) => arms.iter().take(MOST).flat_map(of).collect(),
    };
    samples.retain(|sample| sample.len() <= LONGEST);
    samples.truncate(MOST);
    samples
}

/// Two common characters of a class, if it has any.
fn characters(class: &ClassUnicode) -> Vec<String> {
    let has = |c: &char| class.ranges().iter().any(|r| (r.start()..=r.end()).contains(c));
    let known = ['1', '2', '9', 'a', 'b', 'A', '.', '-', '_', '/', ':', '@'];
    let known: Vec<char> = known.into_iter().filter(has).take(2).collect();
    let first = || class.ranges().first().map(regex_syntax::hir::ClassUnicodeRange::start);
    let chosen = if known.is_empty() { first().into_iter().collect() } else { known };
    chosen.into_iter().map(String::from).collect()
}

fn repeated(repetition: &Repetition) -> Vec<String> {
    if repetition.min > MOST_TIMES || repetition.max == Some(0) {
        return if repetition.min == 0 { vec![String::new()] } else { Vec::new() };
    }
    let times = repetition.min.max(1) as usize;
    let mut samples: Vec<String> =
        of(&repetition.sub).iter().map(|sample| sample.repeat(times)).collect();
    if repetition.min == 0 {
        samples.push(String::new());
    }
    samples
}

/// Joins the first sample of each part, and then varies one part at a time.
fn joined(parts: &[Vec<String>]) -> Vec<String> {
    let firsts: Option<Vec<&str>> =
        parts.iter().map(|samples| samples.first().map(String::as_str)).collect();
    let Some(firsts) = firsts else { return Vec::new() };
    let with = |at: usize, sample: &String| {
        let mut parts = firsts.clone();
        parts[at] = sample;
        parts.concat()
    };
    let others = parts.iter().enumerate();
    let others = others.flat_map(|(at, samples)| samples.iter().skip(1).map(move |s| (at, s)));
    let others = others.take(MOST).map(|(at, sample)| with(at, sample));
    std::iter::once(firsts.concat()).chain(others).collect()
}

#[cfg(test)]
mod tests {
    use super::samples;

    #[test]
    fn each_alternative_has_a_sample() {
        assert_eq!(samples("AWS|GCP"), ["AWS", "GCP"]);
        assert_eq!(samples("4[.][0-9][.].*"), ["4.1.1", "4.2.1", "4.1.2", "4.1."]);
        assert_eq!(samples("(apple|pear)[.]v.+"), ["apple.v1", "pear.v1", "apple.v2"]);
        assert_eq!(samples("a{3}b?"), ["aaab", "aaa"]);
        assert_eq!(samples("("), Vec::<String>::new());
        assert_eq!(samples("(a{60}){60}|b"), ["b"]);
    }
}
