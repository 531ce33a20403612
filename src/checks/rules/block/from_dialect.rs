//! A pattern that other tools read differently.

use regex_syntax::ast::{
    Assertion, AssertionKind, Ast, ClassSet, ClassSetItem, GroupKind, HexLiteralKind, Literal,
    LiteralKind,
};

use crate::graph_data::GraphData;
use crate::rules::shared::patterns::{pattern_groups, visit_syntax};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP114",
    name: "from-dialect",
    properties: Properties::OF_ONE_RISK,
    family: Family::Block,
    severity: Severity::Warning,
    summary: "a `from` that Rust, Python, and Go read differently",
    explanation: "\
The service compiles `from` with Rust's library, the repository's own scripts use
Python's, and people's tools use Go's. Some syntax exists in only one of them, or has
different meanings in them. A test with one of them does not show what the others do.",
    bad: "from: 4[.]13[.][0-9]++[+].*",
    good: "from: 4[.]13[.][0-9]+[+].*",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    for group in pattern_groups(data) {
        let text = group.from.value.as_str();
        let Some(syntax) = &group.pattern.syntax else { continue };
        visit_syntax(syntax, &mut |ast| {
            let Some(why) = dialect_of(ast) else { return };
            let span = ast.span();
            let at = span.start.offset..span.end.offset;
            let message = format!("{why}: `{}`", shortened(&text[at.clone()]));
            let usual = group.usual(&[]).map(|usual| format!(", as in `{usual}`"));
            let finding = Finding::at(&RULE, group.span(at), message).help(format!(
                "use only syntax that Rust, Python, and Go share: classes, groups, `|`, `*`, `+`, `?`, `^`, and `$`{}",
                usual.unwrap_or_default()
            ));
            findings.push(group.with_other_declarations(finding));
        });
    }
}

fn dialect_of(ast: &Ast) -> Option<&'static str> {
    match ast {
        Ast::Repetition(outer) => matches!(*outer.ast, Ast::Repetition(_)).then_some(
            "a repetition of a repetition has another meaning in Python, and Go rejects it",
        ),
        Ast::Assertion(assertion) => of_assertion(assertion),
        Ast::ClassUnicode(_) => Some("Python does not support Unicode property classes"),
        Ast::Literal(literal) => of_literal(literal),
        Ast::ClassBracketed(class) => match &class.kind {
            ClassSet::BinaryOp(_) => Some("Python and Go do not support operations on classes"),
            ClassSet::Item(item) => of_class_item(item),
        },
        Ast::Group(group) => match &group.kind {
            GroupKind::CaptureName { starts_with_p: false, .. } => {
                Some("Python writes a named group as `(?P<name>…)`")
            }
            _ => None,
        },
        _ => None,
    }
}

fn of_assertion(assertion: &Assertion) -> Option<&'static str> {
    match assertion.kind {
        AssertionKind::EndText => Some("Python writes the end of the text as `\\Z` or `$`"),
        AssertionKind::WordBoundaryStart
        | AssertionKind::WordBoundaryEnd
        | AssertionKind::WordBoundaryStartAngle
        | AssertionKind::WordBoundaryEndAngle
        | AssertionKind::WordBoundaryStartHalf
        | AssertionKind::WordBoundaryEndHalf => {
            Some("only Rust supports assertions for the start or end of a word")
        }
        _ => None,
    }
}

fn of_literal(literal: &Literal) -> Option<&'static str> {
    match literal.kind {
        LiteralKind::HexBrace(HexLiteralKind::X) => Some("Python does not support braces in `\\x`"),
        LiteralKind::HexBrace(_) | LiteralKind::HexFixed(HexLiteralKind::UnicodeLong) => {
            Some("Go does not support this escape")
        }
        _ => None,
    }
}

fn of_class_item(item: &ClassSetItem) -> Option<&'static str> {
    match item {
        ClassSetItem::Ascii(_) => Some("Python reads `[:…:]` as a set of those characters"),
        ClassSetItem::Unicode(_) => Some("Python does not support Unicode property classes"),
        ClassSetItem::Bracketed(_) => Some("Python and Go do not support nested classes"),
        ClassSetItem::Literal(literal) => of_literal(literal),
        ClassSetItem::Union(union) => union.items.iter().find_map(of_class_item),
        _ => None,
    }
}
