"""What the judged program says of queries."""

import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor


def report(program, query):
    """The report of `promql check`, as JSON."""
    command = [program, "promql", "check", "--format", "json", "-"]
    try:
        run = subprocess.run(
            command, input=query, capture_output=True, text=True, check=False, timeout=120
        )
    except subprocess.TimeoutExpired:
        return {"verdict": "no verdict", "note": "no answer within two minutes", "witnesses": []}
    if run.returncode not in (0, 1):
        return {"verdict": "no verdict", "note": run.stderr.strip()[-500:], "witnesses": []}
    return json.loads(run.stdout)


def reports(program, queries):
    """The report of each query."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda query: report(program, query), queries, chunksize=16))
