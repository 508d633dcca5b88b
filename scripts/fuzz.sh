#!/usr/bin/env bash
# fuzz.sh DURATION: runs every fuzz target of the module for that long, one after the other.
set -euo pipefail
duration=$1
grep -rl --include='*_test.go' '^func Fuzz' internal cmd | sort | while read -r file; do
  package=./$(dirname "$file")
  grep -oE '^func Fuzz[A-Za-z0-9_]+' "$file" | awk '{print $2}' | while read -r target; do
    echo "== $package $target"
    go test -run '^$' -fuzz "^$target\$" -fuzztime "$duration" "$package"
  done
done
