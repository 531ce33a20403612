"""Clusters of a fleet, each counted again by itself: python3 fleet_rows.py EXITPATH REPOSITORY [ROWS]

Draws clusters with random answers about the risks of a repository. `exitpath fleet` must give each the
number of updates that follows from the channel's graph, and to the newest release of the channel a path
that exists, with a list of risks to accept that is enough, and from which none can be removed.
"""

import collections
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

PROGRAM, REPOSITORY = sys.argv[1], sys.argv[2]
ROWS = int(sys.argv[3]) if len(sys.argv) > 3 else 10_000

SOURCE = ["--repo", REPOSITORY]

draw = random.Random(11)


def exitpath(*arguments):
    run = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1):
        raise SystemExit(f"{arguments} ended with {run.returncode}: {run.stderr}")
    return run.stdout


def precedence(version):
    """The order of versions, as far as these channels need it."""
    core, _, pre = version.split("+")[0].partition("-")
    numbers = [int(number) for number in core.split(".")]
    parts = [(0, int(p), "") if p.isdigit() else (1, 0, p) for p in pre.split(".")] if pre else []
    return numbers, not pre, parts


class Channel:
    """The graph of a channel: for each release, its targets, each with the risks that hold it."""

    def __init__(self, name):
        graph = json.loads(exitpath("graph", *SOURCE, "--channel", name, "--format", "json"))
        self.versions = [node["version"] for node in graph["nodes"]]
        self.targets = collections.defaultdict(dict)
        self.always = set()
        for start, end in graph["edges"]:
            self.targets[self.versions[start]][self.versions[end]] = frozenset()
        for group in graph.get("conditionalEdges", []):
            risks = frozenset(risk["name"] for risk in group["risks"])
            self.always |= {risk["name"] for risk in group["risks"] if is_always(risk)}
            for edge in group["edges"]:
                # A cluster takes the recommended one of two.
                self.targets[edge["from"]].setdefault(edge["to"], risks)
        general = [v for v in self.versions if "-" not in v.split("+")[0]]
        self.newest = max(general or self.versions, key=precedence)

    def has_path(self, start, affecting):
        """Whether recommended updates lead from a release to the newest one."""
        seen, waiting = {start}, [start]
        while waiting:
            release = waiting.pop()
            if release == self.newest:
                return True
            for target, risks in self.targets[release].items():
                if target not in seen and not risks & affecting:
                    seen.add(target)
                    waiting.append(target)
        return False


def is_always(risk):
    return risk["matchingRules"][0]["type"] == "Always"


def main():
    files = sorted(pathlib.Path(REPOSITORY, "channels").glob("*.yaml"))
    names = [file.stem for file in files if re.search(r"-4\.(1[2-9]|2\d)$|-5\.", file.stem)]
    names = draw.sample(names, min(12, len(names)))
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name in names:
            made_risks(Channel(name), folder)
        SOURCE.extend(flag for file in sorted(folder.iterdir()) for flag in ("--add", str(file)))
        check(folder, {name: Channel(name) for name in names})


def made_risks(channel, folder):
    """Risks of the newest releases, so that there is something to accept."""
    newest = sorted(set(channel.versions), key=precedence)[-6:]
    for number, to in enumerate(newest):
        if any(channel.targets[start].get(to) is not None for start in channel.versions):
            start = draw.choice([".*", ".*[02468]", ".*[13579]"])
            (folder / f"{to}-Made{number}.yaml").write_text(MADE.format(to=to, start=start, number=number))


MADE = """to: {to}
from: {start}
url: https://example.com/{number}
name: Made{number}
message: It is made for a test.
matchingRules:
- type: PromQL
  promql:
    promql: group(made{{_id="",number="{number}"}}) or on () 0 * group(cluster_version{{_id=""}})
"""


def check(folder, channels):
    risks = [query["risk"] for query in json.loads(
        exitpath("fleet", "--promql", *SOURCE, "--format", "json"))["queries"]]
    rows = []
    for _ in range(ROWS):
        name = draw.choice(list(channels))
        share = draw.choice([0.1, 0.5, 0.9, 1])
        affects = lambda: draw.choice(["yes", "yes", "unknown"]) if draw.random() < share else "no"
        answers = {risk: affects() for risk in risks}
        version = draw.choice(channels[name].versions)
        rows.append({"version": version, "channel": name} | {f"risk:{r}": a for r, a in answers.items()})
    table = folder / "rows.jsonl"
    table.write_text("".join(json.dumps(row) + "\n" for row in rows))
    report = exitpath("fleet", str(table), *SOURCE, "--to", "latest", "--format", "json")
    kinds = json.loads(report)["kinds"]
    assert len(kinds) == len(rows), "two rows are alike"
    states, lists = collections.Counter(), 0
    for row, kind in zip(rows, kinds):
        channel = channels[row["channel"]]
        affecting = {r.removeprefix("risk:") for r, a in row.items() if a in ("yes", "unknown")}
        affecting |= channel.always
        targets = channel.targets[row["version"]].values()
        held = sum(bool(risks & affecting) for risks in targets)
        assert (kind["recommended"], kind["not_recommended"]) == (len(targets) - held, held), (row, kind)
        unknown = {r.removeprefix("risk:") for r, a in row.items() if a == "unknown"} - channel.always
        lists += check_goal(channel, row["version"], (affecting, unknown), kind["goal"])
        states[kind["goal"]["state"]] += 1
    print(f"{len(rows)} clusters in {len(channels)} channels: the same counts; "
          f"{lists} lists of risks to accept are enough, and none is longer than necessary; "
          + ", ".join(f"{count} {state}" for state, count in sorted(states.items())))


def check_goal(channel, version, risks, goal):
    affecting, unknown = risks
    where = (version, channel.newest, goal)
    if goal["state"] == "reached":
        assert precedence(version) >= precedence(channel.newest), where
        return 0
    is_open = channel.has_path(version, affecting)
    if goal["state"] in ("recommended", "no-path"):
        assert is_open == (goal["state"] == "recommended"), where
        assert goal["state"] == "recommended" or not channel.has_path(version, set()), where
        return 0
    accept, cannot_tell = set(goal["accept"]), set(goal["cannot_tell"])
    if goal["state"] == "cannot-tell":
        # Operators do not let anybody accept these, so there must be no path without them.
        assert cannot_tell and cannot_tell <= unknown, where
        assert not channel.has_path(version, unknown), where
        assert channel.has_path(version, affecting - accept - cannot_tell), where
        return 0
    assert goal["state"] == "accept" and not is_open and not cannot_tell, where
    assert not accept & unknown and channel.has_path(version, affecting - accept), where
    for risk in accept:
        assert not channel.has_path(version, affecting - accept | {risk}), (where, risk)
    if len(accept) == 2:
        for risk in affecting - unknown:
            assert not channel.has_path(version, affecting - {risk}), (where, risk)
    return 1


main()
