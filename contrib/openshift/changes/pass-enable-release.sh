# The next release becomes a candidate.
sed -i "\$a - $next" internal-channels/candidate.yaml
