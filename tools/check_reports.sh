#!/usr/bin/env bash
# Opens the reports of the command in a headless Chromium, and uses them as people do: tools/check_reports.sh [FOLDER FOR PICTURES]
#
# With a folder, it also takes the pictures of cli/README.md. PROGRAM is the command, if not the one that is built here.
set -euo pipefail
cd "$(dirname "$0")/.."
pictures=${1:-} sizes=500,2000,5000
[ -z "$pictures" ] || sizes=1k,10k,100k
if ! command -v chromium >/dev/null || ! command -v node >/dev/null; then
  sudo=
  [ "$(id -u)" = 0 ] || sudo=sudo
  if ! { $sudo apt-get update -qq &&
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends chromium nodejs fonts-dejavu-core; }; then
    echo "NOT CHECKED: chromium and nodejs cannot be installed here"
    exit 0
  fi
fi
if [ -z "${PROGRAM:-}" ]; then
  cargo build --quiet -p tangency-cli
  PROGRAM=${CARGO_TARGET_DIR:-target}/debug/tangency
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# scene NAME KIND BODIES: a scene with its pairs and its report.
scene() {
  "$PROGRAM" scene "$2" --bodies "$3" --out "$folder/$1.csv" 2>/dev/null
  "$PROGRAM" overlaps "$folder/$1.csv" --backend cpu --out "$folder/$1.pairs.csv" --report "$folder/$1.html" 2>/dev/null
}
scene city city 20000
scene stacks stacks 20000
scene mixed mixed 3000
scene worlds worlds 640
"$PROGRAM" overlaps "$folder/mixed.csv" --with "$folder/worlds.csv" --backend cpu \
  --out "$folder/between.pairs.csv" --report "$folder/between.html" 2>/dev/null
# Two balls that overlap, a box that has sunk into another, and one that touches it.
cat >"$folder/blocks.csv" <<END
kind,cx,cy,cz,ex,ey,ez,qx,qy,qz,qw,r
sphere,0,0,0,,,,,,,,1
sphere,1.5,0,0,,,,,,,,1
aabb,-2,2,-2,2,3,2,,,,,
aabb,-0.5,2.75,-0.5,0.5,3.75,0.5,,,,,
obb,2.5,2.5,0.5,0.5,0.5,0.5,0,0,0,1,
END
"$PROGRAM" contacts "$folder/blocks.csv" --backend cpu --out "$folder/blocks.contacts.csv" --report "$folder/blocks.html" 2>/dev/null
# A capsule that lies, one that stands on it, a ball that touches the first, and a capsule without a radius.
cat >"$folder/limbs.csv" <<END
kind,cx,cy,cz,ex,ey,ez,r
capsule,-2,0,0,2,0,0,0.5
capsule,0,1,0,0,3,1,0.5
sphere,-2,1,0,,,,0.5
capsule,-3,-2,-1,3,-2,1,0
END
"$PROGRAM" contacts "$folder/limbs.csv" --backend cpu --out "$folder/limbs.contacts.csv" --report "$folder/limbs.html" 2>/dev/null
# A floor, a wall whose normal is long, a ball and a block that touch the floor, and a capsule that reaches into the wall.
cat >"$folder/room.csv" <<END
kind,cx,cy,cz,ex,ey,ez,r
plane,0,1,0,,,,0
plane,-8,0,0,,,,24
sphere,2,1,0,,,,1
aabb,-1,0,-1,0,2,1,
capsule,-2.5,2,0,-1,3,0,1
END
"$PROGRAM" contacts "$folder/room.csv" --backend cpu --out "$folder/room.contacts.csv" --report "$folder/room.html" 2>/dev/null
# A tall double pyramid, another one that touches it at a corner and is turned by a quarter turn, a plate, a line beside its origin, and a ball.
cat >"$folder/hulls.csv" <<END
kind,cx,cy,cz,qx,qy,qz,qw,r
corner,1,0,0,,,,,0
corner,-1,0,0,,,,,0
corner,0,0,1,,,,,0
corner,0,0,-1,,,,,0
corner,0,2,0,,,,,0
corner,0,-2,0,,,,,0
corner,0,0,0,,,,,1
corner,2,0,0,,,,,1
corner,2,2,0,,,,,1
corner,0,2,0,,,,,1
corner,10,0,0,,,,,2
corner,12,0,0,,,,,2
convex_hull,0,0,0,0,0,0,1,0
convex_hull,3,0,0,0,0,1,1,0
convex_hull,-4,-1,0,0,0,0,1,1
convex_hull,-12,-3,0,0,0,0,1,2
sphere,0,3,0,,,,,1
END
"$PROGRAM" contacts "$folder/hulls.csv" --backend cpu --out "$folder/hulls.contacts.csv" --report "$folder/hulls.html" 2>/dev/null
# Half-spaces alone.
printf 'kind,cx,cy,cz,r\nplane,0,1,0,500\nplane,0,-1,0,-501\n' >"$folder/planes.csv"
"$PROGRAM" overlaps "$folder/planes.csv" --backend cpu --out "$folder/planes.pairs.csv" --report "$folder/planes.html" 2>/dev/null
"$PROGRAM" compare --bodies "$sizes" --json --report "$folder/compare.html" >"$folder/compare.json"
cp "$folder/compare.json" "$folder/another.json"
"$PROGRAM" report "$folder/compare.json" "$folder/another.json" --out "$folder/machines.html" 2>/dev/null
node tools/check_reports.mjs "$(command -v chromium)" "$folder" ${pictures:+"$pictures"}
