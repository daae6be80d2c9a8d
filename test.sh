#!/usr/bin/env bash
# All checks, on any Debian or Ubuntu machine with Rust: installs what is missing, then formats, lints, tests and documents.
#
# `./test.sh` is to take less than 15 minutes on two cores (it prints what it took). `./test.sh --long` does more of what is random, on every adapter, after it.
set -euo pipefail
cd "$(dirname "$0")"
case "${1:-}" in
  "") long=false ;;
  --long) long=true ;;
  *) echo "usage: ./test.sh [--long]" >&2 && exit 2 ;;
esac

step() { # step NAME COMMAND...: runs the command and prints how long it took. What fails ends all, but for what comes after all that is not long.
  local name=$1 start=$SECONDS status=0
  shift
  echo "== $name"
  "$@" || status=$?
  echo "== $name: $((SECONDS - start)) s$([ $status = 0 ] || echo ", FAILED")"
  [ $status = 0 ] || failed+=("$name")
  [ $status = 0 ] || $goes_on
}
failed=() goes_on=false

# A software Vulkan adapter, on which everything must pass whatever else this machine has.
install_adapter() {
  if compgen -G "/usr/share/vulkan/icd.d/lvp_icd*.json" >/dev/null; then
    echo "a software Vulkan adapter is installed"
    return
  fi
  local sudo=
  [ "$(id -u)" = 0 ] || sudo=sudo
  $sudo apt-get update -qq
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends libvulkan1 mesa-vulkan-drivers
}

# (Functions that are called here return their failures: bash forgets `set -e` there.)
# Commands that run side by side, two at a time, in this order: side_by_side NAME COMMAND -- NAME COMMAND… What each says is shown when it has ended.
side_by_side() {
  local logs name command
  logs=$(mktemp -d)
  while [ $# -gt 0 ]; do
    name=$1 command=()
    shift
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
      command+=("$1")
      shift
    done
    shift || true
    while [ "$(jobs -rp | wc -l)" -ge 2 ]; do
      wait -n || true # (Failures leave a mark.)
    done
    (
      start=$SECONDS log=$(mktemp -p "$logs") status=0
      "${command[@]}" >"$log" 2>&1 || status=$?
      # Not in the middle of what another says.
      flock 9
      cat "$log"
      echo "== $name: $((SECONDS - start)) s$([ $status = 0 ] || echo ", FAILED")"
      [ $status = 0 ] || touch "$logs/failed"
    ) 9>"$logs/lock" &
  done
  wait
  if [ -e "$logs/failed" ]; then
    rm -rf "$logs"
    return 1
  fi
  rm -rf "$logs"
}

# All tests of the workspace, a program beside another, and other commands: run_tests [NAME COMMAND --]. Those of the library itself, which
# take longest and leave compiled shaders in the cache, come first, beside programs that need no shaders; then the commands and all others.
run_tests() {
  local order folder program list programs=()
  list=$(cargo test "${members[@]}" --all-features --lib --bins --tests --no-run --quiet --message-format=json-render-diagnostics |
    sed -n 's/.*"manifest_path":"\([^"]*\)\/Cargo.toml".*"profile":{[^}]*"test":true}.*"executable":"\([^"]*\)".*/\1 \2/p' |
    awk -v root="$PWD" '{
      own = $1 == root
      print ($2 ~ /\/tangency-[^\/]*$/ ? (own ? 0 : 1) : (own && $2 ~ /\/(exact|scalar|sources)-[^\/]*$/ ? 1 : 2)), $0
    }' | sort -k 1,1n -k 3r)
  [ -n "$list" ] || { echo "cargo has named no tests" >&2 && return 1; }
  while read -r order folder program; do
    if [ "$order" = 2 ]; then
      programs+=("$@")
      set --
    fi
    programs+=("${program##*/}" run_in "$folder" "$program" --quiet --)
  done <<<"$list"
  side_by_side "${programs[@]}" "$@"
}

run_in() { # run_in FOLDER COMMAND…: as cargo runs a test of the package that is there.
  local folder=$1
  shift
  (cd "$folder" && CARGO_MANIFEST_DIR=$folder "$@")
}

# The programs for whole tasks, which check their own answers: run_examples "NAME ARGUMENT…"…
run_examples() {
  local example words names=()
  for example in "$@"; do names+=("--example=${example%% *}"); done
  cargo build "${members[@]}" --all-features "${names[@]}" --quiet || return
  for example in "$@"; do
    read -ra words <<<"$example"
    "$built/examples/${words[0]}" "${words[@]:1}" || return
  done
}

# The command as the tests built it. (By itself it would be built once more, with fewer features of its dependencies.)
run_command() {
  "$built/tangency" "$@"
}

# All but the comparison with other libraries, which take long to build: that is left to `--long`.
members=(--workspace --exclude tangency-peers)
# The same random cases every time; set the variable to try others.
export PROPTEST_RNG_SEED=${PROPTEST_RNG_SEED:-1}
# What is built once is built faster without what incremental builds and debuggers need, and each crate in one piece.
export CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=false CARGO_PROFILE_DEV_CODEGEN_UNITS=1
built=${CARGO_TARGET_DIR:-target}/debug
# No adapter is a failure, not a reason to skip.
export TANGENCY_REQUIRE_GPU=1
# Where there is no desktop, drivers complain of this folder each time that they are asked, and what failed is lost among it.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-$scratch}
# Shaders are compiled by every run of this script, once for all programs: nothing is left of other versions, and times mean the same everywhere.
export MESA_SHADER_CACHE_DIR=$scratch/shaders TANGENCY_TEST_SHADER_CACHE=$scratch/shaders
mkdir "$MESA_SHADER_CACHE_DIR"

step "install" install_adapter
step "paths" tools/check_paths.sh
step "mutants" tools/mutants.sh --check
step "format" cargo fmt --all --check
# Clippy compiles the workspace: to lint it first and then build it would take as long again.
export RUSTC_WORKSPACE_WRAPPER=clippy-driver CLIPPY_ARGS=-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__
step "build, linted" cargo test "${members[@]}" --all-features --lib --bins --tests --no-run --quiet
step "tests and examples" run_tests "examples" run_examples "solver 250" "embedding 3000 30" culling --
step "doctests" cargo test "${members[@]}" --all-features --doc --quiet
unset RUSTC_WORKSPACE_WRAPPER CLIPPY_ARGS
step "packages" tools/check_package.sh
# What runs in the lanes of processors whose vectors the library does not know, beside those of this one: compiled for these tests alone.
test_portable_lanes() {
  local program
  program=$(cargo rustc -p tangency --lib --profile test --all-features --quiet --message-format=json-render-diagnostics -- --cfg portable_lanes |
    sed -n 's/.*"profile":{[^}]*"test":true}.*"executable":"\([^"]*\)".*/\1/p')
  [ -n "$program" ] || { echo "cargo has named no tests" >&2 && return 1; }
  "$program" --quiet every_width lanes
}
# The library for a browser, where Rust can be had for it.
check_for_browsers() {
  if ! rustup target add wasm32-unknown-unknown; then
    echo "NOT CHECKED: Rust for wasm32 cannot be installed here"
    return
  fi
  RUSTFLAGS="-D warnings" cargo check -p tangency --target wasm32-unknown-unknown --no-default-features --features gpu --quiet
}

echo "== all: $SECONDS s"
goes_on=true
if $long; then
  step "workflows" tools/check_workflows.sh
  step "lint of everything" cargo clippy "${members[@]}" --all-targets --all-features --quiet -- -D warnings
  step "check without wgpu" cargo check -p tangency --no-default-features --features rayon --quiet
  step "check without wgpu and rayon" cargo check -p tangency --no-default-features --quiet
  step "packages, built" tools/check_package.sh --build
  step "docs" env RUSTDOCFLAGS="-D warnings" cargo doc "${members[@]}" --all-features --no-deps --quiet
  step "check for browsers" check_for_browsers
  step "reports in a browser" env PROGRAM="$built/tangency" tools/check_reports.sh
  step "files of others" tools/check_files.sh
  step "README's example" tools/check_readme.sh
  step "README's example, alone" tools/check_readme.sh --alone
  # (As they were built above.)
  export RUSTC_WORKSPACE_WRAPPER=clippy-driver CLIPPY_ARGS=-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__
  export TANGENCY_TEST_LONG=1 TANGENCY_GRAZING_PAIRS=1000000
  step "more examples" run_examples solver embedding moving robot building
  step "tests, many cases" run_tests
  unset TANGENCY_TEST_LONG TANGENCY_GRAZING_PAIRS RUSTC_WORKSPACE_WRAPPER CLIPPY_ARGS
  step "lanes of other processors" test_portable_lanes
  step "unsafe code under Miri and a sanitizer" tools/check_unsafe.sh
  step "clippy of the comparison" cargo clippy -p tangency-peers --all-targets --quiet -- -D warnings
  step "agreement with parry" env TANGENCY_TEST_LONG=1 cargo test -p tangency-peers --quiet
  step "soak on all adapters" run_command soak --scenes 60 --seed 0x5000 --backend all --require-gpu
  step "attack on all adapters" run_command soak --adversarial --seed 0x5000 --minutes 5 --backend all --require-gpu
  # (There is no GPU to require.)
  step "all tests without wgpu" env TANGENCY_REQUIRE_GPU=0 cargo test -p tangency --no-default-features --features rayon --quiet --lib --tests
  echo "== all, and long: $SECONDS s"
  [ ${#failed[@]} = 0 ] || { printf 'FAILED: %s\n' "${failed[@]}" >&2 && exit 1; }
fi
