#!/usr/bin/env bash
# This library beside others on the standard scene, on this machine: benches/peers/run.sh NAME
#
# Prints one table, and writes benches/records/peers-NAME.json. BODIES are the sizes on the CPU, and GPU_BODIES on a GPU; RUNS are counted.
# parry runs on the CPU, beside the CPU backend. Where there is a GPU, the GPU backend runs too (ADAPTER chooses one); with CUBQL, a checkout
# of cuBQL, and nvcc, so does cuBQL. THREADS are those of the CPU backend and of parry, all cores unless given.
set -euo pipefail
cd "$(dirname "$0")/../.."
name=${1:?usage: benches/peers/run.sh NAME}
bodies=${BODIES:-100k,1M} gpu_bodies=${GPU_BODIES:-100k,1M,10M} runs=${RUNS:-9}
target=${CARGO_TARGET_DIR:-target}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cargo build --release --quiet -p tangency-peers
arguments=(--bodies "$bodies" --runs "$runs" --out "benches/records/peers-$name.json")
[ -z "${THREADS:-}" ] || arguments+=(--threads "$THREADS")
if [ "${GPU:-yes}" = yes ]; then
  cargo build --release --quiet -p tangency-cli
  # (Exits with 3 where there is no GPU.)
  if "$target/release/tangency" bench --backend gpu --require-gpu --bodies "$gpu_bodies" --runs "$runs" --json \
    ${ADAPTER:+--adapter "$ADAPTER"} >"$work/gpu.json"; then
    arguments+=(--gpu "$work/gpu.json")
  else
    echo "not run: the GPU backend: no GPU" >&2
  fi
fi
if [ -n "${CUBQL:-}" ]; then
  nvcc -O3 -std=c++17 -arch=native -I "$CUBQL" -o "$work/pairs" benches/peers/cubql/pairs.cu
  for n in ${gpu_bodies//,/ }; do
    "$target/release/tangency-peers" --bodies "$n" --boxes "$work/boxes"
    "$work/pairs" "$work/boxes" "$runs" >"$work/cubql-$n.json"
    arguments+=(--rows "$work/cubql-$n.json")
  done
else
  echo "not run: cuBQL: CUBQL is to name a checkout of it" >&2
fi
"$target/release/tangency-peers" "${arguments[@]}"
