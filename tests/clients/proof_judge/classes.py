"""A guess why a proof is wrong, by the query and the cluster."""

import re

from .words import Words
from .syntax import nodes, read, Selector, Aggregation

SCRAPE = {"namespace", "job", "service", "endpoint", "pod", "instance", "container"}


def guess(query, wrong, dictionary):
    """One of the letters A to G."""
    words = Words()
    tree = read(query)
    from random import Random
    words.add(tree, Random(1))
    if any(name not in dictionary.metrics for name in words.metrics):
        return "G"
    has_end = any(re.search(r"_x?\d*|stale", " ".join(line.split("} ")[-1:])) for line in wrong.lines)
    ranges = {node.window for node in nodes(tree) if isinstance(node, Selector) and node.window}
    if ranges and has_end:
        return "D" if len(ranges) > 1 or wrong.outcome == "other-value" else "C"
    if wrong.outcome == "other-value":
        many = max((sum(line.startswith(name + "{") for line in wrong.lines) for name in words.metrics), default=0)
        return "F" if many > 2 else "E"
    if wrong.outcome == "no-sample" and re.search(r"[=!]~", query):
        return "B"
    raw = re.findall(r"(?<!\()\b\w+\{", query)
    has_without = any(isinstance(node, Aggregation) and node.kind == "without" for node in nodes(tree))
    return "A" if raw or has_without or words.labels & SCRAPE else "F"
