//! The choices for a part that a query cannot tell apart.
//!
//! Some nodes of a query depend on one part only. The rest of the query sees nothing of that part but
//! the values of these nodes: where they are equal, the whole answer is.

use crate::promql::{self, Expr, NodeId, Query, Value};

use super::classes::{Classes, MOST_NODES, Part, store};
use super::outcome::settings;

/// Keeps one of the choices that a query cannot tell apart, where that is less work than all classes.
pub(super) fn merge(classes: &mut Classes, query: &Query) {
    let choices: usize = classes.parts.iter().map(|part| part.choices.len()).sum();
    let nodes = choices * (query.root().index() + 1);
    if choices < classes.count() && nodes <= MOST_NODES {
        for part in &mut classes.parts {
            merge_choices(part, query);
        }
    }
}

/// Keeps the most usual choices.
fn merge_choices(part: &mut Part, query: &Query) {
    let Some(view) = View::of(query, &part.metrics) else { return };
    let mut known: Vec<Seen> = Vec::new();
    part.choices.retain(|choice| {
        let Some(seen) = view.of_store(&store(std::iter::once(choice))) else { return true };
        let is_new = !known.contains(&seen);
        if is_new {
            known.push(seen);
        }
        is_new
    });
}

/// What a query sees of one part.
#[derive(PartialEq)]
struct Seen {
    values: Vec<Value>,
    /// For each `or` of the part, whether its right side is needed.
    needed: Vec<bool>,
}

/// The nodes that depend on one part only.
struct View<'q> {
    query: &'q Query,
    /// Those that others use together with other parts.
    outermost: Vec<NodeId>,
    depends: Vec<Depends>,
    ors: Vec<NodeId>,
}

impl<'q> View<'q> {
    /// None: the query asks for more than one value of a node.
    fn of(query: &'q Query, metrics: &[String]) -> Option<Self> {
        if query.nodes().any(|(_, node)| matches!(node.expr, Expr::Subquery(_))) {
            return None;
        }
        let mut depends: Vec<Depends> = Vec::new();
        let mut outermost: Vec<NodeId> = Vec::new();
        for (_, node) in query.nodes() {
            let operands = node.expr.operands();
            let own = match &node.expr {
                Expr::Selector(selector) => Depends {
                    on_part: selector
                        .metric()
                        .is_some_and(|name| metrics.iter().any(|m| m == name)),
                    on_others: selector
                        .metric()
                        .is_none_or(|name| metrics.iter().all(|m| m != name)),
                },
                _ => Depends::default(),
            };
            let all = operands.iter().fold(own, |all, id| all.and(depends[id.index()]));
            if all.on_others {
                outermost.extend(operands.iter().filter(|id| depends[id.index()].is_closed()));
            }
            depends.push(all);
        }
        let closed = |id: &NodeId| depends[id.index()].is_closed();
        let ors = query.nodes().filter(|(_, node)| node.expr.is_or()).map(|(id, _)| id);
        let ors = ors.filter(closed).collect();
        Some(Self { query, outermost, depends, ors })
    }

    /// None: the evaluation fails.
    fn of_store(&self, store: &promql::Store) -> Option<Seen> {
        // What the other nodes make of the values does not matter, not even whether they fail.
        let is_used = |id: NodeId| !self.depends[id.index()].on_others;
        let (values, counts) =
            promql::evaluate_nodes(self.query, store, &settings(), is_used, &self.outermost)?;
        let needed = self.ors.iter().map(|id| match &self.query.node(*id).expr {
            Expr::Binary(or) => counts[id.index()] > counts[or.left.index()],
            _ => false,
        });
        Some(Seen { values, needed: needed.collect() })
    }
}

/// Which parts a node depends on.
#[derive(Clone, Copy, Default)]
struct Depends {
    on_part: bool,
    on_others: bool,
}

impl Depends {
    fn and(self, other: Self) -> Self {
        Self {
            on_part: self.on_part || other.on_part,
            on_others: self.on_others || other.on_others,
        }
    }

    fn is_closed(self) -> bool {
        self.on_part && !self.on_others
    }
}
