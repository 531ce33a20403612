# A release of a newer minor in an older channel.
sed -i "\$a - $last" "channels/stable-$before.yaml"
