# A new risk for the next release.
printf 'to: %s\nfrom: ^%s[.].*$\nname: ExampleRisk\nurl: https://issues.example.com/browse/BUG-1\nmessage: Virtual machines on the example platform may not start.\nmatchingRules:\n- type: PromQL\n  promql:\n    promql: |\n      group(cluster_infrastructure_provider{_id="",type="OpenStack"})\n      or\n      0 * group(cluster_infrastructure_provider{_id=""})\n' \
    "$next" "${before/./[.]}" >"blocked-edges/$next-ExampleRisk.yaml"
