#!/usr/bin/env bash
# Mesh and robot files that nobody here wrote: each is read, or refused with a reason.
#
# Every OBJ, STL, URDF, COLLADA and glTF in PyPI's pybullet and example-robot-data and in Debian's assimp-testmodels is given to the command.
# Prints how many were read, and why the others were not. Fails on a panic, a signal, an exit code that is not documented, or a
# reason that names no file. TANGENCY is the command to check (default: the one in target/debug), FILES a folder to keep the files in.
set -euo pipefail
cd "$(dirname "$0")/.."
command=$(realpath "${TANGENCY:-${CARGO_TARGET_DIR:-target}/debug/tangency}")
if [ -n "${FILES:-}" ]; then
  folder=$FILES
  mkdir -p "$folder"
else
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
fi
cd "$folder"

if ! python3 -m pip --version >/dev/null 2>&1; then
  sudo=
  [ "$(id -u)" = 0 ] || sudo=sudo
  if ! { $sudo apt-get update -qq &&
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends python3 python3-pip; }; then
    echo "NOT CHECKED: pip, which fetches the files, cannot be installed here"
    exit 0
  fi
fi
for package in pybullet example-robot-data; do
  [ -e "${package//-/_}" ] && continue
  if ! python3 -m pip download --quiet --no-deps "$package" --dest download-"$package"; then
    echo "NOT CHECKED: PyPI's $package cannot be had here"
    exit 0
  fi
  case $(echo download-"$package"/*) in
    *.whl) python3 -m zipfile -e download-"$package"/*.whl "${package//-/_}" ;;
    *) mkdir "${package//-/_}" && tar -xf download-"$package"/* -C "${package//-/_}" ;;
  esac
done
if [ ! -e assimp ]; then
  if ! apt-get download --quiet assimp-testmodels 2>apt.log; then
    cat apt.log >&2
    echo "NOT CHECKED: Debian's assimp-testmodels cannot be had here"
    exit 0
  fi
  dpkg -x assimp-testmodels_*.deb assimp
fi

bad=0
: >results
while IFS= read -r file; do
  code=0
  # (Within a limit of memory and time, so that no file makes it run away.)
  reason=$( (ulimit -v 8000000 && timeout 120 "$command" overlaps --backend cpu --threads 1 --out /dev/null -- "$file") 2>&1) || code=$?
  error=$(grep -m1 '^tangency: error: ' <<<"$reason" || true)
  if grep -q panicked <<<"$reason" || { [ $code != 0 ] && [ $code != 2 ]; }; then
    echo "exit code $code: $file: $reason" >&2
    bad=1
  elif [ $code = 2 ] && ! grep -qF "$(basename "$file")" <<<"$error"; then
    echo "no clear reason: $file: $reason" >&2
    bad=1
  fi
  end=${file##*.}
  # What is particular to the file is left out of the reason: its name, places, names and numbers.
  told=$(sed -E 's/^tangency: error: //; s/^[^:]*: //; s/mesh [^ ]+\.[A-Za-z]+: //; s/^[^ ]*\/([^:]*): /: /; s/"[^"]*"/…/g; s/[0-9]+/N/g' <<<"$error" | cut -c1-110)
  [ $code = 0 ] && told=read
  printf '%s\t%s\t%s\n' "${file%%/*}" "${end,,}" "${told:-FAILED}" >>results
done < <(find pybullet example_robot_data assimp -type f \( -iname '*.obj' -o -iname '*.stl' -o -iname '*.urdf' -o -iname '*.gltf' -o -iname '*.glb' -o -iname '*.dae' \) | sort)

sort results | uniq -c | sort -k2,2 -k3,3 -k1,1nr | awk -F'\t' '{ printf "%-32s %-5s %s\n", $1, $2, $3 }'
echo "$(wc -l <results) files, $(grep -c 'read$' results) read"
exit $bad
