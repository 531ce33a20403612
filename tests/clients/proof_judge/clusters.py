"""Random clusters, each as the dictionary allows it at every moment of its history.

A cluster is a list of epochs: the minute from which it holds, and the state of the cluster. At
the minute at which an epoch begins, the series that it does not have end.
"""

from dataclasses import dataclass, field

from .dictionary import is_impossible, minor_of
from .words import near

PLAIN = ["a", "b", "c", "4.9.1", "4.17.20", "aro", "x-1.example", "ä b", "worker-0", "7"]
# What metrics that the dictionary does not know can be.
WILD = [0.0, 1.0, 1.0, float("nan"), float("inf"), float("-inf"), 0.5, 0.5, -1.0, 2.0, 3.0, 1e308]
# Each series of one metric can be of another pod, and kube-state-metrics names objects by these.
OF_OBJECTS = ("namespace", "pod", "container")


@dataclass
class State:
    """A cluster at one moment."""
    minor: tuple
    version: str
    capabilities: dict
    # Which conditions of the dictionary are true.
    present: dict
    # For each metric, its series: labels and a value.
    series: dict = field(default_factory=dict)

    def copy(self):
        return State(self.minor, self.version, dict(self.capabilities), dict(self.present), dict(self.series))


class Maker:
    """Makes clusters with the metrics that some queries ask for."""

    capabilities_decide = False

    def __init__(self, dictionary, words, random, now):
        self.dictionary = dictionary
        self.words = words
        self.random = random
        # The time of the query, in seconds.
        self.now = now
        self.history = 120
        asked = [dictionary.metrics[name] for name in words.metrics if name in dictionary.metrics]
        # The conditions that matter.
        self.conditions = sorted({metric.present for metric in asked} - {"always"})
        if words.edges:
            self.history = min(max(120, 2 * max(words.edges) + 20), 3000)

    def cluster(self):
        """The epochs of a new cluster."""
        random = self.random
        # How rich a cluster is differs: few series, or many, plain texts, or those of the queries.
        self.most = random.choice([0, 0, 1, 2, 3, 6])
        self.asked_share = random.choice([0.1, 0.4, 0.7, 0.95])
        self.lacks = random.choice([0.05, 0.3, 0.6])
        # Many clusters have texts of a few matchers only.
        self.focus = {}
        most = random.choice([1, 2, 4, 1000])
        for label, groups in self.words.texts.items():
            few = random.sample(sorted(groups), min(most, len(groups)))
            self.focus[label] = [groups[matcher] for matcher in few]
        epochs = [(-self.history, self.first())]
        for minute in self.changes():
            epochs.append((minute, self.next(epochs[-1][1])))
        return epochs

    def changes(self):
        """The minutes at which something changes."""
        random = self.random
        if not self.words.sees_history:
            return [random.choice([-4, -2, -1, 0])] if random.random() < 0.1 else []
        edges = {0, -1, -3, -5, -6, -30}
        for edge in self.words.edges:
            edges.update((-edge - 1, -edge, -edge + 1, -edge // 2, -edge - 30))
        edges = sorted(minute for minute in edges if -self.history < minute <= 0)
        count = min(random.choice([0, 1, 2, 2, 3, 4, 5]), len(edges))
        return sorted(random.sample(edges, count))

    def first(self):
        random = self.random
        state = State(None, "", {}, {})
        self.choose_version(state)
        # Some clusters have nearly everything on, some nearly nothing.
        self.choose_capabilities(state, random.choice([0.95, 0.7, 0.1]))
        conditions = {metric.present for metric in self.dictionary.metrics.values()} - {"always"}
        for text in sorted(conditions):
            state.present[text] = random.random() >= self.lacks
        self.couple(state)
        for name in sorted(self.words.metrics):
            state.series[name] = self.series(name, state)
        return state

    def choose_version(self, state):
        """A risk that asks for a metric is about versions that have it."""
        known = [self.dictionary.metrics.get(name) for name in sorted(self.words.metrics)]
        bound = [metric for metric in known if metric and (metric.since or metric.until)]
        for some in [all] * 100 + [any] * 100:
            self.draw_version(state)
            if not bound or some(self.exists(metric, state.minor) for metric in bound):
                return

    def exists(self, metric, minor):
        return (not metric.since or metric.since <= minor) and (not metric.until or minor <= metric.until)

    def draw_version(self, state):
        random = self.random
        versions = [text for text in self.words.of("version") if minor_of(text)]
        if versions and random.random() < 0.5:
            state.version = random.choice(versions)
        else:
            end = random.choice(["", "", "-rc.1", "-ec.3", "-0.nightly-2026-01-02-030405"])
            state.version = f"4.{random.randint(9, 23)}.{random.randint(0, 70)}{end}"
        state.minor = minor_of(state.version)

    def choose_capabilities(self, state, share):
        """A version knows the capabilities of its minor, and perhaps ones that have no entry here."""
        random = self.random
        since = self.dictionary.capabilities
        must = {value for _, value in self.dictionary.metrics["cluster_version_capability"].always}
        names = {name for name, minor in since.items() if minor <= state.minor} | must
        asked = self.words.of("name")
        names.update(text for text in asked if text not in since and random.random() < 0.5)
        known = {}
        for name in sorted(names):
            known[name] = state.capabilities.get(name, random.random() < share)
        state.capabilities = known

    def couple(self, state):
        """What a capability decides is not drawn.

        A condition can say that a capability is on. And versions that are older than a capability
        have what it brings. With `capabilities_decide`, all others have it, too, unless it is off.
        """
        for metric in self.dictionary.metrics.values():
            name = metric.capability
            if not name or not metric.is_rarely_missing:
                continue
            is_old = name in self.dictionary.capabilities and name not in state.capabilities
            is_said = metric.present == f"the capability {name} is on"
            if is_old or is_said or self.capabilities_decide:
                state.present[metric.present] = state.capabilities.get(name, True)

    def next(self, before):
        """What the cluster becomes."""
        random = self.random
        state = before.copy()
        forced = set()
        if random.random() < 0.2:
            self.choose_version(state)
            self.choose_capabilities(state, 0.7)
            forced = set(self.words.metrics)
        elif random.random() < 0.15:
            name = random.choice(sorted(state.capabilities))
            state.capabilities[name] = not state.capabilities[name]
            forced.add("cluster_version_capability")
        if self.conditions and random.random() < 0.4:
            text = random.choice(self.conditions)
            state.present[text] = not state.present[text]
        self.couple(state)
        for name in sorted(self.words.metrics):
            metric = self.dictionary.metrics.get(name)
            series = state.series[name]
            if metric and self.has(metric, state) != bool(series):
                forced.add(name)
            kind = random.random()
            if name in forced or kind < 0.2:
                state.series[name] = self.series(name, state)
            elif kind < 0.3:
                state.series[name] = self.other_values(metric, series)
            elif kind < 0.4:
                state.series[name] = self.other_pods(series)
            elif kind < 0.65:
                state.series[name] = self.other_labels(metric, series, state)
            elif kind < 0.9:
                state.series[name] = self.fewer_or_more(name, series, state)
        return state

    def has(self, metric, state):
        is_there = metric.present == "always" or state.present[metric.present]
        return is_there and not is_impossible(metric, state)

    def series(self, name, state):
        """The series of a metric."""
        metric = self.dictionary.metrics.get(name)
        if not metric:
            return self.unknown()
        if not self.has(metric, state):
            return []
        random = self.random
        shared = self.scrape()
        if name == "cluster_version_capability":
            of = sorted(state.capabilities.items())
            return [({**shared, "name": capability}, int(on)) for capability, on in of]
        forced = metric.always + [pair for pair in metric.usual if random.random() < 0.8]
        more = random.randint(0, self.most)
        count = {"one": 1, "some": max(len(forced) + more, 1), "any": more}.get(metric.series, metric.series)
        drawn = []
        for nth in range(count):
            pair = forced[nth] if nth < len(forced) else None
            self.add(metric, drawn, shared, pair, state)
        return self.with_values(metric, drawn)

    def add(self, metric, drawn, shared, pair, state):
        """Adds the labels of one more series, if there can be one."""
        for _ in range(8):
            labels = self.labels(metric, shared, pair, state)
            if fits(metric, drawn, labels):
                drawn.append(labels)
                return
        if pair:
            # Only labels that tell series apart are in the way; new texts always are different.
            labels = self.labels(metric, shared, pair, state)
            for label in metric.per:
                if label != pair[0] and not isinstance(metric.own(label), list):
                    labels[label] = f"n{self.random.randrange(10**9)}"
            if not fits(metric, drawn, labels):
                raise AssertionError(f"{metric.name} cannot have {pair}")
            drawn.append(labels)

    def scrape(self):
        """The labels of the scrape. Some series lack some of them."""
        share = self.random.choice([0, 0, 0.15, 0.5])
        of = self.dictionary.scrape
        return {label: self.text(label) for label in of if self.random.random() >= share}

    def labels(self, metric, shared, pair, state):
        random = self.random
        of_scrape = self.dictionary.scrape_of(metric)
        labels = {label: text for label, text in shared.items() if label in of_scrape}
        for label in of_scrape:
            is_own = label in metric.per or (metric.name.startswith("kube_") and label in OF_OBJECTS)
            if is_own or random.random() < 0.03:
                labels[label] = self.text(label)
                if random.random() < 0.05:
                    del labels[label]
        for pattern, of in metric.labels.items():
            for label in self.spelled(pattern):
                if pattern in metric.optional and random.random() < 0.3:
                    labels.pop(label, None)
                else:
                    labels[label] = self.value(label, of)
        if pair:
            labels[pair[0]] = pair[1]
        if metric.name == "cluster_version" and labels.get("type") == "current":
            labels["version"] = state.version
            if random.random() < 0.05:
                del labels["version"]
        return labels

    def spelled(self, pattern):
        if not pattern.endswith("*"):
            return [pattern]
        start = pattern[:-1]
        asked = sorted(label for label in self.words.labels if label.startswith(start))
        return [*asked, start + "other"]

    def value(self, label, of):
        if not isinstance(of, list):
            return self.text(label)
        asked = [text for texts in self.focus.get(label, []) for text in texts if text in of]
        if asked and self.random.random() < self.asked_share:
            return self.random.choice(asked)
        return self.random.choice(of)

    def text(self, label):
        random = self.random
        asked = self.focus.get(label)
        if not asked or random.random() >= self.asked_share:
            return random.choice(PLAIN)
        text = random.choice(random.choice(asked))
        return (near(text, random) if random.random() < 0.2 else text) or "x"

    def with_values(self, metric, all_labels):
        random = self.random
        same = self.number(metric)
        is_same = random.random() < 0.4
        series = []
        for labels in all_labels:
            fixed = metric.fixed(labels)
            drawn = same if is_same else self.number(metric)
            series.append((labels, drawn if fixed is None else fixed))
        return series

    def number(self, metric):
        random = self.random
        if metric.also and random.random() < 0.2:
            return random.choice(metric.also)
        match metric.values:
            case list():
                return random.choice(metric.values)
            case "one":
                return 1
            case "flag":
                return random.randint(0, 1)
            case "time":
                return self.time()
            case "count":
                return self.count()
            case "number":
                return random.choice([0, -1, 0.5, 1, 1e9, *self.words.numbers])
        raise SystemExit(f"proofs: {metric.name} has values = {metric.values!r}")

    def time(self):
        random = self.random
        kind = random.random()
        if kind < 0.15:
            return 0
        asked = sorted(self.words.numbers)
        if asked and kind < 0.7:
            asked = random.choice(asked)
            value = random.choice([asked, self.now - asked]) + random.choice([-3600, -1, 0, 1, 3600])
            if 1e9 <= value < 4e9:
                return int(value)
        return random.choice([10**9, 1_755_890_000, self.now - 60, self.now, random.randint(10**9, self.now)])

    def count(self):
        random = self.random
        asked = [n for n in sorted(self.words.numbers) if n < 1e12]
        if asked and random.random() < 0.5:
            number = random.choice(asked)
            if 0 < number < 1:
                number = random.choice([0.5, 1, 2]) / number
            value = int(number) + random.choice([-1, 0, 0, 1])
            if value >= 0:
                return value
        return random.choice([0, 0, 1, 1, 2, 3, 5, random.randint(4, 250), 10**6])

    def unknown(self):
        """The series of a metric that the dictionary does not know: anything."""
        random = self.random
        series, seen = [], set()
        pool = sorted(self.words.labels - {self.dictionary.hosted, "__name__"})
        for _ in range(random.choice([0, 1, 1, 2, 3])):
            labels = self.scrape() if random.random() < 0.5 else {}
            for label in pool:
                if random.random() < 0.7:
                    labels[label] = self.text(label)
            key = tuple(sorted(labels.items()))
            if key not in seen:
                seen.add(key)
                series.append((labels, random.choice(WILD)))
        return series

    def other_values(self, metric, series):
        if not metric:
            return [(labels, self.random.choice(WILD)) for labels, _ in series]
        if metric.name == "cluster_version_capability":
            return series
        return self.with_values(metric, [labels for labels, _ in series])

    def other_pods(self, series):
        """The same series of new pods. Nothing else about them changes."""
        new = f"-{self.random.randrange(1000)}"
        of_pods = ("pod", "instance")
        return [
            ({label: text + new if label in of_pods else text for label, text in labels.items()}, value)
            for labels, value in series
        ]

    def other_labels(self, metric, series, state):
        """Labels that do not say which series it is, such as a reason, become others."""
        if not series or not metric:
            return series
        random = self.random
        pinned = {label for label, _ in metric.always + metric.single}
        free = [label for label in metric.labels if not label.endswith("*") and label not in pinned]
        for pattern in metric.labels:
            if pattern.endswith("*"):
                free += self.spelled(pattern)
        if metric.name == "cluster_version_capability" or not free:
            return series
        changed = [labels for labels, _ in series]
        for nth in range(len(changed)):
            if random.random() < 0.5:
                continue
            labels = dict(changed[nth])
            for label in free:
                if random.random() < 0.5:
                    labels[label] = self.value(label, metric.own(label))
            if metric.name == "cluster_version" and labels.get("type") == "current" and "version" in labels:
                labels["version"] = state.version
            others = changed[:nth] + changed[nth + 1:]
            if fits(metric, others, labels):
                changed[nth] = labels
        fixed = [metric.fixed(labels) for labels in changed]
        return [
            (labels, value if decided is None else decided)
            for labels, (_, value), decided in zip(changed, series, fixed)
        ]

    def fewer_or_more(self, name, series, state):
        """One series ends, or one appears."""
        metric = self.dictionary.metrics.get(name)
        if not metric:
            return self.unknown()
        if name == "cluster_version_capability" or not series:
            return series
        if self.random.random() < 0.5:
            less = list(series)
            del less[self.random.randrange(len(less))]
            there = [labels for labels, _ in less]
            is_kept = all(any(labels.get(l, "") == v for labels in there) for l, v in metric.always)
            can_go = metric.series == "any" or (metric.series == "some" and less)
            return less if is_kept and can_go else series
        if metric.series not in ("some", "any") or not metric.per:
            return series
        drawn = [labels for labels, _ in series]
        self.add(metric, drawn, self.scrape(), None, state)
        return series + self.with_values(metric, drawn[len(series):])


def fits(metric, others, labels):
    """Whether a series can be there together with others."""
    if not metric.per:
        return not others
    key = [labels.get(label, "") for label in metric.per]
    if any([other.get(label, "") for label in metric.per] == key for other in others):
        return False
    return not any(
        labels.get(label, "") == value and any(other.get(label, "") == value for other in others)
        for label, value in metric.single
    )


def timeline(epochs, asked=None):
    """The series of a cluster: for each name and labels, where it has which value, and where it ends.

    Segments are (first minute, last minute, value); the value None is the mark of the end.
    """
    found = {}
    for nth, (since, state) in enumerate(epochs):
        until = epochs[nth + 1][0] - 1 if nth + 1 < len(epochs) else 0
        now = {}
        for name, series in state.series.items():
            if asked is None or name in asked:
                for labels, value in series:
                    now[name, tuple(sorted(labels.items()))] = value
        for key, segments in found.items():
            if key not in now and segments[-1][2] is not None:
                segments.append((since, since, None))
        for key, value in now.items():
            segments = found.setdefault(key, [])
            last = segments[-1] if segments else (0, 0, None)
            if last[2] == value and last[1] == since - 1:
                segments[-1] = (last[0], until, value)
            else:
                segments.append((since, until, value))
    return found
