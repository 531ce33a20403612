# A comment at the end of a channel.
sed -i '$a # The newest release is the last.' "channels/fast-$minor.yaml"
