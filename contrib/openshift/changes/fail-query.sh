# A query with one parenthesis less.
name=$(sed -n 's/^name: //p' "$risk")
sed -i '0,/)/s/)//' $(grep -lx "name: $name" blocked-edges/*.yaml | xargs grep -l promql)
sed -i 's/group(/group((/' $(grep -lx "name: $name" blocked-edges/*.yaml)
