#!/usr/bin/env bash
# with-s3.sh COMMAND...: runs the command beside an S3 server of its own (versitygw) on a loopback port, with an empty bucket
# whose address is in VERBATIM_TEST_S3, and stops the server when the command ends. The first run builds the server, once for
# all clones, which takes a few minutes. Without a command it only builds.
set -euo pipefail
cd "$(dirname "$0")/.."

server=${XDG_CACHE_HOME:-$HOME/.cache}/verbatim-tools/versitygw-$(cat tools-s3.mod tools-s3.sum | cksum | cut -d' ' -f1)
if [ ! -x "$server" ]; then
  echo "Building the S3 server for the tests. This takes a few minutes, once." >&2
  mkdir -p "$(dirname "$server")"
  # Not optimized: that compiles in three quarters of the time, and the tests send little.
  quick=(-gcflags={github.com,golang.org/x,google.golang.org}/...='-N -l')
  CGO_ENABLED=0 go build -modfile=tools-s3.mod -ldflags '-s -w' "${quick[@]}" -o "$server.$$" github.com/versity/versitygw/cmd/versitygw
  mv "$server.$$" "$server" # whole or not at all, also where two clones build it
fi
[ $# -gt 0 ] || exit 0

folder=$(mktemp -d)
pid=
stop() {
  if [ -n "$pid" ]; then
    kill "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
  fi
  rm -rf "$folder"
}
trap stop EXIT
trap 'exit 130' INT TERM
mkdir -p "$folder/buckets/verbatim-test" "$folder/versions"

export VERBATIM_S3_ACCESS_KEY=verbatim-test VERBATIM_S3_SECRET_KEY=verbatim-test-secret
for _ in 1 2 3 4 5; do # the port may be in use
  port=$((20000 + RANDOM % 20000))
  ROOT_ACCESS_KEY=$VERBATIM_S3_ACCESS_KEY ROOT_SECRET_KEY=$VERBATIM_S3_SECRET_KEY \
    "$server" --port "127.0.0.1:$port" --region us-east-1 --quiet \
    posix --versioning-dir "$folder/versions" "$folder/buckets" >"$folder/log" 2>&1 &
  pid=$!
  for _ in $(seq 100); do
    kill -0 "$pid" 2>/dev/null || break
    if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then break 2; fi
    sleep 0.1
  done
  kill "$pid" 2>/dev/null || true
  wait "$pid" 2>/dev/null || true
  pid=
done
if [ -z "$pid" ]; then
  echo "The S3 server of the tests did not start:" >&2
  cat "$folder/log" >&2
  exit 1
fi
export VERBATIM_TEST_S3="s3://verbatim-test?endpoint=http://127.0.0.1:$port&region=us-east-1&path_style=true"
"$@"
