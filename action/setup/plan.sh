#!/usr/bin/env bash
# Decides which program the Action runs, and where it lies, from release.txt and
# the runner. Its outputs:
#
#   source     release (a published program, by checksum) or build
#   version    what the program calls itself
#   sha256     of the published program
#   asset      its name among the files of the release
#   folder     where the program is or will be, and what is cached
#   program    its path
#   go-mod     says which Go builds it
#   cache-key  "" if no cache is to be asked
set -euo pipefail
. "${GITHUB_ACTION_PATH//\\//}/action/setup/shared.sh"

ending=
case ${RUNNER_OS:-} in
  Linux) os=linux ;;
  macOS) os=darwin ;;
  Windows) os=windows ending=.exe ;;
  *) fail "the runner's system is '${RUNNER_OS:-}'; eventraces runs on Linux, macOS and Windows" ;;
esac
case ${RUNNER_ARCH:-} in
  X64) arch=amd64 ;;
  ARM64) arch=arm64 ;;
  *) fail "the runner's processor is '${RUNNER_ARCH:-}'; eventraces runs on X64 and ARM64" ;;
esac

version='' sum=''
while read -r key a b; do
  case $key in
    version) version=$a ;;
    sha256) if [ "$a" = "${os}_$arch" ]; then sum=$b; fi ;;
  esac
done < <(tr -d '\r' <"$here/action/release.txt")

temp=${RUNNER_TEMP:?is set by the runner}
temp=${temp//\\//}

if [ "$version" != none ]; then
  if ! [[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ && $sum =~ ^[0-9a-f]{64}$ ]]; then
    fail "action/release.txt names no version and SHA-256 for ${os}_$arch"
  fi
  source=release
  # A self-hosted runner keeps this folder, and one without a network is given it.
  tools=${RUNNER_TOOL_CACHE:-$temp}
  tools=${tools//\\//}
  if ! mkdir -p "$tools/eventraces" 2>/dev/null || ! [ -w "$tools/eventraces" ]; then
    tools=$temp
  fi
  folder=$tools/eventraces/$version/$os-$arch
  key=eventraces-$version-$os-$arch-${sum:0:16}
  if [ -f "$folder/eventraces$ending" ]; then
    key=
  fi
else
  source=build
  ref=$(printf %s "${ACTION_REF:-}" | LC_ALL=C tr -c '0-9A-Za-z.' '-')
  version=0.0.0-dev
  if [ -n "$ref" ]; then
    version=$version+$ref
  fi
  # The digest of all that the program is made of, and of what it is called.
  cd "$here"
  files=$(find go.mod go.sum action baseline cmd engine internal -type f ! -name '*_test.go' ! -path '*/testdata/*' | LC_ALL=C sort)
  digest=$({ printf '%s\n' "$version" "$files"; printf '%s\n' "$files" | tr '\n' '\0' | xargs -0 cat; } | sha256)
  folder=$temp/eventraces/${digest:0:16}
  key=eventraces-build-$os-$arch-$digest
  # No checksum tells what a cache holds here. Where a run has rights that the
  # authors of a pull request lack, nothing is believed.
  case ${GITHUB_EVENT_NAME:-} in
    workflow_run | pull_request_target) key= ;;
  esac
fi

cat >>"${GITHUB_OUTPUT:?is set by the runner}" <<END
source=$source
version=$version
sha256=$sum
asset=eventraces_${version}_${os}_$arch$ending
folder=$folder
program=$folder/eventraces$ending
go-mod=$here/go.mod
cache-key=$key
END
