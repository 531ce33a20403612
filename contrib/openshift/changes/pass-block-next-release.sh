# A block before its release is enabled.
printf 'to: %s\nfrom: ^4[.].*[+]arm64$\n' "$next" >"blocked-edges/$next.yaml"
