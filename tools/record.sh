#!/usr/bin/env bash
# Measures this machine, and writes benches/records/NAME.json: tools/record.sh NAME
#
# The standard scene on the GPU at several sizes (SIZES), on the CPU with all threads (CPU_SIZES) and with 1, 2, 4, ... threads (the last
# of CPU_SIZES), and all scenes at one size (SIZE). Other libraries on the same scene: benches/peers/run.sh.
# PROGRAM is the command to run, if not the one that is built here, and COMMIT the state it was built from.
set -euo pipefail
cd "$(dirname "$0")/.."
name=${1:?usage: tools/record.sh NAME}
sizes=${SIZES:-10k,100k} cpu_sizes=${CPU_SIZES:-100k,1M} size=${SIZE:-100k}
if [ -z "${PROGRAM:-}" ]; then
  cargo build --release --quiet -p tangency-cli
  PROGRAM=target/release/tangency
fi
commit=${COMMIT:-$(git rev-parse --short HEAD)}
cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
folder=${FOLDER:-benches/records}
mkdir -p "$folder"
part() {
  printf ',\n"%s": {"command": "tangency %s", "result": ' "$1" "$2"
  # shellcheck disable=SC2086
  $PROGRAM $2
  printf '}'
}
{
  printf '{"commit": "%s", "date": "%s", "cpu": "%s", "cores": %s' "$commit" "$(date -u +%F)" "$cpu" "$(nproc)"
  part standard "bench --backend gpu --bodies $sizes --json ${ADAPTER:+--adapter $ADAPTER}"
  part cpu "bench --backend cpu --bodies $cpu_sizes --json"
  for ((threads = 1; threads <= $(nproc); threads *= 2)); do
    part "threads_$threads" "bench --backend cpu --bodies ${cpu_sizes##*,} --threads $threads --json"
  done
  part scenes "bench --backend gpu --bodies $size --scene uniform,clustered,stacks,city,mixed,escaped,worlds,granular --json ${ADAPTER:+--adapter $ADAPTER}"
  printf '}\n'
} >"$folder/$name.json.new"
mv "$folder/$name.json.new" "$folder/$name.json"
echo "$folder/$name.json"
