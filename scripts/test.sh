#!/usr/bin/env bash
# test.sh: every stage of make test. What mostly waits runs beside what computes. Each stage writes to a file of its own in
# bin/test-logs; one that fails prints what failed last, in one screen. The last line has the totals. Nothing is tried twice.
set -uo pipefail
cd "$(dirname "$0")/.."

logs=bin/test-logs
rm -rf "$logs"
mkdir -p "$logs"
failed=()
declare -A pids starts

# begin NAME: a stage, the make target of that name, in the background. Its processor time goes to a file of its own.
begin() {
  starts[$1]=$SECONDS
  (
    status=0
    make --no-print-directory "$1" >"$logs/$1.log" 2>&1 &
    trap "kill $!" TERM
    wait $! || status=$?
    times >"$logs/$1.time" # the second line is about what the stage started, such as 1m2.340s 0m5.670s
    exit "$status"
  ) &
  pids[$1]=$!
}

# end NAME: waits for a stage and says how it went.
end() {
  local name=$1 status=0
  wait "${pids[$name]}" || status=$?
  unset "pids[$name]"
  local took=$((SECONDS - starts[$name])) computed
  computed=$(awk -F '[ms ]+' 'NR == 2 { printf "%d", 60 * ($1 + $3) + $2 + $4 }' "$logs/$name.time")
  if [ "$status" -eq 0 ]; then
    printf '%-10s ok      %4d s, %4d s of processor time\n' "$name" "$took" "$computed"
    return
  fi
  failed+=("$name")
  printf '%-10s FAILED  %4d s, all of it in %s\n' "$name" "$took" "$logs/$name.log"
  { # what failed, with the lines behind it, then the end
    grep -nvE '^\s*(--- (PASS|SKIP)|=== )|^ok\s|no test files' "$logs/$name.log" |
      grep -E -A 8 -e '^[0-9]+:(\s*--- FAIL|panic:|FAIL\b|\s*\S+\.go:[0-9]+:)|DATA RACE|not ok|✖|Error:' | cut -c1-220 | tail -n 45
    echo '...'
    tail -n 5 "$logs/$name.log" | cut -c1-220
  } | sed 's/^/    /'
}

stage() {
  begin "$1"
  end "$1"
}

stop() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null; done
}
trap stop EXIT
trap 'exit 130' INT TERM

# Without these nothing else can be believed.
for name in setup web fmt; do
  stage "$name"
  if [ ${#failed[@]} -gt 0 ]; then exit 1; fi
done

begin s3server # compiles while the others wait for their clients
stage lint
end s3server
begin clients
stage attack
end clients
begin browser # mostly waits for pages and sounds, beside what computes
stage unraced
stage race
stage postgres
end browser
stage cover

packages=$(cat "$logs"/*.log | grep -cE '^ok\s')
browsers=$(sed -nE 's/^. pass ([0-9]+)$/\1/p' "$logs/browser.log" 2>/dev/null | tail -n 1)
total="make test: $packages times a package's tests passed, ${browsers:-0} browser tests, in $((SECONDS / 60)) min $((SECONDS % 60)) s"
if [ ${#failed[@]} -gt 0 ]; then
  echo "$total; FAILED: ${failed[*]}"
  exit 1
fi
echo "$total; all stages passed"
