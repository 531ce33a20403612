"""Clusters that are written down: witnesses of exitpath, and the series of known wrong proofs."""

import re

from .prometheus import MINUTE, Prometheus
from .syntax import unquoted
from .judge import NOW

# The minutes of history that a single number stands for.
LONE = 120
# Clusters are so far apart in time.
APART = 4 * 24 * 60
# What makes an answer depend on the time.
TIME = re.compile(r"\b(?:time|timestamp|minute|hour|month|year|day\w*|days\w*) ?\(|@")


def number(text):
    return float(text.replace("Inf", "inf").replace("NaN", "nan"))


def minutes_of(words):
    """The value of each minute: a number, "stale", or nothing."""
    found = []
    for word in words:
        missing = re.fullmatch(r"_(?:x(\d+))?", word)
        run = re.fullmatch(r"([-+]?(?:[\d.]+(?:e[-+]?\d+)?|Inf|NaN))(?:([-+][\d.]+(?:e[-+]?\d+)?))?x(\d+)",
            word)
        if missing:
            found += [None] * int(missing[1] or 1)
        elif run:
            start, step = number(run[1]), float(run[2] or 0)
            found += [start + step * nth if step else start for nth in range(int(run[3]) + 1)]
        else:
            found.append("stale" if word == "stale" else number(word))
    return found


def segments_of(words, now=None):
    """The values as segments. Without a minute that is now, or behind that, the last one is."""
    if len(words) == 1 and not re.search(r"[x_]|stale", words[0]):
        return [(-LONE, 0, number(words[0]))]
    minutes = minutes_of(words)
    last = len(minutes) - 1
    now = last if now is None else min(now, last)
    found = []
    for nth, value in enumerate(minutes):
        at = nth - now
        if value is None:
            continue
        value = None if value == "stale" else value
        before = found[-1] if found else (0, 0, None)
        if before[1] == at - 1 and before[2] == value and value is not None:
            found[-1] = (before[0], at, value)
        else:
            found.append((at, at, value))
    return found


def of_line(line):
    """A series in promtool's notation."""
    end = re.match(r'[^\s{]*(?:\{(?:[^"}]|"(?:[^"\\]|\\.)*")*\})?', line).end()
    name = line[:end].split("{")[0]
    labels = re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', line[len(name):end])
    pairs = tuple(sorted((label, unquoted(f'"{text}"')) for label, text in labels))
    name = name or dict(pairs)["__name__"]
    return (name, tuple(p for p in pairs if p[0] != "__name__")), segments_of(line[end:].split())


def outcomes(cases):
    """What Prometheus answers for each pair of a query and a cluster."""
    found = [None] * len(cases)
    together = [nth for nth, (query, _) in enumerate(cases) if not TIME.search(query)]
    alone = [[nth] for nth, (query, _) in enumerate(cases) if TIME.search(query)]
    groups = [together[at:at + 500] for at in range(0, len(together), 500)] + alone
    for group in groups:
        times = [NOW - (len(group) - 1 - n) * APART * MINUTE for n in range(len(group))]
        with Prometheus() as server:
            server.write([(now, dict(cases[nth][1])) for now, nth in zip(times, group)])
            for now, nth in zip(times, group):
                found[nth] = server.instant(cases[nth][0], now)
    return found


def judge_witnesses(reports):
    """Which witnesses are not confirmed, and how many there are."""
    cases, expected = [], []
    for query, report in reports:
        for witness in report["witnesses"]:
            cases.append((query, [of_line(line) for line in witness["series"]]))
            expected.append(witness)
    wrong = []
    for (query, _), witness, (found, words) in zip(cases, expected, outcomes(cases)):
        if found != witness["outcome"]:
            wrong.append((query, witness, found, words))
    return wrong, len(cases)


def known(entries):
    """The clusters of `wrong.jsonl`, each with its query."""
    cases = []
    for entry in entries:
        series = []
        for name, labels, values in entry["series"]:
            series.append(((name, tuple(sorted(labels.items()))),
                segments_of(values.split(), entry.get("minute"))))
        cases.append((entry["query"], series))
    return cases


