// The local forms of convex hulls: what is drawn of them, and where rays hit them. No DOM and no WebGL here.
(function (T) {
  "use strict";

  const NONE = { corner_offsets: [0], corners: [], face_offsets: [0], faces: [], edges: [] };

  // Corners are relative to the middle of the box around them, and faces are triples of corners. Of a face, bit k of `edges` says whether the
  // side from its corner k to the next is an edge of the hull, and not a line across a flat side.
  T.readForms = function (data) {
    const { corner_offsets, corners, face_offsets, faces, edges } = data ?? NONE;
    return Array.from({ length: corner_offsets.length - 1 }, (_, form) => {
      const given = corners.slice(3 * corner_offsets[form], 3 * corner_offsets[form + 1]);
      const along = (k) => given.filter((_, at) => at % 3 === k);
      const least = (all) => all.reduce((x, y) => Math.min(x, y), Infinity);
      const bounds = [0, 1, 2].map((k) => [least(along(k)), -least(along(k).map((x) => -x))]);
      const middle = bounds.map(([low, high]) => low / 2 + high / 2);
      const [from, to] = [face_offsets[form], face_offsets[form + 1]];
      return {
        middle,
        half: bounds.map(([low, high]) => high / 2 - low / 2),
        corners: Array.from({ length: given.length / 3 }, (_, i) => middle.map((x, k) => given[3 * i + k] - x)),
        faces: Array.from({ length: to - from }, (_, i) => [...faces.slice(3 * (from + i), 3 * (from + i) + 3)]),
        edges: [...edges.slice(from, to)],
      };
    });
  };

  // The ten numbers by which a hull is drawn, of its eight: as a box, which is around it, or as a capsule without a radius if it has no faces.
  T.placeHull = function (form, s) {
    const length = Math.hypot(s[3], s[4], s[5], s[6]);
    const turn = [...s.slice(3, 7)].map((x) => x / length);
    const center = T.rotate(turn, form.middle).map((x, k) => s[k] + x);
    return form.faces.length ? [...center, ...form.half, ...turn] : [...center, ...T.rotate(turn, form.corners[0]), 0, 0, 0, 1];
  };

  // The corners of all triangles: where they are, and how far they are from the sides of their triangle, six numbers each. From a side that is
  // no edge, everything is far.
  T.hullTriangles = function (form, scale) {
    const vertices = [];
    form.faces.forEach((face, number) => {
      face.forEach((corner, k) => {
        const isEdge = (side) => form.edges[number] & (1 << ((side + 1) % 3));
        const border = [0, 1, 2].map((side) => (side === k || !isEdge(side) ? 1 : 0));
        vertices.push(...form.corners[corner].map((x) => x / scale), ...border);
      });
    });
    return new Float32Array(vertices);
  };

  // The distance at which a ray enters a hull that is drawn; `from` is relative to its middle. Infinity if it misses.
  T.castHull = function (form, scale, placed, at, from, direction, least) {
    const inverse = [-placed[at + 6], -placed[at + 7], -placed[at + 8], placed[at + 9]];
    const o = T.rotate(inverse, from);
    const d = T.rotate(inverse, direction);
    const dot = (u, v) => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
    const cross = (u, v) => [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let nearest = Infinity;
    for (const face of form.faces) {
      const [a, b, c] = face.map((corner) => form.corners[corner].map((x) => x / scale));
      const [u, v, w] = [b.map((x, k) => x - a[k]), c.map((x, k) => x - a[k]), o.map((x, k) => x - a[k])];
      const normal = cross(u, v);
      const rate = dot(normal, d);
      if (rate === 0) continue;
      const time = -dot(normal, w) / rate;
      const hit = w.map((x, k) => x + time * d[k]);
      // Its coordinates in the triangle, which may be a little outside.
      const square = dot(normal, normal);
      const [s, t] = [dot(cross(hit, v), normal) / square, dot(cross(u, hit), normal) / square];
      const outside = -least / Math.max(Math.hypot(...u), Math.hypot(...v));
      if (s >= outside && t >= outside && 1 - s - t >= outside) nearest = Math.min(nearest, time);
    }
    return nearest;
  };
})((globalThis.Tangency ??= {}));
