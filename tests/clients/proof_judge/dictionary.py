"""The dictionary of metrics, and whether the series of a moment are as it says."""

import re
import tomllib
from collections import Counter

KNOWN = {
    "about", "from", "source", "values", "also", "zero_where", "one_where", "labels", "optional", "series",
    "per", "always", "usual", "single", "present", "without", "capability", "since", "until",
}


class Metric:
    """One metric, as `clusters/metrics.toml` describes it."""

    def __init__(self, name, table):
        unknown = set(table) - KNOWN
        if unknown:
            raise SystemExit(f"proofs: {name} has {sorted(unknown)}, which the judge does not know")
        self.name = name
        self.exporter = table["from"]
        self.values = table["values"]
        self.also = table.get("also", [])
        self.zero_where = table.get("zero_where")
        self.one_where = table.get("one_where")
        self.labels = table["labels"]
        self.optional = set(table.get("optional", []))
        self.series = table["series"]
        self.per = table.get("per", [])
        self.always = pairs(table.get("always", {}))
        self.usual = pairs(table.get("usual", {}))
        self.single = pairs(table.get("single", {}))
        self.present = table["present"]
        self.is_rarely_missing = table.get("without") == "rare"
        self.capability = table.get("capability")
        self.since = minor_of(table.get("since", ""))
        self.until = minor_of(table.get("until", ""))

    def fixed(self, labels):
        """The value that the labels decide, or nothing."""
        for where, there in ((self.zero_where, 0), (self.one_where, 1)):
            if where:
                is_there = any(labels.get(label, "") in of for label, of in where.items())
                return there if is_there else 1 - there
        return None

    def own(self, label):
        """What a label of its own can be, or nothing."""
        if label in self.labels:
            return self.labels[label]
        starts = [name for name in self.labels if name.endswith("*") and label.startswith(name[:-1])]
        return self.labels[starts[0]] if starts else None


def pairs(table):
    return [(label, value) for label, values in table.items() for value in values]


def minor_of(version):
    found = re.match(r"(\d+)\.(\d+)(?![0-9])", version)
    return (int(found[1]), int(found[2])) if found else None


class Dictionary:
    """All of it."""

    def __init__(self, path):
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        unknown = set(table) - {
            "scrape", "hosted", "outlives_pods", "open", "profiles", "capabilities", "metrics",
        }
        if unknown:
            raise SystemExit(f"proofs: the dictionary has {sorted(unknown)}, which the judge does not know")
        self.scrape = table["scrape"]
        self.hosted = table["hosted"]
        self.outlive_pods = table["outlives_pods"]
        self.open = table["open"]
        self.capabilities = {name: minor_of(of) for name, of in table["capabilities"].items()}
        self.metrics = {name: Metric(name, of) for name, of in table["metrics"].items()}

    def scrape_of(self, metric):
        """The labels that the scrape can add to the series of a metric."""
        dropped = ("pod", "instance") if metric.exporter in self.outlive_pods else ()
        return [label for label in self.scrape if label not in dropped]

    def faults(self, state, asked):
        """What is wrong with the asked metrics of a cluster at one moment."""
        found = []
        for name in sorted(asked):
            if name not in self.metrics:
                continue
            metric = self.metrics[name]
            series = state.series.get(name, [])
            for labels, value in series:
                found.extend(self.wrong_labels(metric, labels))
                found.extend(wrong_value(metric, labels, value))
            found.extend(wrong_set(metric, [labels for labels, _ in series], state))
        return found

    def wrong_labels(self, metric, labels):
        for label, text in labels.items():
            of = metric.own(label)
            if isinstance(of, list) and text not in of:
                yield f"{metric.name}: {label}={text!r} is not a value of it"
            is_open = metric.exporter in self.open
            if of is None and not is_open and label not in self.scrape_of(metric):
                yield f"{metric.name}: unknown label {label}"
        for label in metric.labels:
            if not label.endswith("*") and label not in metric.optional and not labels.get(label):
                yield f"{metric.name}: no label {label}"


def wrong_value(metric, labels, value):
    kind, is_whole = metric.values, value == int(value)
    fits = kind == "number" or (isinstance(kind, list) and value in kind)
    fits = fits or (kind == "one" and value == 1) or (kind == "flag" and value in (0, 1))
    fits = fits or (kind == "time" and is_whole and (value == 0 or 1e9 <= value < 4e9))
    fits = fits or (kind == "count" and is_whole and value >= 0)
    if not fits and value not in metric.also:
        yield f"{metric.name}: the value {value}"
    if metric.fixed(labels) not in (None, value):
        yield f"{metric.name}: the value {value} with these labels"


def is_impossible(metric, state):
    """Whether a cluster in this state cannot have the metric."""
    is_off = metric.capability and state.capabilities.get(metric.capability) is False
    is_old = metric.since and state.minor < metric.since
    return bool(is_off or is_old or (metric.until and state.minor > metric.until))


def wrong_set(metric, series, state):
    count = len(series)
    has = metric.present == "always" or state.present[metric.present]
    has = has and not is_impossible(metric, state)
    if not has:
        if count:
            yield f"{metric.name}: it is there"
        return
    least = max(len(metric.always), 1)
    fits = {"one": count == 1, "some": count >= least, "any": True}.get(metric.series, count == metric.series)
    if not fits or (count > 1 and not metric.per):
        yield f"{metric.name}: {count} series"
    keys = Counter(tuple(labels.get(label, "") for label in metric.per) for labels in series)
    if metric.per and any(many > 1 for many in keys.values()):
        yield f"{metric.name}: two series differ in no label of {metric.per}"
    for label, value in metric.single:
        if sum(labels.get(label, "") == value for labels in series) > 1:
            yield f"{metric.name}: two series with {label}={value}"
    for label, value in metric.always:
        if not any(labels.get(label, "") == value for labels in series):
            yield f"{metric.name}: no series with {label}={value}"
