#!/usr/bin/env bash
# fuzz.sh DURATION: runs every fuzz target of the module for that long, one after the other. Inputs are made smaller with a
# bounded number of runs: by default the fuzzer spends its whole time on that with guides of some KB.
set -euo pipefail
duration=$1
grep -rl --include='*_test.go' '^func Fuzz' internal cmd | sort | while read -r file; do
  package=./$(dirname "$file")
  grep -oE '^func Fuzz[A-Za-z0-9_]+' "$file" | awk '{print $2}' | while read -r target; do
    echo "== $package $target"
    go test -run '^$' -fuzz "^$target\$" -fuzztime "$duration" -fuzzminimizetime 200x "$package"
  done
done
