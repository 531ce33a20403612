//! The parts of a pattern that a walk goes through, made from the syntax tree.

use std::ops::Range;

use regex_syntax::ast::{
    AssertionKind, Ast, ClassAsciiKind, ClassPerlKind, ClassSet, ClassSetBinaryOpKind,
    ClassSetItem, GroupKind, RepetitionKind, RepetitionRange,
};

/// The parts of a pattern in ASCII, without flags and word boundaries.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    pub(super) root: PatternPart,
    /// The branches of alternations.
    pub(super) branches: Vec<Branch>,
    /// The `.` without repetition, as ranges of the pattern.
    pub(super) dots: Vec<Range<usize>>,
    /// Whether there is a [`PatternPart::Rest`].
    pub(super) has_rest: bool,
}

/// A part of a pattern.
#[derive(Clone, Debug)]
pub(super) enum PatternPart {
    /// One character of a set; bit n is the ASCII character n.
    One(u128),
    /// A `.` that is not repeated.
    Dot,
    Start,
    End,
    Sequence(Vec<PatternPart>),
    /// Branches, numbered from `first`.
    Choice {
        first: usize,
        branches: Vec<PatternPart>,
    },
    Repeat {
        part: Box<PatternPart>,
        min: u32,
        max: Option<u32>,
    },
    /// A `.*` behind alternatives. Its author means that it begins where a number ends, as in
    /// `([0-9]|1[0-4]).*`.
    Rest,
}

/// A branch of an alternation.
#[derive(Clone, Debug)]
pub(super) struct Branch {
    pub(super) at: Range<usize>,
    /// The branch that contains the alternation.
    pub(super) around: Option<usize>,
}

const DIGITS: u128 = ((1 << 10) - 1) << b'0';
/// What a `.` matches.
pub(super) const NOT_NEWLINE: u128 = !(1 << b'\n');

impl Parts {
    /// None if the pattern has other syntax.
    pub(super) fn of(ast: &Ast) -> Option<Self> {
        let mut builder = Builder::default();
        let root = builder.part(ast)?;
        let Builder { branches, dots, has_rest, .. } = builder;
        Some(Self { root, branches, dots, has_rest })
    }
}

#[derive(Default)]
struct Builder {
    branches: Vec<Branch>,
    dots: Vec<Range<usize>>,
    has_rest: bool,
    /// The current branch.
    around: Option<usize>,
}

impl Builder {
    /// The part for a syntax tree. The parser allows 250 levels, so recursion is safe.
    fn part(&mut self, ast: &Ast) -> Option<PatternPart> {
        Some(match ast {
            Ast::Empty(_) => PatternPart::Sequence(Vec::new()),
            Ast::Literal(literal) => PatternPart::One(bit(literal.c)),
            Ast::Dot(span) => {
                self.dots.push(span.start.offset..span.end.offset);
                PatternPart::Dot
            }
            Ast::Assertion(assertion) => match assertion.kind {
                AssertionKind::StartLine | AssertionKind::StartText => PatternPart::Start,
                AssertionKind::EndLine | AssertionKind::EndText => PatternPart::End,
                _ => return None,
            },
            Ast::ClassPerl(class) => PatternPart::One(perl(&class.kind, class.negated)),
            Ast::ClassBracketed(class) => {
                let set = class_set(&class.kind)?;
                PatternPart::One(if class.negated { !set } else { set })
            }
            Ast::Group(group) => match &group.kind {
                GroupKind::NonCapturing(flags) if !flags.items.is_empty() => return None,
                _ => self.part(&group.ast)?,
            },
            Ast::Concat(concat) => {
                let before = std::iter::once(None).chain(concat.asts.iter().map(Some));
                let parts = before.zip(&concat.asts).map(|(before, ast)| {
                    if is_rest(ast) && before.is_some_and(is_choice) {
                        self.has_rest = true;
                        return Some(PatternPart::Rest);
                    }
                    self.part(ast)
                });
                PatternPart::Sequence(parts.collect::<Option<_>>()?)
            }
            Ast::Alternation(alternation) => {
                let first = self.branches.len();
                let around = self.around;
                self.branches.extend(alternation.asts.iter().map(|ast| {
                    let span = ast.span();
                    Branch { at: span.start.offset..span.end.offset, around }
                }));
                let branches = (first..).zip(&alternation.asts).map(|(n, ast)| {
                    self.around = Some(n);
                    self.part(ast)
                });
                let branches = branches.collect::<Option<_>>()?;
                self.around = around;
                PatternPart::Choice { first, branches }
            }
            Ast::Repetition(repetition) => {
                let (min, max) = match repetition.op.kind {
                    RepetitionKind::ZeroOrOne => (0, Some(1)),
                    RepetitionKind::ZeroOrMore => (0, None),
                    RepetitionKind::OneOrMore => (1, None),
                    RepetitionKind::Range(RepetitionRange::Exactly(n)) => (n, Some(n)),
                    RepetitionKind::Range(RepetitionRange::AtLeast(n)) => (n, None),
                    RepetitionKind::Range(RepetitionRange::Bounded(n, m)) => (n, Some(m)),
                };
                let part = match &*repetition.ast {
                    // A repeated dot is meant to match anything.
                    Ast::Dot(_) => PatternPart::One(NOT_NEWLINE),
                    other => self.part(other)?,
                };
                PatternPart::Repeat { part: Box::new(part), min, max }
            }
            Ast::Flags(_) | Ast::ClassUnicode(_) => return None,
        })
    }
}

fn is_rest(ast: &Ast) -> bool {
    let Ast::Repetition(repetition) = ast else { return false };
    let kind = &repetition.op.kind;
    matches!(*repetition.ast, Ast::Dot(_)) && matches!(kind, RepetitionKind::ZeroOrMore)
}

/// Whether it is alternatives in parentheses.
fn is_choice(ast: &Ast) -> bool {
    matches!(ast, Ast::Group(group) if matches!(*group.ast, Ast::Alternation(_)))
}

fn bit(c: char) -> u128 {
    // Versions have only ASCII, so other characters never match.
    if c.is_ascii() { 1 << u32::from(c) } else { 0 }
}

fn perl(kind: &ClassPerlKind, negated: bool) -> u128 {
    let set = match kind {
        ClassPerlKind::Digit => DIGITS,
        ClassPerlKind::Space => ascii(&ClassAsciiKind::Space),
        ClassPerlKind::Word => ascii(&ClassAsciiKind::Word),
    };
    if negated { !set } else { set }
}

fn ascii(kind: &ClassAsciiKind) -> u128 {
    let holds = |byte: u8| match kind {
        ClassAsciiKind::Alnum => byte.is_ascii_alphanumeric(),
        ClassAsciiKind::Alpha => byte.is_ascii_alphabetic(),
        ClassAsciiKind::Ascii => true,
        ClassAsciiKind::Blank => byte == b' ' || byte == b'\t',
        ClassAsciiKind::Cntrl => byte.is_ascii_control(),
        ClassAsciiKind::Digit => byte.is_ascii_digit(),
        ClassAsciiKind::Graph => byte.is_ascii_graphic(),
        ClassAsciiKind::Lower => byte.is_ascii_lowercase(),
        ClassAsciiKind::Print => byte.is_ascii_graphic() || byte == b' ',
        ClassAsciiKind::Punct => byte.is_ascii_punctuation(),
        ClassAsciiKind::Space => byte.is_ascii_whitespace() || byte == 0x0b,
        ClassAsciiKind::Upper => byte.is_ascii_uppercase(),
        ClassAsciiKind::Word => byte.is_ascii_alphanumeric() || byte == b'_',
        ClassAsciiKind::Xdigit => byte.is_ascii_hexdigit(),
    };
    (0..128_u8).filter(|byte| holds(*byte)).fold(0, |set, byte| set | 1 << byte)
}

fn class_set(set: &ClassSet) -> Option<u128> {
    match set {
        ClassSet::Item(item) => class_item(item),
        ClassSet::BinaryOp(op) => {
            let (left, right) = (class_set(&op.lhs)?, class_set(&op.rhs)?);
            Some(match op.kind {
                ClassSetBinaryOpKind::Intersection => left & right,
                ClassSetBinaryOpKind::Difference => left & !right,
                ClassSetBinaryOpKind::SymmetricDifference => left ^ right,
            })
        }
    }
}

fn class_item(item: &ClassSetItem) -> Option<u128> {
    Some(match item {
        ClassSetItem::Empty(_) => 0,
        ClassSetItem::Literal(literal) => bit(literal.c),
        ClassSetItem::Range(range) => {
            let (start, end) = (u32::from(range.start.c), u32::from(range.end.c).min(127));
            (start..=end).fold(0, |set, c| set | 1 << c)
        }
        ClassSetItem::Ascii(class) => {
            let set = ascii(&class.kind);
            if class.negated { !set } else { set }
        }
        ClassSetItem::Perl(class) => perl(&class.kind, class.negated),
        ClassSetItem::Bracketed(class) => {
            let set = class_set(&class.kind)?;
            if class.negated { !set } else { set }
        }
        ClassSetItem::Union(union) => {
            union.items.iter().try_fold(0, |set, item| Some(set | class_item(item)?))?
        }
        ClassSetItem::Unicode(_) => return None,
    })
}
