# Files that are not data.
mkdir -p docs
echo '# Notes' >docs/notes.md
echo 'approvers: [somebody]' >OWNERS
