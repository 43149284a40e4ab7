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
# com.example.APP.FOLDER, FOLDER without its hyphens. A file release holds the version of Java to compile for,
# if it is not 8. Beside them are written
#   NAME.apk     classes by D8, debug mode, minimum API 21 (lambdas become classes)
#   NAME-dx.apk  the same class files by dx, minimum API 26 (lambdas stay invoke-custom); dx knows Java 8 only, so
#                with a file release the same sources, compiled for 8
#   NAME.built   the hash of the sources and of each APK; a Go test compares them
#
# engine/testdata/shrunk holds fixture apps as R8 builds them, keeping what the manifest names only:
#   renamed.apk     naming with short names, packages included
#   repackaged.apk  naming with short names, all in no package
#   kept.apk        naming without renaming
#   merged.apk      collisions without renaming; R8 merges its lambdas
#   mapped-APP.apk  APP with short names and line numbers of R8's own, for a minimum API of 26 without a table of
#                   lines; mapped-APP.txt is what R8 wrote about it
#   apart-APP.apk   the same, with classes left apart that R8 would merge
#   shrunk.built    the hashes of the apps' sources and of each APK
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
  if [[ -f $app/release ]]; then
    rm -r "$tmp/classes"
    compile "$app" "$tmp" 8
  fi
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
fixtures=$root/engine/testdata/fixtures

# Each shrunk build: its name, its app, its minimum API, R8's rules beside those that keep what the manifest names.
shrunk_builds() {
  cat <<'END'
renamed naming 21
repackaged naming 21 -repackageclasses ''
kept naming 21 -dontobfuscate
merged collisions 21 -dontobfuscate
mapped-naming naming 21 -keepattributes LineNumberTable,SourceFile
mapped-collisions collisions 26 -keepattributes LineNumberTable,SourceFile
mapped-everyday everyday 21 -keepattributes LineNumberTable,SourceFile
mapped-localnames localnames 26 -keepattributes LineNumberTable,SourceFile -repackageclasses ''
apart-localnames localnames 21 -keepattributes LineNumberTable,SourceFile
END
}

shrunk_sources() {
  for app in $(shrunk_builds | cut -d' ' -f2 | sort -u); do echo "$app $(sources_hash "$fixtures/$app")"; done
}

build_shrunk() (
  tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
  mkdir -p "$shrunk"
  shrunk_sources >"$tmp/built"
  while read -r kind app api rules; do
    out=$tmp/$kind map=() merge=()
    [[ $kind == *-$app ]] && map=(--pg-map-output "$shrunk/$kind.txt")
    [[ $kind == apart-* ]] && merge=(-Dcom.android.tools.r8.disableHorizontalClassMerging=1)
    mkdir -p "$out/r8"
    link_resources "$fixtures/$app" "$out"
    compile "$fixtures/$app" "$out"
    find "$out/classes" -name '*.class' | sort >"$out/classfiles"
    echo "$rules" >"$out/rules.pro"
    java "${merge[@]}" -cp "$tools/r8-8.5.35.jar" com.android.tools.r8.R8 --release --min-api "$api" "${map[@]}" \
      --lib "$platform" --lib "$(java_home)" --pg-conf "$out/keep.pro" --pg-conf "$out/rules.pro" \
      --output "$out/r8" @"$out/classfiles" </dev/null
    pack "$shrunk/$kind.apk" "$out/res.apk" "$out"/r8/classes*.dex
    echo "$kind.apk $(file_hash "$shrunk/$kind.apk")" >>"$tmp/built"
    [[ -z ${map[*]} ]] || echo "$kind.txt $(file_hash "$shrunk/$kind.txt")" >>"$tmp/built"
  done < <(shrunk_builds)
  cp "$tmp/built" "$shrunk/shrunk.built"
  echo "built shrunk"
)

shrunk_is_current() {
  [[ -f $shrunk/shrunk.built ]] && diff -q <(shrunk_sources) <(grep -v '\.\(apk\|txt\) ' "$shrunk/shrunk.built") >/dev/null
}

apps=()
force=
shrink=
case ${1-} in
  --shrunk) shrink=1 ;;
  '' | --all)
    [[ ${1-} == --all ]] && force=1
    shrunk_is_current && [[ -z $force ]] || shrink=1
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
