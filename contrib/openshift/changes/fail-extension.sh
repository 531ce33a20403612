# A block in a file that the service does not load.
printf 'to: %s\nfrom: .*\n' "$next" >"blocked-edges/$next.yml"
