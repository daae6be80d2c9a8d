// Pairs of boxes that meet, found by cuBQL: its radix builder, then one thread a box that asks the tree for its own box.
//
// Usage: pairs BOXES RUNS. BOXES holds six floats a box: lower corner, upper corner. Prints a JSON array with one row for each step, in the
// form that the program beside it reads: medians in milliseconds, by the device's clock, with everything resident on the device.
//
// Built by ../run.sh: nvcc -O3 -std=c++17 -arch=native -cudart static -I CHECKOUT pairs.cu
#define CUBQL_GPU_BUILDER_IMPLEMENTATION 1
#include "cuBQL/bvh.h"
#include "cuBQL/builder/cuda/radix.h"
#include "cuBQL/traversal/fixedBoxQuery.h"

#include "common.cuh"

#include <cub/device/device_scan.cuh>

using cuBQL::box3f;
using cuBQL::bvh3f;

// Calls `found` with each box that meets box `own` and comes after it.
template <typename Found>
__device__ void each_partner(const bvh3f &bvh, const box3f *boxes, uint32_t own, const Found &found) {
  const box3f box = boxes[own];
  cuBQL::fixedBoxQuery::forEachPrim(
      [&](uint32_t other) {
        // A leaf has boxes that the query does not meet.
        if (other > own && box.overlaps(boxes[other])) found(other);
        return CUBQL_CONTINUE_TRAVERSAL;
      },
      bvh, box);
}

__global__ void append(bvh3f bvh, const box3f *boxes, uint32_t n, uint2 *pairs, uint32_t room, uint32_t *count) {
  const uint32_t own = blockIdx.x * blockDim.x + threadIdx.x;
  if (own >= n) return;
  each_partner(bvh, boxes, own, [&](uint32_t other) {
    const uint32_t place = atomicAdd(count, 1u);
    if (place < room) pairs[place] = make_uint2(own, other);
  });
}

__global__ void count_partners(bvh3f bvh, const box3f *boxes, uint32_t n, uint32_t *counts) {
  const uint32_t own = blockIdx.x * blockDim.x + threadIdx.x;
  if (own >= n) return;
  uint32_t count = 0;
  each_partner(bvh, boxes, own, [&](uint32_t) { ++count; });
  counts[own] = count;
}

__global__ void write_partners(bvh3f bvh, const box3f *boxes, uint32_t n, const uint32_t *offsets, uint2 *pairs) {
  const uint32_t own = blockIdx.x * blockDim.x + threadIdx.x;
  if (own >= n) return;
  uint32_t place = offsets[own];
  each_partner(bvh, boxes, own, [&](uint32_t other) { pairs[place++] = make_uint2(own, other); });
}

int main(int argc, char **argv) {
  if (argc != 3 || std::atoi(argv[2]) < 1) {
    std::fprintf(stderr, "usage: pairs BOXES RUNS\n");
    return 2;
  }
  const int runs = std::atoi(argv[2]);
  static_assert(sizeof(box3f) == 6 * sizeof(float), "a box is two corners");
  const std::vector<box3f> list = read_file<box3f>(argv[1]);
  const uint32_t n = uint32_t(list.size());
  box3f *boxes = upload(list);
  const std::string device = device_name();

  bvh3f bvh;
  const float build = median(
      runs, [&] { cuBQL::cuda::radixBuilder(bvh, boxes, n, cuBQL::BuildConfig()); },
      [&] { if (bvh.nodes) cuBQL::cuda::free(bvh); });

  const int blocks = int((n + THREADS - 1) / THREADS);
  uint32_t *counts = allocate<uint32_t>(n + 1), *offsets = allocate<uint32_t>(n + 1), *count = allocate<uint32_t>(1);
  check(cudaMemset(counts, 0, (n + 1) * sizeof(uint32_t)), "cudaMemset");
  size_t scratch_bytes = 0;
  check(cub::DeviceScan::ExclusiveSum(nullptr, scratch_bytes, counts, offsets, int(n + 1)), "ExclusiveSum");
  char *scratch = allocate<char>(scratch_bytes);
  const auto count_and_scan = [&] {
    count_partners<<<blocks, THREADS>>>(bvh, boxes, n, counts);
    check(cub::DeviceScan::ExclusiveSum(scratch, scratch_bytes, counts, offsets, int(n + 1)), "ExclusiveSum");
  };
  // How many pairs there are, so that there is room for all of them.
  count_and_scan();
  uint32_t total = 0;
  check(cudaMemcpy(&total, offsets + n, sizeof total, cudaMemcpyDeviceToHost), "counting");
  uint2 *pairs = allocate<uint2>(total);

  const float appended = median(runs, [&] {
    check(cudaMemsetAsync(count, 0, sizeof(uint32_t)), "cudaMemset");
    append<<<blocks, THREADS>>>(bvh, boxes, n, pairs, total, count);
  });
  uint32_t found = 0;
  check(cudaMemcpy(&found, count, sizeof found, cudaMemcpyDeviceToHost), "appending");
  if (found != total) {
    std::fprintf(stderr, "%u pairs were appended, of %u\n", found, total);
    return 1;
  }
  const float written = median(runs, [&] {
    count_and_scan();
    write_partners<<<blocks, THREADS>>>(bvh, boxes, n, offsets, pairs);
  });
  check(cudaDeviceSynchronize(), "the last step");

  const auto row = [&](const char *what, float time, const char *after) {
    std::printf("{\"system\": \"cuBQL\", \"on\": \"%s\", \"bodies\": %u, \"what\": \"%s\", \"ms\": %.4f, \"pairs\": %u}%s\n",
                device.c_str(), n, what, time, total, after);
  };
  std::printf("[");
  row("build", build, ",");
  row("pairs, appended in any order", appended, ",");
  row("pairs, counted and written in order", written, ",");
  row("build and pairs in any order", build + appended, "]");
  return 0;
}
