#!/bin/sh
# Makes index.bin again from the framework jar and JDK named in NOTICE.
# Needs Maven, a JDK 17 in JAVA_HOME (or found by its javac) and Go.
set -eu
cd "$(dirname "$0")"
version=15-robolectric-13954326
sum=e17105f6c432357e6bb278a527f8e848d01fc56ccee01be77725bea23d871990
repo=${M2_REPO:-$HOME/.m2/repository}
jar=$repo/org/robolectric/android-all/$version/android-all-$version.jar
[ -f "$jar" ] || mvn -q dependency:get -Dtransitive=false -Dartifact=org.robolectric:android-all:$version
echo "$sum  $jar" | sha256sum -c --quiet
jdk=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}
go run ./indexgen -framework "$jar" -jmods "$jdk/jmods" -out index.bin
