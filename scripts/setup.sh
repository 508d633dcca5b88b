#!/usr/bin/env bash
# Installs the system packages that the tests need and this machine lacks. Debian and Ubuntu, as root.
set -euo pipefail

missing=()
command -v gcc >/dev/null || missing+=(gcc libc6-dev) # for the race detector
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || missing+=(postgresql) # the suites start servers of their own
command -v pgbouncer >/dev/null || [ -x /usr/sbin/pgbouncer ] || missing+=(pgbouncer) # a pooler in front of PostgreSQL
command -v ffmpeg >/dev/null && command -v ffprobe >/dev/null || missing+=(ffmpeg) # transcodes recordings
command -v caddy >/dev/null || missing+=(caddy) # the proxy of deploy/Caddyfile.scale in front of several servers
command -v text2wave >/dev/null && [ -d /usr/share/festival/voices/us/cmu_us_slt_arctic_hts ] || missing+=(festival festvox-us-slt-hts) # speaks
command -v pocketsphinx_continuous >/dev/null && [ -d /usr/share/pocketsphinx/model/en-us ] || missing+=(pocketsphinx pocketsphinx-en-us) # transcribes what festival speaks
command -v pspp >/dev/null || missing+=(pspp) # reads the SPSS files that are exported
command -v curl >/dev/null || missing+=(curl) # the README's first session
