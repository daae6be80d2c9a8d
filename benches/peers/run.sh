#!/usr/bin/env bash
# This library beside others on the standard scene, on this machine: benches/peers/run.sh NAME
#
# Prints one table, and writes benches/records/peers-NAME.json. BODIES are the sizes on the CPU, and GPU_BODIES on a GPU; RUNS are counted.
# RAYS rays, the rays of a picture of PICTURE x PICTURE pixels (on a GPU GPU_PICTURE) and POINTS points are asked about each scene.
# parry runs on the CPU, beside the CPU backend. Where there is a GPU, the GPU backend runs too (ADAPTER chooses one for the search for pairs;
# rays and points take the first that is hardware); with CUBQL, a checkout of cuBQL, and nvcc, so does cuBQL. THREADS are those of the CPU
# backend and of parry, all cores unless given.
set -euo pipefail
cd "$(dirname "$0")/../.."
name=${1:?usage: benches/peers/run.sh NAME}
bodies=${BODIES:-100k,1M} gpu_bodies=${GPU_BODIES:-100k,1M,10M} runs=${RUNS:-9}
probes=(--rays "${RAYS:-1M}" --points "${POINTS:-1M}")
picture=${PICTURE:-1024} gpu_picture=${GPU_PICTURE:-4096}
target=${CARGO_TARGET_DIR:-target}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cargo build --release --quiet -p tangency-peers --features gpu
peers=$target/release/tangency-peers
arguments=(--bodies "$bodies" --runs "$runs" "${probes[@]}" --picture "$picture" --out "benches/records/peers-$name.json")
threads=()
[ -z "${THREADS:-}" ] || threads+=(--threads "$THREADS")
if [ "${GPU:-yes}" = yes ]; then
  cargo build --release --quiet -p tangency-cli
  # (Exits with 3 where there is no GPU.)
  if "$target/release/tangency" bench --backend gpu --require-gpu --bodies "$gpu_bodies" --runs "$runs" --json \
    ${ADAPTER:+--adapter "$ADAPTER"} >"$work/gpu.json"; then
    arguments+=(--gpu "$work/gpu.json")
    "$peers" --on-gpu --bodies "$gpu_bodies" --runs "$runs" "${probes[@]}" --picture "$gpu_picture" "${threads[@]}" \
      --out "$work/near.json" >"$work/near.md"
    arguments+=(--rows "$work/near.json")
  else
    echo "not run: the GPU backend: no GPU" >&2
  fi
fi
if [ -n "${CUBQL:-}" ]; then
  for program in pairs near; do
    nvcc -O3 -std=c++17 -arch=native -cudart static -I "$CUBQL" -o "$work/$program" "benches/peers/cubql/$program.cu"
  done
  for n in ${gpu_bodies//,/ }; do
    "$peers" --bodies "$n" --boxes "$work/boxes"
    "$work/pairs" "$work/boxes" "$runs" >"$work/cubql-$n.json"
    "$peers" --bodies "$n" "${probes[@]}" --picture "$gpu_picture" --near "$work/near"
    "$work/near" "$work/near" "$runs" >"$work/cubql-near-$n.json"
    arguments+=(--rows "$work/cubql-$n.json" --rows "$work/cubql-near-$n.json")
  done
else
  echo "not run: cuBQL: CUBQL is to name a checkout of it" >&2
fi
"$peers" "${arguments[@]}" "${threads[@]}"
