#!/usr/bin/env bash
# fuzz.sh DURATION: runs every fuzz target of the module for DURATION, one after the other. The number of runs that minimize an
# input is bounded: by default the fuzzer would spend all its time on minimizing guides of some KB.
set -euo pipefail
duration=$1
grep -rl --include='*_test.go' '^func Fuzz' internal cmd | sort | while read -r file; do
  package=./$(dirname "$file")
  grep -oE '^func Fuzz[A-Za-z0-9_]+' "$file" | awk '{print $2}' | while read -r target; do
    echo "== $package $target"
    go test -run '^$' -fuzz "^$target\$" -fuzztime "$duration" -fuzzminimizetime 200x "$package"
  done
done
