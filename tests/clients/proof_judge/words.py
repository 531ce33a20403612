"""What a query names: metrics, texts of labels, numbers, and windows of time."""

import re
import warnings
from re import _constants as sre
from re import _parser as sre_parser

from . import syntax

ORDINARY = "0123456789abcdeghiknorstvxABMNV-./:_@"


def fitting(pattern, random):
    """A text that fits a pattern, or nothing where the pattern is not known here."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return of_items(sre_parser.parse(pattern), random)
    except (re.error, NotImplementedError, RecursionError, OverflowError):
        return None


def of_items(items, random):
    return "".join(of_item(kind, value, random) for kind, value in items)


def of_item(kind, value, random):
    if kind is sre.LITERAL:
        return chr(value)
    if kind is sre.ANY:
        return random.choice(ORDINARY)
    if kind is sre.NOT_LITERAL:
        return random.choice([c for c in ORDINARY if ord(c) != value])
    if kind is sre.AT:
        return ""
    if kind is sre.IN:
        fits = [c for c in ORDINARY if in_class(value, ord(c))]
        if fits:
            return random.choice(fits)
        first = value[0]
        return chr(first[1][0] if first[0] is sre.RANGE else first[1])
    if kind is sre.BRANCH:
        return of_items(random.choice(value[1]), random)
    if kind is sre.SUBPATTERN:
        return of_items(value[3], random)
    if kind in (sre.MAX_REPEAT, sre.MIN_REPEAT):
        least, most, inner = value
        count = random.randint(least, min(int(most), least + 3))
        return "".join(of_items(inner, random) for _ in range(count))
    raise NotImplementedError(kind)


CATEGORIES = {
    sre.CATEGORY_DIGIT: str.isdigit,
    sre.CATEGORY_NOT_DIGIT: lambda c: not c.isdigit(),
    sre.CATEGORY_WORD: lambda c: c.isalnum() or c == "_",
    sre.CATEGORY_NOT_WORD: lambda c: not (c.isalnum() or c == "_"),
    sre.CATEGORY_SPACE: str.isspace,
    sre.CATEGORY_NOT_SPACE: lambda c: not c.isspace(),
}


def in_class(parts, code):
    is_negated = parts[0][0] is sre.NEGATE
    found = False
    for kind, value in parts[1:] if is_negated else parts:
        if kind is sre.LITERAL:
            found = found or value == code
        elif kind is sre.RANGE:
            found = found or value[0] <= code <= value[1]
        elif kind is sre.CATEGORY:
            found = found or CATEGORIES[value](chr(code))
        else:
            raise NotImplementedError(kind)
    return found != is_negated


def constant(expr):
    """The value of an expression without series."""
    match expr:
        case syntax.Number(text):
            if re.search(r"[smhdwy]$", text) and text[0].isdigit():
                return syntax.seconds(text)
            return float(int(text, 16) if text.lower().startswith("0x") else text)
        case syntax.Paren(inner):
            return constant(inner)
        case syntax.Unary(op, inner):
            value = constant(inner)
            return value if value is None or op == "+" else -value
        case syntax.Binary(op, left, right) if op in "+-*/":
            one, other = constant(left), constant(right)
            if one is None or other is None or (op == "/" and other == 0):
                return None
            return {"+": one + other, "-": one - other, "*": one * other}.get(op) if op != "/" \
                else one / other
    return None


class Words:
    """What several queries name, together."""

    def __init__(self):
        self.metrics = set()
        # For each label and each matcher of it: texts. So a pattern counts no more than a text.
        self.texts = {}
        self.numbers = set()
        self.labels = set()
        # The edges of windows, in minutes before the query.
        self.edges = set()
        self.needs_time = False

    def add(self, tree, random):
        for node in syntax.nodes(tree):
            value = constant(node)
            if value is not None and value == value and abs(value) < 1e15:
                self.numbers.add(value)
            match node:
                case syntax.Selector():
                    self.add_selector(node, random)
                case syntax.Subquery(_, window, modifiers):
                    self.add_edge(window.split(":")[0], modifiers)
                case syntax.Aggregation():
                    self.labels.update(node.labels)
                case syntax.Binary():
                    self.labels.update(node.labels, node.included)
                case syntax.Call(name, args):
                    self.add_call(name, args, random)

    def add_call(self, name, args, random):
        texts = [arg.value for arg in args if isinstance(arg, syntax.Text)]
        if name == "label_replace" and len(texts) == 4:
            valid = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*")
            self.labels.update(label for label in (texts[0], texts[2]) if valid.fullmatch(label))
            self.add_text(texts[0], texts[1])
            self.add_pattern(texts[2], texts[3], random)

    def add_selector(self, selector, random):
        if selector.name:
            self.metrics.add(selector.name)
        for label, op, text in selector.matchers:
            if label == "__name__":
                self.add_names(op, text, random)
                continue
            self.labels.add(label)
            if op in ("=", "!="):
                self.add_text(label, text)
            else:
                self.add_pattern(label, text, random)
        if selector.window or selector.modifiers:
            self.add_edge(selector.window or "5m", selector.modifiers)

    def add_names(self, op, text, random):
        names = [text] if op in ("=", "!=") else [fitting(text, random) for _ in range(10)]
        valid = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*")
        self.metrics.update(name for name in names if name and valid.fullmatch(name))

    def add_text(self, label, text):
        if text and "\n" not in text:
            self.texts.setdefault(label, {})[text] = [text]

    def add_pattern(self, label, pattern, random):
        drawn = [fitting(pattern, random) for _ in range(10)]
        drawn = sorted({text for text in drawn if text and "\n" not in text})
        if drawn:
            self.texts.setdefault(label, {})[f"~{pattern}"] = drawn

    def of(self, label):
        """All texts of a label."""
        return [text for texts in self.texts.get(label, {}).values() for text in texts]

    def add_edge(self, window, modifiers):
        back = int(syntax.seconds(window) // 60)
        offsets = re.findall(r"offset (-?)(\w+)", modifiers)
        offset = sum(int(syntax.seconds(text) // 60) for sign, text in offsets if not sign)
        self.edges.add(back + offset)
        if offset:
            self.edges.add(offset)

    @property
    def sees_history(self):
        return bool(self.edges)


def near(text, random):
    """A text that nearly is the given one."""
    at = random.randrange(len(text))
    return random.choice([
        text + "x",
        "x" + text,
        text[:-1],
        text[1:],
        text[:at] + random.choice(ORDINARY) + text[at + 1:],
        text.upper(),
        re.sub(r"\d+", lambda found: str(int(found[0][:9]) + random.choice([1, 2, 10])), text, count=2),
    ])
