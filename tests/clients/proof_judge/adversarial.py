"""Queries that are hard to prove, by the classes of wrong proofs."""

ALL = '0 * group(cluster_version{_id=""})'
SCRAPE = ["job", "instance", "namespace", "pod", "service", "endpoint", "container"]


def scrape_labels(random):
    """A: a raw series beside an aggregation of it, and matchers of the scrape."""
    metric, matchers, label = random.choice([
        ("cluster_infrastructure_provider", ',type="AWS"', "type"),
        ("cluster_feature_set", ',name=""', "name"),
        ("cluster_installer", ',invoker="hypershift"', "invoker"),
        ("cluster_proxy_enabled", ',type="http"', "type"),
        ("cluster_version_capability", ',name="Console"', "name"),
        ("cluster_operator_up", ',name="version"', "name"),
        ("cluster_version", ',type="current"', "version"),
    ])
    raw, every = f'{metric}{{_id=""{matchers}}}', f'{metric}{{_id=""}}'
    scrape = random.choice(SCRAPE)
    op = random.choice(["=", "!=", "=~"])
    few = ", ".join(random.sample(SCRAPE, random.randint(1, 4)))
    aggregated = random.choice([
        f"group by ({label}) ({every})", f"group by ({label}) ({raw})", f"group({every})",
        f"group without ({few}) ({every})", f"group without ({scrape}) ({raw})",
        f"max without ({few}) ({raw})",
        f"group by ({label}, {scrape}) ({every})", f"topk(1, {every})", every, raw,
    ])
    joint = random.choice(["", "on (_id) ", "on () ", f"on ({scrape}) ", f"on ({label}) ",
        f"ignoring ({few}) "])
    return random.choice([
        f"{raw} or {joint}0 * {aggregated}",
        f"{aggregated} or {joint}0 * {raw}",
        f"topk(1, {raw} or {joint}0 * {aggregated})",
        f"max({raw} or {joint}0 * {aggregated})",
        f"group({raw} and {joint}{aggregated}) or {ALL}",
        f"group({raw} unless {joint}{aggregated}) or {ALL}",
        f"group by ({scrape}) ({raw}) or on () 0 * {aggregated}",
        f'group({metric}{{_id="",{scrape}{op}"{random.choice(["a", "", ".+"])}"}}) or {ALL}',
        f'group({metric}{{_id="",{scrape}=""}}) or 0 * group({metric}{{_id="",{scrape}!=""}})',
        f"group({raw} * {joint}{aggregated}) or on () {ALL}",
    ])


PATTERNS = [
    ".*e.*", ".{5,}", ".+", ".*", "[a-z].*", "[^a].*", ".*[0-9]", "a|b|.*c.*", "(a|b)?.*", "[^-]*",
    "ip-.*|.*",
    ".*[.].*|[^.]*", "x{0,3}.*", "(?i)aws.*", ".*-.*|[^-]+", "[a-zA-Z0-9_.:/@-]*", ".?.?.?.?.*", "\\\\D.*",
    "[^x]{1,40}",
]
FREE = [
    ("kube_node_info", "node"), ("cluster_operator_up", "name"), ("cluster_version", "image"),
    ("csv_succeeded", "name"), ("cluster_installer", "invoker"), ("cluster_feature_set", "name"),
    ("apiserver_storage_objects", "resource"), ("up", "job"), ("cluster_version", "version"),
    ("cluster_operator_conditions", "condition"), ("kube_node_role", "role"),
]


def patterns(random):
    """B: texts that patterns do not match, or that several match."""
    metric, label = random.choice(FREE)
    one, other = random.choice(PATTERNS), random.choice(PATTERNS)
    op, other_op = random.choice(["=~", "!~"]), random.choice(["=~", "!~", "!="])
    first, second = f'{metric}{{_id="",{label}{op}"{one}"}}', f'{metric}{{_id="",{label}{other_op}"{other}"}}'
    complement = f'{metric}{{_id="",{label}{"!~" if op == "=~" else "=~"}"{one}"}}'
    both = f'{metric}{{_id="",{label}{op}"{one}",{label}{other_op}"{other}"}}'
    return random.choice([
        f"group({first})",
        f"group({first}) or {ALL}",
        f"group({first}) or 0 * group({complement})",
        f"group({first}) or 0 * group({second})",
        f"group({first}) or 0 * group({second}) or 0 * group({complement})",
        f"group({both}) or 0 * group({first}) or 0 * group({complement})",
        f"count(group({first}) or group by (x) ({complement}))",
        f"group by (g) (label_replace({first}, \"g\", \"$1\", \"{label}\", \"({one})\")) or on () {ALL}",
        f'group by (x) (label_replace({metric}{{_id=""}}, "x", "y", "{label}", "{one}")) or on () {ALL}',
        f"2 * (group({first}) and group({second})) or {ALL}",
    ])


CHANGING = [
    ("cluster_operator_conditions", 'name="version",condition="Failing"', "reason"),
    ("cluster_operator_up", 'name="etcd"', "version"), ("cluster_operator_up", 'name="version"', "reason"),
    ("csv_abnormal", 'name="packageserver",exported_namespace="a"', "phase"),
    ("kube_node_labels", 'node="n1"', "label_node_openshift_io_os_id"), ("cluster_installer", "", "invoker"),
    ("kube_pod_container_info", 'namespace="a",pod="b",container="c"', "image"),
    ("cluster_version", 'type="current"', "version"), ("cluster_version", 'type="initial"', "image"),
    ("cluster_infrastructure_provider", "", "region"), ("cluster_feature_set", "", "name"),
    ("cco_credentials_mode", "", "mode"), ("csv_succeeded", 'name="packageserver"', "version"),
    ("cluster_version_available_updates", "", "channel"), ("cluster_infrastructure_provider", "", "type"),
]
OVER = ["max_over_time", "last_over_time", "count_over_time", "min_over_time", "present_over_time", "changes"]


def changing(random):
    """C: a label that changes within a range."""
    metric, matchers, label = random.choice(CHANGING)
    inner = f'{metric}{{_id=""{"," if matchers else ""}{matchers}}}'
    over = f"{random.choice(OVER)}({inner}[{random.choice(['1h', '1h', '10m', '2h'])}])"
    op = random.choice(["group", "max", "count", "min"])
    now = f"group by ({label}) ({inner})"
    return random.choice([
        f"{op} by ({label}) ({over}) or on (_id) {ALL}",
        f"group by ({label}) ({over}) or on () {ALL}",
        f"{over} or on () {ALL}",
        f"group({over}) or {ALL}",
        f"group without ({label}) ({over}) or on () {ALL}",
        f"count({over}) > bool 1 or on () {ALL}",
        f"(count({over}) == 1) or {ALL}",
        f"topk(1, group by ({label}) ({over})) or on () {ALL}",
        f"{now} * on ({label}) group_left () group by ({label}) ({over}) or on () {ALL}",
        f"group by ({label}) ({inner} offset {random.choice(['5m', '30m', '1h'])}) or on () {ALL}",
        f"(group by ({label}) ({over}) unless on ({label}) group by ({label}) ({inner})) or on () {ALL}",
    ])


def ranges(random):
    """D: ranges of different lengths, and metrics that end within them."""
    metric, matchers = random.choice([
        ("csv_succeeded", 'name="a"'), ("kube_node_info", ""), ("csv_count", ""), ("up", 'job="a"'),
        ("cluster_operator_up", 'name="a"'), ("apiserver_storage_objects", 'resource="a"'),
        ("ceph_health_status", ""),
        ("ovnkube_master_ipsec_enabled", ""), ("ovnkube_controller_ipsec_enabled", ""),
        ("cluster_feature_set", ""),
        ("cluster_version", 'type="completed"'), ("imageregistry_request_duration_seconds_count", ""),
    ])
    inner = f'{metric}{{_id=""{"," if matchers else ""}{matchers}}}'
    short, long = random.choice([("1h", "2h"), ("10m", "1h"), ("1h", "1d"), ("5m", "30m"), ("59m", "61m"),
        ("1h", "1h")])
    over, other = random.choice(OVER[:5]), random.choice(OVER[:5])
    factor = random.choice(["2 *", "-1 *", "0 *"])
    first, second = f"{over}({inner}[{short}])", f"{other}({inner}[{long}])"
    return random.choice([
        f"group({first}) or {factor} group({second}) or {ALL}",
        f"group({inner}) or {factor} group({first}) or {ALL}",
        f"(group({second}) unless group({first})) * 2 or {ALL}",
        f"max({first}) == bool max({second}) or {ALL}",
        f"count({second}) - count({first}) or {ALL}",
        f"group({first} != {second}) * 3 or {ALL}",
        f"max(changes({inner}[{short}])) or {ALL}",
        f"(max({second}) - max({first})) or {ALL}",
        f"group({inner} offset {short}) or {factor} group({inner} offset {long}) or {ALL}",
        f"group(absent_over_time({inner}[{short}])) or {factor} group({second}) or {ALL}",
        f"group(absent({inner}) and on () {first}) * 2 or {ALL}",
        f"max(max_over_time(group({inner})[{short}:5m])) or {ALL}",
    ])


def between(random):
    """E: values between those that are tried."""
    count = random.choice([
        'max(csv_count{_id=""})', 'max(apiserver_storage_objects{_id="",resource="nodes"})',
        'count(kube_node_info{_id=""})',
        'count(csv_succeeded{_id=""})', 'max(cluster_version_available_updates{_id=""})',
        'sum(kube_deployment_spec_replicas{_id=""})',
    ])
    number = random.choice([2, 3, 7, 10, 50, 100])
    return random.choice([
        f"ceil({count} * {random.choice(['0.01', '0.1', '0.5'])}) or {ALL}",
        f"clamp_max(floor({count} / {number}), 1) or {ALL}",
        f"clamp(floor({count} / {number}), 0, 1) or {ALL}",
        f"round({count} / ({count} + {number})) or {ALL}",
        f"{count} % {number} == bool 0 or {ALL}",
        f"clamp_max({count} % 2, 1) or {ALL}",
        f"{count} * ({count} - 1) * ({count} - {number}) or {ALL}",
        f"group({count} == {number}) * {random.choice([0, 1, 2])} or {ALL}",
        f"({count} > bool {number}) * ({count} < bool {number + 2}) * 2 or {ALL}",
        f"clamp(({count} - {number}) * {number}, 0, 1) or {ALL}",
        f"sgn({count} - {number}) or {ALL}",
        f"sgn(clamp_min({count} - {number}, 0)) or {ALL}",
        f"clamp_max({count}, 1) ^ 0.5 or {ALL}",
        f"ceil(sgn({count}) / {number}) or {ALL}",
        f"abs(sgn({count} - {number})) or {ALL}",
    ])


def many(random):
    """F: more than two series of a kind."""
    metric, selector, label = random.choice([
        ("apiserver_storage_objects", '_id="",resource="x"', "instance"),
        ("kube_node_info", '_id=""', "node"),
        ("csv_succeeded", '_id="",name=~"a.*"', "name"), ("kube_node_role", '_id="",role="master"', "node"),
        ("cluster_operator_up", '_id=""', "name"), ("up", '_id=""', "job"),
        ("mcd_update_state", '_id=""', "node"),
        ("kube_node_labels", '_id=""', "label_a"), ("cluster_version", '_id="",type="completed"', "version"),
    ])
    inner = f"{metric}{{{selector}}}"
    n = random.choice([2, 3, 3, 4])
    values = " and ".join(f"group({inner} == {value})" for value in random.sample(range(5),
        random.choice([2, 3])))
    return random.choice([
        f"{n} * ({values}) or {ALL}",
        f"{n} * group(count({inner}) == {n}) or {ALL}",
        f"(count({inner}) > bool {n}) * 2 or {ALL}",
        f"{n} * group(count(group by ({label}) ({inner})) >= {n}) or {ALL}",
        f"{n} * group(topk({n}, {inner}) unless topk({n - 1}, {inner})) or {ALL}",
        f"count(topk({n}, {inner})) / {n} or {ALL}",
        f"{n} * group(sum({inner}) == {n}) or {ALL}",
        f"2 * group(quantile(0.5, {inner}) == 2) or {ALL}",
        f"2 * group(max({inner}) > min({inner}) and max({inner}) < 4) or {ALL}",
        f"clamp_max(count(count by ({label}) ({inner}) > 1), {n}) or {ALL}",
    ])


def unknown(random):
    """G: metrics that the dictionary does not know."""
    metric = random.choice(["my_ratio", "my_thing", 'my_thing{a="b"}', "cluster:usage:resources:sum",
        "ALERTS"])
    every = "0 * group(cluster_version)"
    return random.choice([
        f"0 * max({metric}) or {every}", f"clamp(max({metric}), 0, 1) or {every}",
        f"group({metric}) or {every}",
        f"max({metric} * 0) or {every}", f"max({metric}) > bool 0 or {every}",
        f"sgn(max({metric})) or {every}",
        f"group({metric} > 0) or 0 * group({metric}) or {every}", f"group({metric} == 1) or {every}",
        f"group({metric} != {metric}) or {every}", f"count({metric}) > bool 2 or {every}",
        f"max({metric}) == bool max({metric}) or {every}",
        f"group({metric}) or on () 0 * {metric} or on () {every}",
        f"max({metric}) - max({metric}) or {every}", f"1 - group({metric}) or {every}",
        f"absent({metric}) or 0 * group({metric})", f"0 * count({metric}) or {every}",
        f"clamp_max(count({metric}), 1) or {every}", f"max({metric} >= bool 0) or {every}",
        f"ceil(clamp(max({metric}), 0, 1)) or {every}", f"floor(clamp(min({metric}), 0, 1)) or {every}",
    ])


CLASSES = {
    "A": scrape_labels, "B": patterns, "C": changing, "D": ranges, "E": between, "F": many, "G": unknown,
}


def query(random):
    """An adversarial query, and its class."""
    kind = random.choice("AABCCDDEFG")
    return CLASSES[kind](random), kind
