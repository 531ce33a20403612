# A second block, for one architecture.
printf 'to: %s+s390x\nfrom: ^%s[.].*$\n' "$next" "${minor/./[.]}" >"blocked-edges/$next-s390x.yaml"
