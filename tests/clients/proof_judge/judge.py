"""Looks for a cluster on which a query that is called proved goes wrong."""

from dataclasses import dataclass
from random import Random

from . import syntax
from .clusters import Maker, timeline
from .prometheus import MINUTE, Prometheus, line_of
from .words import Words

# The time at which exitpath's own tests ask.
NOW = 1_793_534_400_000
# Queries that are asked together, and metrics that they have together.
BATCH = 40
MOST_METRICS = 7
# Matchers that queries of one batch have.
MOST_TEXTS = 40


@dataclass
class Wrong:
    """A query, and a cluster on which it goes wrong."""
    query: str
    outcome: str
    answer: object
    lines: list


def signature(item):
    """Queries that are alike are asked together."""
    _, tree = item
    selectors = [node for node in syntax.nodes(tree) if isinstance(node, syntax.Selector)]
    matchers = sorted({f"{m}" for selector in selectors for m in selector.matchers if m[0] != "_id"})
    history = any(s.window for s in selectors)
    return sorted({selector.name for selector in selectors}), history, matchers


class Batch:
    """Queries that name similar things, with all that they name."""

    def __init__(self):
        self.queries = []
        self.words = Words()

    def fits(self, own):
        """Whether a query with these words can be asked with the others."""
        if len(self.queries) >= BATCH or own.sees_history != self.words.sees_history:
            return False
        longest, of_own = max(self.words.edges, default=0), max(own.edges, default=0)
        if max(longest, of_own) > 4 * min(longest, of_own) + 240:
            return False
        texts = [{(l, m) for l, of in words.texts.items() for m in of} for words in (self.words, own)]
        if len(texts[0] | texts[1]) > max(MOST_TEXTS, len(texts[1])):
            return False
        return len(self.words.metrics | own.metrics) <= max(MOST_METRICS, len(own.metrics))


def batches(queries):
    """Groups of queries."""
    items = sorted(((query, syntax.read(query)) for query in sorted(set(queries))), key=signature)
    found = []
    for query, tree in items:
        own = Words()
        own.add(tree, Random(query))
        fitting = [batch for batch in found[-60:] if batch.fits(own)]
        if not fitting:
            found.append(Batch())
            fitting = found[-1:]
        best = min(fitting, key=lambda batch: len(own.metrics - batch.words.metrics))
        best.queries.append(query)
        best.words.add(tree, Random(query))
    return [(batch.queries, batch.words) for batch in found]


class Judge:
    """Draws clusters from a dictionary."""

    def __init__(self, dictionary, seed, count):
        self.dictionary = dictionary
        self.seed = seed
        self.count = count
        self.asked = 0

    def refuted(self, queries):
        """For each query that goes wrong somewhere: the first such cluster."""
        found = {}
        for nth, (group, words) in enumerate(batches(queries)):
            found.update(self.of_batch(nth, group, words))
        return found

    def of_batch(self, nth, group, words):
        maker = Maker(self.dictionary, words, Random(f"{self.seed} {nth} {group[0]}"), NOW // 1000)
        minutes = max(180, maker.history + 60)
        times = [NOW - (self.count - 1 - n) * minutes * MINUTE for n in range(self.count)]
        clusters = []
        for now in times:
            maker.now = now // 1000
            clusters.append(maker.cluster())
        for epochs in clusters:
            self.hold(epochs, words.metrics)
        found = {}
        # Without ranges, a query sees five minutes.
        since = -maker.history if words.sees_history else -12
        with Prometheus() as server:
            step = max(1, 6000 // minutes)
            for at in range(0, self.count, step):
                part = list(zip(times, clusters))[at:at + step]
                server.write([(now, timeline(epochs)) for now, epochs in part], since)
            for query in group:
                outcomes = server.outcomes(query, times)
                self.asked += len(outcomes)
                wrong = [at for at, outcome in enumerate(outcomes) if outcome != "right"]
                if wrong:
                    found[query] = [(outcomes[at], times[at], clusters[at]) for at in wrong]
        return found

    def hold(self, epochs, asked):
        """Every moment of a cluster is as the dictionary says, or the judge itself is wrong."""
        for minute, state in epochs:
            faults = self.dictionary.faults(state, asked)
            if faults:
                raise SystemExit(f"proofs: a cluster of the judge is wrong at {minute}: {faults}")

    def least(self, query, wrong):
        """The smallest of the clusters, without the series that do not matter."""
        outcome, now, epochs = min(wrong, key=lambda one: sum(map(size, (s for _, s in one[2]))))
        own = Words()
        own.add(syntax.read(query), Random(1))
        epochs = [(minute, state.copy()) for minute, state in epochs]
        for _, state in epochs:
            state.series = {name: of for name, of in state.series.items() if name in own.metrics}
        epochs = self.fewer_epochs(query, outcome, now, epochs, own.metrics)
        for key in list(timeline(epochs)):
            less = [(minute, without(state, key)) for minute, state in epochs]
            if self.is_allowed(less, own.metrics) and answer_of(query, now, less)[0] == outcome:
                epochs = less
        epochs = self.fewer_epochs(query, outcome, now, epochs, own.metrics)
        found, answer = answer_of(query, now, epochs)
        history = -epochs[0][0]
        lines = [line_of(key, segments, history) for key, segments in timeline(epochs).items()]
        return Wrong(query, found, answer, lines)

    def fewer_epochs(self, query, outcome, now, epochs, metrics):
        for nth in reversed(range(len(epochs))):
            if len(epochs) > 1:
                less = [list(one) for one in epochs if one is not epochs[nth]]
                less[0][0] = epochs[0][0]
                less = [tuple(one) for one in less]
                if self.is_allowed(less, metrics) and answer_of(query, now, less)[0] == outcome:
                    epochs = less
        return epochs

    def is_allowed(self, epochs, metrics):
        return not any(self.dictionary.faults(state, metrics) for _, state in epochs)


def size(state):
    return sum(len(labels) for series in state.series.values() for labels, _ in series)


def without(state, key):
    """The state without one series."""
    name, labels = key
    less = state.copy()
    less.series[name] = [one for one in less.series[name] if tuple(sorted(one[0].items())) != labels]
    return less


def answer_of(query, now, epochs):
    """What a Prometheus with this cluster alone answers."""
    with Prometheus() as server:
        server.write([(now, timeline(epochs))])
        return server.instant(query, now)
