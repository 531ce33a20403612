# The next release lists fewer updates.
newest=$(grep -E "^- $before[.][0-9]+$" "channels/fast-$before.yaml" | sed 's/- //' | sort -V | tail -n 1)
sed -i "s/^  minor_min: .*/  minor_min: $newest/" "build-suggestions/$minor.yaml"
