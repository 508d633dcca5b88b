#!/usr/bin/env bash
# Installs the system packages that the tests need and this machine lacks. Debian and Ubuntu, as root.
set -euo pipefail

missing=()
command -v gcc >/dev/null || missing+=(gcc libc6-dev) # for the race detector
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || missing+=(postgresql) # a server of their own
command -v caddy >/dev/null || missing+=(caddy) # the proxy of deploy/Caddyfile.scale
command -v pgbouncer >/dev/null || [ -x /usr/sbin/pgbouncer ] || missing+=(pgbouncer) # in front of that server
command -v ffmpeg >/dev/null && command -v ffprobe >/dev/null || missing+=(ffmpeg) # recordings are made playable with it
command -v caddy >/dev/null || missing+=(caddy) # the proxy before several servers
command -v text2wave >/dev/null && [ -d /usr/share/festival/voices/us/cmu_us_slt_arctic_hts ] || missing+=(festival festvox-us-slt-hts) # a voice
command -v pocketsphinx_continuous >/dev/null && [ -d /usr/share/pocketsphinx/model/en-us ] || missing+=(pocketsphinx pocketsphinx-en-us) # who understands it
command -v curl >/dev/null || missing+=(curl) # the README's first session
