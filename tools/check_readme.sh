#!/usr/bin/env bash
# README's example as its reader meets it: a crate of its own that depends on nothing but this library, as it is in its package, with a
# fresh lock file, built and run. And a crate with a glam of its own, of the minor version that this library has: the types must be the same.
#
# To be quick, the crate has the profile of this workspace and its version of Rust, and dependencies that turn on what the tests of the workspace turn on, so that
# wgpu and what it needs are not built once more. `--alone` leaves all that out.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$root/target}
export CARGO_PROFILE_DEV_DEBUG=false CARGO_INCREMENTAL=0
shared='num-traits = { version = "0.2", default-features = false, features = ["std"] }
bitflags = { version = "2", features = ["std"] }

[build-dependencies]
syn = { version = "3", features = ["full"] }
'
# (Except for what is built for it alone, and need not be fast.)
shared+='
[profile.dev.package.tangency]
opt-level = 0
'
shared+=$(sed -n '/^\[profile\.dev/,/^$/p' Cargo.toml | sed '/^\[profile\.dev\.package\.glam\]/,+1d')
version=$(grep -m1 '^rust-version' Cargo.toml)
if [ "${1:-}" = --alone ]; then
  shared='' version=''
fi
library=$CARGO_TARGET_DIR/unpacked/tangency-$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
[ -d "$library" ] || tools/check_package.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# No example in the documentation may lean on a glam that its reader does not have.
leaning() { git grep -nE '(///|//!).*(^|[^A-Za-z_:])glam::' -- src | grep -v 'use tangency::{' || git grep -nE '^use glam' -- examples '*.md'; }
if leaning >&2; then
  echo "examples must use tangency::glam" >&2
  exit 1
fi

crate() { # crate NAME [DEPENDENCY]: a new crate whose program is on standard input; it is built and run.
  local name=$1 at=$folder/$1
  mkdir -p "$at/src"
  printf '[package]\nname = "%s"\nedition = "2024"\n%s\n\n[dependencies]\ntangency = { path = "%s" }\n%s\n%s\n' \
    "$name" "$version" "$library" "${2:-}" "$shared" \
    >"$at/Cargo.toml"
  cat >"$at/src/main.rs"
  # With the registry the newest versions, as a reader would get them; without it those that are here.
  if ! cargo generate-lockfile --quiet --manifest-path "$at/Cargo.toml" 2>"$at/log"; then
    echo "the registry cannot be reached: resolving by what is here"
    cargo generate-lockfile --quiet --offline --manifest-path "$at/Cargo.toml" || { cat "$at/log" >&2 && return 1; }
  fi
  cargo run --quiet --locked --manifest-path "$at/Cargo.toml"
}

# The first block marked as Rust, to its end.
program=$(awk '/^```rust$/ { inside = 1; next } /^```$/ && inside { exit } inside' README.md)
[ -n "$program" ] || { echo "README.md has no example in Rust" >&2 && exit 1; }
crate readme-example <<<"$program"
echo "README's example compiles in a new crate, and runs"

glam=$(sed -nE 's/^glam = \{ version = "([0-9]+\.[0-9]+)".*/\1/p' Cargo.toml)
[ -n "$glam" ] || { echo "Cargo.toml must name one minor version of glam" >&2 && exit 1; }
grep -qF "glam $glam" README.md || { echo "README.md must say that it is glam $glam" >&2 && exit 1; }
crate own-glam "glam = \"$glam\"" <<'RUST'
fn main() {
    let same: tangency::glam::Quat = glam::Quat::IDENTITY;
    tangency::shape::Obb::new(glam::Vec3::ZERO, glam::Vec3::ONE, same).expect("a box");
}
RUST
echo "a reader's own glam $glam has the same types"
