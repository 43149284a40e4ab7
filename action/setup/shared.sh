# What plan.sh and install.sh share; both read it. They keep to what the bash 3.2
# of macOS knows and need no tool that a runner of GitHub lacks.

# here is the folder of the Action; on Windows its path comes with backslashes,
# which bash would take for escapes.
here=${GITHUB_ACTION_PATH:?is set by the runner}
here=${here//\\//}

# fail MESSAGE ends the step with one error annotation. 2: there is no verdict.
fail() {
  local text=${1//'%'/%25}
  text=${text//$'\r'/}
  text=${text//$'\n'/%0A}
  printf '::error title=eventraces::%s\n' "$text"
  exit 2
}

# sha256 prints the checksum of its standard input.
sha256() {
  if command -v sha256sum >/dev/null; then
    sha256sum | cut -c 1-64
  else
    shasum -a 256 | cut -c 1-64
  fi
}
