"""Where the judged queries come from."""

import json
import os
import re
import subprocess
import tempfile
from random import Random

from . import adversarial, mutations, natural, syntax

PROMTOOL = os.environ.get("PROMTOOL", "promtool")
# Of a hundred generated queries, so many are of each group.
SHARES = {"natural": 30, "mistake": 20, "mutation": 25, "adversarial": 25}


def of_repository(repository):
    """The distinct queries that risks of a repository have, or had at any time."""
    git = ["git", "-C", str(repository)]
    log = [*git, "log", "--all", "--format=", "--raw", "--no-abbrev", "--", "*blocked-edges*"]
    changes = subprocess.run(log, capture_output=True, text=True, check=True).stdout
    blobs = sorted({words[3] for words in map(str.split, changes.splitlines()) if len(words) > 3})
    blobs = [blob for blob in blobs if blob.strip("0")]
    ask = "\n".join(blobs).encode()
    told = subprocess.run([*git, "cat-file", "--batch"], input=ask, capture_output=True, check=True).stdout
    found, at = set(), 0
    while at < len(told):
        end = told.index(b"\n", at)
        length = int(told[at:end].split()[2])
        found.update(of_file(told[end + 1:end + 1 + length].decode("utf-8", "replace")))
        at = end + length + 2
    return sorted(query for query in found if is_readable(query))


def of_file(text):
    """The queries of one file of a risk."""
    lines = text.splitlines()
    for nth, line in enumerate(lines):
        found = re.match(r"( *)(?:- )?promql: *(.*)", line)
        if not found or found[2][:1] in ("'", '"'):
            continue
        block = [] if not found[2] or found[2][0] in "|>" else [found[2]]
        for later in lines[nth + 1:]:
            if later.strip() and len(later) - len(later.lstrip()) <= len(found[1]):
                break
            block.append(later.strip())
        query = "\n".join(block).strip()
        if query and not query.startswith("promql:"):
            yield query


def is_readable(query):
    try:
        syntax.read(query)
    except syntax.Unreadable:
        return False
    return True


def generated(count, seed, real):
    """So many distinct valid queries, each with its group."""
    random = Random(f"queries {seed}")
    wanted = {group: max(1, count * share // 100) for group, share in SHARES.items()}
    wanted["natural"] += count - sum(wanted.values())
    entries, seen = [], set()
    while any(wanted.values()):
        drawn = []
        for group, missing in wanted.items():
            for _ in range(missing):
                query, kind = of_group(group, random, real)
                if query not in seen and is_readable(query) and len(query) < 4000:
                    seen.add(query)
                    drawn.append({"query": query, "group": group, **({"class": kind} if kind else {})})
        for entry, is_valid in zip(drawn, valid([entry["query"] for entry in drawn])):
            if is_valid:
                entries.append(entry)
                wanted[entry["group"]] -= 1
    return entries


def of_group(group, random, real):
    match group:
        case "natural":
            return natural.query(random), None
        case "mistake":
            return natural.mistaken(random), None
        case "adversarial":
            return adversarial.query(random)
    # The texts of real queries are few, so the natural ones are changed as well.
    text = random.choice(real) if real and random.random() < 0.7 else natural.query(random)
    return (mutations.mutate(text, random) if is_readable(text) else text), None


def valid(queries):
    """Whether Prometheus can read each query."""
    found = [True] * len(queries)
    rules = [{"record": f"row:{nth}", "expr": query} for nth, query in enumerate(queries)]
    with tempfile.NamedTemporaryFile("w", suffix=".yaml", encoding="utf-8") as file:
        json.dump({"groups": [{"name": "queries", "rules": rules}]}, file, ensure_ascii=False)
        file.flush()
        command = [PROMTOOL, "check", "rules", "--lint=none", file.name]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
    refused = re.findall(r'"row:(\d+)": could not parse', run.stdout + run.stderr)
    for nth in refused:
        found[int(nth)] = False
    if (run.returncode == 0) == bool(refused):
        raise SystemExit(f"proofs: cannot read what promtool says: {(run.stdout + run.stderr)[-500:]}")
    return found
