#!/bin/bash
# Applies each change of changes/ to a clone of the data repository, and compares the verdict of
# `exitpath check --base` with the one that its name begins with: `fail` or `pass`.
#
# Usage: evidence.sh DATA [EXITPATH]
set -euo pipefail

data=$(cd "$1" && pwd)
exitpath=${2:-exitpath}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone --quiet "$data" "$work/data"
cd "$work/data"
git config user.name exitpath
git config user.email exitpath@example.com

# What the changes are about: the newest minor that is generally available, and its releases.
minor=$(git ls-files 'channels/stable-*' | sed 's/.*stable-//; s/[.]yaml//' | sort -V | tail -n 1)
before=${minor%.*}.$((${minor#*.} - 1))
# The last two releases of the minor, and the one that comes next.
releases=$(grep -E "^- $minor[.][0-9]+$" internal-channels/candidate.yaml | sed 's/- //' | sort -V)
last=$(tail -n 1 <<<"$releases")
next=$minor.$((${last##*.} + 1))
# A file of a risk with a query and other files.
risk_of() { sed -n 's/^name: //p' "$1"; }
risk=$(grep -l 'type: PromQL' blocked-edges/*.yaml | while read -r file; do
    name=$(risk_of "$file")
    if [ "$(grep -lx "name: $name" blocked-edges/*.yaml | wc -l)" -gt 2 ]; then
        echo "$file"
    fi
done | sort -V | tail -n 1)
export minor before last next risk

wrong=0
for change in "$here"/changes/*.sh; do
    name=$(basename "$change" .sh)
    git reset --quiet --hard
    git clean --quiet -fd
    bash -euo pipefail "$change"
    if [ -z "$(git status --porcelain)" ]; then
        echo "NO CHANGE  $name"
        wrong=1
        continue
    fi
    verdict=pass
    "$exitpath" check --base HEAD >"$work/report" 2>&1 || verdict=fail
    if [ "$verdict" = "${name%%-*}" ]; then
        echo "$verdict  $name"
    else
        echo "WRONG: $verdict  $name"
        cat "$work/report"
        wrong=1
    fi
done
exit $wrong
