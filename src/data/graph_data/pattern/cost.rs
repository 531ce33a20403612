//! How long it takes to compile patterns and to match them with all versions. A short text can make
//! a very large machine.

use regex_syntax::ast::{Ast, ClassSet, ClassSetItem, RepetitionKind, RepetitionRange};

use crate::domain::HashSet;

/// The most steps. All patterns in use together need a fiftieth of it.
const MOST: u64 = 1 << 31;
/// The size of the largest machine that the service allows, in states.
const MOST_STATES: u64 = 1 << 19;
/// The most states of a small pattern. Real patterns have a quarter of it. Without Unicode classes,
/// each state takes some hundred bytes.
const SMALL_STATES: u64 = 256;
/// Steps that one state takes to compile.
const COMPILE: u64 = 64;
/// The states of a class such as `\w` over Unicode.
const UNICODE_CLASS: u64 = 300;

/// The patterns that together take too long, of patterns with their costs. Cheap patterns come
/// first, so that one costly pattern does not exclude the others.
pub(super) fn unaffordable<'p>(patterns: impl Iterator<Item = (u64, &'p str)>) -> HashSet<&'p str> {
    let mut costs: Vec<(u64, &str)> = patterns.collect();
    costs.sort_unstable();
    let mut total: u64 = 0;
    let affordable = costs.iter().take_while(|(cost, _)| {
        total = total.saturating_add(*cost);
        total <= MOST
    });
    let affordable = affordable.count();
    costs.into_iter().skip(affordable).map(|(_, pattern)| pattern).collect()
}

/// The steps that a pattern takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cost {
    /// To compile it.
    compiling: u64,
    /// To match it with a byte.
    matching: u64,
}

impl Cost {
    /// Without a syntax tree, a pattern is invalid.
    pub(super) fn of(text: &str, ast: Option<&Ast>) -> Self {
        // An invalid pattern is not compiled, so it costs only its length.
        let Some(ast) = ast else { return Self { compiling: text.len() as u64, matching: 0 } };
        Self {
            compiling: states(ast, UNICODE_CLASS).min(MOST_STATES) * COMPILE,
            matching: states(ast, 1).min(MOST_STATES),
        }
    }

    /// All steps, if `bytes` is the length of all versions.
    pub(super) fn with(self, bytes: u64) -> u64 {
        self.compiling.saturating_add(self.matching.saturating_mul(bytes))
    }
}

/// Whether the machine of a pattern certainly is much smaller than the service allows.
pub(super) fn is_small(ast: &Ast) -> bool {
    states(ast, UNICODE_CLASS) <= SMALL_STATES
}

/// The states of a machine whose classes have `class` states each.
fn states(ast: &Ast, class: u64) -> u64 {
    let sum = |parts: &[Ast]| {
        parts.iter().fold(1, |sum: u64, part| sum.saturating_add(states(part, class)))
    };
    match ast {
        Ast::Empty(_) | Ast::Flags(_) | Ast::Literal(_) | Ast::Dot(_) | Ast::Assertion(_) => 1,
        Ast::ClassUnicode(_) | Ast::ClassPerl(_) => class,
        Ast::ClassBracketed(set) => class_states(&set.kind, class),
        Ast::Repetition(repetition) => {
            states(&repetition.ast, class).saturating_mul(times(&repetition.op.kind))
        }
        Ast::Group(group) => states(&group.ast, class),
        Ast::Alternation(alternation) => sum(&alternation.asts),
        Ast::Concat(concat) => sum(&concat.asts),
    }
}

fn class_states(set: &ClassSet, class: u64) -> u64 {
    match set {
        ClassSet::Item(item) => item_states(item, class),
        ClassSet::BinaryOp(operation) => {
            class_states(&operation.lhs, class).saturating_add(class_states(&operation.rhs, class))
        }
    }
}

fn item_states(item: &ClassSetItem, class: u64) -> u64 {
    match item {
        ClassSetItem::Empty(_) | ClassSetItem::Literal(_) | ClassSetItem::Ascii(_) => 1,
        ClassSetItem::Range(range) if range.end.c.is_ascii() => 1,
        ClassSetItem::Range(_) | ClassSetItem::Unicode(_) | ClassSetItem::Perl(_) => class,
        ClassSetItem::Bracketed(set) => class_states(&set.kind, class),
        ClassSetItem::Union(union) => union
            .items
            .iter()
            .fold(0, |sum: u64, item| sum.saturating_add(item_states(item, class))),
    }
}

fn times(kind: &RepetitionKind) -> u64 {
    match kind {
        RepetitionKind::ZeroOrOne | RepetitionKind::ZeroOrMore => 1,
        RepetitionKind::OneOrMore => 2,
        RepetitionKind::Range(range) => match range {
            RepetitionRange::Exactly(times) | RepetitionRange::Bounded(_, times) => {
                u64::from(*times)
            }
            RepetitionRange::AtLeast(times) => u64::from(*times) + 1,
        },
    }
}

#[cfg(test)]
mod tests {
    use regex_syntax::ast::Ast;
    use regex_syntax::ast::parse::Parser;

    use super::{Cost, MOST, is_small, unaffordable};

    fn ast(pattern: &str) -> Ast {
        Parser::new().parse(pattern).unwrap_or_else(|_| unreachable!())
    }

    fn cost(pattern: &str, bytes: u64) -> u64 {
        Cost::of(pattern, Some(&ast(pattern))).with(bytes)
    }

    #[test]
    fn a_pattern_in_use_is_cheap() {
        let pattern = r"4[.](16[.].*|17[.]([0-9]|1[0-7]))[+](amd64|arm64)";
        assert!(cost(pattern, 20_000) < MOST / 1_000);
        assert!(is_small(&ast(pattern)));
    }

    #[test]
    fn nested_repetitions_multiply() {
        let (once, often) = (cost("(a{9}){9}", 100), cost("((a{9}){9}){9}", 100));
        assert!(often > 8 * once, "{once} {often}");
    }

    #[test]
    fn the_most_costly_patterns_are_unaffordable() {
        let costly: Vec<String> =
            (0..300).map(|i| format!(r"(?:[\w.+-]{{1,40}}){{20}}{i}")).collect();
        let all = costly.iter().map(String::as_str).chain(["4[.]13[.].*"]);
        let all: Vec<(&str, Ast)> = all.map(|text| (text, ast(text))).collect();
        let cost = |text: &str, ast: &Ast| Cost::of(text, Some(ast)).with(20_000);
        let without = unaffordable(all.iter().map(|(text, ast)| (cost(text, ast), *text)));
        assert!(!is_small(&all[0].1));
        assert!(without.len() > 200 && without.len() < 300, "{}", without.len());
        assert!(!without.contains("4[.]13[.].*"));
    }
}
