//! A pattern that other tools read differently.

use regex_syntax::ast::{
    Assertion, AssertionKind, Ast, ClassSet, ClassSetItem, GroupKind, HexLiteralKind, Literal,
    LiteralKind,
};

use crate::graph_data::GraphData;
use crate::rules::origins::{copies, syntax};
use crate::rules::{Check, Family, Finding, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP114",
    name: "from-dialect",
    aliases: &[],
    family: Family::Block,
    severity: Severity::Warning,
    summary: "a `from` that Rust, Python and Go read differently",
    explanation: "\
The service compiles `from` with Rust's library, the repository's own scripts with
Python's, and people's tools with Go's. What only one of them knows, or what they
take for different things, makes a review with one of them worthless for the others.",
    bad: "from: 4[.]13[.][0-9]++[+].*",
    good: "from: 4[.]13[.][0-9]+[+].*",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    for copies in copies(data) {
        let text = copies.from.value.as_str();
        syntax(text, &mut |ast| {
            let Some(why) = peculiarity(ast) else { return };
            let span = ast.span();
            let at = span.start.offset..span.end.offset;
            let message = format!("{why}: `{}`", shortened(&text[at.clone()]));
            let finding = Finding::at(&RULE, copies.span(data, at), message)
                .help("spell it with what Rust, Python and Go share: classes, groups, `|`, `*`, `+`, `?`, `^` and `$`");
            findings.push(copies.point_at_copies(finding));
        });
    }
}

fn peculiarity(ast: &Ast) -> Option<&'static str> {
    match ast {
        Ast::Repetition(outer) => matches!(*outer.ast, Ast::Repetition(_)).then_some(
            "a repetition of a repetition means something else in Python, and Go refuses it",
        ),
        Ast::Assertion(assertion) => of_assertion(assertion),
        Ast::ClassUnicode(_) => Some("Python knows no classes of Unicode properties"),
        Ast::Literal(literal) => of_literal(literal),
        Ast::ClassBracketed(class) => match &class.kind {
            ClassSet::BinaryOp(_) => Some("Python and Go know no operations on classes"),
            ClassSet::Item(item) => of_class_item(item),
        },
        Ast::Group(group) => match &group.kind {
            GroupKind::CaptureName { starts_with_p: false, .. } => {
                Some("Python writes a named group `(?P<name>…)`")
            }
            _ => None,
        },
        _ => None,
    }
}

fn of_assertion(assertion: &Assertion) -> Option<&'static str> {
    match assertion.kind {
        AssertionKind::EndText => Some("Python writes the end of the text `\\Z`, or `$`"),
        AssertionKind::WordBoundaryStart
        | AssertionKind::WordBoundaryEnd
        | AssertionKind::WordBoundaryStartAngle
        | AssertionKind::WordBoundaryEndAngle
        | AssertionKind::WordBoundaryStartHalf
        | AssertionKind::WordBoundaryEndHalf => {
            Some("only Rust knows the beginning and the end of a word")
        }
        _ => None,
    }
}

fn of_literal(literal: &Literal) -> Option<&'static str> {
    match literal.kind {
        LiteralKind::HexBrace(HexLiteralKind::X) => Some("Python knows no braces in `\\x`"),
        LiteralKind::HexBrace(_) | LiteralKind::HexFixed(HexLiteralKind::UnicodeLong) => {
            Some("Go does not know this escape")
        }
        _ => None,
    }
}

fn of_class_item(item: &ClassSetItem) -> Option<&'static str> {
    match item {
        ClassSetItem::Ascii(_) => Some("Python takes `[:…:]` for a set of those characters"),
        ClassSetItem::Unicode(_) => Some("Python knows no classes of Unicode properties"),
        ClassSetItem::Bracketed(_) => Some("Python and Go know no classes within classes"),
        ClassSetItem::Literal(literal) => of_literal(literal),
        ClassSetItem::Union(union) => union.items.iter().find_map(of_class_item),
        _ => None,
    }
}
