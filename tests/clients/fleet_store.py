"""A fleet in a real Prometheus: python3 fleet_store.py EXITPATH [REPOSITORY [CLUSTERS]]

Makes clusters with series drawn from those of the sample clusters. A table has them for
`exitpath fleet FILE`, and a Prometheus has them with the label `_id` for `exitpath fleet --url`. Both
must count the same. The queries of `--promql` must count what each cluster says by itself.
PROMTOOL and PROMETHEUS name the programs.
"""

import collections
import json
import os
import pathlib
import random
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = sys.argv[1]
REPOSITORY = sys.argv[2] if len(sys.argv) > 2 else str(ROOT / "fixtures/graph-data")
CLUSTERS = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
ASKED_BY_THEMSELVES = 25
TIME = int(time.time()) - 600

draw = random.Random(7)


def exitpath(*arguments, statuses=(0, 1)):
    run = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)
    if run.returncode not in statuses:
        raise SystemExit(f"{arguments[:2]} ended with {run.returncode}: {run.stderr}")
    return run.stdout


SOURCE = ["--repo", REPOSITORY]
if REPOSITORY == str(ROOT / "fixtures/graph-data"):
    SOURCE += ["--releases", str(ROOT / "fixtures/graphs/releases.json")]
QUERIES = json.loads(exitpath("fleet", "--promql", *SOURCE, "--format", "json"))
METRICS = set(re.findall(r"[a-z_:]{4,}", " ".join(q.get("query", "") for q in QUERIES["queries"])))


def series_of_samples():
    """The series of each sample cluster that have one value, and that a query may select."""
    samples = []
    for file in sorted((ROOT / "clusters").glob("*.series")):
        lines = [line.rsplit("} ", 1) for line in file.read_text().splitlines() if "} " in line]
        lines = [(labels + "}", value) for labels, value in lines if re.fullmatch(r"-?\d+", value)]
        own = [(labels, value) for labels, value in lines if "_id=" not in labels]
        samples.append([(l, v) for l, v in own if l.split("{")[0] in METRICS])
    return [sample for sample in samples if sample]


def releases():
    """The channels, each with the releases that it lists."""
    for file in sorted(pathlib.Path(REPOSITORY, "channels").glob("*.yaml")):
        listed = re.findall(r"^- (\d\S+)", file.read_text(), re.M)
        if listed:
            yield file.stem, listed


def cluster(samples, channels):
    channel, listed = draw.choice(channels)
    version = draw.choice(listed)
    without = {m for m in METRICS if draw.random() < 0.08}
    series = [
        (labels, value)
        for labels, value in draw.choice(samples)
        if labels.split("{")[0] not in without
        and not re.match(r'cluster_version\{.*type="current"|cluster_version_available', labels)
        and draw.random() < 0.95
    ]
    updates = draw.randrange(9)
    series.append((f'cluster_version{{type="current",version="{version}"}}', "1"))
    series.append((f'cluster_version_available_updates{{channel="{channel}"}}', str(updates)))
    name = f"lab-{draw.randrange(10**9)}" if draw.random() < 0.01 else None
    name = name or str(uuid.UUID(int=draw.getrandbits(128)))
    return {"name": name, "version": version, "channel": channel, "available_updates": updates,
            "series": [f"{labels} {value}" for labels, value in dict(series).items()]}


class Store:
    """A Prometheus with the series of clusters."""

    def __init__(self, folder, clusters):
        folder.mkdir()
        with open(folder / "series", "w", encoding="utf-8") as out:
            for one in clusters:
                for line in one["series"]:
                    labels, value = line.rsplit(" ", 1)
                    labels = labels.replace("{", f'{{_id="{one["name"]}",', 1).replace(",}", "}")
                    for moment in (TIME - 120, TIME):
                        out.write(f"{labels} {value} {moment}\n")
            out.write("# EOF\n")
        tool = os.environ.get("PROMTOOL", "promtool")
        blocks = [tool, "tsdb", "create-blocks-from", "openmetrics", folder / "series", folder / "data"]
        subprocess.run(blocks, check=True, stdout=subprocess.DEVNULL)
        (folder / "prometheus.yml").write_text("")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        self.process = subprocess.Popen(
            [os.environ.get("PROMETHEUS", "prometheus"), "--config.file=prometheus.yml",
             "--storage.tsdb.path=data", f"--web.listen-address=127.0.0.1:{port}", "--log.level=error"],
            cwd=folder)
        for _ in range(600):
            try:
                urllib.request.urlopen(f"{self.url}/-/ready").close()
                return
            except OSError:
                time.sleep(0.1)
        raise SystemExit("Prometheus does not start")

    def ask(self, query):
        form = urllib.parse.urlencode({"query": query, "time": TIME}).encode()
        try:
            with urllib.request.urlopen(f"{self.url}/api/v1/query", form) as answer:
                return json.load(answer)["data"]["result"]
        except urllib.error.HTTPError as error:
            raise SystemExit(f"{query}\n{error.read().decode()}") from error

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def counts(report):
    """How many clusters there are of each kind."""
    kinds = collections.Counter()
    for kind in report["kinds"]:
        clusters = kind.pop("clusters")
        kinds[json.dumps(kind, sort_keys=True)] += clusters
    return kinds


def one_fleet(folder, clusters):
    table = folder / "clusters.jsonl"
    table.write_text("".join(json.dumps(one) + "\n" for one in clusters))
    flags = [*SOURCE, "--format", "json"]
    of_file = json.loads(exitpath("fleet", str(table), *flags))
    with Store(folder / "store", clusters) as store:
        began = time.monotonic()
        asked = exitpath("fleet", "--url", store.url, "--time", str(TIME), *flags)
        took = time.monotonic() - began
    of_store = json.loads(asked)
    assert of_store["store"]["missing"] == [], of_store["store"]["missing"][:3]
    assert of_store["store"]["not_asked"] == [], of_store["store"]["not_asked"]
    for key in ("clusters", "without_update", "cannot_tell", "risks", "all_differences"):
        assert of_file[key] == of_store[key], (key, of_file[key], of_store[key])
    assert counts(of_file) == counts(of_store)
    held = of_file["without_update"], of_file["cannot_tell"]
    print(f"{len(clusters)} clusters, {len(QUERIES['queries'])} risks: the same counts "
          f"({held[0]} without an update, {held[1]} unable to tell), asked in {took:.1f} s")


def by_themselves(folder, clusters):
    """The queries of `--promql` count what each cluster answers."""
    files = []
    for number, one in enumerate(clusters):
        file = folder / f"{number}.series"
        file.write_text("\n".join(one["series"]) + "\n")
        files.append((one, file))
    with Store(folder / "small", clusters) as store:
        for asked in QUERIES["queries"]:
            answers = collections.Counter()
            for sample in store.ask(asked["query"]):
                labels = sample["metric"]
                affected = {"1": "yes", "0": "no"}.get(labels["affected"], "unknown")
                answers[labels["version"], labels["channel"], affected] += int(sample["value"][1])
            query, own = query_of(asked["risk"]), collections.Counter()
            for one, file in files:
                own[one["version"], one["channel"], verdict(query, file)] += 1
            assert answers == own, (asked["risk"], answers - own, own - answers)
    print(f"{len(QUERIES['queries'])} counting queries agree with {len(clusters)} clusters")


def query_of(risk):
    shown = exitpath("risk", "show", risk, "--repo", REPOSITORY, "--format", "json")
    rules = json.loads(shown)["definitions"][0]["matchingRules"]
    return rules[0]["promql"]["promql"]


def verdict(query, file):
    """What a cluster concludes from its own series."""
    answer = exitpath("promql", "eval", query, "--metrics", str(file), "--format", "json", statuses=(0, 2))
    samples = json.loads(answer)["result"] if answer.startswith('{"resultType"') else []
    values = [sample["value"][1] for sample in samples]
    return {"1": "yes", "0": "no"}.get(values[0], "unknown") if len(values) == 1 else "unknown"


def main():
    samples, channels = series_of_samples(), list(releases())
    clusters = [cluster(samples, channels) for _ in range(CLUSTERS)]
    with tempfile.TemporaryDirectory() as folder:
        one_fleet(pathlib.Path(folder), clusters)
        by_themselves(pathlib.Path(folder), clusters[:ASKED_BY_THEMSELVES])


main()
