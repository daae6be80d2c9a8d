// The nearest hits of rays and the nearest boxes of points, found by cuBQL: trees by several of its builders, then one thread a ray or point
// that asks the tree. Each box is tested in plain f32.
//
// Usage: near FOLDER RUNS. FOLDER is what `tangency-peers --near FOLDER` has written, floats all of it: boxes (centre, half extents, quaternion
// of length 1), rays and picture (origin, direction, last time) and points. Those that are not there are not asked. Prints a JSON array with
// one row for each step, in the form that the program beside it reads: medians in milliseconds, by the device's clock, with everything
// resident on the device; how many have an answer, of how many that is 0 (they start inside), and the sum of all times or distances.
//
// Built by ../run.sh: nvcc -O3 -std=c++17 -arch=native -cudart static -I CHECKOUT near.cu
#define CUBQL_GPU_BUILDER_IMPLEMENTATION 1
#include "cuBQL/bvh.h"
#include "cuBQL/traversal/rayQueries.h"
#include "cuBQL/traversal/shrinkingRadiusQuery.h"

#include "common.cuh"

#include <cmath>
#include <fstream>

using cuBQL::box3f;
using cuBQL::bvh3f;
using cuBQL::ray3f;
using cuBQL::vec3f;

// As they are in the files.
struct FileBox { float center[3], half[3], turn[4]; };
struct FileRay { float origin[3], direction[3], last; };

// Three loads of 16 bytes.
struct Box { float4 center, half, turn; };

// A body, or NONE, and the time or the distance.
struct Answer { uint32_t body; float value; };

const uint32_t NONE = ~0u;

// A vector turned by a quaternion of length 1 with the vector part u and the scalar part w.
__device__ vec3f turned(vec3f u, float w, vec3f v) {
  const vec3f t = 2.f * cross(u, v);
  return v + w * t + cross(u, t);
}

// A vector as a box sees it.
__device__ vec3f seen_by(const Box &box, vec3f v) {
  return turned(vec3f(-box.turn.x, -box.turn.y, -box.turn.z), box.turn.w, v);
}

__global__ void bound(const Box *boxes, uint32_t n, box3f *bounds) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Box box = boxes[i];
  const vec3f center(box.center.x, box.center.y, box.center.z), u(box.turn.x, box.turn.y, box.turn.z);
  const vec3f a = turned(u, box.turn.w, vec3f(box.half.x, 0.f, 0.f)), b = turned(u, box.turn.w, vec3f(0.f, box.half.y, 0.f)),
              c = turned(u, box.turn.w, vec3f(0.f, 0.f, box.half.z));
  const vec3f reach(fabsf(a.x) + fabsf(b.x) + fabsf(c.x), fabsf(a.y) + fabsf(b.y) + fabsf(c.y), fabsf(a.z) + fabsf(b.z) + fabsf(c.z));
  bounds[i] = box3f(center - reach, center + reach);
}

// When a ray enters a box: 0 if it starts inside, infinity if it does not meet it.
__device__ float entry(const Box &box, vec3f origin, vec3f direction) {
  const vec3f o = seen_by(box, origin - vec3f(box.center.x, box.center.y, box.center.z)), d = seen_by(box, direction);
  const vec3f inverse(1.f / d.x, 1.f / d.y, 1.f / d.z), half(box.half.x, box.half.y, box.half.z);
  const vec3f low = (-half - o) * inverse, high = (half - o) * inverse;
  const float enters = fmaxf(fmaxf(fminf(low.x, high.x), fminf(low.y, high.y)), fmaxf(fminf(low.z, high.z), 0.f));
  const float leaves = fminf(fminf(fmaxf(low.x, high.x), fmaxf(low.y, high.y)), fmaxf(low.z, high.z));
  return enters <= leaves ? enters : INFINITY;
}

// The square of the distance from a point to a box: 0 inside.
__device__ float square_distance(const Box &box, vec3f point) {
  const vec3f p = seen_by(box, point - vec3f(box.center.x, box.center.y, box.center.z));
  const float x = fmaxf(fabsf(p.x) - box.half.x, 0.f), y = fmaxf(fabsf(p.y) - box.half.y, 0.f), z = fmaxf(fabsf(p.z) - box.half.z, 0.f);
  return x * x + y * y + z * z;
}

__global__ void cast_rays(bvh3f bvh, const Box *boxes, const FileRay *rays, uint32_t n, Answer *answers) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const FileRay given = rays[i];
  const vec3f origin(given.origin[0], given.origin[1], given.origin[2]);
  const vec3f direction(given.direction[0], given.direction[1], given.direction[2]);
  ray3f ray(origin, direction, 0.f, given.last);
  uint32_t body = NONE;
  cuBQL::shrinkingRayQuery::forEachPrim(
      [&](uint32_t other) {
        const float time = entry(boxes[other], origin, direction);
        if (!(time < ray.tMax)) return ray.tMax;
        body = other;
        return time;
      },
      bvh, ray);
  answers[i] = Answer{body, ray.tMax};
}

__global__ void find_closest(bvh3f bvh, const Box *boxes, const float3 *points, uint32_t n, Answer *answers) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const vec3f point(points[i].x, points[i].y, points[i].z);
  uint32_t body = NONE;
  float best = INFINITY;
  cuBQL::shrinkingRadiusQuery::forEachPrim(
      [&](uint32_t other) {
        const float square = square_distance(boxes[other], point);
        if (square < best) {
          best = square;
          body = other;
        }
        // A negative number ends the search: nothing is nearer than a box that the point is in.
        return best == 0.f ? -1.f : best;
      },
      bvh, point);
  answers[i] = Answer{body, sqrtf(best)};
}

static std::vector<Box> load_boxes(const std::string &path) {
  std::vector<Box> boxes;
  for (const FileBox &b : read_file<FileBox>(path))
    boxes.push_back(Box{make_float4(b.center[0], b.center[1], b.center[2], 0.f), make_float4(b.half[0], b.half[1], b.half[2], 0.f),
                        make_float4(b.turn[0], b.turn[1], b.turn[2], b.turn[3])});
  return boxes;
}

// Prints rows.
struct Rows {
  std::string device;
  uint32_t bodies;
  const char *before = "[";

  void print(const std::string &what, float ms, size_t found, const std::string &more = "") {
    std::printf("%s{\"system\": \"cuBQL\", \"on\": \"%s\", \"bodies\": %u, \"what\": \"%s\", \"ms\": %.4f, \"pairs\": %zu%s}\n", before,
                device.c_str(), bodies, what.c_str(), ms, found, more.c_str());
    before = ",";
  }

  void print_answers(const std::string &what, float ms, const Answer *answers, size_t count) {
    std::vector<Answer> list(count);
    check(cudaMemcpy(list.data(), answers, count * sizeof(Answer), cudaMemcpyDeviceToHost), "reading answers");
    size_t found = 0, at_zero = 0;
    double sum = 0;
    for (const Answer &answer : list) {
      if (answer.body == NONE) continue;
      ++found;
      at_zero += answer.value == 0.f;
      sum += answer.value;
    }
    char more[96];
    std::snprintf(more, sizeof more, ", \"at_zero\": %zu, \"sum\": %.9g", at_zero, sum);
    print(what, ms, found, more);
  }
};

// A builder of cuBQL's.
struct Builder {
  const char *name;
  std::function<void(bvh3f &, const box3f *, uint32_t)> build;
};

static std::vector<Builder> builders() {
  cuBQL::BuildConfig sah, elh;
  sah.enableSAH();
  elh.enableELH();
  sah.makeLeafThreshold = elh.makeLeafThreshold = 1;
  return {
      {"radix", [](bvh3f &bvh, const box3f *b, uint32_t n) { cuBQL::cuda::radixBuilder(bvh, b, n, cuBQL::BuildConfig()); }},
      {"surface area heuristic", [=](bvh3f &bvh, const box3f *b, uint32_t n) { cuBQL::gpuBuilder(bvh, b, n, sah); }},
      {"edge length heuristic", [=](bvh3f &bvh, const box3f *b, uint32_t n) { cuBQL::gpuBuilder(bvh, b, n, elh); }},
  };
}

int main(int argc, char **argv) {
  if (argc != 3 || std::atoi(argv[2]) < 1) {
    std::fprintf(stderr, "usage: near FOLDER RUNS\n");
    return 2;
  }
  const std::string folder = argv[1] + std::string("/");
  const int runs = std::atoi(argv[2]);
  const std::vector<Box> list = load_boxes(folder + "boxes");
  const uint32_t n = uint32_t(list.size());
  const auto blocks = [](size_t count) { return unsigned((count + THREADS - 1) / THREADS); };
  Box *boxes = upload(list);
  box3f *bounds = allocate<box3f>(n);
  Rows rows{device_name(), n};
  for (const Builder &builder : builders()) {
    const std::string by = std::string(", tree by ") + builder.name;
    bvh3f bvh;
    const float build = median(
        runs,
        [&] {
          bound<<<blocks(n), THREADS>>>(boxes, n, bounds);
          builder.build(bvh, bounds, n);
        },
        [&] { if (bvh.nodes) cuBQL::cuda::free(bvh); });
    rows.print("bounds and tree" + by.substr(6), build, n);
    for (const char *name : {"rays", "picture"}) {
      if (!std::ifstream(folder + name)) continue;
      const std::vector<FileRay> asked = read_file<FileRay>(folder + name);
      const uint32_t count = uint32_t(asked.size());
      FileRay *rays = upload(asked);
      Answer *answers = allocate<Answer>(count);
      const float time = median(runs, [&] { cast_rays<<<blocks(count), THREADS>>>(bvh, boxes, rays, count, answers); });
      const std::string side = std::to_string(int(std::lround(std::sqrt(double(count)))));
      const std::string what = name[0] == 'r' ? std::to_string(count) + " rays" : "picture of " + side + " x " + side + " pixels";
      rows.print_answers(what + by, time, answers, count);
      cudaFree(rays);
      cudaFree(answers);
    }
    if (std::ifstream(folder + "points")) {
      const std::vector<float3> asked = read_file<float3>(folder + "points");
      const uint32_t count = uint32_t(asked.size());
      float3 *points = upload(asked);
      Answer *answers = allocate<Answer>(count);
      const float time = median(runs, [&] { find_closest<<<blocks(count), THREADS>>>(bvh, boxes, points, count, answers); });
      rows.print_answers(std::to_string(count) + " points" + by, time, answers, count);
      cudaFree(points);
      cudaFree(answers);
    }
    cuBQL::cuda::free(bvh);
  }
  std::printf("]\n");
  return 0;
}
