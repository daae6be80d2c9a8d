#!/usr/bin/env bash
# Breaks the exact and certified code, one place at a time, and fails if the tests do not notice.
#
# Every mutant is one textual change to a copy of the sources (tools/mutants/list.sh): each of the 15 axes (in the filter and in the integers), each
# constant of an error bound (to a sixteenth), each end of the filter's domain, the widths that keep integers from overflowing,
# and faults of the broad phase such as a skipped node. A mutant is killed when a test fails; one that does not compile, or whose text is not
# found exactly once, is an error in the list.
#
# All mutants in Rust are in one build, and TANGENCY_MUTANT chooses one when a program starts (tools/mutants/schemata.rs); those that do not compile so have a build of
# their own. Tests of mutants in WGSL read the shaders from a folder. Nothing is built while they run, side by side (tools/mutants/run.sh).
#
# Usage: tools/mutants.sh [PART], to run only the mutants whose text contains PART; with MUTANTS_LOG=FILE, outcomes are added to a file, and those that it says were
# killed are not run again.
# tools/mutants.sh --check only looks whether the text of each is there.
# tools/mutants.sh --build FOLDER puts all that a run needs into a folder, where `./run [PART] [JOBS]` runs them: also on another machine, without Rust.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=tools/mutants/list.sh
source tools/mutants/list.sh

# Replaces the text of mutant K in a copy of its file, whose place is given; fails if the text is not there exactly once.
mutate() {
  local original rest text=${texts[$1]}
  original=$(cat "${files[$1]}" && printf x)
  original=${original%x}
  rest=${original/"$text"/}
  if [ "$rest" = "$original" ] || [ "${rest/"$text"/}" != "$rest" ]; then
    echo "this text is not found exactly once in ${files[$1]}: $text" >&2
    return 1
  fi
  printf '%s' "${original/"$text"/"${replacements[$1]}"}" >"$2"
}

wrong=0
for k in "${!files[@]}"; do mutate "$k" /dev/null || wrong=$((wrong + 1)); done
echo "${#files[@]} mutants, $wrong of them without a place"
[ $wrong = 0 ] || exit 1
[ "${1:-}" != --check ] || exit 0

folder=target/mutants/run part=${1:-}
if [ "$part" = --build ]; then
  folder=${2:?a folder} part=""
fi
rm -rf "$folder"
mkdir -p "$folder"/{programs,broken,src/gpu/twin,tests} target/mutants/copy
folder=$(realpath "$folder") root=$PWD copy=$PWD/target/mutants/copy
# (Nobody debugs them, or builds them twice.)
export CARGO_TARGET_DIR=$PWD/target/mutants CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_OPT_LEVEL=1 CARGO_PROFILE_DEV_DEBUG=false

# The sources, but for those in Rust, which `schemata` writes. (What is as it was is not touched, and not compiled again.)
git ls-files --cached --others --exclude-standard -- Cargo.toml Cargo.lock README.md shaders benches/peers/Cargo.toml cli src tests examples benches |
  while IFS= read -r file; do
    [[ $file == *.rs && $file == @(src|tests)/* ]] || cmp -s "$file" "$copy/$file" || cp --parents "$file" "$copy"
  done
rustc -O --edition 2024 tools/mutants/schemata.rs -o target/mutants/schemata
# write_schemata [NUMBER…]: the sources in Rust with all mutants but these.
write_schemata() {
  for k in "${!files[@]}"; do
    [[ ${files[$k]} != *.rs ]] || printf '%s\0' "$k" "${files[$k]}" "${texts[$k]}" "${replacements[$k]}"
  done | target/mutants/schemata "$root" "$copy" "$@"
}
# build SUFFIX PROGRAM…: the programs of the copy, to the folder.
build() {
  local suffix=$1 program names=() line
  shift
  for program in "$@"; do
    if [ "$program" = lib ]; then names+=(--lib); else names+=(--test "$program"); fi
  done
  (cd "$copy" && cargo test --no-run --no-default-features --features gpu,rayon -p tangency "${names[@]}" --message-format=json-diagnostic-short \
    >"$CARGO_TARGET_DIR/messages" 2>"$CARGO_TARGET_DIR/errors") || return 1
  while IFS=$'\t' read -r program line; do
    [ "$program" != tangency ] || program=lib
    strip -o "$folder/programs/$program$suffix" "$line"
  done < <(sed -n 's/.*"target":{[^}]*"name":"\([^"]*\)".*"executable":"\([^"]*\)".*/\1\t\2/p' "$CARGO_TARGET_DIR/messages")
}
programs=$(printf '%s\n' "${suites[@]}" | tr ';' '\n' | sed -nE 's/.*--test ([a-z_]+).*/\1/p; s/.*--lib.*/lib/p' | sort -u)
# Mutants that keep the rest from being compiled are left out until it is.
alone=()
for _ in 1 2 3; do
  left_out=$(write_schemata "${alone[@]}")
  # shellcheck disable=SC2086
  if build "" $programs; then break; fi
  mapfile -t more < <(sed -nE 's/.*"rendered":"(src[^:"]*):([0-9]+):[0-9]+: error.*/\1 \2/p' "$CARGO_TARGET_DIR/messages" |
    awk 'NR == FNR { name[NR] = $1; from[NR] = $2; to[NR] = $3; number[NR] = $4; n = NR; next }
      { for (k = 1; k <= n; k++) if (name[k] == $1 && from[k] <= $2 && $2 <= to[k]) print number[k] }' "$copy/mutants.map" - | sort -un)
  if [ ${#more[@]} = 0 ]; then
    sed -nE 's/.*"rendered":"(([^"\\]|\\.)*error([^"\\]|\\.)*)".*/\1/p' "$CARGO_TARGET_DIR/messages" >&2
    cat "$CARGO_TARGET_DIR/errors" >&2
    exit 2
  fi
  alone+=("${more[@]}")
done
[ -x "$folder/programs/lib" ] || { echo "what holds all mutants does not compile" >&2 && exit 2; }
# Those that are left out, each built by itself.
wrong=0
while read -r k why; do
  [ -n "$k" ] || continue
  echo "a build of its own: ${files[$k]}: ${texts[$k]} -> ${replacements[$k]}: $why"
  write_schemata "${!files[@]}" >/dev/null
  mutate "$k" "$copy/${files[$k]}"
  # shellcheck disable=SC2046
  build "-$k" $(tr ';' '\n' <<<"${suites[$k]}" | sed -nE 's/.*--test ([a-z_]+).*/\1/p; s/.*--lib.*/lib/p' | sort -u) || {
    cat "$CARGO_TARGET_DIR/errors" >&2
    echo "ERROR     this mutant does not compile: ${files[$k]}: ${texts[$k]} -> ${replacements[$k]}" >&2
    wrong=1
  }
done <<<"$left_out"
[ $wrong = 0 ] || exit 2

# What else a run needs: shaders, whole and broken, data, the names of twins, and the list.
cp -r shaders "$folder"
cp -r tests/data "$folder/tests"
for twin in src/gpu/twin/*.rs; do : >"$folder/$twin"; done
for k in "${!files[@]}"; do
  [[ ${files[$k]} != *.wgsl ]] || mutate "$k" "$folder/broken/$k.wgsl"
  printf '%s\0' "$k" "${files[$k]}" "${suites[$k]}" "${texts[$k]} -> ${replacements[$k]}"
done >"$folder/list"
cp tools/mutants/run.sh "$folder/run"
echo "$folder: $(du -sh "$folder" | cut -f 1)"
[ "${1:-}" = --build ] || exec "$folder/run" "$part"
