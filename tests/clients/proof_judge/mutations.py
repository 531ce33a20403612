"""Small changes of real queries."""

from . import syntax
from .natural import closed

LABELS = [
    "_id", "type", "name", "version", "resource", "reason", "phase", "image", "node", "role", "invoker",
    "region",
    "job", "instance", "namespace", "pod", "service", "endpoint", "container",
]
SCRAPE = ["job", "instance", "namespace", "pod", "service", "endpoint", "container"]
OPERATORS = ["+", "-", "*", "/", "==", "!=", ">", "<", ">=", "<=", "or", "and", "unless", "%", "^"]
PLAIN_AGGREGATIONS = ["group", "max", "min", "sum", "count", "avg", "stddev"]
OVER_TIME = ["max", "min", "last", "sum", "count", "avg", "present", "stdvar"]
OTHER_CALLS = [
    "abs", "ceil", "floor", "round", "sgn", "exp", "sqrt", "rate", "increase", "changes", "delta", "absent",
    "timestamp", "scalar", "vector", "sort",
]
WINDOWS = ["5m", "30m", "59m", "1h", "61m", "2h", "1d"]


def trees(node):
    return isinstance(node, (syntax.Selector, syntax.Aggregation, syntax.Call, syntax.Binary, syntax.Paren))


def is_vector(place):
    """Whether a node can be wrapped: no range, and no string."""
    node = syntax.get(place)
    if isinstance(node, syntax.Selector):
        return not node.window
    return trees(node)


def labels_without_one(labels, random):
    labels = list(labels)
    if labels:
        del labels[random.randrange(len(labels))]
    return labels


def of_aggregation(node, random):
    kind = random.randrange(7)
    if kind == 0:
        return closed(node.expr)
    if kind == 1 and node.parameter is None:
        node.op = random.choice(PLAIN_AGGREGATIONS)
    elif kind == 2:
        node.labels = labels_without_one(node.labels, random)
    elif kind == 3:
        node.kind = node.kind or "by"
        node.labels = list(dict.fromkeys([*node.labels, random.choice(LABELS)]))
    elif kind == 4:
        node.kind, node.labels = "", []
    elif kind == 5 and node.kind:
        node.kind = {"by": "without", "without": "by"}[node.kind]
    elif kind == 6 and node.op in ("topk", "bottomk"):
        if random.random() < 0.5:
            node.op = "bottomk" if node.op == "topk" else "topk"
        else:
            node.parameter = syntax.Number(random.choice(["1", "2", "0", "3"]))
    else:
        node.kind, node.labels = "without", random.sample(LABELS, random.choice([1, 2]))
    return node


def of_selector(node, random):
    kind = random.randrange(6)
    matchers = list(node.matchers)
    if kind == 0 and node.window:
        node.window = random.choice(WINDOWS)
    elif kind == 1 and matchers:
        del matchers[random.randrange(len(matchers))]
    elif kind == 2:
        label = random.choice(SCRAPE)
        op = random.choice(["=", "!=", "=~", "!~"])
        matchers.append((label, op, random.choice(["", "a", ".+", ".*e.*", "openshift-.*"])))
    elif kind == 3 and matchers:
        at = random.randrange(len(matchers))
        label, op, text = matchers[at]
        matchers[at] = (label, random.choice([o for o in ("=", "!=", "=~", "!~") if o != op]), text)
    elif kind == 4 and matchers:
        at = random.randrange(len(matchers))
        label, op, text = matchers[at]
        texts = [text + "x", text[:-1], "", text.replace("[.]", "."), text.replace(".*", ".+"), ".*", ".+"]
        matchers[at] = (label, op, random.choice(texts))
    elif node.window or random.random() < 0.3:
        node.modifiers = random.choice([" offset 5m", " offset 1h", "", " offset 30m"])
    else:
        node.window = random.choice(WINDOWS)
        return syntax.Call(random.choice(OVER_TIME) + "_over_time", [node])
    node.matchers = matchers
    return node


def of_binary(node, random):
    kind = random.randrange(8)
    if kind == 0:
        node.left, node.right = closed(node.right), closed(node.left)
    elif kind == 1:
        return closed(node.left if random.random() < 0.5 else node.right)
    elif kind == 2:
        node.op = random.choice(OPERATORS)
        node.is_bool = node.is_bool and node.op in syntax.COMPARISONS
        if node.op in syntax.SETS:
            node.side, node.included = "", []
    elif kind == 3 and node.matching:
        node.matching, node.labels, node.side, node.included = "", [], "", []
    elif kind == 4:
        node.matching = random.choice(["on", "on", "on", "ignoring"])
        node.labels = random.sample(LABELS, random.choice([0, 1, 1, 2]))
    elif kind == 5 and node.op in syntax.COMPARISONS:
        node.is_bool = not node.is_bool
    elif kind == 6 and node.matching and node.op not in syntax.SETS:
        node.side = random.choice(["group_left", "group_right", ""])
        node.included = random.sample(LABELS, random.choice([0, 1])) if node.side else []
    else:
        node.labels = labels_without_one(node.labels, random)
    return node


def of_call(node, random):
    if node.name == "label_replace":
        at = random.randrange(1, len(node.args))
        text = node.args[at]
        if isinstance(text, syntax.Text):
            value = random.choice(["", "$1", "(.*)", ".*", text.value + "x", random.choice(LABELS), "x"])
            node.args[at] = syntax.Text(syntax.quoted(value), value)
        return node
    if node.name.endswith("_over_time"):
        node.name = random.choice(OVER_TIME) + "_over_time"
        if random.random() < 0.3 and isinstance(node.args[0], syntax.Selector):
            node.args[0].window = ""
            return node.args[0]
        return node
    return closed(node.args[0]) if node.args else node


def of_number(node, random):
    try:
        value = float(node.text)
    except ValueError:
        return node
    values = [value + 1, value - 1, value * 2, value / 2, 0, 1, 2, -1, 0.5]
    node.text = f"{random.choice(values):g}"
    if node.text.startswith("-"):
        return syntax.Paren(syntax.Unary("-", syntax.Number(node.text[1:])))
    return node


def wrapped(node, random):
    kind = random.randrange(6)
    if kind == 0:
        return syntax.Aggregation(random.choice(PLAIN_AGGREGATIONS), node)
    if kind == 1:
        few = random.sample(LABELS, random.choice([1, 2]))
        return syntax.Aggregation(random.choice(PLAIN_AGGREGATIONS), node, None,
            random.choice(["by", "without"]), few)
    if kind == 2:
        return syntax.Call(random.choice(OTHER_CALLS), [node])
    if kind == 3:
        op = random.choice(["topk", "bottomk"])
        return syntax.Aggregation(op, node, syntax.Number(random.choice(["1", "1", "2"])))
    if kind == 4:
        op = random.choice([">", "==", "*", "+", "!=", "-"])
        number = syntax.Number(random.choice(["0", "1", "2"]))
        is_bool = op in syntax.COMPARISONS and random.random() < 0.5
        return syntax.Paren(syntax.Binary(op, closed(node), number, is_bool))
    return syntax.Paren(syntax.Unary("-", closed(node)))


def mutate(text, random):
    """The query with one to three changes."""
    tree = [syntax.read(text)]
    for _ in range(random.choice([1, 1, 1, 2, 2, 3])):
        places = [place for place in syntax.places(tree) if not isinstance(syntax.get(place), syntax.Text)]
        place = random.choice(places)
        node = syntax.get(place)
        if random.random() < 0.12 and is_vector(place):
            node = wrapped(node, random)
        else:
            match node:
                case syntax.Aggregation():
                    node = of_aggregation(node, random)
                case syntax.Selector():
                    node = of_selector(node, random)
                case syntax.Binary():
                    node = of_binary(node, random)
                case syntax.Call():
                    node = of_call(node, random)
                case syntax.Number():
                    node = of_number(node, random)
        holder = place[0]
        is_operand = isinstance(holder, (syntax.Binary, syntax.Unary, syntax.Subquery))
        syntax.put(place, closed(node) if is_operand else node)
    return syntax.write(tree[0])
