//! Breaks a query into lines of limited width, with the parts of a long expression below each
//! other.

mod pieces;

use super::syntax::{Expr, NodeId, Query};

/// How many columns a part is indented in its expression.
const INDENT: usize = 2;

/// The layout of a part of a query.
struct Block {
    /// The whole part in one line. None if that is too long.
    line: Option<String>,
    /// The part with its operands in lines of their own.
    lines: Vec<String>,
}

/// The query in lines of at most this width, except where a matcher or a number is longer. Comments
/// are omitted.
pub fn laid_out(text: &str, query: &Query, width: usize) -> String {
    let depths = depths(query);
    let written = pieces::WrittenQuery { text, query };
    let mut blocks: Vec<Option<Block>> = Vec::new();
    for (id, node) in query.nodes() {
        let room = width.saturating_sub(depths[id.index()] * INDENT);
        let mut operands = node.expr.operands().into_iter().map(|of| {
            let block = blocks.get_mut(of.index()).and_then(Option::take);
            block.unwrap_or(Block { line: None, lines: Vec::new() })
        });
        let block = written.block(id, &mut operands, room);
        blocks.push(Some(block));
    }
    let root = blocks.pop().flatten();
    root.map(|root| root.fewest_lines().join("\n")).unwrap_or_default()
}

/// The indentation of each part if nothing around it fits on one line.
fn depths(query: &Query) -> Vec<usize> {
    let count = query.root().index() + 1;
    let mut depths = vec![0; count];
    for id in (0..count).rev().map(NodeId::new) {
        let expr = &query.node(id).expr;
        let indents = matches!(expr, Expr::Call(_) | Expr::Aggregation(_) | Expr::Paren(_));
        for operand in expr.operands() {
            depths[operand.index()] = depths[id.index()] + usize::from(indents);
        }
    }
    depths
}

impl Block {
    /// A text that is never broken.
    fn whole(text: String) -> Self {
        Self { line: Some(text.clone()), lines: vec![text] }
    }

    /// A block with this line, if it fits, and these lines.
    fn fitted(line: Option<String>, room: usize, lines: Vec<String>) -> Self {
        Self { line: line.filter(|line| line.chars().count() <= room), lines }
    }

    /// One line if it fits, or else several.
    fn fewest_lines(self) -> Vec<String> {
        self.line.map_or(self.lines, |line| vec![line])
    }

    fn starting(mut self, with: &str) -> Self {
        if let Some(first) = self.lines.first_mut() {
            first.insert_str(0, with);
        }
        Self { line: self.line.map(|line| format!("{with}{line}")), ..self }
    }

    fn ending(mut self, with: &str) -> Self {
        if let Some(last) = self.lines.last_mut() {
            last.push_str(with);
        }
        Self { line: self.line.map(|line| line + with), ..self }
    }
}
