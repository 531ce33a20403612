# A comment in a risk.
sed -i '1i # The impact statement was confirmed.' "$risk"
