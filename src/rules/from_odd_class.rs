//! A class of digits that looks like a range of numbers.

use regex_syntax::ast::{Ast, ClassBracketed, ClassSet, ClassSetItem};

use crate::graph_data::GraphData;

use super::origins::{copies, syntax};
use super::{Check, Family, Finding, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP112",
    name: "from-odd-class",
    aliases: &[],
    family: Family::Block,
    severity: Severity::Warning,
    summary: "a class such as `[0-25]`, which is one digit and not a number",
    explanation: "\
Between brackets stand single characters: `[0-25]` is 0, 1, 2 or 5, and `[1-15]` is
1 or 5. A range of numbers is spelled by its digits.",
    bad: "from: ^4[.]13[.][0-25][+].*$",
    good: "from: ^4[.]13[.]([0-9]|1[0-9]|2[0-5])[+].*$",
    check: Check::Repository(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    for copies in copies(data) {
        let text = copies.from.value.as_str();
        if !text.contains("-") {
            continue;
        }
        syntax(text, &mut |ast| {
            let Ast::ClassBracketed(class) = ast else { return };
            if class.negated || !looks_like_numbers(class) {
                return;
            }
            let at = class.span.start.offset..class.span.end.offset;
            let written = &text[at.clone()];
            let digits: Vec<String> =
                (0..10).filter(|n| holds(class, *n)).map(|n| n.to_string()).collect();
            let message = format!("`{written}` is one digit, {}", either(&digits));
            let finding = Finding::at(&RULE, copies.span(data, at), message)
                .help("a range of numbers is spelled by its digits: 0 to 25 is `([0-9]|1[0-9]|2[0-5])`");
            findings.push(copies.point_at_copies(finding));
        });
    }
}

fn either(digits: &[String]) -> String {
    match digits.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => digits.concat(),
    }
}

/// Whether a digit directly follows a range of digits: no one writes a set so.
fn looks_like_numbers(class: &ClassBracketed) -> bool {
    let ClassSet::Item(ClassSetItem::Union(union)) = &class.kind else { return false };
    union.items.windows(2).any(|pair| match pair {
        [ClassSetItem::Range(range), ClassSetItem::Literal(digit)] => {
            range.start.c.is_ascii_digit() && range.end.c.is_ascii_digit() && digit.c.is_ascii_digit()
        }
        _ => false,
    })
}

fn holds(class: &ClassBracketed, n: u8) -> bool {
    let digit = char::from(b'0' + n);
    let ClassSet::Item(ClassSetItem::Union(union)) = &class.kind else { return false };
    union.items.iter().any(|item| match item {
        ClassSetItem::Literal(literal) => literal.c == digit,
        ClassSetItem::Range(range) => (range.start.c..=range.end.c).contains(&digit),
        _ => false,
    })
}
