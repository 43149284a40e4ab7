#!/usr/bin/env bash
# Builds every example app from mechanically edited sources, and the app of worse/ with and without its protections.
#
#   examples/edits/build.sh            what changed since it was built: sources, Edit.java, Members.java or the list of edits
#   examples/edits/build.sh --all      everything
#   examples/edits/build.sh NAME...    these apps (worse: the app of worse/), changed or not
#
# Written are
#   APP/EDIT.apk          examples/APP after an edit of ../tools/Edit.java, by D8 as examples/APP/APP.apk
#   APP.built             the hash of the app's sources, of Edit.java, Members.java and each APK; a Go test compares them
#   worse/before.apk      the sources as they are
#   worse/after.apk       without the lines that end in "// protection"
#   worse/worse.built     the hash of the sources and of both APKs
#
# ../tools/apk.sh says what this needs.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
examples=$(dirname "$here")
. "$examples/tools/apk.sh"

work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT

edits=()

# The edits, from a compiled Edit.
compile_edit() {
  [[ ${#edits[@]} == 0 ]] || return 0
  mkdir -p "$work/edit"
  javac -d "$work/edit" "$scripts/Edit.java" "$scripts/Members.java"
  mapfile -t edits < <(java -cp "$work/edit" Edit --list)
}

built_from() {
  echo "sources $(sources_hash "$examples/$1")"
  echo "Edit.java $(file_hash "$scripts/Edit.java")"
  echo "Members.java $(file_hash "$scripts/Members.java")"
}

is_current() {
  local name=$1 line
  if [[ $name == worse ]]; then
    [[ -f $here/worse/worse.built ]] && grep -qx "sources $(sources_hash "$here/worse")" "$here/worse/worse.built"
    return
  fi
  [[ -f $here/$name.built ]] || return 1
  while read -r line; do
    grep -qxF "$line" "$here/$name.built" || return 1
  done < <(built_from "$name")
}

build() {
  local name=$1 app=$examples/$1 original=$work/$1 edit tmp
  compile_edit
  link_resources "$app" "$original"
  rm -rf "${here:?}/$name" && mkdir -p "$here/$name"
  for edit in "${edits[@]}"; do
    tmp=$work/$name-$edit
    java -cp "$work/edit" Edit "$edit" "$app" "$tmp/app" "$platform:$original/gen"
    build_d8 "$tmp/app" "$tmp" "$here/$name/$edit.apk"
  done
  {
    built_from "$name"
    for edit in "${edits[@]}"; do echo "$edit.apk $(file_hash "$here/$name/$edit.apk")"; done
  } >"$here/$name.built"
  echo "built $name"
}

build_worse() {
  local app=$here/worse after=$work/after
  build_d8 "$app" "$work/worse-before" "$app/before.apk"
  mkdir -p "$after" && cp -R "$app/AndroidManifest.xml" "$app/src" "$after"
  find "$after/src" -name '*.java' -exec sed -i '/\/\/ protection$/d' {} +
  build_d8 "$after" "$work/worse-after" "$app/after.apk"
  {
    echo "sources $(sources_hash "$app")"
    for apk in before.apk after.apk; do echo "$apk $(file_hash "$app/$apk")"; done
  } >"$app/worse.built"
  echo "built worse"
}

names=()
force=
case ${1-} in
  '' | --all)
    [[ ${1-} == --all ]] && force=1
    for manifest in "$examples"/*/AndroidManifest.xml; do names+=("$(basename "$(dirname "$manifest")")"); done
    names+=(worse)
    ;;
  *)
    force=1
    names=("$@")
    ;;
esac

fetched=
for name in "${names[@]}"; do
  if [[ -z $force ]] && is_current "$name"; then continue; fi
  [[ -n $fetched ]] || { fetch_tools && fetched=1; }
  if [[ $name == worse ]]; then build_worse; else build "$name"; fi
done
