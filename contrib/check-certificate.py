#!/usr/bin/env python3
"""Checks a certificate of `exitpath simulate --certificate` against the graphs that it is about.

    check-certificate.py CERTIFICATE [ARCH=]GRAPH... [--base [ARCH=]GRAPH...]

A GRAPH is Cincinnati JSON: whole, or for a channel. ARCH is amd64 if the versions do not say
more. docs/guarantee.md says why these checks suffice. This file shares no code with exitpath.
"""
import functools, hashlib, json, re, sys
CHANNELS = "io.openshift.upgrades.graph.release.channels"
compact = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode

def require(is_so, why):
    is_so or sys.exit(f"refused: {why}")

def is_general(version):
    """Pre-releases are not. Of OKD, all are, but for those with a word such as `ec`."""
    return bool(re.fullmatch(r"[^-]*(-(.*\.)?okd([-.](scos|ga|[0-9]+))*)?", version))

def minor(version):
    return ".".join(version.split(".")[:2])

def age(version):
    """Orders releases. Pre-releases are older than their release, those of OKD, too."""
    core, _, pre = version.partition("-")
    parts = [(0, int(p), "") if p.isdigit() else (1, 0, p) for p in pre.split(".") if pre]
    return [int(number) for number in core.split(".")], is_general(version), not pre, parts

def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()

def rules(risk):
    return [[r["type"], (r.get("promql") or {}).get("promql")] for r in risk["matchingRules"]]

def is_understood(risk):
    return any(query is None if kind == "Always" else kind == "PromQL" and query
               for kind, query in rules(risk))

class Document:
    """A given file. `out[from][to]` is the risks of what clusters see: names, and digests."""

    def __init__(self, argument):
        arch, path = re.fullmatch(r"(?:([a-z0-9]+)=)?(.*)", argument).groups()
        document = json.load(open(path, encoding="utf-8"))
        nodes = [(node["version"].split("+")[0], node.get("metadata") or {})
                 for node in document["nodes"]]
        self.channels = {name: data.get(CHANNELS, "").split(",") for name, data in nodes}
        self.has_channels = any(CHANNELS in data for _, data in nodes)
        suffixes = [node["version"].partition("+")[2] for node in document["nodes"]]
        self.arch = arch or next(filter(None, suffixes), "amd64")
        conditional, rejecting = {}, set()
        groups = [(all(map(is_understood, group["risks"])), group)
                  for group in document.get("conditionalEdges") or []]
        for counts, group in sorted(groups, key=lambda one: not one[0]):
            risks = frozenset(risk["name"] for risk in group["risks"])
            ids = [digest(compact([risk["name"], rules(risk)]))[:16] for risk in group["risks"]]
            for edge in group["edges"]:
                pair = edge["from"].split("+")[0], edge["to"].split("+")[0]
                if pair[1] not in self.channels:
                    rejecting.add(pair[0])
                elif counts or pair not in conditional:
                    is_first = counts and pair not in conditional
                    conditional[pair] = (risks, tuple(sorted(ids))) if is_first else None
        updates = {(nodes[a][0], nodes[b][0]): (frozenset(), ()) for a, b in document["edges"]}
        self.out = {name: {} for name in self.channels}
        for (origin, target), risks in (updates | conditional).items():
            if risks and origin not in rejecting:
                self.out[origin][target] = risks

@functools.cache
class Graph:
    """What clusters see of a channel: `out[from][to]` is the names of the risks."""

    def __init__(self, document, channel):
        self.versions = {name for name, channels in document.channels.items()
                         if channel in channels or not document.has_channels}
        self.out, to = {}, {version: ([], {}) for version in self.versions}
        for origin in sorted(self.versions):
            self.out[origin] = {}
            for target, (risks, ids) in document.out[origin].items():
                if target in self.versions:
                    self.out[origin][target] = risks
                    (to[target][1].setdefault(ids, []) if ids else to[target][0]).append(origin)
        lines = ([version, opened, sorted([list(ids), some] for ids, some in groups.items())]
                 for version, (opened, groups) in sorted(to.items()))
        self.digest = digest("".join(compact(line) + "\n" for line in lines))

    def newest(self, of):
        """The newest patch of a minor, and the pre-releases that are still newer."""
        own = [version for version in self.versions if minor(version) == of]
        newest = max(own, key=lambda version: (is_general(version), age(version)))
        return {version for version in own if age(version) >= age(newest)}

    def reached(self, begins, allowed=None):
        """Where updates lead if all risks apply but these. None: no risk applies."""
        seen, left = set(begins), list(begins)
        while left:
            for to, risks in self.out[left.pop()].items():
                if to not in seen and (allowed is None or risks <= allowed):
                    seen.add(to)
                    left.append(to)
        return seen

def choices(sets):
    """The smallest choices of at least one risk of each set."""
    every = {frozenset()}
    for one in sets:
        every = {choice if choice & one else choice | {risk} for choice in every for risk in one}
        every = {choice for choice in every if not any(other < choice for other in every)}
    return every

def check_aim(graph, where, aim, begins):
    of, is_patch = aim["minor"], aim["goal"] == "patch"
    ends = graph.newest(of) if is_patch else {v for v in graph.versions if minor(v) == of}
    targets = {min(ends, key=age)} if is_patch else ends
    pairs = [(origin, to) for to, origins in aim["paths"].items() for origin in origins]
    steps = dict(pairs)
    for origin, to in pairs:
        require(graph.out.get(origin, {}).get(to) == frozenset(),
                f"{where}: no unconditional update leads from {origin} to {to}")
    wanted = {v for v in graph.reached(begins) if (minor(v) == of) == is_patch} - ends
    failing = {failure["release"] for failure in aim["failures"]}
    require(failing <= wanted, f"{where}: a failing release need not reach {of}")
    for release in wanted - failing:
        at, left = release, len(graph.versions)
        while at not in targets and left:
            at, left = steps.get(at), left - 1
        require(at in targets, f"{where}: the path of {release} does not lead to {of}")
    every = frozenset().union(*(risks for out in graph.out.values() for risks in out.values()))
    for failure in aim["failures"]:
        release, sets = failure["release"], [frozenset(one) for one in failure["sets"]]
        leads = lambda allowed: not targets.isdisjoint(graph.reached([release], allowed))
        require(sets and not any(leads(every - one) for one in sets),
                f"{where}: a set does not strand {release}")
        require(all(leads(every - one | {risk}) for one in sets for risk in one),
                f"{where}: a smaller set strands {release}")
        if failure["complete"] and frozenset() not in sets:
            require(all(map(leads, choices(sets))), f"{where}: another set strands {release}")

def lost(now, base, supported):
    """The paths that are gone: each release, and the newest patch that it reached."""
    for release in sorted(supported & base.versions):
        target, none = min(base.newest(minor(release)), key=age), frozenset()
        led = now.reached([release], none) if now and release in now.versions else ()
        if target in base.reached([release], none) and not any(
                minor(to) == minor(target) and age(to) >= age(target) for to in led):
            yield [release, target]

def main(arguments):
    at = arguments.index("--base") if "--base" in arguments else len(arguments)
    require(at > 1, __doc__)
    certificate = json.load(open(arguments[0], encoding="utf-8"))
    documents = [list(map(Document, files)) for files in (arguments[1:at], arguments[at + 1:])]

    def find(documents, name, arch, wanted):
        for document in documents if wanted else []:
            graph = Graph(document, name)
            if document.arch == arch and graph.digest == wanted:
                return graph
        require(not wanted, f"no given graph of {name} for {arch} has the digest {wanted}")

    require(certificate["version"] == 1, "this checker knows version 1")
    support, seen, impossible = certificate["support"]["minors"], set(), 0
    holds = dict.fromkeys(("G1", "G2", "G3"), True)
    listed = {release for one in support for release in one["releases"]}
    partly = {one["minor"] for one in support if not one["whole"]}
    for entry in certificate["channels"]:
        name, aims = entry["channel"], entry["aims"]
        for arch in entry["arches"]:
            now = find(documents[0], name, arch, entry["digest"])
            base = find(documents[1], name, arch, entry.get("base"))
        gone = list(lost(now, base, listed)) if base else []
        require(gone == sorted(entry["lost"]), f"{name}: the lost paths are {gone}")
        holds["G3"] &= not gone
        if not now:
            continue
        for version in filter(is_general, now.versions - listed):
            require(minor(version) in partly, f"{name}: it does not say how {version} counts")
        begins = now.versions & listed
        seen |= begins
        own, goals = name.rpartition("-")[2], certificate["goals"]
        asked = {("patch", of) for of in map(minor, now.reached(begins)) if "patch" in goals}
        asked |= {("minor", own)} if "minor" in goals and own.replace(".", "").isdigit() else set()
        require({(aim["goal"], aim["minor"]) for aim in aims} == asked, f"{name}: it lacks aims")
        for aim in aims:
            check_aim(now, name, aim, begins)
            impossible += sum(len(failure.get("impossible", [])) for failure in aim["failures"])
            holds["G1"] &= not aim["failures"]
            holds["G2"] &= all(failure["complete"] for failure in aim["failures"])
    require(seen == listed, f"no channel has {sorted(listed - seen)[:1]}")
    print(f"supported releases: {len(seen)}; channels: {len(certificate['channels'])}")
    for goal, is_so in holds.items():
        said = certificate["holds"][goal]
        require(said in (is_so, None), f"it says the opposite of what is true of {goal}")
        print(f"{goal}:", {True: "holds", False: "does not hold", None: "not examined"}[said])
    print(f"not checked: queries: {len(certificate['queries'])}; impossible sets: {impossible}")

if __name__ == "__main__":
    main(sys.argv[1:])
