# The message of a risk changes in one of its files.
sed -i 's/^message: /message: In short, /' "$risk"
