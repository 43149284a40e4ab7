#!/usr/bin/env bash
# Puts the program where plan.sh wants it. A published program is run only if it
# has the checksum that release.txt names, wherever it came from.
set -euo pipefail
. "${GITHUB_ACTION_PATH//\\//}/action/setup/shared.sh"

program=$PLAN_PROGRAM
mkdir -p "$(dirname "$program")"

right() { [ -f "$1" ] && [ "$(sha256 <"$1")" = "$PLAN_SHA256" ]; }

# download gets the program from the first place that has it.
download() {
  command -v curl >/dev/null || fail "curl is needed to download eventraces $PLAN_VERSION"
  local server=${GITHUB_SERVER_URL:-https://github.com} upstream=https://github.com/eventraces/eventraces
  local places=("$server/${ACTION_REPOSITORY:-eventraces/eventraces}") place answer reasons=''
  # A mirror or a fork may hold the Action without its releases; the checksum
  # says that the bytes are the same.
  if [ "${places[0]}" != "$upstream" ]; then
    places[1]=$upstream
  fi
  local part=$program.part$$
  for place in "${places[@]}"; do
    local url=$place/releases/download/v$PLAN_VERSION/$PLAN_ASSET protocols='=https'
    case $url in http:*) protocols='=http,https' ;; esac
    if answer=$(curl --fail --silent --show-error --location --proto "$protocols" --proto-redir "$protocols" \
      --retry 3 --retry-connrefused --connect-timeout 20 --max-time 300 --output "$part" "$url" 2>&1); then
      if ! right "$part"; then
        answer=$(sha256 <"$part")
        rm -f "$part"
        fail "$url has the SHA-256 $answer; action/release.txt wants $PLAN_SHA256. It is not run"
      fi
      chmod +x "$part"
      mv -f "$part" "$program"
      return
    fi
    rm -f "$part"
    reasons="$reasons; $url: ${answer//$'\n'/ }"
  done
  fail "eventraces $PLAN_VERSION could not be downloaded: ${reasons#; }"
}

case $PLAN_SOURCE in
  release)
    if ! right "$program"; then
      download
    fi
    chmod +x "$program"
    ;;
  build)
    if ! [ -f "$program" ]; then
      command -v go >/dev/null || fail "Go is needed to build eventraces $PLAN_VERSION; a release needs none"
      # What the job sets for its own builds is not for this one.
      (
        unset GOOS GOARCH GOFLAGS GOEXPERIMENT
        cd "$here" && CGO_ENABLED=0 GOWORK=off go build -trimpath -buildvcs=false \
          -ldflags "-s -w -X main.version=$PLAN_VERSION" -o "$program" ./cmd/eventraces
      ) || fail "eventraces $PLAN_VERSION could not be built; the log says why"
    fi
    ;;
esac

says=$("$program" version) || fail "$program does not run on this runner"
if [ "$says" != "eventraces $PLAN_VERSION" ]; then
  fail "$program says '$says'; want 'eventraces $PLAN_VERSION'"
fi
printf '%s\n' "$says"
