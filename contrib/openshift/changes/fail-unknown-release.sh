# A block for a release with one digit too many.
printf 'to: %s55\nfrom: .*\n' "$next" >"blocked-edges/${next}55.yaml"
