// Pairs of boxes that meet, found by cuBQL: its radix builder, then one thread a box that asks the tree for its own box.
//
// Usage: pairs BOXES RUNS. BOXES holds six floats a box: lower corner, upper corner. Prints a JSON array with one row for each step, in the
// form that the program beside it reads: medians in milliseconds, by the device's clock, with everything resident on the device.
//
// Built by ../run.sh: nvcc -O3 -std=c++17 -arch=native -I CHECKOUT pairs.cu
#define CUBQL_GPU_BUILDER_IMPLEMENTATION 1
#include "cuBQL/bvh.h"
#include "cuBQL/builder/cuda/radix.h"
#include "cuBQL/traversal/fixedBoxQuery.h"

#include <cub/device/device_scan.cuh>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

using cuBQL::box3f;
using cuBQL::bvh3f;

static void check(cudaError_t result, const char *what) {
  if (result != cudaSuccess) {
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(result));
    std::exit(1);
  }
}

template <typename T> static T *allocate(size_t count) {
  T *memory = nullptr;
  check(cudaMalloc(&memory, std::max<size_t>(count, 1) * sizeof(T)), "cudaMalloc");
  return memory;
}

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

// The median time of a step after two that do not count.
static float median(int runs, const std::function<void()> &step) {
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin), "cudaEventCreate");
  check(cudaEventCreate(&end), "cudaEventCreate");
  std::vector<float> times;
  for (int run = 0; run < runs + 2; ++run) {
    float time = 0;
    check(cudaEventRecord(begin), "cudaEventRecord");
    step();
    check(cudaEventRecord(end), "cudaEventRecord");
    check(cudaEventSynchronize(end), "a step");
    check(cudaEventElapsedTime(&time, begin, end), "cudaEventElapsedTime");
    if (run >= 2) times.push_back(time);
  }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

int main(int argc, char **argv) {
  if (argc != 3 || std::atoi(argv[2]) < 1) {
    std::fprintf(stderr, "usage: pairs BOXES RUNS\n");
    return 2;
  }
  const int runs = std::atoi(argv[2]);
  std::FILE *file = std::fopen(argv[1], "rb");
  if (!file) {
    std::perror(argv[1]);
    return 1;
  }
  std::vector<float> numbers;
  for (float six[6]; std::fread(six, sizeof six, 1, file) == 1;) numbers.insert(numbers.end(), six, six + 6);
  std::fclose(file);
  const uint32_t n = uint32_t(numbers.size() / 6);
  static_assert(sizeof(box3f) == 6 * sizeof(float), "a box is two corners");

  box3f *boxes = allocate<box3f>(n);
  check(cudaMemcpy(boxes, numbers.data(), numbers.size() * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");
  cudaDeviceProp device;
  check(cudaGetDeviceProperties(&device, 0), "cudaGetDeviceProperties");

  bvh3f bvh;
  const float build = median(runs, [&] {
    if (bvh.nodes) cuBQL::cuda::free(bvh);
    cuBQL::cuda::radixBuilder(bvh, boxes, n, cuBQL::BuildConfig());
  });

  const int threads = 128, blocks = int((n + threads - 1) / threads);
  uint32_t *counts = allocate<uint32_t>(n + 1), *offsets = allocate<uint32_t>(n + 1), *count = allocate<uint32_t>(1);
  check(cudaMemset(counts, 0, (n + 1) * sizeof(uint32_t)), "cudaMemset");
  size_t scratch_bytes = 0;
  check(cub::DeviceScan::ExclusiveSum(nullptr, scratch_bytes, counts, offsets, int(n + 1)), "ExclusiveSum");
  char *scratch = allocate<char>(scratch_bytes);
  const auto count_and_scan = [&] {
    count_partners<<<blocks, threads>>>(bvh, boxes, n, counts);
    check(cub::DeviceScan::ExclusiveSum(scratch, scratch_bytes, counts, offsets, int(n + 1)), "ExclusiveSum");
  };
  // How many pairs there are, so that there is room for all of them.
  count_and_scan();
  uint32_t total = 0;
  check(cudaMemcpy(&total, offsets + n, sizeof total, cudaMemcpyDeviceToHost), "counting");
  uint2 *pairs = allocate<uint2>(total);

  const float appended = median(runs, [&] {
    check(cudaMemsetAsync(count, 0, sizeof(uint32_t)), "cudaMemset");
    append<<<blocks, threads>>>(bvh, boxes, n, pairs, total, count);
  });
  uint32_t found = 0;
  check(cudaMemcpy(&found, count, sizeof found, cudaMemcpyDeviceToHost), "appending");
  if (found != total) {
    std::fprintf(stderr, "%u pairs were appended, of %u\n", found, total);
    return 1;
  }
  const float written = median(runs, [&] {
    count_and_scan();
    write_partners<<<blocks, threads>>>(bvh, boxes, n, offsets, pairs);
  });
  check(cudaDeviceSynchronize(), "the last step");

  const auto row = [&](const char *what, float time, const char *after) {
    std::printf("{\"system\": \"cuBQL\", \"on\": \"%s\", \"bodies\": %u, \"what\": \"%s\", \"ms\": %.4f, \"pairs\": %u}%s\n",
                device.name, n, what, time, total, after);
  };
  std::printf("[");
  row("build", build, ",");
  row("pairs, appended in any order", appended, ",");
  row("pairs, counted and written in order", written, ",");
  row("build and pairs in any order", build + appended, "]");
  return 0;
}
