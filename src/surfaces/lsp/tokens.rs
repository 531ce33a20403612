//! The words of queries as semantic tokens.

use lsp_types::{SemanticToken, SemanticTokenType, SemanticTokensLegend};

use crate::promql::WordKind;
use crate::text::{Source, Span};

use super::encoding::Encoding;

/// The types, in the order of their numbers.
static TYPES: [(WordKind, SemanticTokenType); 7] = [
    (WordKind::Metric, SemanticTokenType::VARIABLE),
    (WordKind::Function, SemanticTokenType::FUNCTION),
    (WordKind::Keyword, SemanticTokenType::KEYWORD),
    (WordKind::Label, SemanticTokenType::PROPERTY),
    (WordKind::Text, SemanticTokenType::STRING),
    (WordKind::Number, SemanticTokenType::NUMBER),
    (WordKind::Operator, SemanticTokenType::OPERATOR),
];

pub(super) fn legend() -> SemanticTokensLegend {
    let token_types = TYPES.iter().map(|(_, name)| name.clone()).collect();
    SemanticTokensLegend { token_types, token_modifiers: Vec::new() }
}

/// The words, each relative to the one before.
pub(super) fn tokens(
    source: &Source,
    words: &[(WordKind, Span)],
    encoding: Encoding,
) -> Vec<SemanticToken> {
    let mut tokens = Vec::new();
    let (mut line, mut offset) = (0, 0);
    for (kind, span) in words {
        let known = TYPES.iter().zip(0..).find(|((known, _), _)| known == kind);
        let Some((_, token_type)) = known else { continue };
        let own_line = number(source.line_of(span.start) - 1);
        if source.line_of(span.end) - 1 != own_line as usize {
            continue;
        }
        let delta_line = own_line - line;
        // Words of one line are counted from each other, because lines can be long.
        let delta_start = if delta_line == 0 && offset > 0 {
            encoding.width(source, offset..span.start)
        } else {
            encoding.position(source, span.start).character
        };
        (line, offset) = (own_line, span.start);
        let length = encoding.width(source, span.range());
        let token_modifiers_bitset = 0;
        tokens.push(SemanticToken {
            delta_line,
            delta_start,
            length,
            token_type,
            token_modifiers_bitset,
        });
    }
    tokens
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
