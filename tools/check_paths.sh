#!/usr/bin/env bash
# Fails if a tracked file refers to a folder outside the repository: by a relative path that climbs out of it, by an absolute
# path of somebody's machine, or by a path dependency or include that resolves outside.
set -euo pipefail
cd "$(git -C "$(dirname "$0")" rev-parse --show-toplevel)"
bad=0
report() {
  echo "refers to a folder outside the repository: $1" >&2
  bad=1
}

# Relative paths that climb: resolve each against its file's folder; it may not leave the root.
while IFS=: read -r file line text; do
  folder=$(dirname "$file")
  while read -r path; do
    resolved=$(realpath -ms --relative-to=. "$folder/$path")
    case "$resolved" in ..*) report "$file:$line: $path" ;; esac
  done < <(grep -oE '(^|[^A-Za-z0-9_./])\.\./[A-Za-z0-9_./-]*' <<<"$text" | grep -oE '\.\./.*')
done < <(git grep -nIE '(^|[^A-Za-z0-9_./])\.\./' -- . ':!tests/data' || true)

# Absolute paths of a home or a work folder.
home='/(home|root|Users|work)/[A-Za-z0-9_.-]+'
while IFS= read -r match; do
  report "$match"
done < <(git grep -nIoE "(^|[\"' =(:])$home" -- . ':!tests/data' ':!tools/check_paths.sh' || true)
exit $bad
