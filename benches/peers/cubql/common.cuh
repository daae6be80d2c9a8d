// What the programs for cuBQL share.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

// Threads of a block.
const int THREADS = 128;

static inline void check(cudaError_t result, const char *what) {
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

// A list on the device.
template <typename T> static T *upload(const std::vector<T> &list) {
  T *memory = allocate<T>(list.size());
  check(cudaMemcpy(memory, list.data(), list.size() * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
  return memory;
}

// The records of a file.
template <typename T> static std::vector<T> read_file(const std::string &path) {
  std::FILE *file = std::fopen(path.c_str(), "rb");
  if (!file) {
    std::perror(path.c_str());
    std::exit(1);
  }
  std::fseek(file, 0, SEEK_END);
  std::vector<T> list(size_t(std::ftell(file)) / sizeof(T));
  std::rewind(file);
  if (std::fread(list.data(), sizeof(T), list.size(), file) != list.size()) {
    std::fprintf(stderr, "%s: it could not be read\n", path.c_str());
    std::exit(1);
  }
  std::fclose(file);
  return list;
}

// The median time of a step after two that do not count. What is done before each is not timed.
static inline float median(int runs, const std::function<void()> &step, const std::function<void()> &before = [] {}) {
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin), "cudaEventCreate");
  check(cudaEventCreate(&end), "cudaEventCreate");
  std::vector<float> times;
  for (int run = 0; run < runs + 2; ++run) {
    float time = 0;
    before();
    check(cudaEventRecord(begin), "cudaEventRecord");
    step();
    check(cudaGetLastError(), "a step");
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

// The device's name.
static inline std::string device_name() {
  cudaDeviceProp device;
  check(cudaGetDeviceProperties(&device, 0), "cudaGetDeviceProperties");
  return device.name;
}
