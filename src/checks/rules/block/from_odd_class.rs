//! A character class that does not match what its author seems to mean.

use regex_syntax::ast::{Ast, ClassBracketed, ClassSet, ClassSetItem};

use crate::graph_data::GraphData;
use crate::rules::shared::patterns::{pattern_groups, visit_syntax};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, shortened};
use crate::text::words::list_all;

pub(super) static RULE: Rule = Rule {
    code: "EP112",
    name: "from-odd-class",
    properties: Properties::OF_ONE_RISK,
    family: Family::Block,
    severity: Severity::Warning,
    summary: "a class such as `[0-25]` or `[.]*`, which is not what it looks like",
    explanation: "\
Brackets contain single characters: `[0-25]` is 0, 1, 2, or 5, and `[2|3]` is 2, 3, or
a bar. `[.]*` is any number of dots, while `.*` is any text. Write a range of numbers
digit by digit, and put alternatives in parentheses.",
    bad: "from: ^4[.]13[.][0-25][+].*$",
    good: "from: ^4[.]13[.]([0-9]|1[0-9]|2[0-5])[+].*$",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    for group in pattern_groups(data) {
        let text = group.from.value.as_str();
        let Some(syntax) = &group.pattern.syntax else { continue };
        visit_syntax(syntax, &mut |ast| {
            let Some(Oddity { what, help }) = oddity(ast) else { return };
            let span = ast.span();
            let at = span.start.offset..span.end.offset;
            let message = format!("`{}` {what}", shortened(&text[at.clone()]));
            let finding = Finding::at(&RULE, group.span(at), message).help(help);
            findings.push(group.with_other_declarations(finding));
        });
    }
}

struct Oddity {
    what: String,
    help: &'static str,
}

fn oddity(ast: &Ast) -> Option<Oddity> {
    match ast {
        Ast::ClassBracketed(class) if !class.negated => odd_class(class),
        Ast::Repetition(repetition) => match &*repetition.ast {
            Ast::ClassBracketed(class) if is_dot(class) => Some(Oddity {
                what: "matches any number of dots".to_owned(),
                help: "write a dot and any text after it as `[.].*`",
            }),
            _ => None,
        },
        _ => None,
    }
}

fn odd_class(class: &ClassBracketed) -> Option<Oddity> {
    let ClassSet::Item(ClassSetItem::Union(union)) = &class.kind else { return None };
    let is_bar = |item: &ClassSetItem| matches!(item, ClassSetItem::Literal(l) if l.c == '|');
    if union.items.iter().any(is_bar) {
        return Some(Oddity {
            what: "matches one character, which can be `|`".to_owned(),
            help: "put alternatives in parentheses, such as `(2|3)`, or write `[23]`",
        });
    }
    // A class of digits has no reason to combine a range with a digit, so this is meant as a range
    // of numbers.
    let looks_like_numbers = union.items.windows(2).any(|pair| match pair {
        [ClassSetItem::Range(range), ClassSetItem::Literal(digit)] => {
            let ends = [range.start.c, range.end.c, digit.c];
            ends.iter().all(char::is_ascii_digit)
        }
        _ => false,
    });
    looks_like_numbers.then(|| {
        let holds = |n: &char| union.items.iter().any(|item| contains_digit(item, *n));
        let digits: Vec<String> = ('0'..='9').filter(holds).map(String::from).collect();
        Oddity {
            what: format!("matches one digit: {}", list_all(&digits, "or")),
            help: "write a range of numbers digit by digit: 0 to 25 is `([0-9]|1[0-9]|2[0-5])`",
        }
    })
}

fn is_dot(class: &ClassBracketed) -> bool {
    matches!(&class.kind, ClassSet::Item(ClassSetItem::Literal(literal)) if literal.c == '.')
}

fn contains_digit(item: &ClassSetItem, digit: char) -> bool {
    match item {
        ClassSetItem::Literal(literal) => literal.c == digit,
        ClassSetItem::Range(range) => (range.start.c..=range.end.c).contains(&digit),
        _ => false,
    }
}
