#!/usr/bin/env bash
# Builds eventraces-annotations.jar from src/: the same bytes each time. Beside it is written
# eventraces-annotations.built with the hashes of the sources and of the jar; a Go test compares them.
#
# Needs JDK 17 or later.
set -euo pipefail
export LC_ALL=C

cd "$(dirname "${BASH_SOURCE[0]}")"
name=eventraces-annotations
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT

mkdir -p "$tmp/META-INF"
cp ../LICENSE "$tmp/META-INF/LICENSE"
find src -name '*.java' | sort >"$tmp.sources"
javac --release 8 -g:none -Xlint:-options -d "$tmp" @"$tmp.sources"
rm "$tmp.sources"
java ../examples/tools/Pack.java "$name.jar" "$tmp"
{
  echo "sources $(find src -type f | sort | xargs sha256sum | sha256sum | cut -d' ' -f1)"
  echo "$name.jar $(sha256sum "$name.jar" | cut -d' ' -f1)"
} >"$name.built"
echo "built $name.jar"
