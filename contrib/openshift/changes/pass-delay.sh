# Releases wait a day longer.
sed -i 's/^  delay: .*/  delay: P1D/' "channels/fast-$minor.yaml"
