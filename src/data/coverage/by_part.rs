//! Evaluates a query part by part.
//!
//! Some nodes of a query depend on one part of the series only. The rest of the query sees nothing
//! of that part but the values of these nodes. So these nodes are evaluated once for each choice,
//! and of several choices with equal values, only one is kept.

use crate::promql::{EvalError, Evaluation, Expr, KnownValues, NodeId, Query, Step, Store, Value};

use super::classes::{Class, Classes, ClusterPart, MOST_NODES, store};
use super::outcome::settings;

/// Evaluates a query on clusters of classes.
pub(super) struct ByPart<'q> {
    query: &'q Query,
    evaluation: Result<Evaluation<'q>, EvalError>,
    /// What each node depends on.
    depends: Vec<DependsOn>,
    /// For each part, its outermost nodes: the nodes that depend on it alone, and whose users also
    /// depend on other parts.
    outermost: Vec<Vec<NodeId>>,
    /// For each part and each choice, what the query sees of it. Empty if that would be more work
    /// than evaluating all classes, or if a subquery needs many values of a node.
    seen: Vec<Vec<Option<SeenChoice>>>,
}

/// What a query sees of one choice.
struct SeenChoice {
    /// The values of the outermost nodes.
    known: Vec<KnownValues>,
    /// The number of samples of each node.
    counts: Vec<usize>,
}

/// Which parts a node depends on.
#[derive(Clone, Copy, PartialEq)]
enum DependsOn {
    Nothing,
    Part(usize),
    Several,
}

impl DependsOn {
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Nothing, any) | (any, Self::Nothing) => any,
            (one, other) if one == other => one,
            _ => Self::Several,
        }
    }
}

impl<'q> ByPart<'q> {
    /// Evaluates each part alone, and removes the choices that the query cannot tell from others.
    pub(super) fn of(query: &'q Query, classes: &mut Classes) -> Self {
        let (depends, outermost) = dependencies(query, &classes.parts);
        let evaluation = Evaluation::new(query, settings());
        let mut by_part = Self { query, evaluation, depends, outermost, seen: Vec::new() };
        let choices: usize = classes.parts.iter().map(|part| part.choices.len()).sum();
        let nodes = choices * (query.root().index() + 1);
        let has_subquery = query.nodes().any(|(_, node)| matches!(node.expr, Expr::Subquery(_)));
        if choices < classes.count() && nodes <= MOST_NODES && !has_subquery {
            let parts = classes.parts.iter_mut().enumerate();
            by_part.seen = parts.map(|(at, part)| by_part.see(at, part)).collect();
        }
        by_part
    }

    /// What the query sees of each choice for a part. Of choices that look the same to the query,
    /// keeps only the first, which is the most usual one.
    fn see(&mut self, at: usize, part: &mut ClusterPart) -> Vec<Option<SeenChoice>> {
        let mut all: Vec<Option<SeenChoice>> = Vec::new();
        part.choices.retain(|choice| {
            let seen = self.look(at, &store(std::iter::once(choice)));
            let is_like =
                |new: &SeenChoice| all.iter().flatten().any(|known| self.is_like(new, known));
            let is_new = seen.as_ref().is_none_or(|new| !is_like(new));
            if let (true, Some(_), Ok(evaluation)) = (is_new, &seen, &mut self.evaluation) {
                evaluation.keep();
            }
            all.extend(is_new.then_some(seen));
            is_new
        });
        all
    }

    /// What the query sees of a store with one choice for a part. None if the evaluation fails.
    fn look(&mut self, part: usize, store: &Store) -> Option<SeenChoice> {
        let depends = &self.depends;
        // The other nodes do not matter here, even if they would fail.
        let step = |id: NodeId| match depends[id.index()] {
            DependsOn::Part(other) if other != part => Step::Skip(0),
            DependsOn::Several => Step::Skip(0),
            DependsOn::Part(_) | DependsOn::Nothing => Step::Evaluate,
        };
        let evaluation = self.evaluation.as_mut().ok()?;
        let (known, counts) = evaluation.nodes(store, step, &self.outermost[part])?;
        Some(SeenChoice { known, counts })
    }

    /// Whether two choices give the same values, and need the right sides of the same `or`s.
    fn is_like(&self, one: &SeenChoice, other: &SeenChoice) -> bool {
        let is_needed = |counts: &[usize], id: NodeId| match &self.query.node(id).expr {
            Expr::Binary(or) => counts[id.index()] > counts[or.left.index()],
            _ => false,
        };
        let mut ors = self.query.nodes().filter(|(_, node)| node.expr.is_or());
        one.known == other.known
            && ors.all(|(id, _)| is_needed(&one.counts, id) == is_needed(&other.counts, id))
    }

    /// The answer of the query on a cluster of a class, and the number of samples of each node.
    /// After an error, the first node without a count is the one that failed.
    pub(super) fn answer(
        &mut self,
        classes: &Classes,
        class: &Class,
    ) -> (Result<Value, EvalError>, Vec<usize>) {
        let evaluation = match &mut self.evaluation {
            Ok(evaluation) => evaluation,
            Err(error) => return (Err(error.clone()), Vec::new()),
        };
        let seen = self.seen.iter().zip(class);
        let seen: Option<Vec<&SeenChoice>> =
            seen.map(|(seen, choice)| seen[*choice].as_ref()).collect();
        let Some(seen) = seen.filter(|seen| !seen.is_empty()) else {
            return evaluation.value(&classes.store(class), |_| Step::Evaluate);
        };
        let (depends, outermost) = (&self.depends, &self.outermost);
        let step = |id: NodeId| match depends[id.index()] {
            DependsOn::Nothing | DependsOn::Several => Step::Evaluate,
            DependsOn::Part(part) => {
                let at = outermost[part].iter().position(|outer| *outer == id);
                let known = at.and_then(|at| seen[part].known.get(at));
                known.map_or_else(|| Step::Skip(seen[part].counts[id.index()]), Step::Use)
            }
        };
        evaluation.value(&Store::default(), step)
    }
}

/// What each node depends on, and the outermost nodes of each part.
fn dependencies(query: &Query, parts: &[ClusterPart]) -> (Vec<DependsOn>, Vec<Vec<NodeId>>) {
    let of_metric = |name: &str| {
        let part = parts.iter().position(|part| part.metrics.iter().any(|metric| metric == name));
        part.map_or(DependsOn::Several, DependsOn::Part)
    };
    let mut depends: Vec<DependsOn> = Vec::new();
    let mut outermost = vec![Vec::new(); parts.len()];
    for (_, node) in query.nodes() {
        let own = match &node.expr {
            Expr::Selector(selector) => selector.metric().map_or(DependsOn::Several, of_metric),
            _ => DependsOn::Nothing,
        };
        let operands = node.expr.operands();
        let all = operands.iter().fold(own, |all, id| all.and(depends[id.index()]));
        if all == DependsOn::Several {
            for id in operands {
                if let DependsOn::Part(part) = depends[id.index()] {
                    outermost[part].push(id);
                }
            }
        }
        depends.push(all);
    }
    // The evaluation needs them in its own order.
    for nodes in &mut outermost {
        nodes.sort_unstable();
    }
    (depends, outermost)
}

#[cfg(test)]
mod tests {
    use super::ByPart;
    use crate::coverage::classes::Classes;
    use crate::coverage::dictionary::Dictionary;
    use crate::coverage::outcome::settings;
    use crate::metrics::FIXED_TIME;
    use crate::promql;

    const QUERIES: [&str; 9] = [
        "group(cluster_infrastructure_provider{type=\"AWS\"}) or 0 * group(cluster_infrastructure_provider)",
        "group(csv_succeeded{name=~\"a.*\"}) or 0 * group(cluster_operator_conditions)",
        "topk(1, group(csv_succeeded{name=~\"a.*\"}) or 0 * group(cluster_operator_conditions{name=\"b\"}) or group(cluster_operator_conditions))",
        "(max(cluster_operator_conditions{name=\"a\"}) or on () vector(0)) + max(csv_succeeded) * (max(cluster_operator_conditions) > bool 0)",
        "csv_succeeded * on () group_left (type) cluster_infrastructure_provider",
        "quantile(scalar(max(cluster_operator_conditions)), csv_succeeded)",
        "quantile_over_time(scalar(max(cluster_operator_conditions)), csv_succeeded[1h])",
        "cluster_operator_conditions * ignoring (name) csv_succeeded unless cluster_infrastructure_provider",
        "max_over_time((max(csv_succeeded) + max(cluster_operator_conditions))[1h:10m])",
    ];

    #[test]
    fn an_answer_part_by_part_is_that_of_the_whole_query() {
        let dictionary = Dictionary::built_in();
        let mut joined = 0;
        for text in QUERIES {
            let query = promql::parse(text).unwrap_or_else(|error| unreachable!("{error:?}"));
            let mut classes = Classes::of(&[&query], dictionary, FIXED_TIME);
            let mut by_part = ByPart::of(&query, &mut classes);
            for class in classes.some(300) {
                let answer = by_part.answer(&classes, &class);
                let whole = promql::evaluate_counted(&query, &classes.store(&class), &settings());
                assert_eq!(answer, whole, "{text} on {class:?}");
                joined += usize::from(!by_part.seen.is_empty());
            }
        }
        assert!(joined > 300, "{joined}");
    }
}
