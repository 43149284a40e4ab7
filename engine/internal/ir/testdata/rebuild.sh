#!/usr/bin/env bash
# Rebuilds what the tests of this package read: dex files by D8 and by dx, and
# the results of the oracle's methods on a JVM. Needs a JDK 17 and the two jars
# that examples/tools/pom.xml pins, in the folder that examples/build.sh keeps
# them in, or in $EVENTRACES_TOOLS.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tools=${EVENTRACES_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/eventraces/fixture-tools}
jdk=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT

for dir in oracle golden; do # every folder with sources
  out=$tmp/$dir
  mkdir -p "$out"/{classes,d8,release}
  javac --release 8 -Xlint:-options -g -d "$out/classes" "$here/$dir"/*.java
  jar --create --date=1980-01-01T00:00:02Z --file "$out/classes.jar" -C "$out/classes" .
  d8() { java -cp "$tools/r8-8.5.35.jar" com.android.tools.r8.D8 --lib "$jdk" "$@" "$out/classes.jar"; }
  d8 --debug --min-api 24 --output "$out/d8"
  d8 --release --min-api 21 --output "$out/release"
  java -cp "$tools/dalvik-dx-16.0.1.jar" com.android.dx.command.Main --dex --min-sdk-version=26 \
    --output="$out/dx.dex" "$out/classes"
  mv "$out/d8/classes.dex" "$here/$dir/d8.dex"
  mv "$out/release/classes.dex" "$here/$dir/d8-release.dex"
  mv "$out/dx.dex" "$here/$dir/dx.dex"
  (cd "$here/$dir" && sha256sum ./*.java >sources.sha256)
done
java -cp "$tmp/oracle/classes" oracle.Plain >"$here/oracle/expected.txt"
