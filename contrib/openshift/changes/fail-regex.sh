# A pattern with an open parenthesis.
printf 'to: %s\nfrom: 4[.]20[.](1|2\n' "$next" >"blocked-edges/$next.yaml"
