#!/usr/bin/env bash
# Builds the example and fixture apps: sources in, byte-reproducible unsigned APKs out.
#
#   examples/build.sh              every app whose sources changed since its APKs were built
#   examples/build.sh DIR...       these apps, changed or not
#   examples/build.sh --all        every app
#   examples/build.sh --shrunk     the shrunk builds below, changed or not
#
# An app is a folder with AndroidManifest.xml, src/ and perhaps res/. Beside them are written
#   NAME.apk     classes by D8, debug mode, minimum API 21 (lambdas become classes)
#   NAME-dx.apk  the same class files by dx, minimum API 26 (lambdas stay invoke-custom)
#   NAME.built   the hash of the sources and of each APK; a Go test compares them
#
# engine/testdata/shrunk holds the fixture app naming as R8 builds it, keeping what the manifest names only:
#   renamed.apk     with short names, packages included
#   repackaged.apk  with short names, all in no package
#   kept.apk        without renaming
#
# Needs JDK 17 or later, Maven and x86-64 Linux; the tools come through Maven, pinned by version in
# tools/pom.xml and by SHA-256 in tools/tools.sha256.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$here")
tools=${EVENTRACES_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/eventraces/fixture-tools}

fetch_tools() {
  if ! (cd "$tools" 2>/dev/null && sha256sum --quiet -c "$here/tools/tools.sha256" 2>/dev/null); then
    mkdir -p "$tools"
    mvn -q -B -f "$here/tools/pom.xml" org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies \
      -DoutputDirectory="$tools"
    (cd "$tools" && sha256sum --quiet -c "$here/tools/tools.sha256")
  fi
  if [[ ! -x $tools/aapt2 ]]; then
    unzip -p "$tools/apktool-lib-2.9.3.jar" brut/androlib/android-framework.jar >"$tools/framework-res.apk"
    unzip -p "$tools/apktool-lib-2.9.3.jar" prebuilt/linux/aapt2_64 >"$tools/aapt2.part"
    chmod +x "$tools/aapt2.part" && mv "$tools/aapt2.part" "$tools/aapt2"
  fi
}

# The hash of an app's sources: paths and contents in path order. SourcesHash of
# engine/internal/expect computes the same.
sources_hash() {
  (cd "$1" && find AndroidManifest.xml src res -type f 2>/dev/null | sort | xargs sha256sum | sha256sum | cut -d' ' -f1)
}

file_hash() { sha256sum "$1" | cut -d' ' -f1; }

is_current() {
  local app=$1 name
  name=$(basename "$app")
  [[ -f $app/$name.built ]] && grep -qx "sources $(sources_hash "$app")" "$app/$name.built"
}

# compile APP TMP: resources, the rules that keep what the manifest names, and class files.
compile() {
  local app=$1 tmp=$2
  mkdir -p "$tmp"/{gen,classes}

  compiled=()
  if [[ -d $app/res ]]; then
    "$tools/aapt2" compile --dir "$app/res" -o "$tmp/res.zip"
    compiled=("$tmp/res.zip")
  fi
  "$tools/aapt2" link -I "$tools/framework-res.apk" --manifest "$app/AndroidManifest.xml" \
    --min-sdk-version 21 --target-sdk-version 30 --java "$tmp/gen" --proguard "$tmp/keep.pro" -o "$tmp/res.apk" "${compiled[@]}"

  # --release 8: no nest mates, so inner classes reach private members through access$ methods.
  find "$tmp/gen" "$app/src" -name '*.java' | sort >"$tmp/sources"
  javac --release 8 -g -Xlint:-options,-deprecation -nowarn -cp "$tools/android-all-15-robolectric-13954326.jar" \
    -d "$tmp/classes" @"$tmp/sources" 2> >(grep -v '^Note: ' >&2)

  java=$(command -v java)
  home=$(java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.home = //p')
  find "$tmp/classes" -name '*.class' | sort >"$tmp/classfiles"
}

build() (
  app=$1 name=$(basename "$1")
  tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
  compile "$app" "$tmp"
  mkdir -p "$tmp"/{d8,dx}
  "$java" -cp "$tools/r8-8.5.35.jar" com.android.tools.r8.D8 --debug --min-api 21 \
    --lib "$tools/android-all-15-robolectric-13954326.jar" --lib "$home" --output "$tmp/d8" @"$tmp/classfiles"
  (cd "$tmp/classes" && "$java" -cp "$tools/dalvik-dx-16.0.1.jar" com.android.dx.command.Main --dex \
    --min-sdk-version=26 --output="$tmp/dx/classes.dex" .)

  "$java" "$here/tools/Pack.java" "$app/$name.apk" "$tmp/res.apk" "$tmp"/d8/classes*.dex
  "$java" "$here/tools/Pack.java" "$app/$name-dx.apk" "$tmp/res.apk" "$tmp"/dx/classes*.dex
  {
    echo "sources $(sources_hash "$app")"
    echo "$name.apk $(file_hash "$app/$name.apk")"
    echo "$name-dx.apk $(file_hash "$app/$name-dx.apk")"
  } >"$app/$name.built"
  echo "built $name"
)

shrunk=$root/engine/testdata/shrunk
shrunk_app=$root/engine/testdata/fixtures/naming

build_shrunk() (
  tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
  compile "$shrunk_app" "$tmp"
  mkdir -p "$shrunk"
  echo "sources $(sources_hash "$shrunk_app")" >"$tmp/built"
  for kind in renamed repackaged kept; do
    mkdir "$tmp/$kind"
    case $kind in
      renamed) : >"$tmp/$kind.pro" ;;
      repackaged) echo "-repackageclasses ''" >"$tmp/$kind.pro" ;;
      kept) echo "-dontobfuscate" >"$tmp/$kind.pro" ;;
    esac
    "$java" -cp "$tools/r8-8.5.35.jar" com.android.tools.r8.R8 --release --min-api 21 \
      --lib "$tools/android-all-15-robolectric-13954326.jar" --lib "$home" --pg-conf "$tmp/keep.pro" --pg-conf "$tmp/$kind.pro" \
      --output "$tmp/$kind" @"$tmp/classfiles"
    "$java" "$here/tools/Pack.java" "$shrunk/$kind.apk" "$tmp/res.apk" "$tmp/$kind"/classes*.dex
    echo "$kind.apk $(file_hash "$shrunk/$kind.apk")" >>"$tmp/built"
  done
  cp "$tmp/built" "$shrunk/shrunk.built"
  echo "built shrunk"
)

apps=()
force=
shrink=
case ${1-} in
  --shrunk) shrink=1 ;;
  '' | --all)
    [[ ${1-} == --all ]] && force=1
    grep -qsx "sources $(sources_hash "$shrunk_app")" "$shrunk/shrunk.built" && [[ -z $force ]] || shrink=1
    for manifest in "$here"/*/AndroidManifest.xml "$root"/engine/testdata/fixtures/*/AndroidManifest.xml; do
      [[ -f $manifest ]] && apps+=("$(dirname "$manifest")")
    done
    ;;
  *)
    force=1
    for dir in "$@"; do apps+=("$(cd "$dir" && pwd)"); done
    ;;
esac

fetched=
for app in "${apps[@]}"; do
  if [[ -z $force ]] && is_current "$app"; then continue; fi
  [[ -n $fetched ]] || { fetch_tools && fetched=1; }
  build "$app"
done
if [[ -n $shrink ]]; then
  [[ -n $fetched ]] || fetch_tools
  build_shrunk
fi
