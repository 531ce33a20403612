"""A real Prometheus: gets the series of many clusters, and answers queries about each of them.

Clusters are apart from each other in time. So one range query asks all of them: each step is at
the last minute of a cluster, and looks back no further than its history. Series come by remote
write, whose messages are small enough to be written here.
"""

import http.client
import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import time
from pathlib import Path
from urllib.parse import urlencode

PROMETHEUS = os.environ.get("PROMETHEUS", "prometheus")
STALE = struct.pack("<Q", 0x7FF0000000000002)
MINUTE = 60_000
# Beyond this many minutes before the query, there is a sample only every four minutes.
DENSE = 130


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def field_of(tag, body):
    """A field with a length."""
    return bytes([tag]) + varint(len(body)) + body


def label(name, text):
    return field_of(0x0A, field_of(0x0A, name.encode()) + field_of(0x12, text.encode()))


class Samples:
    """The samples of one cluster's values, each made once."""

    def __init__(self, now, since):
        # The field of the time ends a sample, and all times have the same length.
        self.times = {minute: b"\x10" + varint(now + minute * MINUTE) for minute in range(since, 1)}
        self.since = since
        self.made = {}

    def of(self, segments):
        parts = []
        for first, last, value in segments:
            first = max(first, self.since)
            bits = STALE if value is None else struct.pack("<d", value)
            key = first, last, bits
            if key not in self.made:
                self.made[key] = self.samples(first, last, bits)
            parts.append(self.made[key])
        return b"".join(parts)

    def samples(self, first, last, bits):
        minutes = range(first, min(last, 0) + 1)
        if first < -DENSE:
            minutes = [minute for minute in minutes if minute >= -DENSE or (minute - first) % 4 == 0]
        times = [self.times[minute] for minute in minutes]
        start = b"\x12" + bytes([9 + len(times[0])]) + b"\x09" + bits if times else b""
        return start + start.join(times)


def message(clusters, since=None):
    """The message of remote write for clusters: pairs of a time and a timeline.

    With `since`, samples of earlier minutes are omitted.
    """
    parts = []
    for now, timeline in clusters:
        starts = [segments[0][0] for segments in timeline.values()]
        samples = Samples(now, since if since is not None else min(starts, default=0))
        for (name, labels), segments in timeline.items():
            pairs = sorted([("__name__", name), *labels])
            body = b"".join(label(*pair) for pair in pairs if pair[1]) + samples.of(segments)
            parts.append(field_of(0x0A, body))
    return b"".join(parts)


def snappy(body):
    """The body as one literal: not compressed."""
    if not body:
        return b"\x00"
    return varint(len(body)) + b"\xfc" + struct.pack("<I", len(body) - 1) + body


class Prometheus:
    """A running server with no series yet."""

    def __init__(self):
        place = "/dev/shm" if Path("/dev/shm").is_dir() else None
        self.folder = tempfile.mkdtemp(prefix="exitpath-proofs-", dir=place)
        config = Path(self.folder, "prometheus.yml")
        config.write_text("global: {}\n", encoding="utf-8")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        log = Path(self.folder, "log")
        command = [
            PROMETHEUS, f"--config.file={config}", f"--storage.tsdb.path={self.folder}/data",
            f"--web.listen-address=127.0.0.1:{self.port}", "--web.enable-remote-write-receiver",
            "--storage.tsdb.min-block-duration=100000h", "--storage.tsdb.max-block-duration=100000h",
            "--storage.tsdb.retention.time=100y", "--log.level=error",
        ]
        with log.open("w", encoding="utf-8") as out:
            environment = {**os.environ, "GOMAXPROCS": "1"}
            self.process = subprocess.Popen(command, stdout=out, stderr=out, env=environment)
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        for _ in range(1000):
            if self.process.poll() is not None:
                raise SystemExit(f"proofs: {PROMETHEUS} ended: {log.read_text()[-500:]}")
            try:
                status, _ = self.ask("GET", "/-/ready")
                if status == 200:
                    return
            except OSError:
                self.connection.close()
            time.sleep(0.005)
        raise SystemExit(f"proofs: {PROMETHEUS} does not become ready")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def ask(self, method, path, body=None, headers=None):
        self.connection.request(method, path, body, headers or {})
        answer = self.connection.getresponse()
        return answer.status, answer.read()

    def write(self, clusters, since=None):
        """Stores clusters. Those of one call come in the order of time."""
        body = message(clusters, since)
        if not body:
            return
        headers = {
            "Content-Encoding": "snappy", "Content-Type": "application/x-protobuf",
            "X-Prometheus-Remote-Write-Version": "0.1.0",
        }
        status, said = self.ask("POST", "/api/v1/write", snappy(body), headers)
        if status // 100 != 2:
            raise SystemExit(f"proofs: Prometheus refuses the series: {said[:500]!r}")

    def query(self, path, **parameters):
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        _, said = self.ask("POST", f"/api/v1/{path}", urlencode(parameters), headers)
        return json.loads(said)

    def instant(self, query, now):
        """The answer at one moment: what it is, and in Prometheus's words."""
        answer = self.query("query", query=query, time=f"{now / 1000:.3f}")
        if answer["status"] != "success":
            return "error", answer["error"]
        data = answer["data"]
        if data["resultType"] != "vector":
            return "error", f"the result is a {data['resultType']}"
        samples = [(one["metric"], one["value"][1]) for one in data["result"]]
        return outcome([value for _, value in samples]), samples

    def outcomes(self, query, times):
        """What the query answers at each of the times, which are equally far apart."""
        first, words = self.instant(query, times[0])
        if len(times) == 1 or (first == "error" and str(words).startswith("the result is a")):
            return [first] * len(times)
        step = (times[1] - times[0]) / 1000
        span = {"start": f"{times[0] / 1000:.3f}", "end": f"{times[-1] / 1000:.3f}", "step": f"{step:.3f}"}
        answer = self.query("query_range", query=query, **span)
        # A step that fails hides all others. And a range has no answer to some questions.
        if answer["status"] != "success" or "start()" in query or "end()" in query:
            return [self.instant(query, now)[0] for now in times]
        values = {now // 1000: [] for now in times}
        for series in answer["data"]["result"]:
            for when, value in series["values"]:
                values[int(when)].append(value)
        return [outcome(values[now // 1000]) for now in times]


def outcome(values):
    """The outcome of an answer, in the words of exitpath's report."""
    if not values:
        return "no-sample"
    if len(values) > 1:
        return "several-samples"
    return "right" if float(values[0]) in (0, 1) else "other-value"


def line_of(key, segments, history):
    """A series in the notation of promtool's tests."""
    from .syntax import quoted

    name, labels = key
    inner = ",".join(f"{label}={quoted(text)}" for label, text in labels)
    words, at = [], -history
    for first, last, value in segments:
        if first > at:
            words.append(missing(first - at))
        count = last - first + 1
        if value is None:
            words.append("stale")
        else:
            shown = promtool_number(value)
            # promtool cannot read NaNx3.
            is_run = count > 1 and not shown.strip("-").isalpha()
            words += [f"{shown}x{count - 1}"] if is_run else [shown] * count
        at = last + 1
    if at <= 0:
        words.append(missing(1 - at))
    return f"{name}{{{inner}}} {' '.join(words)}"


def missing(count):
    return "_" if count == 1 else f"_x{count}"


def promtool_number(value):
    special = {"nan": "NaN", "inf": "Inf", "-inf": "-Inf"}
    text = repr(float(value))
    return special.get(text, text[:-2] if text.endswith(".0") else text)
