"""Mirrors, judged again: python3 mirror.py EXITPATH REPOSITORY [CONFIGURATIONS]

Draws configurations of oc-mirror and clusters. What `exitpath fleet --mirror` says is compared with a
second reading of what oc-mirror takes, and with walks over the mirrored part of the graph. For additions
of few releases, all smaller sets are tried.
"""

import collections
import itertools
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

PROGRAM, REPOSITORY = sys.argv[1], sys.argv[2]
CONFIGURATIONS = int(sys.argv[3]) if len(sys.argv) > 3 else 300

draw = random.Random(7)


def exitpath(*arguments):
    run = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)
    return run.returncode, run.stdout, run.stderr


def precedence(version):
    """The order of versions, as far as these channels need it."""
    core, _, pre = version.partition("-")
    numbers = [int(number) for number in core.split(".")]
    parts = [(0, int(p), "") if p.isdigit() else (1, 0, p) for p in pre.split(".")] if pre else []
    return numbers, not pre, parts


class Channel:
    """A channel as the update service answers it."""

    def __init__(self, name):
        code, out, err = exitpath("graph", "--repo", REPOSITORY, "--channel", name, "--format", "json")
        if code:
            raise SystemExit(err)
        graph = json.loads(out)
        names = [node["version"] for node in graph["nodes"]]
        self.versions = sorted(names, key=precedence)
        self.open = {(names[a], names[b]) for a, b in graph["edges"]}
        self.conditional = {
            (edge["from"], edge["to"]) for group in graph.get("conditionalEdges", []) for edge in group["edges"]
        }
        self.next = collections.defaultdict(list)
        for start, end in self.open:
            self.next[start].append(end)
        for targets in self.next.values():
            targets.sort(key=precedence, reverse=True)

    def path(self, start, end):
        before, queue = {start: None}, collections.deque([start])
        while queue and end not in before:
            at = queue.popleft()
            for target in self.next[at]:
                if target not in before:
                    before[target] = at
                    queue.append(target)
        path, at = [], end if end in before else None
        while at is not None:
            path.append(at)
            at = before[at]
        return path


class Refused(Exception):
    pass


def updates(channel, start, end):
    """The two ends, and the shortest path, as oc-mirror asks for them."""
    if start not in channel.versions or end not in channel.versions:
        raise Refused
    return start, end, channel.path(start, end)


def minor(name):
    return int(name.rsplit(".", 1)[1])


def taken(channels, entries):
    """The releases that oc-mirror takes."""
    found, ranges = set(), []
    for entry in entries:
        channel = channels[entry["name"]]
        low, high = entry.get("minVersion"), entry.get("maxVersion")
        if not high:
            low = low or (channel.versions[0] if entry.get("full") else channel.versions[-1])
            high = channel.versions[-1]
        low = low or channel.versions[0]
        ranges.append((entry["name"], low, high))
        if entry.get("shortestPath"):
            start, end, path = updates(channel, low, high)
            found |= {start, end, *path}
        else:
            found |= {v for v in channel.versions if precedence(low) <= precedence(v) <= precedence(high)}
    if len(ranges) > 1:
        source, start, _ = min(ranges, key=lambda one: (precedence(one[1]), one[0]))
        newest = max(precedence(one[2]) for one in ranges)
        target, _, goal = min((one for one in ranges if precedence(one[2]) == newest), key=lambda one: one[0])
        found |= across(channels, source, target, start, goal)
    return found


def across(channels, source, target, start, goal):
    if source == target or minor(source) == minor(target):
        if start not in channels[target].versions and source != target:
            start = goal
        start, goal, path = updates(channels[target], start, goal)
        return {start, goal, *path}
    at = channels[source].versions[-1]
    found = {start, *updates(channels[source], start, at)[2]}
    number = minor(source)
    while True:
        number += 1
        is_last = number == minor(target)
        name = target if is_last else f"{source.rsplit('-', 1)[0]}-4.{number}"
        if name not in channels:
            raise Refused
        end = goal if is_last else channels[name].versions[-1]
        if at not in channels[name].versions:
            if end not in channels[target].versions:
                raise Refused
            return found | {end}
        _, end, path = updates(channels[name], at, end)
        found |= set(path)
        if is_last:
            return found | {end}
        at = end


class Updates:
    """The updates of all channels that clusters should use."""

    def __init__(self, channels):
        self.next = collections.defaultdict(set)
        self.versions = set()
        self.closed = set()
        advised = {name: one for name, one in channels.items() if not name.startswith("candidate")}
        for channel in advised.values():
            self.closed |= channel.conditional
        for channel in advised.values():
            self.versions |= set(channel.versions)
            for start, end in channel.open - self.closed:
                self.next[start].add(end)

    def reached(self, start, kept):
        """The general releases that recommended updates lead to. The start need not be mirrored."""
        seen, waiting = {start}, [start]
        while waiting:
            for target in self.next[waiting.pop()]:
                if target in kept and "-" not in target and target not in seen:
                    seen.add(target)
                    waiting.append(target)
        return seen


def configuration(channels):
    stable = sorted(name for name in channels if name.startswith(("stable", "eus")))
    entries = []
    for name in draw.sample(stable, draw.choice([1, 1, 2, 3])):
        versions = [v for v in channels[name].versions if "-" not in v]
        own = [v for v in versions if v.startswith(name.split("-")[1] + ".")] or versions
        low, high = sorted(draw.sample(own, 2) if len(own) > 1 else own * 2, key=precedence)
        entry = {"name": name}
        kind = draw.choice(["range", "range", "range", "min", "path", "head", "one"])
        if kind in ("range", "path", "min"):
            entry["minVersion"] = low
        if kind in ("range", "path"):
            entry["maxVersion"] = high
        if kind == "path":
            entry["shortestPath"] = True
        if kind == "one":
            entry |= {"minVersion": high, "maxVersion": high}
        entries.append(entry)
    return entries


def written(folder, entries):
    file = folder / "imageset.yaml"
    mirror = {"platform": {"graph": True, "channels": entries}}
    file.write_text(json.dumps({
        "kind": "ImageSetConfiguration", "apiVersion": "mirror.openshift.io/v2alpha1", "mirror": mirror}))
    return file


def main():
    files = sorted(pathlib.Path(REPOSITORY, "channels").glob("*.yaml"))
    names = [file.stem for file in files if re.fullmatch(r"(stable|fast|eus|candidate)-4\.\d+", file.stem)]
    channels = {name: Channel(name) for name in names}
    channels = {name: channel for name, channel in channels.items() if channel.versions}
    graph = Updates(channels)
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(CONFIGURATIONS):
            one(pathlib.Path(folder), channels, graph, counts)
    print(dict(counts))
    if not counts["stuck"] or not counts["proved"] or not counts["entries"]:
        raise SystemExit("too little was compared")


def one(folder, channels, graph, counts):
    entries = configuration(channels)
    clusters = []
    for _ in range(draw.randint(1, 4)):
        name = draw.choice([entry["name"] for entry in entries] + [n for n in channels if "stable" in n])
        versions = [v for v in channels[name].versions if "-" not in v and v in graph.versions]
        if versions:
            clusters.append({"name": f"c{len(clusters)}", "version": draw.choice(versions), "channel": name})
    if not clusters:
        return
    table = folder / "clusters.jsonl"
    table.write_text("".join(json.dumps(row) + "\n" for row in clusters))
    code, out, err = exitpath("fleet", str(table), "--repo", REPOSITORY, "--format", "json",
                              "--mirror", str(written(folder, entries)))
    try:
        kept = taken(channels, entries)
    except Refused:
        assert code == 2, (entries, out, err)
        counts["refused"] += 1
        return
    assert code in (0, 1), (entries, err)
    report = json.loads(out)
    said = {text.split("+")[0] for text in report["mirror"]["releases"]}
    assert said == kept, (entries, said ^ kept)
    counts["configurations"] += 1
    goal = max((v for v in kept if "-" not in v), key=precedence, default=None)
    if goal is None:
        return
    starts = set()
    for kind in report["kinds"]:
        start, state = kind["release"], kind["mirror"]["state"]
        if precedence(start) >= precedence(goal):
            assert state == "reached", (entries, kind)
        elif goal not in graph.reached(start, graph.versions):
            counts["needs risks"] += 1
            starts.add(None)
        elif start in kept and goal in graph.reached(start, kept):
            assert state == "recommended", (entries, kind)
            counts["free"] += 1
        else:
            assert state == "stuck", (entries, kind)
            counts["stuck"] += 1
            starts.add(start)
    if starts and None not in starts:
        addition(channels, graph, (entries, kept, goal), starts, report["mirror"]["addition"], counts)


def addition(channels, graph, mirror, starts, found, counts):
    entries, kept, goal = mirror
    new = set(found["releases"])
    own = {start for start in starts if start not in kept}
    assert own <= new, (entries, starts, found)
    is_free = lambda kept: all(start in kept and goal in graph.reached(start, kept) for start in starts)
    assert is_free(kept | new), (entries, starts, found)
    counts["additions"] += 1
    hubs = new - own
    useful = [v for v in graph.versions if "-" not in v and v not in kept | own
              and any(precedence(start) < precedence(v) for start in starts) and precedence(v) < precedence(goal)]
    if found["smallest"] and len(hubs) <= 2:
        for size in range(len(hubs)):
            for more in itertools.combinations(useful, size):
                assert not is_free(kept | own | set(more)), (entries, starts, more, found)
        counts["proved"] += 1
    if found.get("entries"):
        changed = {entry["name"]: entry for entry in found["entries"]["channels"]}
        all_entries = [entry | changed.pop(entry["name"], {}) for entry in entries] + list(changed.values())
        after = taken(channels, all_entries)
        assert kept | set(found["entries"]["releases"]) == after | kept, (entries, found)
        assert is_free(after), (entries, all_entries)
        counts["entries"] += 1
        counts["releases of entries"] += len(after - kept)
        counts["releases needed"] += len(new)
    else:
        counts["without entries"] += 1


main()
