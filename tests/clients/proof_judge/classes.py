"""A guess why a proof is wrong, by the query and the cluster."""

import re
from random import Random

from .syntax import Aggregation, Selector, nodes, read
from .words import Words

SCRAPE = {"namespace", "job", "service", "endpoint", "pod", "instance", "container"}


def guess(query, wrong, dictionary):
    """One of the letters A to G, or a word of Prometheus."""
    if "invalid destination label name" in str(wrong.answer):
        return "invalid label of label_replace"
    tree, words = read(query), Words()
    words.add(tree, Random(1))
    if any(name not in dictionary.metrics for name in words.metrics):
        return "G"
    parts = list(nodes(tree))
    windows = {part.window for part in parts if isinstance(part, Selector) and part.window}
    changes = any("stale" in line or " _" in line for line in wrong.lines)
    if windows and changes:
        return "D" if len(windows) > 1 or wrong.outcome == "other-value" else "C"
    if wrong.outcome == "other-value":
        counts = [sum(line.startswith(name + "{") for line in wrong.lines) for name in words.metrics]
        is_rounded = re.search(r"\b(?:ceil|floor|round|sgn|clamp\w*)\b|%", query)
        return "F" if max(counts, default=0) > 2 and not is_rounded else "E"
    if wrong.outcome == "no-sample" and re.search(r"[=!]~", query):
        return "B"
    without = any(isinstance(part, Aggregation) and part.kind == "without" for part in parts)
    return "A" if re.search(r"(?<!\()\b\w+\{", query) or without or words.labels & SCRAPE else "F"
