"""Queries as authors write them, and with the mistakes that authors make."""

import re

from . import syntax

VERSIONS = [
    "4[.][0-9][.].*", "4[.]([0-9]|1[0-2])[.].*", "4[.]([0-9]|1[0-3])[.].*", "4[.](9|1[0-9])[.].*",
    "4[.]1[0-4][.].*", "4[.](([0-9]|1[01])[.][0-9]*|12[.]([1-4]?[0-9]|5[0-3]))", "4[.]8[.].*",
]
PLATFORMS = ["AWS", "Azure", "GCP", "VSphere", "BareMetal", "None", "OpenStack", "Nutanix", "IBMCloud"]
OPERATORS = [
    "ptp-operator", "metallb-operator", "local-storage-operator", "gpu-operator-certified",
    "kubevirt-hyperconverged-operator", "sriov-network-operator", "odf-operator", "cluster-logging",
]
RESOURCES = [
    "egressips.k8s.ovn.org", "networkpolicies.networking.k8s.io",
    "network-attachment-definitions.k8s.cni.cncf.io",
    "machineconfigpools.machineconfiguration.openshift.io",
    "containerruntimeconfigs.machineconfiguration.openshift.io",
    "imagedigestmirrorsets.config.openshift.io",
]
CAPABILITIES = ["Console", "OperatorLifecycleManager", "NodeTuning", "ImageRegistry", "Build", "baremetal"]
CURRENT, INITIAL = 'type="current"', 'type="initial"'
ROLES = ['role="master"', 'role="worker"']
CLUSTER_OPERATORS = ["aro", "etcd", "version", "image-registry", "network", "authentication"]


class Condition:
    """What an author asks: a metric with matchers, and what all clusters have of the metric."""

    def __init__(self, metric, matchers, label="", base="", over="", threshold=""):
        self.metric, self.matchers, self.label = metric, matchers, label
        self.base, self.over, self.threshold = base, over, threshold


def platform(random):
    kind = random.random()
    if kind < 0.5:
        matcher = f'type="{random.choice(PLATFORMS)}"'
    elif kind < 0.9:
        few = random.sample(PLATFORMS, random.randint(2, 4))
        matcher = f'type{random.choice(["=~", "=~", "!~"])}"{"|".join(few)}"'
    else:
        matcher = f'type!="{random.choice(PLATFORMS)}"'
    return Condition("cluster_infrastructure_provider", matcher, "type")


def operator(random):
    names = random.sample(OPERATORS, random.choice([1, 1, 1, 2, 3]))
    name = names[0] if len(names) == 1 else f"({'|'.join(names)})"
    end = random.choice(["[.].*", "[.].*", "[.]v4[.]1[0-6][.].*", ".*", "[.]v[0-4][.].*"])
    base = random.choice(["", "", "csv_count", "csv_count"])
    more = random.choice(["", "", "", ',exported_namespace="openshift-operators"'])
    return Condition("csv_succeeded", f'name=~"{name}{end}"{more}', "name", base)


def born(random):
    kind = random.choice(["initial", "initial", "initial", "current", "completed"])
    return Condition("cluster_version", f'type="{kind}",version=~"{random.choice(VERSIONS)}"', "version")


def resource(random):
    few = random.sample(RESOURCES, 2)
    matcher = f'resource="{few[0]}"'
    if random.random() < 0.15:
        pattern = "|".join(few).replace(".", "[.]")
        matcher = f'resource=~"{pattern}"'
    over = random.choice(["1h", "1h", "1h", ""])
    threshold = random.choice(["", "> 0", "> 0", f"> {random.randint(1, 40)}", ">= 1"])
    return Condition("apiserver_storage_objects", matcher, "resource", "", over, threshold)


def cluster_operator(random):
    name = random.choice(CLUSTER_OPERATORS)
    if random.random() < 0.4:
        return Condition("cluster_operator_conditions", f'name="{name}"', "name")
    if random.random() < 0.3:
        return Condition("cluster_operator_up", f'name="{name}"', "name", "", "", random.choice(["", "== 0"]))
    condition = random.choice(["Degraded", "Upgradeable", "Available", "Progressing"])
    threshold = random.choice(["== 1", "== 0", "> 0"])
    matchers = f'name="{name}",condition="{condition}"'
    return Condition("cluster_operator_conditions", matchers, "name", "", "", threshold)


def capability(random):
    threshold = random.choice(["== 1", "== 0", "> 0", ""])
    return Condition("cluster_version_capability", f'name="{random.choice(CAPABILITIES)}"', "name", "", "",
        threshold)


def node(random):
    return random.choice([
        Condition("kube_node_role",
            f'role="{random.choice(["master", "infra", "worker", "control-plane"])}"', "role"),
        Condition("kube_node_labels", 'label_kubernetes_io_arch="arm64"', "label_kubernetes_io_arch"),
        Condition("kube_node_labels", 'label_node_openshift_io_os_id="rhel"',
            "label_node_openshift_io_os_id", "",
                  random.choice(["", "1h"])),
        Condition("node_cpu_info", 'vendor="AuthenticAMD",family="25"', "vendor"),
        Condition("kube_node_info", 'node=~"ip-.*[.]ec2[.]internal"', "node"),
        Condition("up", 'job="kubelet"', "job", "", "", random.choice(["", "== 0", "== 1"])),
    ])


def other(random):
    return random.choice([
        Condition("cluster_installer", 'invoker="hypershift"', "invoker"),
        Condition("cluster_installer", f'type="{random.choice(["other", "openshift-install"])}"', "type"),
        Condition("cluster_installer",
            f'invoker=~"{random.choice(["agent.*|assisted.*", "hypershift|", ".*user"])}"', "invoker"),
        Condition("cluster_feature_set",
            f'name{random.choice(["=", "!="])}"{random.choice(["", "TechPreviewNoUpgrade"])}"', "name"),
        Condition("cluster_proxy_enabled",
            f'type=~"{random.choice(["https?", "http", "trusted_ca|http"])}"', "type", "", "",
            random.choice(["== 1", "> 0"])),
        Condition("cco_credentials_mode", f'mode="{random.choice(["mint", "manual", "passthrough"])}"',
            "mode", random.choice(["", "cluster_version"])),
        Condition("ovnkube_clustermanager_num_egress_ips", "", "", random.choice(["", "cluster_version"]),
            "", "> 0"),
        Condition("ovnkube_controller_ipsec_enabled", "", "", random.choice(["", "cluster_version"]),
            random.choice(["", "1h"]), "== 1"),
        Condition("network_attachment_definition_instances", 'networks="any"', "networks",
            random.choice(["", "cluster_version"]), "", "> 0"),
        Condition("ceph_health_status", "", "", "cluster_version"),
        Condition("kubernetes_nmstate_features_applied", 'name="ovn.bridge-mappings"', "name",
            "cluster_version", "", "> 0"),
        Condition("kube_secret_info", 'namespace="kube-system",secret="aws-creds"', "secret"),
        Condition("kube_configmap_info",
            'namespace="openshift-cloud-controller-manager",configmap="cloud-conf"', "configmap",
            random.choice(["", "cluster_version"])),
        Condition("kube_pod_container_info", 'image=~".*[.]dkr[.]ecr[.].*[.]amazonaws[.]com[/:@].*"',
            "image"),
        Condition("kube_deployment_spec_replicas",
            'namespace="openshift-image-registry",deployment="image-registry"', "deployment", "", "", "> 0"),
        Condition("mcd_update_state", 'config=~"rendered-worker-.*"', "config"),
        Condition("cluster_version_available_updates", 'channel=~"stable-.*"', "channel", "cluster_version"),
        Condition("imageregistry_request_duration_seconds_count", 'operation="Stat"', "operation",
            "cluster_version", "1h"),
        Condition("cluster:usage:resources:sum",
            'resource="kubeletconfigs.machineconfiguration.openshift.io"', "resource",
            random.choice(["", "cluster_version"]), "", "> 0"),
        Condition("kube_namespace_labels", 'namespace="openshift-insights"', "namespace"),
    ])


CONDITIONS = [platform, platform, operator, operator, born, born, resource, resource, cluster_operator,
              capability, node, other, other]


class Author:
    """Writes one query: its habits hold for the whole query."""

    def __init__(self, random):
        self.random = random
        self.hosted = random.random() < 0.75
        self.joint = random.choice(["", "", "on (_id) ", "on () "] if self.hosted else ["", "on () "])
        self.by_id = self.hosted and random.random() < 0.3

    def selector(self, metric, matchers=""):
        inner = ",".join(part for part in ('_id=""' if self.hosted else "", matchers) if part)
        return f"{metric}{{{inner}}}" if inner else metric

    def of(self, condition, is_all=False):
        matchers = "" if is_all else condition.matchers
        text = self.selector((condition.base or condition.metric) if is_all else condition.metric, matchers)
        if condition.over and not (is_all and condition.base):
            text = f"max_over_time({text}[{condition.over}])"
        if condition.threshold and not is_all:
            text += f" {condition.threshold}"
        return text

    def group(self, inner, label=""):
        labels = (["_id"] if self.by_id else []) + ([label] if label else [])
        return f"group by ({', '.join(labels)}) ({inner})" if labels else f"group({inner})"

    def arms(self, condition, keep=None):
        """The condition, and 0 everywhere else."""
        keep = self.random.random() < 0.45 if keep is None else keep
        label = condition.label if keep else ""
        first = self.group(self.of(condition), label)
        by_all = label if keep and not condition.base and self.random.random() < 0.6 else ""
        second = f"0 * {self.group(self.of(condition, True), by_all)}"
        joint = self.joint
        if (label or by_all) and not joint and not self.random.random() < 0.35:
            joint = "on (_id) " if self.hosted else "on () "
        return first, joint, second

    def one(self, condition=None):
        condition = condition or self.random.choice(CONDITIONS)(self.random)
        first, joint, second = self.arms(condition)
        text = f"{first} or {joint}{second}"
        kind = self.random.random()
        if kind < 0.2:
            return f"topk(1, {text})"
        if kind < 0.25:
            return f"max({text})"
        return f"({text})" if kind < 0.4 else text


def fallback(author, random):
    """An arm that each cluster has."""
    return random.choice([
        f"0 * group({author.selector('cluster_version')})",
        f"0 * group({author.selector('cluster_version', CURRENT)})",
        f"0 * group({author.selector('cluster_infrastructure_provider')})",
        "vector(0)",
    ])


def plain(random):
    return Author(random).one()


def joined(random):
    author = Author(random)
    one, other_one = random.sample(CONDITIONS, 2)
    one, other_one = one(random), other_one(random)
    joint = "on (_id)" if author.hosted and random.random() < 0.5 else "on ()"
    label = other_one.label if other_one.label and random.random() < 0.6 else ""
    left, right = author.arms(one), author.arms(other_one, bool(label))
    left, right = f"{left[0]} or {left[1]}{left[2]}", f"{right[0]} or {right[1]}{right[2]}"
    if random.random() < 0.5:
        left, right = f"topk(1, {left})", f"topk(1, {right})"
    else:
        left, right = f"({left})", f"({right})"
    return f"{left} * {joint} group_left ({label}) {right}"


def both(random):
    author = Author(random)
    one, other_one = random.choice(CONDITIONS)(random), random.choice(CONDITIONS)(random)
    joint = "on (_id) " if author.hosted else "on () "
    left = author.group(author.of(one))
    right = author.group(author.of(other_one))
    kind = random.choice(["and", "and", "unless", "three"])
    if kind == "three":
        first, _, second = author.arms(one)
        return f"({first} or {joint}{second}) and {joint}({right}) or {joint}{fallback(author, random)}"
    return f"({left} {kind} {joint}{right}) or {joint}{fallback(author, random)}"


def three_arms(random):
    author = Author(random)
    one, other_one = random.choice(CONDITIONS)(random), random.choice(CONDITIONS)(random)
    joint = "on (_id) " if author.hosted else "on () "
    first, second = author.group(author.of(one)), author.group(author.of(other_one))
    return f"{first} or {joint}{random.choice(['', '0 * '])}{second} or {joint}{fallback(author, random)}"


def born_by(random):
    author = Author(random)
    pattern = random.choice(VERSIONS)
    yes = author.selector("cluster_version", f'type="initial",version=~"{pattern}"')
    no = author.selector("cluster_version", f'type="initial",version!~"{pattern}"')
    label = random.choice(["version", "version", ""])
    yes, no = author.group(yes, label), author.group(no, label)
    yes = f'label_replace({yes},"born_by","yes, born then","","")'
    text = f'{yes} or label_replace(0 * {no},"born_by","no, born later","","")'
    text = f"topk(1, {text})" if random.random() < 0.6 else f"({text})"
    if random.random() < 0.5:
        condition = platform(random)
        first, joint, second = author.arms(condition, True)
        joined_by = "on (_id)" if author.by_id else "on ()"
        text = f"{text} * {joined_by} group_left (type) ({first} or {joint}{second})"
    return text


def counted(random):
    author = Author(random)
    number = random.choice([0, 1, 2, 3, 5, 10, 50, 120, 250])
    compare = random.choice([">", ">", ">=", "<", "==", "!="])
    inner = random.choice([
        author.selector("kube_node_info"),
        author.selector("kube_node_role", f'role="{random.choice(["master", "worker", "infra"])}"'),
        author.selector("csv_succeeded"),
        author.selector("cluster_version", 'type="completed"'),
        author.selector("apiserver_storage_objects"),
        author.selector("cluster_operator_up") + " == 0",
        author.selector("cluster_proxy_enabled") + " == 1",
        author.selector("mcd_update_state"),
        author.selector("node_cpu_info"),
        author.selector("kube_pod_container_info"),
    ])
    count = f"count({inner})"
    back = fallback(author, random)
    return random.choice([
        f"{count} {compare} bool {number}",
        f"({count} {compare} bool {number}) or on () {back}",
        f"group({count} {compare} {number}) or {back}",
        f"group({count} {compare} {number}) or on () {back}",
        f"({count} or {back}) {compare} bool {number}",
        f"0 * {count} + ({count} {compare} bool {number})",
    ])


def summed(random):
    author = Author(random)
    number = random.choice([0, 1, 2, 5, 100])
    metric, matchers = random.choice([
        ("apiserver_storage_objects", f'resource="{random.choice(RESOURCES)}"'),
        ("csv_count", ""), ("ovnkube_clustermanager_num_egress_ips", ""),
        ("cluster_version_available_updates", ""), ("network_attachment_definition_instances", ""),
        ("kube_deployment_spec_replicas", 'namespace="openshift-image-registry"'),
        ("cluster_operator_conditions", 'condition="Degraded"'), ("cluster_proxy_enabled", ""),
        ("cluster_version_capability", f'name="{random.choice(CAPABILITIES)}"'), ("kube_node_info", ""),
    ])
    inner = author.selector(metric, matchers)
    op = random.choice(["sum", "max", "min", "avg"])
    back = fallback(author, random)
    compare = random.choice([">", ">", ">=", "==", "<"])
    return random.choice([
        f"{op}({inner}) {compare} bool {number}",
        f"({op}({inner}) {compare} bool {number}) or on () {back}",
        f"group({op}({inner}) {compare} {number}) or {back}",
        f"clamp_max({op}({inner}), 1)",
        f"clamp({op}({inner}), 0, 1) or on () {back}",
        f"sgn({op}({inner})) or {back}",
        f"{op}({inner} {compare} bool {number}) or {back}",
        f"ceil(clamp({op}({inner}) / {number + 1}, 0, 1)) or {back}",
    ])


def flag(random):
    author = Author(random)
    inner = random.choice([
        author.selector("cluster_version_capability", f'name="{random.choice(CAPABILITIES)}"'),
        author.selector("cluster_proxy_enabled", 'type=~"https?"'),
        author.selector("cluster_infrastructure_provider"),
        author.selector("cluster_operator_up", 'name="version"'),
        author.selector("ovnkube_controller_ipsec_enabled"),
        author.selector("cluster_feature_set"),
        f'max_over_time({author.selector("ovnkube_controller_ipsec_enabled")}[1h])',
    ])
    op = random.choice(["max", "max", "min", "group"])
    text = random.choice([f"{op}({inner})", f"1 - {op}({inner})", f"{op}({inner}) == bool 1",
        f"{op}({inner}) == bool 0"])
    return f"({text}) or on () {fallback(author, random)}" if random.random() < 0.5 else text


def age(random):
    author = Author(random)
    kind = random.choice(["initial", "initial", "current", "cluster", "completed"])
    inner = author.selector("cluster_version", f'type="{kind}"')
    days = random.choice([7, 30, 90, 365, 400])
    limit = random.choice([f"{days} * 24 * 60 * 60", f"86400 * {days}", str(days * 86400)])
    since = random.choice([1700000000, 1609459200, 1735689600])
    compare = random.choice([">", ">", "<", ">="])
    back = fallback(author, random)
    op = random.choice(["max", "max", "min"])
    return random.choice([
        f"time() - {op}({inner}) {compare} bool {limit}",
        f"group(time() - {op}({inner}) {compare} {limit}) or {back}",
        f"group((time() - {inner}) {compare} {limit}) or {back}",
        f"(time() - {op}({inner}) {compare} bool {limit}) or on () {back}",
        f"{op}({inner}) < bool {since}",
        f"group({inner} < {since}) or 0 * group({inner})",
        f"group({op}({inner}) < {since}) or {back}",
        f"group({inner} > time() - {limit}) or on () {back}",
    ])


def off(random):
    """A capability at 0 is the last fallback."""
    author = Author(random)
    condition, name = random.choice([
        (operator(random), "OperatorLifecycleManager"),
        (Condition("csv_count", "", "", "", "", "> 3"), "OperatorLifecycleManager"),
        (Condition("cco_credentials_mode", 'mode="mint"', "mode"), "CloudCredential"),
        (Condition("imageregistry_http_request_duration_seconds_count", 'method="GET"', "method"),
            "ImageRegistry"),
    ])
    first, joint, second = author.arms(condition)
    zero = author.selector("cluster_version_capability", f'name="{name}"') + " == 0"
    return f"{first} or {joint}{second} or {author.joint}0 * group({zero})"


def minor(random):
    author = Author(random)
    kind = random.choice(["current", "current", "initial"])
    of = author.selector("cluster_version", f'type="{kind}"')
    pattern = random.choice(["4[.]([0-9]+)[.].*", "4[.]([0-9]*)[.].*", "([0-9]+)[.].*"])
    replaced = f'label_replace({of}, "minor", "$1", "version", "{pattern}")'
    one = f'label_replace(vector(1), "minor", "{random.randint(9, 20)}", "", "")'
    provider = author.group(author.selector("cluster_infrastructure_provider"), "type")
    back = fallback(author, random)
    return random.choice([
        f"group by (minor) ({replaced}) or {back}",
        f"group({replaced}) or {back}",
        f"topk(1, group by (minor) ({replaced}))",
        f"group by (minor) ({replaced}) * on () group_left (type) {provider}",
        f"group by (minor) ({replaced}) and on (minor) {one} or on () {back}",
        f'count(group by (minor) ({replaced})) > bool 1',
    ])


def scalars(random):
    author = Author(random)
    inner = author.selector(random.choice(["kube_node_info", "csv_succeeded", "cluster_operator_up", "up"]))
    number = random.randint(0, 9)
    provider = author.selector("cluster_infrastructure_provider")
    return random.choice([
        f"vector(scalar(count({inner})) > bool {number})",
        f"vector(scalar(max({author.selector('csv_count')})) > bool {number})",
        f"group({provider}) * (scalar(count({inner})) > bool {number})",
        f"group({provider}) * scalar(max({author.selector('cluster_proxy_enabled')}))",
        f"group({provider}) == bool scalar(count({inner}))",
        f"clamp_max(vector(scalar(count({inner}))), 1)",
        f"vector(scalar(count({inner}) > {number}) > bool {number})",
    ])


def latest(random):
    """The one of the greatest time."""
    author = Author(random)
    kind = random.choice(["completed", "updating", "current", "initial"])
    inner = author.selector("cluster_version", f'type="{kind}"')
    old = author.selector("cluster_version", f'version=~"{random.choice(VERSIONS)}"')
    back = fallback(author, random)
    return random.choice([
        f"group by (version) (topk(1, {inner})) or on () {back}",
        f"group(topk(1, {inner}) and on (version) {old}) or {back}",
        f"group(topk(1, {inner})) or {back}",
        f"group(topk(1, {author.selector('mcd_update_state')})) or {back}",
        f"group(bottomk(1, {inner}) < 1700000000) or on () {back}",
        f"topk(1, {inner}) > bool 1700000000",
    ])


def compared(random):
    author = Author(random)
    counts = [
        f"count({author.selector('kube_node_role', ROLES[0])})",
        f"count({author.selector('kube_node_role', ROLES[1])})",
        f'count({author.selector("kube_node_info")})', f'max({author.selector("csv_count")})',
        f'count({author.selector("csv_succeeded")})', f'count({author.selector("csv_succeeded")} == 1)',
        f"max({author.selector('cluster_version', CURRENT)})",
        f"max({author.selector('cluster_version', INITIAL)})",
        f'count({author.selector("cluster_operator_up")})', f'sum({author.selector("cluster_operator_up")})',
    ]
    one, other_one = random.sample(counts, 2)
    compare = random.choice([">", "==", "!=", "<", ">="])
    back = fallback(author, random)
    return random.choice([
        f"{one} {compare} bool {other_one}",
        f"({one} {compare} bool {other_one}) or on () {back}",
        f"group({one} {compare} {other_one}) or {back}",
        f"group({one} {compare} on () {other_one}) or on () {back}",
    ])


def missing(random):
    author = Author(random)
    condition = random.choice(CONDITIONS)(random)
    text = author.of(condition)
    return random.choice([
        f"absent({text})",
        f"absent({text}) or 0 * {author.group(text)}",
        f"group({text}) or on () vector(0)",
        f"group({text}) or vector(0)",
        f"count({text}) > bool 0 or on () vector(0)",
        f"(1 - absent({text})) or {author.group(text)}",
        f"group(absent({text})) or on () {fallback(author, random)}",
        f"group({text}) or 0 * absent({text})",
    ])


def lowest(random):
    author = Author(random)
    condition = random.choice(CONDITIONS)(random)
    first, joint, _ = author.arms(condition)
    every = author.group(author.of(condition, True))
    op = random.choice(["bottomk(1, ", "min(", "bottomk(1, "])
    return f"{op}0 * {first} or {joint}{every})"


SHAPES = [plain, plain, plain, plain, joined, joined, both, three_arms, born_by, born_by, counted, counted,
          summed, flag, age, age, off, minor, scalars, latest, compared, missing, lowest]


def query(random):
    """A natural query."""
    return random.choice(SHAPES)(random)


# What authors do wrong, as a change of the text.

def no_group(text, random):
    return re.sub(r"\bgroup(?: by \([^)]*\))? ?\(", "(", text, count=random.choice([1, 1, 0]))


def other_by(text, random):
    labels = ["type", "name", "version", "_id", "resource", "job", "namespace", "invoker", "node", "instance"]
    return re.sub(r"by \([^)]*\)", f"by ({random.choice(labels)})", text, count=random.choice([1, 0]))


def no_fallback(text, random):
    return changed(text, random, lambda node: getattr(node, "op", "") == "or", lambda node: node.left)


def raw_beside(text, random):
    found = list(re.finditer(r"\b(?:group|max)(?: by \([^)]*\))? ?\((\w[\w:]*(?:\{[^}]*\})?)\)", text))
    if not found:
        return text
    one = random.choice(found)
    return text[:one.start()] + one[1] + text[one.end():]


def no_on(text, random):
    return re.sub(r" on \([^)]*\)(?! group_)", "", text, count=random.choice([1, 0]))


def other_on(text, random):
    return re.sub(r"on \([^)]*\)", f"on ({random.choice(['', '_id', 'type', 'name'])})", text,
        count=random.choice([1, 0]))


def no_bool(text, _):
    return text.replace(" bool", "", 1) if " bool" in text else text.replace("> ", "> bool ", 1)


def no_factor(text, _):
    return text.replace("0 * ", "", 1)


def no_id(text, random):
    return re.sub(r'_id="",?', "", text, count=random.choice([1, 0])).replace("{}", "")


def swapped(text, random):
    def swap(node):
        node.left, node.right = closed(node.right), closed(node.left)
        return node

    return changed(text, random, lambda node: getattr(node, "op", "") in ("or", "*", "and"), swap)


def closed(node):
    """In parentheses, where it needs them."""
    return syntax.Paren(node) if isinstance(node, syntax.Binary) else node


def changed(text, random, fits, change):
    """With another node in the place of one that fits."""
    try:
        tree = [syntax.read(text)]
    except syntax.Unreadable:
        return text
    places = [place for place in syntax.places(tree) if fits(syntax.get(place))]
    if places:
        place = random.choice(places)
        syntax.put(place, change(syntax.get(place)))
    return syntax.write(tree[0])


def no_time(text, _):
    return re.sub(r"max_over_time\(([^\[]*)\[1h\]\)", r"\1", text)


def sum_for_group(text, random):
    return re.sub(r"\bgroup\b(?!_)", random.choice(["max", "sum", "count", "min"]), text,
        count=random.choice([1, 0]))


def no_threshold(text, _):
    return re.sub(r" [=<>]=? ?\d+\)", ")", text, count=1)


MISTAKES = [no_group, other_by, no_fallback, raw_beside, raw_beside, no_on, other_on, no_bool, no_factor,
    no_id,
            swapped, no_time, sum_for_group, no_threshold]


def mistaken(random):
    """A natural query with a mistake, or two."""
    while True:
        text = original = query(random)
        for _ in range(random.choice([1, 1, 2])):
            text = random.choice(MISTAKES)(text, random)
        if text != original:
            return text
