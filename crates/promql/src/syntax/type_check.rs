//! Checks a query: the types of operands, the numbers of arguments, and selectors that select
//! everything.

use std::ops::Range;

use super::super::regex;
use super::error::Error;
use super::messages::counted;
use super::operators::MatchOp;
use super::tree::{
    Aggregation, Binary, Call, Expr, METRIC_NAME, Matcher, MatchingKind, NodeId, Query, Selector,
};
use super::value_type::Type;

pub(super) fn check(query: &Query) -> Result<(), Error> {
    query.nodes().try_for_each(|(_, node)| match &node.expr {
        Expr::Selector(selector) => check_selector(selector, &node.range),
        Expr::Call(call) => check_call(query, call, &node.range),
        Expr::Aggregation(aggregation) => check_aggregation(query, aggregation),
        Expr::Binary(binary) => check_binary(query, binary, &node.range),
        Expr::Unary(_, of) => match query.node(*of).kind {
            Type::Scalar | Type::Vector => Ok(()),
            other => Err(Error::at(
                node.range.clone(),
                format!(
                    "a sign needs a scalar or an instant vector after it, not {}",
                    other.name()
                ),
            )),
        },
        Expr::Subquery(subquery) => match query.node(subquery.of).kind {
            Type::Vector => Ok(()),
            other => Err(Error::at(
                node.range.clone(),
                format!("a subquery needs an instant vector before it, not {}", other.name()),
            )),
        },
        Expr::Number(_) | Expr::Text(_) | Expr::Range(..) | Expr::Paren(_) => Ok(()),
    })
}

fn check_selector(selector: &Selector, range: &Range<usize>) -> Result<(), Error> {
    let matchers = &selector.matchers;
    if let Some(name) = &selector.name {
        let Some(second) = matchers.iter().find(|m| m.label.value == METRIC_NAME) else {
            return Ok(());
        };
        let message =
            format!("the metric is named twice: `{}` and `{}`", name.value, second.value.value);
        return Err(Error::at(range.clone(), message));
    }
    if matchers.iter().any(needs_the_label) {
        return Ok(());
    }
    let message =
        "this selects all series: name a metric, or match a label with a value that is not empty";
    Err(Error::at(range.clone(), message))
}

/// Whether a matcher refuses series without its label. Prometheus refuses a selector without such a
/// matcher.
fn needs_the_label(matcher: &Matcher) -> bool {
    let value = matcher.value.value.as_str();
    let takes_empty = match matcher.op {
        MatchOp::Equal => value.is_empty(),
        MatchOp::NotEqual => !value.is_empty(),
        MatchOp::Regex => regex::matches_empty(value),
        MatchOp::NotRegex => !regex::matches_empty(value),
    };
    !takes_empty
}

fn check_call(query: &Query, call: &Call, range: &Range<usize>) -> Result<(), Error> {
    let function = call.function;
    let given = call.arguments.len();
    if given < function.least || given > function.most {
        let wanted = if function.least == function.most {
            counted(function.least, "argument")
        } else if given < function.least {
            format!("at least {}", counted(function.least, "argument"))
        } else {
            format!("at most {}", counted(function.most, "argument"))
        };
        let message = format!("`{}` takes {wanted}, not {given}", function.name);
        return Err(Error::at(range.clone(), message));
    }
    for (i, argument) in call.arguments.iter().enumerate() {
        if let Some(wanted) = function.takes.get(i).or(function.takes.last()) {
            expect(query, *argument, *wanted, function.name)?;
        }
    }
    Ok(())
}

fn check_aggregation(query: &Query, aggregation: &Aggregation) -> Result<(), Error> {
    let op = aggregation.op.value;
    expect(query, aggregation.of, Type::Vector, op.name())?;
    match (aggregation.parameter, op.parameter()) {
        (Some(given), Some(wanted)) => expect(query, given, wanted, op.name()),
        _ => Ok(()),
    }
}

fn expect(query: &Query, id: NodeId, wanted: Type, by: &str) -> Result<(), Error> {
    let node = query.node(id);
    if node.kind == wanted {
        return Ok(());
    }
    let hint = match (node.kind, wanted) {
        (Type::Vector, Type::Range) => "; add a range, as in `metric[5m]`",
        (Type::Range, Type::Vector) => "; use a function such as `max_over_time`",
        _ => "",
    };
    let (wanted, is) = (wanted.name(), node.kind.name());
    Err(Error::at(node.range.clone(), format!("`{by}` takes {wanted} here, not {is}{hint}")))
}

fn check_binary(query: &Query, binary: &Binary, range: &Range<usize>) -> Result<(), Error> {
    let op = binary.op.value;
    let (left, right) = (query.node(binary.left).kind, query.node(binary.right).kind);
    let name = op.name();
    let on_operator = |message: String| {
        let end = binary.bool.as_ref().map_or(binary.op.range.end, |bool| bool.end);
        Err(Error::at(binary.op.range.start..end, message))
    };
    let on_whole = |message: String| Err(Error::at(range.clone(), message));
    if binary.bool.is_some() && !op.is_comparison() {
        return on_operator(format!("`bool` can only follow a comparison, not `{name}`"));
    }
    if op.is_comparison() && binary.bool.is_none() && left == Type::Scalar && right == Type::Scalar
    {
        return on_operator(format!("to compare two scalars, write `{name} bool`"));
    }
    let matching = binary.matching.as_ref();
    if let Some(matching) = matching
        && matching.kind == MatchingKind::On
        && let Some(group) = &matching.group
        && let Some(both) = group.labels.iter().find(|label| matching.lists(&label.value))
    {
        let message = format!("`{}` is both in `on` and in the group", both.value);
        return Err(Error::at(binary.op.range.start..matching.range.end, message));
    }
    for (kind, id) in [(left, binary.left), (right, binary.right)] {
        if !matches!(kind, Type::Scalar | Type::Vector) {
            let message =
                format!("`{name}` takes scalars and instant vectors, not {}", kind.name());
            return Err(Error::at(query.node(id).range.clone(), message));
        }
    }
    let both_vectors = left == Type::Vector && right == Type::Vector;
    if !both_vectors && matching.is_some_and(|matching| !matching.labels.is_empty()) {
        return on_whole("`on` and `ignoring` need an instant vector on both sides".into());
    }
    if !both_vectors && op.is_set_operator() {
        return on_whole(format!("`{name}` takes instant vectors, but one side is a scalar"));
    }
    if op.is_set_operator() && matching.is_some_and(|matching| matching.group.is_some()) {
        return on_whole(format!("`{name}` takes no `group_left` or `group_right`"));
    }
    Ok(())
}
