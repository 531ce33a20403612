"""A small reader and writer of queries, independent of the one that is judged."""

import re
from dataclasses import dataclass, field
from typing import Any

TOKEN = re.compile(
    r"""(?P<space>\s+|\#[^\n]*)
    |(?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`)
    |(?P<duration>(?:\d+(?:ms|[smhdwy]))+(?![\w.]))
    |(?P<number>0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)
    |(?P<name>[a-zA-Z_:][a-zA-Z0-9_:]*)
    |(?P<op>=~|!~|==|!=|<=|>=|[-+*/%^<>(){}\[\],=@:])""",
    re.VERBOSE,
)
AGGREGATIONS = {
    "sum", "min", "max", "avg", "group", "stddev", "stdvar", "count", "count_values", "bottomk",
    "topk", "quantile",
}
WITH_PARAMETER = {"count_values", "bottomk", "topk", "quantile"}
# How strongly operators bind, from weak to strong.
LEVELS = [
    {"or"}, {"and", "unless"}, {"==", "!=", "<=", "<", ">=", ">"}, {"+", "-"},
    {"*", "/", "%", "atan2"},
]
COMPARISONS = LEVELS[2]
SETS = {"or", "and", "unless"}
UNITS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800, "y": 31536000}


class Unreadable(Exception):
    """The reader does not know this."""


@dataclass
class Number:
    text: str


@dataclass
class Text:
    """A string, as it is written in the query, and what it means."""
    written: str
    value: str


@dataclass
class Selector:
    name: str
    matchers: list = field(default_factory=list)
    window: str = ""
    modifiers: str = ""


@dataclass
class Subquery:
    expr: Any
    window: str
    modifiers: str = ""


@dataclass
class Aggregation:
    op: str
    expr: Any
    parameter: Any = None
    # `by`, `without`, or nothing.
    kind: str = ""
    labels: list = field(default_factory=list)


@dataclass
class Call:
    name: str
    args: list


@dataclass
class Binary:
    op: str
    left: Any
    right: Any
    is_bool: bool = False
    # `on`, `ignoring`, or nothing.
    matching: str = ""
    labels: list = field(default_factory=list)
    # `group_left`, `group_right`, or nothing.
    side: str = ""
    included: list = field(default_factory=list)


@dataclass
class Paren:
    expr: Any


@dataclass
class Unary:
    op: str
    expr: Any


def unquoted(text):
    """What a string of a query means."""
    body = text[1:-1]
    if text[0] == "`" or "\\" not in body:
        return body
    simple = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", '"': '"', "'": "'"}
    simple.update({"a": "\a", "b": "\b", "f": "\f", "v": "\v"})

    def one(found):
        code = found[1]
        if code[0] in "xuU":
            return chr(int(code[1:], 16))
        return chr(int(code, 8)) if code[0].isdigit() else simple[code]

    return re.sub(r"\\(x..|u.{4}|U.{8}|[0-7]{3}|.)", one, body, flags=re.DOTALL)


def quoted(text):
    """A text as a string of a query."""
    plain = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + plain.replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r") + '"'


def seconds(duration):
    """The seconds of a duration such as 1h30m."""
    return sum(int(n) * UNITS[u] for n, u in re.findall(r"(\d+)(ms|[smhdwy])", duration))


class Reader:
    """Reads one query."""

    def __init__(self, text):
        self.tokens = []
        at = 0
        while at < len(text):
            found = TOKEN.match(text, at)
            if not found:
                raise Unreadable(f"{text[at:at + 20]!r}")
            at = found.end()
            if found.lastgroup != "space":
                self.tokens.append((found.lastgroup, found[0]))
        self.at = 0

    def next_is(self, *texts):
        kind, text = self.tokens[self.at] if self.at < len(self.tokens) else ("end", "")
        return kind != "string" and text.lower() in texts

    def kind(self):
        return self.tokens[self.at][0] if self.at < len(self.tokens) else "end"

    def take(self, *texts):
        if texts and not self.next_is(*texts):
            raise Unreadable(f"expected {texts}, found {self.tokens[self.at:self.at + 1]}")
        if self.at >= len(self.tokens):
            raise Unreadable("the end")
        self.at += 1
        return self.tokens[self.at - 1][1]

    def label_list(self):
        self.take("(")
        labels = []
        while not self.next_is(")"):
            labels.append(self.take())
            if not self.next_is(")"):
                self.take(",")
        self.take(")")
        return labels

    def whole(self):
        expr = self.binary(0)
        if self.at < len(self.tokens):
            raise Unreadable(f"{self.tokens[self.at]}")
        return expr

    def binary(self, level):
        if level == len(LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while self.next_is(*LEVELS[level]):
            made = self.operator()
            made.left, made.right = left, self.binary(level + 1)
            left = made
        return left

    def operator(self):
        made = Binary(self.take().lower(), None, None)
        if self.next_is("bool"):
            self.take()
            made.is_bool = True
        if self.next_is("on", "ignoring"):
            made.matching = self.take().lower()
            made.labels = self.label_list()
            if self.next_is("group_left", "group_right"):
                made.side = self.take().lower()
                made.included = self.label_list() if self.next_is("(") else []
        return made

    def unary(self):
        if self.next_is("-", "+"):
            return Unary(self.take(), self.unary())
        return self.power()

    def power(self):
        left = self.postfix(self.atom())
        if not self.next_is("^"):
            return left
        made = self.operator()
        made.left, made.right = left, self.unary()
        return made

    def atom(self):
        kind = self.kind()
        if kind in ("number", "duration"):
            return Number(self.take())
        if kind == "string":
            written = self.take()
            return Text(written, unquoted(written))
        if self.next_is("("):
            self.take()
            expr = self.binary(0)
            self.take(")")
            return Paren(expr)
        if self.next_is("{"):
            return Selector("", self.matchers())
        if kind != "name":
            raise Unreadable(f"{self.tokens[self.at:self.at + 1]}")
        name = self.take()
        if name.lower() in ("inf", "nan"):
            return Number(name)
        if name.lower() in AGGREGATIONS and self.next_is("(", "by", "without"):
            return self.aggregation(name.lower())
        if self.next_is("("):
            return Call(name, self.arguments())
        return Selector(name, self.matchers() if self.next_is("{") else [])

    def arguments(self):
        self.take("(")
        args = []
        while not self.next_is(")"):
            args.append(self.binary(0))
            if not self.next_is(")"):
                self.take(",")
        self.take(")")
        return args

    def aggregation(self, op):
        made = Aggregation(op, None)
        self.grouping(made)
        args = self.arguments()
        if len(args) != 1 + (op in WITH_PARAMETER):
            raise Unreadable(f"arguments of {op}")
        made.parameter, made.expr = (args[0] if len(args) == 2 else None), args[-1]
        self.grouping(made)
        return made

    def grouping(self, made):
        if self.next_is("by", "without"):
            made.kind = self.take().lower()
            made.labels = self.label_list()

    def matchers(self):
        self.take("{")
        found = []
        while not self.next_is("}"):
            label, op, written = self.take(), self.take("=", "!=", "=~", "!~"), self.take()
            found.append((label, op, unquoted(written)))
            if not self.next_is("}"):
                self.take(",")
        self.take("}")
        return found

    def postfix(self, expr):
        while True:
            if self.next_is("["):
                self.take()
                window = ""
                while not self.next_is("]"):
                    window += self.take()
                self.take()
                if ":" in window:
                    expr = Subquery(expr, window)
                elif isinstance(expr, Selector):
                    expr.window = window
                else:
                    raise Unreadable("a range of no selector")
            elif self.next_is("offset"):
                self.take()
                sign = self.take() if self.next_is("-") else ""
                expr = with_modifier(expr, f" offset {sign}{self.take()}")
            elif self.next_is("@"):
                self.take()
                sign = self.take() if self.next_is("-") else ""
                when = self.take()
                if self.next_is("("):
                    self.take()
                    self.take(")")
                    when += "()"
                expr = with_modifier(expr, f" @ {sign}{when}")
            else:
                return expr


def with_modifier(expr, text):
    if not isinstance(expr, (Selector, Subquery)):
        raise Unreadable("a modifier of no selector")
    expr.modifiers += text
    return expr


def read(text):
    """The query as a tree."""
    try:
        return Reader(text).whole()
    except (KeyError, ValueError) as error:
        raise Unreadable(str(error)) from error


def write(expr):
    """The tree as a query on one line."""
    match expr:
        case Number(text):
            return text
        case Text(written):
            return written
        case Selector(name, matchers, window, modifiers):
            inner = ",".join(label + op + quoted(value) for label, op, value in matchers)
            braces = f"{{{inner}}}" if matchers or not name else ""
            return name + braces + (f"[{window}]" if window else "") + modifiers
        case Subquery(inner, window, modifiers):
            return f"{write(inner)}[{window}]{modifiers}"
        case Aggregation(op, inner, parameter, kind, labels):
            of = f" {kind} ({', '.join(labels)}) " if kind else ""
            first = f"{write(parameter)}, " if parameter is not None else ""
            return f"{op}{of}({first}{write(inner)})"
        case Call(name, args):
            return f"{name}({', '.join(map(write, args))})"
        case Paren(inner):
            return f"({write(inner)})"
        case Unary(op, inner):
            return op + write(inner)
    how = " bool" if expr.is_bool else ""
    if expr.matching:
        how += f" {expr.matching} ({', '.join(expr.labels)})"
        if expr.side:
            how += f" {expr.side} ({', '.join(expr.included)})"
    return f"{write(expr.left)} {expr.op}{how} {write(expr.right)}"


def children(expr):
    """Each part of a tree: the node that has it, and where."""
    match expr:
        case Aggregation():
            places = ["expr"] + (["parameter"] if expr.parameter is not None else [])
            return [(expr, place) for place in places]
        case Call():
            return [(expr.args, nth) for nth in range(len(expr.args))]
        case Binary():
            return [(expr, "left"), (expr, "right")]
        case Paren() | Unary() | Subquery():
            return [(expr, "expr")]
    return []


def get(place):
    holder, key = place
    return holder[key] if isinstance(holder, list) else getattr(holder, key)


def put(place, expr):
    holder, key = place
    if isinstance(holder, list):
        holder[key] = expr
    else:
        setattr(holder, key, expr)


def places(root):
    """The place of every node below `root`, which is a list with one tree."""
    found = [(root, 0)]
    for place in found:
        found.extend(children(get(place)))
    return found


def nodes(expr):
    return [get(place) for place in places([expr])]
