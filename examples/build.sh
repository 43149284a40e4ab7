#!/usr/bin/env bash
# Builds the example and fixture apps: sources in, byte-reproducible unsigned APKs out.
#
#   examples/build.sh              every app whose sources changed since its APKs were built
#   examples/build.sh DIR...       these apps, changed or not
#   examples/build.sh --all        every app
#   examples/build.sh --shrunk     the shrunk builds below, changed or not
#
# An app is a folder with AndroidManifest.xml, src/ and perhaps res/. In the place of src/ may stand a
# file src.path with the folder of sources that belong to no package; they are built in the package
# com.example.APP.FOLDER, FOLDER without its hyphens. Beside them are written
#   NAME.apk     classes by D8, debug mode, minimum API 21 (lambdas become classes)
#   NAME-dx.apk  the same class files by dx, minimum API 26 (lambdas stay invoke-custom)
#   NAME.built   the hash of the sources and of each APK; a Go test compares them
#
# engine/testdata/shrunk holds the fixture app naming as R8 builds it, keeping what the manifest names only:
#   renamed.apk     with short names, packages included
#   repackaged.apk  with short names, all in no package
#   kept.apk        without renaming
#
# tools/apk.sh says what this needs.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$here")
. "$here/tools/apk.sh"

is_current() {
  local app=$1 name
  name=$(basename "$app")
  [[ -f $app/$name.built ]] && grep -qx "sources $(sources_hash "$app")" "$app/$name.built"
}

build() (
  app=$1 name=$(basename "$1")
  tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
  build_d8 "$app" "$tmp" "$app/$name.apk"
  by_dx "$tmp"
  pack "$app/$name-dx.apk" "$tmp/res.apk" "$tmp"/dx/classes*.dex
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
  link_resources "$shrunk_app" "$tmp"
  compile "$shrunk_app" "$tmp"
  find "$tmp/classes" -name '*.class' | sort >"$tmp/classfiles"
  mkdir -p "$shrunk"
  echo "sources $(sources_hash "$shrunk_app")" >"$tmp/built"
  for kind in renamed repackaged kept; do
    mkdir "$tmp/$kind"
    case $kind in
      renamed) : >"$tmp/$kind.pro" ;;
      repackaged) echo "-repackageclasses ''" >"$tmp/$kind.pro" ;;
      kept) echo "-dontobfuscate" >"$tmp/$kind.pro" ;;
    esac
    java -cp "$tools/r8-8.5.35.jar" com.android.tools.r8.R8 --release --min-api 21 \
      --lib "$platform" --lib "$(java_home)" --pg-conf "$tmp/keep.pro" --pg-conf "$tmp/$kind.pro" \
      --output "$tmp/$kind" @"$tmp/classfiles"
    pack "$shrunk/$kind.apk" "$tmp/res.apk" "$tmp/$kind"/classes*.dex
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
    for manifest in "$here"/*/AndroidManifest.xml "$root"/engine/testdata/{,fixtures/}*/AndroidManifest.xml; do
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
