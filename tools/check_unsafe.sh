#!/usr/bin/env bash
# The `unsafe` code, which is that of the vectors of the CPU backend: under Miri, as far as Miri knows the instructions (not AVX-512), and
# under AddressSanitizer with all that this processor has. Needs a nightly Rust, which it installs if it can.
#
# (The other `unsafe` call leaves out checks of loops in shaders, which neither of them sees: tests/sources checks where it is.)
set -euo pipefail
cd "$(dirname "$0")/.."
if ! rustup +nightly component add miri rust-src 2>/dev/null &&
  ! rustup toolchain install nightly --profile minimal --component miri,rust-src; then
  echo "NOT CHECKED: Rust's nightly cannot be installed here"
  exit 0
fi
host=$(rustc -vV | sed -n 's/^host: //p')
features=()
case $host in x86_64-*) features=(-Ctarget-feature=+avx2,+fma,+bmi1,+popcnt) ;; esac
target=${CARGO_TARGET_DIR:-target}
unset RUSTC_WORKSPACE_WRAPPER CLIPPY_ARGS
MIRIFLAGS=-Zmiri-disable-isolation RUSTFLAGS="${features[*]}" CARGO_TARGET_DIR=$target/miri \
  cargo +nightly miri test -p tangency --no-default-features --lib --quiet -- lanes::tests
RUSTFLAGS=-Zsanitizer=address CARGO_TARGET_DIR=$target/sanitizer \
  cargo +nightly test -p tangency --no-default-features --features rayon --lib --quiet --target "$host" -- lanes:: cpu:: det:: manifold:: filter::
