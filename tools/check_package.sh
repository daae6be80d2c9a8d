#!/usr/bin/env bash
# Both packages as they would be published: with licences, README and no link that leads nowhere. They are left unpacked for
# check_readme.sh, which builds README's example with the library's. With `--build` both are checked by the compiler here.
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}
bad=0
report() {
  echo "$1" >&2
  bad=1
}

rm -f "$CARGO_TARGET_DIR"/package/tangency*.crate
# Changes that are not committed yet are packaged too: it is they that are being checked.
# Cargo's own verification is left out: for the command it keeps the library that it unpacked at an earlier run (the version is
# the same), and would build against that. What it does is done below, with what is in the tarballs.
cargo package --workspace --exclude tangency-peers --allow-dirty --no-verify --quiet
folder=$CARGO_TARGET_DIR/unpacked
rm -rf "$folder"
mkdir -p "$folder"
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
for name in tangency tangency-cli; do
  # (-m: as new. All files of a package have one old date, by which cargo would take them for built.)
  tar -xzmf "$CARGO_TARGET_DIR/package/$name-$version.crate" -C "$folder"
  package=$folder/$name-$version
  for file in LICENSE-MIT LICENSE-APACHE; do
    [ -L "$package/$file" ] && report "$name: $file is a link"
    cmp -s "$file" "$package/$file" || report "$name: $file is not that of the repository"
  done
  [ -s "$package/README.md" ] || report "$name: there is no README.md"
  # Relative links of every page, without what follows a #.
  links=0
  while IFS=: read -r page link; do
    links=$((links + 1))
    [ -e "$(dirname "$package/$page")/${link%%#*}" ] || report "$name: $page links to $link, which is not in the package"
  done < <(cd "$package" && grep -roE --include='*.md' '\]\([^)#: ]+(#[^) ]*)?\)' . | sed -E 's/\]\((.*)\)$/\1/; s/^\.\///')
  echo "$name $version: $(find "$package" -type f | wc -l) files, $links links inside"
done

# The command finds the library in the other tarball, as it would in the registry. Versions of dependencies are those tested.
{
  cat <<END
[workspace]
members = ["tangency-$version", "tangency-cli-$version"]
resolver = "3"
[patch.crates-io]
tangency = { path = "tangency-$version" }
END
  # The profiles of this workspace.
  awk '/^\[/ { inside = /^\[profile/ } inside' Cargo.toml
} >"$folder/Cargo.toml"
cp Cargo.lock "$folder"
if [ "${1:-}" = --build ]; then
  (cd "$folder" && cargo check --workspace --all-features --quiet)
fi
exit $bad
