#!/usr/bin/env bash
# Installs the system packages that the tests need and this machine lacks. Debian and Ubuntu, as root.
set -euo pipefail

missing=()
command -v gcc >/dev/null || missing+=(gcc libc6-dev) # for the race detector
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || missing+=(postgresql) # a server of their own
command -v ffmpeg >/dev/null && command -v ffprobe >/dev/null || missing+=(ffmpeg) # recordings are made playable with it
command -v caddy >/dev/null || missing+=(caddy) # the proxy before several servers
command -v text2wave >/dev/null && [ -d /usr/share/festival/voices/us/cmu_us_slt_arctic_hts ] || missing+=(festival festvox-us-slt-hts) # a voice
command -v pocketsphinx_continuous >/dev/null && [ -d /usr/share/pocketsphinx/model/en-us ] || missing+=(pocketsphinx pocketsphinx-en-us) # who understands it
if [ ! -x "${CHROMIUM:-/usr/bin/chromium}" ]; then # for the browser tests
  if grep -qs '^ID=ubuntu$' /etc/os-release; then
    echo "Chromium is missing. Ubuntu's package of that name only fetches a snap, which the tests cannot drive:" >&2
    echo "install Chromium or Chrome in another way, and name its program: export CHROMIUM=/path/to/chrome" >&2
    exit 1
  fi
  missing+=(chromium)
fi
command -v npm >/dev/null || { echo "npm is missing: install Node.js 20 or newer first." >&2; exit 1; }
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  echo "The tests need packages that are not installed: ${missing[*]}" >&2
  echo "Install them, for example with: sudo apt-get install ${missing[*]}" >&2
  exit 1
fi
echo "Installing for the tests: ${missing[*]}"
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
