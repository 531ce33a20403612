# The pattern of a risk gets an anchor.
sed -i 's/^from: \^*/from: ^/' "$risk"
sed -i '1i # Anchored.' "$risk"
