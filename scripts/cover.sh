#!/usr/bin/env bash
# cover.sh MINIMUM PACKAGES...: fails if the packages' own tests cover fewer than MINIMUM percent of their statements.
set -euo pipefail
minimum=$1
shift
profile=$(mktemp)
trap 'rm -f "$profile"' EXIT
packages=$(go list "$@" | paste -sd,)
go test -coverprofile="$profile" -coverpkg="$packages" "$@"
total=$(go tool cover -func="$profile" | awk '/^total:/ {sub("%", "", $3); print $3}')
echo "statement coverage of $*: $total % (at least $minimum %)"
awk -v total="$total" -v minimum="$minimum" 'BEGIN { exit !(total >= minimum) }'
