# What examples/build.sh and examples/edits/build.sh share: sourced, not run. Sources in, byte-reproducible unsigned
# APKs out.
#
# Needs JDK 17 or later, Maven and x86-64 Linux; the tools come through Maven, pinned by version in pom.xml and by
# SHA-256 in tools.sha256, both beside this file.
export LC_ALL=C

scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tools=${EVENTRACES_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/eventraces/fixture-tools}
platform=$tools/android-all-15-robolectric-13954326.jar
annotations=$(dirname "$(dirname "$scripts")")/annotations/eventraces-annotations.jar

fetch_tools() {
  if ! (cd "$tools" 2>/dev/null && sha256sum --quiet -c "$scripts/tools.sha256" 2>/dev/null); then
    mkdir -p "$tools"
    mvn -q -B -f "$scripts/pom.xml" org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies \
      -DoutputDirectory="$tools"
    (cd "$tools" && sha256sum --quiet -c "$scripts/tools.sha256")
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
  (
    cd "$1"
    from=src
    [[ -f src.path ]] && from="src.path $(cat src.path)"
    find AndroidManifest.xml release $from res -type f 2>/dev/null | sort | xargs sha256sum | sha256sum | cut -d' ' -f1
  )
}

# Puts the sources that src.path of an app names into packages. The package stands before the first
# line, so that each line keeps its number.
packaged() {
  local app=$1 out=$2 file folder package
  (cd "$app/$(cat "$app/src.path")" && find . -name '*.java' | sort) | while read -r file; do
    folder=$(dirname "$file")
    package=com.example.$(basename "$app").$(basename "$folder" | tr -d -)
    mkdir -p "$out/${package//.//}"
    { printf 'package %s; ' "$package" && cat "$app/$(cat "$app/src.path")/$file"; } \
      >"$out/${package//.//}/$(basename "$file")"
  done
}

file_hash() { sha256sum "$1" | cut -d' ' -f1; }

java_home() { java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.home = //p'; }

# link_resources APP OUT: the manifest and resources of an app in OUT/res.apk, class R in OUT/gen, and rules that keep
# what the manifest names in OUT/keep.pro.
link_resources() {
  local app=$1 out=$2 compiled=()
  mkdir -p "$out/gen"
  if [[ -d $app/res ]]; then
    "$tools/aapt2" compile --dir "$app/res" -o "$out/res.zip"
    compiled=("$out/res.zip")
  fi
  "$tools/aapt2" link -I "$tools/framework-res.apk" --manifest "$app/AndroidManifest.xml" \
    --min-sdk-version 21 --target-sdk-version 30 --java "$out/gen" --proguard "$out/keep.pro" -o "$out/res.apk" "${compiled[@]}"
}

# compile APP OUT [RELEASE]: the class files of an app in OUT/classes; after link_resources. RELEASE is the
# version of Java, by default what the file release of the app says, or else 8.
compile() {
  local app=$1 out=$2 release=${3-} src=$1/src
  if [[ -z $release && -f $app/release ]]; then release=$(cat "$app/release"); fi
  mkdir -p "$out/classes"
  if [[ -f $app/src.path ]]; then src=$out/src && packaged "$app" "$src"; fi
  # Up to release 8 there are no nest mates: inner classes reach private members through access$ methods of javac. From
  # 11 on they name them, and D8 makes -$$Nest$ methods.
  # Annotations are there to compile against; their classes are in no APK.
  find "$out/gen" "$src" -name '*.java' | sort >"$out/sources"
  javac --release "${release:-8}" -g -Xlint:-options,-deprecation -nowarn -cp "$platform:$annotations" \
    -d "$out/classes" @"$out/sources" 2> >(grep -v '^Note: ' >&2)
}

# by_d8 OUT: dex files in OUT/d8; after compile.
by_d8() {
  local out=$1
  mkdir -p "$out/d8"
  find "$out/classes" -name '*.class' | sort >"$out/classfiles"
  java -cp "$tools/r8-8.5.35.jar" com.android.tools.r8.D8 --debug --min-api 21 \
    --lib "$platform" --lib "$(java_home)" --classpath "$annotations" --output "$out/d8" @"$out/classfiles"
}

# by_dx OUT: dex files in OUT/dx; after compile.
by_dx() {
  local out
  out=$(cd "$1" && pwd)
  mkdir -p "$out/dx"
  (cd "$out/classes" && java -cp "$tools/dalvik-dx-16.0.1.jar" com.android.dx.command.Main --dex \
    --min-sdk-version=26 --output="$out/dx/classes.dex" .)
}

# pack APK RESOURCES DEX...
pack() { java "$scripts/Pack.java" "$@"; }

# build_d8 APP OUT APK: all of it, by D8.
build_d8() {
  link_resources "$1" "$2"
  compile "$1" "$2"
  by_d8 "$2"
  pack "$3" "$2/res.apk" "$2"/d8/classes*.dex
}
