# A stable channel loses a release that clusters run.
version=$(grep -E "^- $before[.][0-9]+$" "channels/stable-$before.yaml" | tail -n 1)
sed -i "/^$version\$/d" "channels/stable-$before.yaml"
