#!/usr/bin/env bash
# Runs the scenarios under src on Android's own framework, on a JVM, and writes what they log to recordings/.
#
# Needs JDK 17 or later, Maven, unzip and, the first time, a network.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=${EVENTRACES_RECORDER:-${XDG_CACHE_HOME:-$HOME/.cache}/eventraces/recorder}
version() { sed -n "/<artifactId>$1</{n;s,.*<version>\(.*\)</version>.*,\1,p}" "$here/pom.xml"; }

mkdir -p "$work" && cd "$work"

if ! cmp -s "$here/pom.xml" pom.xml; then
  rm -rf lib aar
  mvn -q -B -f "$here/pom.xml" org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies \
    -DoutputDirectory="$work/lib"
  for archive in lib/*.aar; do # the classes of each AAR, under its name
    mkdir -p aar
    unzip -p "$archive" classes.jar >"aar/$(basename "$archive" .aar).jar"
  done
  mkdir -p last && mv lib/android-all-*.jar last/ # behind what replaces parts of it
  cp "$here/pom.xml" pom.xml
fi

rm -rf classes && mkdir classes
cp -r "$here/config/." classes/
jars=$(printf "%s:" lib/*.jar aar/*.jar last/*.jar)
find "$here/src" -name '*.java' | sort | xargs javac -nowarn -g -d classes -cp "$jars" 2>javac.log || {
  cat javac.log >&2
  exit 1
}

versions="Robolectric $(version robolectric), android-all $(version android-all)"
opens=()
for package in lang util io net nio lang.reflect lang.invoke util.concurrent; do
  opens+=("--add-opens=java.base/java.$package=ALL-UNNAMED")
done
cd "$work"
mapfile -t tests < <(cd "$here/src" && ls recorded/*Scenarios.java | sed "s,.java$,,; s,/,.,")
rm -rf out && mkdir out
java "${opens[@]}" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx1g -Drecordings="$work/out" \
  -Drobolectric.logging=none "-Dversions=$versions" -cp "classes:$jars" org.junit.runner.JUnitCore "${tests[@]}"
mkdir -p "$here/recordings"
rm -f "$here/recordings"/*.txt
cp out/*.txt "$here/recordings/"
