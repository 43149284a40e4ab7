#!/usr/bin/env bash
# A dry run of the Action, without GitHub: makes a scratch repository with the
# example app trackrecorder and a pull request that adds a race to it, does by hand
# what docs/workflows/pull-request.yml does on GitHub, against a GitHub on this
# machine, and leaves what people would see.
#
#   examples/dryrun/run.sh FOLDER
#
# FOLDER must not exist. Needs Go and git. Afterwards:
#   FOLDER/seen.md      the comment, the comments on lines, the alerts
#   FOLDER/log.txt      the log of the step
#   FOLDER/summary.md   the summary of the job
#   FOLDER/outputs.txt  the outputs of the step
#   FOLDER/github.txt   each request, and whether GitHub would take it
#   FOLDER/temp         the findings and the SARIF file
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:?names the folder to make}
mkdir "$folder" "$folder/temp"
folder=$(cd "$folder" && pwd)

# The program, as the Action builds it, and a GitHub.
(cd "$here/../.." && go build -o "$folder/bin/" ./cmd/eventraces ./action/fakegithub)

# actions/checkout leaves the test merge of the pull request in the workspace.
git init --quiet --initial-branch=main "$folder/tracks"
cd "$folder/tracks"
git config user.name mona
git config user.email mona@example.org
git config commit.gpgsign false
activity=app/src/main/java/com/example/trackrecorder/TrackActivity.java
mkdir -p app/src/main/java
cp -R "$here/../trackrecorder/src/." app/src/main/java
cp "$here/../trackrecorder/AndroidManifest.xml" app/src/main
cp "$activity" "$folder/changed.java"
grep -v 'providerUtils = null' "$folder/changed.java" >"$activity"
printf '# eventraces-baseline v1, ids eventRace/v1\n' >eventraces-baseline.txt
git add . && git commit --quiet --message "A recorder of tracks"
base=$(git rev-parse HEAD)
git checkout --quiet -b free-provider
cp "$folder/changed.java" "$activity"
git commit --quiet --all --message "Free the provider"
head=$(git rev-parse HEAD)
git checkout --quiet --detach main
git merge --quiet --no-ff --message "Merge free-provider into main" free-provider
merge=$(git rev-parse HEAD)

# The build step.
mkdir -p app/build/outputs/apk/debug
cp "$here/../trackrecorder/trackrecorder.apk" app/build/outputs/apk/debug/app-debug.apk

# GitHub knows these commits.
fill() { sed -e "s/BASE/$base/g" -e "s/HEAD/$head/g" -e "s/MERGE/$merge/g" "$here/$1" >"$folder/$1"; }
fill state.json
fill event.json
"$folder/bin/fakegithub" -addr 127.0.0.1:0 -state "$folder/state.json" -seen "$folder/seen.md" >"$folder/state-after.json" 2>"$folder/github.txt" &
github=$!
trap 'kill -INT $github 2>/dev/null || true; wait $github || true' EXIT
for _ in $(seq 100); do
  grep -q GITHUB_API_URL "$folder/github.txt" && break
  sleep 0.1
done
api=$(sed -n 's/^GITHUB_API_URL=\([^ ]*\).*/\1/p' "$folder/github.txt")

# The step: what action.yml and the runner set.
code=0
env \
  GITHUB_API_URL="$api" GITHUB_GRAPHQL_URL="$api/graphql" GITHUB_SERVER_URL=https://github.com \
  GITHUB_REPOSITORY=octo/tracks GITHUB_RUN_ID=1 GITHUB_ACTOR=mona \
  GITHUB_EVENT_NAME=pull_request GITHUB_EVENT_PATH="$folder/event.json" \
  GITHUB_REF=refs/pull/7/merge GITHUB_SHA="$merge" \
  GITHUB_OUTPUT="$folder/outputs.txt" GITHUB_STEP_SUMMARY="$folder/summary.md" GITHUB_ENV="$folder/env.txt" \
  RUNNER_TEMP="$folder/temp" \
  INPUT_TOKEN=dry-run-token INPUT_BUILD_OUTPUTS='app/build/outputs/apk/debug/*.apk' \
  INPUT_SOURCE_ROOTS=. INPUT_BASELINE=eventraces-baseline.txt INPUT_FAIL_ON=new INPUT_UPLOAD=all INPUT_COMMENT=on \
  "$folder/bin/eventraces" publish >"$folder/log.txt" || code=$?
echo "The step ended with exit code $code. What people would see is in $folder/seen.md"
