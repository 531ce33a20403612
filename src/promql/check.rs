//! Whether every operand has a type that its operator takes.

use std::ops::Range;

use super::ast::{
    Aggregation, Binary, Call, Expr, Join, MatchOp, Matcher, NAME, NodeId, Query, Selector, Type,
};
use super::parse::count;
use super::{Error, regex};

type Checked = Result<(), Error>;

pub(super) fn types(query: &Query) -> Checked {
    query.nodes().try_for_each(|(_, node)| match &node.expr {
        Expr::Selector(selector) => a_selector(selector, &node.range),
        Expr::Call(call) => a_call(query, call, &node.range),
        Expr::Aggregation(aggregation) => an_aggregation(query, aggregation),
        Expr::Binary(binary) => a_binary(query, binary, &node.range),
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

fn a_selector(selector: &Selector, range: &Range<usize>) -> Checked {
    let matchers = &selector.matchers;
    if let Some(name) = &selector.name {
        let Some(second) = matchers.iter().find(|m| m.label.value == NAME) else { return Ok(()) };
        let message =
            format!("the metric is named twice: `{}` and `{}`", name.value, second.value.value);
        return Err(Error::at(range.clone(), message));
    }
    if matchers.iter().any(rules_out_nothing) {
        return Ok(());
    }
    let message = "this selects every series there is: name a metric, or match a label with a value that is not empty";
    Err(Error::at(range.clone(), message))
}

/// Whether a matcher refuses a series that lacks the label.
fn rules_out_nothing(matcher: &Matcher) -> bool {
    let value = matcher.value.value.as_str();
    let takes_empty = match matcher.op {
        MatchOp::Equal => value.is_empty(),
        MatchOp::NotEqual => !value.is_empty(),
        MatchOp::Regex => regex::matches_empty(value),
        MatchOp::NotRegex => !regex::matches_empty(value),
    };
    !takes_empty
}

fn a_call(query: &Query, call: &Call, range: &Range<usize>) -> Checked {
    let function = call.function;
    let given = call.arguments.len();
    if given < function.least || given > function.most {
        let wanted = if function.least == function.most {
            count(function.least, "argument")
        } else if given < function.least {
            format!("at least {}", count(function.least, "argument"))
        } else {
            format!("at most {}", count(function.most, "argument"))
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

fn an_aggregation(query: &Query, aggregation: &Aggregation) -> Checked {
    let op = aggregation.op.value;
    expect(query, aggregation.of, Type::Vector, op.name())?;
    match (aggregation.parameter, op.parameter()) {
        (Some(given), Some(wanted)) => expect(query, given, wanted, op.name()),
        _ => Ok(()),
    }
}

fn expect(query: &Query, id: NodeId, wanted: Type, by: &str) -> Checked {
    let node = query.node(id);
    if node.kind == wanted {
        return Ok(());
    }
    let hint = match (node.kind, wanted) {
        (Type::Vector, Type::Range) => "; a range is added as in `metric[5m]`",
        (Type::Range, Type::Vector) => "; a function such as `max_over_time` makes one of it",
        _ => "",
    };
    let (wanted, is) = (wanted.name(), node.kind.name());
    Err(Error::at(node.range.clone(), format!("`{by}` takes {wanted} here, not {is}{hint}")))
}

fn a_binary(query: &Query, binary: &Binary, range: &Range<usize>) -> Checked {
    let op = binary.op.value;
    let (left, right) = (query.node(binary.left).kind, query.node(binary.right).kind);
    let name = op.name();
    let on_operator = |message: String| {
        let end = binary.bool.as_ref().map_or(binary.op.range.end, |bool| bool.end);
        Err(Error::at(binary.op.range.start..end, message))
    };
    let on_whole = |message: String| Err(Error::at(range.clone(), message));
    if binary.bool.is_some() && !op.compares() {
        return on_operator(format!("`bool` belongs to a comparison, and `{name}` is none"));
    }
    if op.compares() && binary.bool.is_none() && left == Type::Scalar && right == Type::Scalar {
        return on_operator(format!("two scalars are compared with `{name} bool`"));
    }
    let matching = binary.matching.as_ref();
    if let Some(matching) = matching
        && matching.join == Join::On
        && let Some(include) = &matching.include
    {
        let on = |label: &str| matching.labels.iter().any(|l| l.value == label);
        if let Some(both) = include.labels.iter().find(|label| on(&label.value)) {
            let message = format!("`{}` stands both in `on` and in the group", both.value);
            return Err(Error::at(binary.op.range.start..matching.range.end, message));
        }
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
    if !both_vectors && op.joins_sets() {
        return on_whole(format!("`{name}` takes instant vectors, and one side is a scalar"));
    }
    if op.joins_sets() && matching.is_some_and(|matching| matching.include.is_some()) {
        return on_whole(format!("`{name}` takes no `group_left` or `group_right`"));
    }
    Ok(())
}
