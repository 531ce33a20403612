# The page of a new risk is not https.
printf 'to: %s\nfrom: .*\nname: ExampleRisk\nurl: http://issues.example.com/browse/BUG-1\nmessage: Nodes may not start.\nmatchingRules:\n- type: Always\n' \
    "$next" >"blocked-edges/$next-ExampleRisk.yaml"
