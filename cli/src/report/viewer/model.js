// The bodies, pairs and contacts of a report, as the viewer uses them. No DOM and no WebGL here.
//
// A plain data object has
//   first, second   how many bodies there are in the first set, and in the second (0 if pairs are within one set)
//   kinds           Uint8Array: the kind of each body: 0 sphere, 1 axis-aligned box, 2 oriented box, 3 capsule, 4 half-space,
//                   5 convex hull
//   shapes          Float32Array: ten numbers a body: centre and radius; lower and upper corner; centre, half extents, quaternion;
//                   both ends of a segment, radius; normal, offset; position, quaternion, number of the local form
//   hulls           absent, or { corner_offsets, corners, face_offsets, faces, edges }: the local forms, see hulls.js
//   worlds          Uint32Array: the world of each body, or absent if all are in world 0
//   names           an array with a name for each body, or empty
//   a, b, relations Uint32Array, Uint32Array, Uint8Array: the pairs, as ids within their sets; 1 touching, 2 overlapping
//   contacts        absent, or { normals, depths, kinds, offsets, points, features }: of pair k the normal from a to b, the depth,
//                   the kind (an index of contacts.words), and points offsets[k] to offsets[k + 1]: x, y, z, depth each
(function (T) {
  "use strict";

  const ARRAYS = { u8: Uint8Array, u32: Uint32Array, f32: Float32Array };
  const EVERY_WORLD = 0xffffffff;
  T.SEPARATE = 0;
  T.TOUCHING = 1;
  T.OVERLAPPING = 2;
  T.RELATIONS = ["separate", "touching", "overlapping"];
  T.KINDS = ["sphere", "axis-aligned box", "oriented box", "capsule", "half-space", "convex hull"];
  T.CAPSULE = 3;
  T.HALF_SPACE = 4;
  T.HULL = 5;
  // A half-space is drawn as a sheet at its border: half its edge, and half its thickness, which lies behind the border.
  const SHEET = { half: 1.5, thickness: 0.03 };

  function array(Type, base64) {
    const text = atob(base64);
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    return new Type(bytes.buffer);
  }

  // A value of JSON in which {"f32": BASE64} stands for a Float32Array, and likewise u8 and u32.
  T.decode = function decode(value) {
    if (Array.isArray(value) || value === null || typeof value !== "object") return value;
    const keys = Object.keys(value);
    if (keys.length === 1 && ARRAYS[keys[0]]) return array(ARRAYS[keys[0]], value[keys[0]]);
    return Object.fromEntries(keys.map((key) => [key, decode(value[key])]));
  };

  T.Model = class {
    constructor(data) {
      this.data = data;
      this.count = data.first + data.second;
      this.pairs = data.a.length;
      this.hasContacts = Boolean(data.contacts);
      // Bodies of both sets are numbered through.
      this.bodyA = data.a;
      this.bodyB = data.second ? data.b.map((id) => id + data.first) : data.b;
      this.forms = T.readForms(data.hulls);
      // As what each body is drawn: hulls that are lines or points as capsules.
      this.drawn = data.kinds.map((kind, i) => (kind === T.HULL && !this.form(i).faces.length ? T.CAPSULE : kind));
      this.placeBodies();
      this.linkPartners();
      this.worlds = data.worlds ? [...new Set(data.worlds)].filter((world) => world !== EVERY_WORLD).sort((x, y) => x - y) : [0];
      // What the filters show: relations of pairs, bodies without a shown pair, and one world or all.
      this.shown = { [T.TOUCHING]: true, [T.OVERLAPPING]: true, others: true, world: null };
    }

    // Where bodies are drawn: centre, half extents and unit quaternion of each, ten numbers, moved and scaled so that the scene is
    // about one unit in radius. A capsule has the way from its middle to its second end, and its radius, after the centre; a half-space is
    // the box that is drawn for it, and a hull the box around it. f32 is enough for that wherever the scene lies; what is shown as text is what was given.
    placeBodies() {
      const { kinds, shapes } = this.data;
      const { drawn } = this;
      const n = this.count;
      const placed = new Float64Array(10 * n);
      for (let i = 0; i < n; i++) {
        const s = shapes.subarray(10 * i, 10 * i + 10);
        const at = 10 * i;
        placed[at + 9] = 1;
        if (kinds[i] === T.HULL) {
          placed.set(T.placeHull(this.form(i), s), at);
          continue;
        }
        for (let k = 0; k < 3; k++) {
          if (kinds[i] === T.HALF_SPACE) {
            const { unit, offset } = this.border(i);
            placed[at + k] = unit[k] * offset;
          } else if (kinds[i] === 1 || kinds[i] === T.CAPSULE) {
            placed[at + k] = (s[k] + s[3 + k]) / 2;
            placed[at + 3 + k] = (s[3 + k] - s[k]) / 2;
          } else {
            placed[at + k] = s[k];
            placed[at + 3 + k] = kinds[i] === 0 ? s[3] : s[3 + k];
          }
        }
        if (kinds[i] === 2) {
          // (hypot neither overflows nor loses what is small.)
          const length = Math.hypot(s[6], s[7], s[8], s[9]);
          for (let k = 6; k < 10; k++) placed[at + k] = s[k] / length;
        } else if (kinds[i] === T.CAPSULE) placed[at + 6] = s[6];
      }
      this.frameScene(placed);
      this.placed = new Float32Array(10 * n);
      const bound = (x) => Math.min(Math.max(x, -1e15), 1e15);
      for (let i = 0; i < 10 * n; i++) {
        const k = i % 10;
        const isLength = k < (drawn[Math.floor(i / 10)] === T.CAPSULE ? 7 : 6);
        this.placed[i] = k < 3 ? bound((placed[i] - this.origin[k]) / this.scale) : isLength ? bound(placed[i] / this.scale) : placed[i];
      }
      for (let i = 0; i < n; i++) if (kinds[i] === T.HALF_SPACE) this.placeSheet(i, bound);
      this.reach = 1;
      for (let i = 0; i < n; i++) this.reach = Math.max(this.reach, Math.hypot(...this.center(i)) + this.radius(i));
    }

    // The local form of a hull.
    form(i) {
      return this.forms[this.data.shapes[10 * i + 7]];
    }

    // The unit normal of a half-space, and the offset that goes with it.
    border(i) {
      const [x, y, z, offset] = this.data.shapes.subarray(10 * i, 10 * i + 4);
      const length = Math.hypot(x, y, z);
      return { unit: [x / length, y / length, z / length], offset: offset / length };
    }

    // The sheet of a half-space: around the point of its border that is next to the middle of the scene, with the z axis along the normal.
    placeSheet(i, bound) {
      const { unit, offset } = this.border(i);
      const [x, y, z] = unit;
      const middle = unit[0] * this.origin[0] + unit[1] * this.origin[1] + unit[2] * this.origin[2];
      const height = bound((offset - middle) / this.scale) - SHEET.thickness;
      // The least turn from (0, 0, 1) to the normal; from the opposite, half a turn about x.
      const length = Math.hypot(y, x, 1 + z);
      const turn = length > 1e-9 ? [-y / length, x / length, 0, (1 + z) / length] : [1, 0, 0, 0];
      const half = [SHEET.half, SHEET.half, SHEET.thickness];
      this.placed.set([...unit.map((part) => part * height), ...half, ...turn], 10 * i);
    }

    // Chooses origin and scale. Half-spaces do not count, unless there is nothing else: then the points of their borders do that are next to
    // zero. Where a few bodies lie so far away that the others would be a dot, the outermost hundredth is left out.
    frameScene(placed) {
      const all = Array.from({ length: this.count }, (_, i) => i);
      const bounded = all.filter((i) => this.data.kinds[i] !== T.HALF_SPACE);
      const counted = bounded.length ? bounded : all;
      const n = counted.length;
      const low = new Float64Array(n);
      const high = new Float64Array(n);
      const skipped = n < 10 ? 0 : Math.max(1, Math.floor(n / 100));
      const full = { low: [], high: [] };
      const inner = { low: [], high: [] };
      for (let k = 0; k < 3; k++) {
        counted.forEach((i, place) => {
          const extent = this.extent(placed, i, k);
          low[place] = placed[10 * i + k] - extent;
          high[place] = placed[10 * i + k] + extent;
        });
        low.sort();
        high.sort();
        full.low.push(n ? low[0] : -1);
        full.high.push(n ? high[n - 1] : 1);
        inner.low.push(n ? low[skipped] : -1);
        inner.high.push(n ? high[n - 1 - skipped] : 1);
      }
      const size = (box) => Math.hypot(...box.high.map((x, k) => x - box.low[k]));
      const box = size(full) > 4 * size(inner) && size(inner) > 0 ? inner : full;
      this.origin = box.low.map((x, k) => x / 2 + box.high[k] / 2);
      this.scale = size(box) / 2 || 1;
      // Half the size of what is framed, as it is drawn.
      this.framed = box.low.map((x, k) => (box.high[k] / 2 - x / 2) / this.scale);
    }

    // How far a body reaches along an axis from its centre.
    extent(placed, i, axis) {
      const at = 10 * i;
      if (this.drawn[i] === T.CAPSULE) return Math.abs(placed[at + 3 + axis]) + placed[at + 6];
      if (this.drawn[i] !== 2 && this.drawn[i] !== T.HULL) return placed[at + 3 + axis];
      // A row of the rotation's matrix, of which this axis is the first.
      const [j, k] = [(axis + 1) % 3, (axis + 2) % 3];
      const [u, v, w] = [placed[at + 6 + axis], placed[at + 6 + j], placed[at + 6 + k]];
      const real = placed[at + 9];
      const own = Math.abs(1 - 2 * (v * v + w * w)) * placed[at + 3 + axis];
      const next = Math.abs(2 * (u * v - w * real)) * placed[at + 3 + j];
      return own + next + Math.abs(2 * (u * w + v * real)) * placed[at + 3 + k];
    }

    // The pairs of each body, as CSR: pair indices links[offsets[i]] to links[offsets[i + 1]].
    linkPartners() {
      this.offsets = new Uint32Array(this.count + 1);
      for (const ends of [this.bodyA, this.bodyB]) for (let k = 0; k < this.pairs; k++) this.offsets[ends[k] + 1]++;
      for (let i = 0; i < this.count; i++) this.offsets[i + 1] += this.offsets[i];
      const next = this.offsets.slice();
      this.links = new Uint32Array(2 * this.pairs);
      for (let k = 0; k < this.pairs; k++) {
        this.links[next[this.bodyA[k]]++] = k;
        this.links[next[this.bodyB[k]]++] = k;
      }
    }

    center(i) {
      return [this.placed[10 * i], this.placed[10 * i + 1], this.placed[10 * i + 2]];
    }

    // The radius of a ball around the centre that contains the body, where it is drawn.
    radius(i) {
      const at = 10 * i + 3;
      if (this.data.kinds[i] === 0) return this.placed[at];
      const corner = Math.hypot(this.placed[at], this.placed[at + 1], this.placed[at + 2]);
      return this.drawn[i] === T.CAPSULE ? corner + this.placed[at + 3] : corner;
    }

    // A position of the file, where it is drawn.
    place(x, y, z) {
      return [x, y, z].map((value, k) => (value - this.origin[k]) / this.scale);
    }

    // The id of a body in its set.
    id(i) {
      return i < this.data.first ? i : i - this.data.first;
    }

    // `12`, or `B 12` where there are two sets.
    label(i) {
      const set = this.data.second ? (i < this.data.first ? "A " : "B ") : "";
      return `${set}${this.id(i)}`;
    }

    name(i) {
      return this.data.names.length ? this.data.names[i] : "";
    }

    // The label and the name, if there is one.
    title(i) {
      const name = this.name(i);
      return name ? `${this.label(i)} ${name}` : this.label(i);
    }

    inShownWorld(i) {
      const { world } = this.shown;
      return world === null || !this.data.worlds || this.data.worlds[i] === world || this.data.worlds[i] === EVERY_WORLD;
    }

    isShownPair(k) {
      return this.shown[this.data.relations[k]] && this.inShownWorld(this.bodyA[k]) && this.inShownWorld(this.bodyB[k]);
    }

    // The shown pairs: all, or those of one body.
    shownPairs(body) {
      const all = body < 0 ? this.data.a.keys() : this.links.subarray(this.offsets[body], this.offsets[body + 1]);
      return Uint32Array.from(all).filter((k) => this.isShownPair(k));
    }

    partner(k, body) {
      return this.bodyA[k] === body ? this.bodyB[k] : this.bodyA[k];
    }

    // The strongest relation of each body among its shown pairs.
    strongest() {
      const most = new Uint8Array(this.count);
      for (let k = 0; k < this.pairs; k++) {
        if (!this.isShownPair(k)) continue;
        const relation = this.data.relations[k];
        if (most[this.bodyA[k]] < relation) most[this.bodyA[k]] = relation;
        if (most[this.bodyB[k]] < relation) most[this.bodyB[k]] = relation;
      }
      return most;
    }

    // How many pairs there are of each relation, and bodies without any pair.
    counts() {
      const of = [0, 0, 0];
      for (const relation of this.data.relations) of[relation]++;
      let alone = 0;
      for (let i = 0; i < this.count; i++) if (this.offsets[i] === this.offsets[i + 1]) alone++;
      return { touching: of[T.TOUCHING], overlapping: of[T.OVERLAPPING], alone };
    }

    // The body that a search means: its id (`12`, `B 12`), its name, or the next after `from` whose name contains the text; -1 if none.
    find(text, from) {
      const wanted = text.trim().toLowerCase();
      const id = /^([ab])?\s*(\d+)$/.exec(wanted);
      if (id) {
        const second = id[1] === "b" && this.data.second > 0;
        if (Number(id[2]) < (second ? this.data.second : this.data.first)) return Number(id[2]) + (second ? this.data.first : 0);
      }
      if (!wanted || !this.data.names.length) return -1;
      const names = this.data.names;
      for (let step = 1; step <= this.count; step++) {
        const i = (from + step + this.count) % this.count;
        if (names[i].toLowerCase().includes(wanted)) return i;
      }
      return -1;
    }
  };

  // The body that a ray hits first, or -1. `isShown` says which bodies are there; direction is a unit vector. At distance 1, bodies are at
  // least `slope` large in every direction, so that points, lines and plates can be hit.
  T.cast = function (model, eye, direction, isShown, slope) {
    let best = -1;
    let nearest = Infinity;
    const { placed } = model;
    for (let i = 0; i < model.count; i++) {
      if (!isShown(i)) continue;
      const at = 10 * i;
      const x = placed[at] - eye[0];
      const y = placed[at + 1] - eye[1];
      const z = placed[at + 2] - eye[2];
      const along = x * direction[0] + y * direction[1] + z * direction[2];
      const least = slope * Math.abs(along);
      const ball = model.data.kinds[i] === 0;
      const radius = ball ? Math.max(model.radius(i), least) : model.radius(i) + 2 * least;
      // Farther than what was hit, behind the eye, or beside the ray.
      if (along - radius > nearest || along + radius < 0) continue;
      const beside = x * x + y * y + z * z - along * along;
      if (beside > radius * radius * 1.0001) continue;
      // (The sheet of a half-space is a box.)
      const castHull = (...ray) => T.castHull(model.form(i), model.scale, ...ray);
      const castShape = { [T.CAPSULE]: castCapsule, [T.HULL]: castHull }[model.drawn[i]] ?? castBox;
      const hit = ball
        ? along - Math.sqrt(Math.max(radius * radius - beside, 0))
        : castShape(placed, at, [-x, -y, -z], direction, least);
      if (hit > 0 && hit < nearest) {
        nearest = hit;
        best = i;
      }
    }
    return best;
  };

  // Whether a body with this centre and radius, seen from the eye, may hide a ball, the spot. Giants are not judged.
  T.isGiant = (radius, spot) => spot[3] > 0 && radius > 5 * spot[3];
  T.hides = function (center, radius, eye, spot) {
    if (spot[3] === 0 || T.isGiant(radius, spot)) return false;
    const to = center.map((x, k) => x - eye[k]);
    const goal = [0, 1, 2].map((k) => spot[k] - eye[k]);
    const [range, far] = [Math.hypot(...to), Math.hypot(...goal)];
    if (range > far) return false;
    if (range <= radius || far <= spot[3]) return true;
    const cosine = (to[0] * goal[0] + to[1] * goal[1] + to[2] * goal[2]) / (range * far);
    return Math.acos(Math.min(Math.max(cosine, -1), 1)) < Math.asin(spot[3] / far) + Math.asin(radius / range);
  };

  // The distance at which a ray enters a box; `from` is relative to its centre. Infinity if it misses.
  function castBox(placed, at, from, direction, least) {
    const inverse = [-placed[at + 6], -placed[at + 7], -placed[at + 8], placed[at + 9]];
    const o = T.rotate(inverse, from);
    const d = T.rotate(inverse, direction);
    let enter = -Infinity;
    let leave = Infinity;
    for (let k = 0; k < 3; k++) {
      const half = Math.max(placed[at + 3 + k], least);
      if (d[k] === 0) {
        if (Math.abs(o[k]) > half) return Infinity;
        continue;
      }
      const side = Math.sign(d[k]) * half;
      enter = Math.max(enter, (-side - o[k]) / d[k]);
      leave = Math.min(leave, (side - o[k]) / d[k]);
    }
    return enter <= leave ? enter : Infinity;
  }

  // The distance at which a ray enters a capsule; `from` is relative to its middle. Infinity if it misses.
  function castCapsule(placed, at, from, direction, least) {
    const dot = (u, v) => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
    const half = placed.subarray(at + 3, at + 6);
    const radius = Math.max(placed[at + 6], least);
    const length = Math.hypot(...half);
    const axis = length ? [0, 1, 2].map((k) => half[k] / length) : [1, 0, 0];
    // Of the ray, what is along the axis, and what is across it.
    const [height, rate] = [dot(from, axis), dot(direction, axis)];
    const [aside, across] = [from, direction].map((v, n) => [0, 1, 2].map((k) => v[k] - [height, rate][n] * axis[k]));
    const [a, b, c] = [dot(across, across), dot(aside, across), dot(aside, aside) - radius * radius];
    const root = b * b - a * c;
    if (root < 0) return Infinity;
    // Where it enters the endless cylinder. Along the axis it comes from an end of that.
    const isAlong = a < 1e-12;
    const side = (-b - Math.sqrt(root)) / a;
    const reached = isAlong ? -rate * Infinity : height + side * rate;
    if (Math.abs(reached) <= length) return side;
    const end = Math.sign(reached) * length;
    const to = [0, 1, 2].map((k) => end * axis[k] - from[k]);
    const along = dot(to, direction);
    const beside = dot(to, to) - along * along;
    return beside <= radius * radius ? along - Math.sqrt(radius * radius - beside) : Infinity;
  }

  // v + 2 q × (q × v + w v)
  T.rotate = function ([x, y, z, w], [a, b, c]) {
    const u = [y * c - z * b + w * a, z * a - x * c + w * b, x * b - y * a + w * c];
    return [a + 2 * (y * u[2] - z * u[1]), b + 2 * (z * u[0] - x * u[2]), c + 2 * (x * u[1] - y * u[0])];
  };
})((globalThis.Tangency ??= {}));
