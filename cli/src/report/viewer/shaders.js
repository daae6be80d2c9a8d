// The shaders. All positions are relative to the eye before they are projected.
(function (T) {
  "use strict";

  const COMMON = `#version 300 es
    precision highp float;
    precision highp int;
    uniform mat4 projection;
    uniform vec3 eye;
    uniform vec3 light;
    uniform float opacity;
    uniform int layer; // 0 plain, 1 muted, 2 shining through what is muted, 3 the outline of the picked body through everything`;

  const BODY = `${COMMON}
    layout(location = 0) in vec3 center;
    layout(location = 1) in vec3 extent;
    layout(location = 2) in vec4 rotation;
    layout(location = 3) in uint state;
    uniform vec3 palette[5];
    uniform float slope; // the size of a pixel at distance 1
    // Points, lines and plates are drawn with some thickness, for they could not be seen.
    const float THINNEST = 0.7; // pixels
    uniform vec4 spot; // where a selection is from the eye, and its radius; 0 if there is none
    // Whether a body is left out: if it is muted and may hide the selection. T.hides is the same.
    bool hides(vec3 to, float radius) {
      if (layer == 3) return state != 4u;
      if (spot.w == 0.0) return false;
      if (radius > 5.0 * spot.w) return layer == 2;
      float range = length(to);
      float far = length(spot.xyz);
      if (layer != 1 || range > far) return false;
      if (range <= radius || far <= spot.w) return true;
      float angle = acos(clamp(dot(to, spot.xyz) / (range * far), -1.0, 1.0));
      return angle < asin(spot.w / far) + asin(radius / range);
    }`;

  // The corners of a face or a square; T.TRIANGLES makes two triangles of them.
  const CORNERS = "const vec2 CORNERS[4] = vec2[4](vec2(-1, -1), vec2(1, -1), vec2(1, 1), vec2(-1, 1));";
  T.TRIANGLES = (squares) => Uint16Array.from({ length: 6 * squares }, (_, k) => 4 * Math.floor(k / 6) + [0, 1, 2, 0, 2, 3][k % 6]);

  // A box as the up to three faces that the eye sees: four vertices for each axis.
  const BOX_VERTEX = `${BODY}
    out vec2 face;
    out vec3 colour;
    out vec3 within; // where in the box, from -1 to 1 along each axis
    flat out vec3 outward;
    ${CORNERS}
    vec3 rotate(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
    void main() {
      int axis = gl_VertexID / 4;
      vec2 corner = CORNERS[gl_VertexID % 4];
      vec3 away = rotate(vec4(-rotation.xyz, rotation.w), eye - center);
      vec3 size = max(extent, vec3(THINNEST * slope * length(away)));
      bool inside = all(lessThanEqual(abs(away), size));
      face = corner;
      colour = palette[state];
      within = vec3(0);
      outward = vec3(0);
      if (hides(center - eye, length(extent)) || (!inside && abs(away[axis]) <= size[axis])) {
        gl_Position = vec4(2, 2, 2, 1);
        return;
      }
      vec3 normal = vec3(0);
      normal[axis] = away[axis] < 0.0 ? -1.0 : 1.0;
      vec3 local = normal;
      local[(axis + 1) % 3] = corner.x;
      local[(axis + 2) % 3] = corner.y;
      within = local;
      outward = normal;
      colour *= 0.76 + 0.26 * dot(rotate(rotation, normal), light);
      gl_Position = projection * vec4(center - eye + rotate(rotation, local * size), 1);
    }`;

  // Edges are a pixel wide, and fade where a face is only a few pixels large.
  const BOX_FRAGMENT = `${COMMON}
    in vec2 face;
    in vec3 colour;
    out vec4 pixel;
    void main() {
      vec2 width = max(fwidth(face), vec2(1e-6));
      vec2 inward = (1.0 - abs(face)) / width;
      float edge = 1.0 - smoothstep(0.5, 1.6, min(inward.x, inward.y));
      float fade = 1.0 - smoothstep(0.08, 0.3, max(width.x, width.y));
      pixel = layer == 3 ? vec4(colour, max(opacity, 0.9 * edge)) : vec4(colour * (1.0 - 0.5 * edge * fade), opacity);
    }`;

  // The sheet of a half-space: a thin box whose upper face is the border. What is above shines through it; the half-space itself is below, where the
  // sheet fades away, and what looks from there sees stripes.
  const SHEET_FRAGMENT = `${COMMON}
    in vec2 face;
    in vec3 colour;
    in vec3 within;
    flat in vec3 outward;
    out vec4 pixel;
    void main() {
      vec2 width = max(fwidth(face), vec2(1e-6));
      vec2 inward = (1.0 - abs(face)) / width;
      float edge = 1.0 - smoothstep(0.5, 1.6, min(inward.x, inward.y));
      float stripe = 16.0 * (within.x + within.y);
      float line = smoothstep(0.35, 0.65, abs(fract(stripe) - 0.5) * 2.0);
      float strength = outward.z > 0.5 ? 0.3 + 0.5 * edge : outward.z < -0.5 ? 0.15 + 0.25 * line : 0.25 * (1.0 + within.z);
      pixel = vec4(colour, layer == 3 ? max(opacity, 0.9 * edge) * step(0.5, abs(outward.z)) : opacity * strength);
    }`;

  // A hull as its triangles, all of them. Its corners are the same for every body of one form.
  const HULL_VERTEX = `${BODY}
    layout(location = 4) in vec3 corner;
    layout(location = 5) in vec3 border_of_corner;
    out vec3 place; // from the eye
    out vec3 border; // how far from each side of the triangle, from 0 to 1
    flat out vec3 base;
    vec3 rotate(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
    void main() {
      vec3 to = center - eye;
      float size = max(max(extent.x, extent.y), extent.z);
      float larger = max(1.0, THINNEST * slope * length(to) / max(size, 1e-30));
      base = palette[state];
      border = border_of_corner;
      place = to + rotate(rotation, corner * larger);
      gl_Position = hides(to, length(extent)) ? vec4(2, 2, 2, 1) : projection * vec4(place, 1);
    }`;

  const HULL_FRAGMENT = `${COMMON}
    in vec3 place;
    in vec3 border;
    flat in vec3 base;
    out vec4 pixel;
    void main() {
      vec3 normal = cross(dFdx(place), dFdy(place));
      normal *= (dot(normal, place) > 0.0 ? -1.0 : 1.0) / max(length(normal), 1e-30);
      vec3 width = max(fwidth(border), vec3(1e-6));
      vec3 inward = border / width;
      float edge = 1.0 - smoothstep(0.5, 1.6, min(min(inward.x, inward.y), inward.z));
      float fade = 1.0 - smoothstep(0.08, 0.3, max(max(width.x, width.y), width.z));
      vec3 colour = base * (0.76 + 0.26 * dot(normal, light));
      pixel = layer == 3 ? vec4(colour, max(opacity, 0.9 * edge)) : vec4(colour * (1.0 - 0.5 * edge * fade), opacity);
    }`;

  // A sphere as a square that faces the eye and covers it; the fragment shader casts a ray.
  const SPHERE_VERTEX = `${BODY}
    out vec3 through;
    flat out vec4 ball;
    flat out vec3 base;
    ${CORNERS}
    void main() {
      vec3 to = center - eye;
      float range = length(to);
      float radius = max(extent.x, THINNEST * slope * range);
      base = palette[state];
      ball = vec4(to, radius);
      if (range <= radius * 1.001 || hides(to, radius)) {
        through = vec3(0);
        gl_Position = vec4(2, 2, 2, 1);
        return;
      }
      vec3 ahead = to / range;
      vec3 right = normalize(cross(ahead, abs(ahead.y) < 0.9 ? vec3(0, 1, 0) : vec3(1, 0, 0)));
      vec3 up = cross(right, ahead);
      float size = radius * range / sqrt(range * range - radius * radius);
      vec2 corner = CORNERS[gl_VertexID] * size * 1.01;
      through = to + right * corner.x + up * corner.y;
      gl_Position = projection * vec4(through, 1);
    }`;

  const SPHERE_FRAGMENT = `${COMMON}
    in vec3 through;
    flat in vec4 ball;
    flat in vec3 base;
    out vec4 pixel;
    void main() {
      vec3 ray = normalize(through);
      float along = dot(ball.xyz, ray);
      vec3 beside = ball.xyz - along * ray;
      float rim = 1.0 - length(beside) / ball.w;
      float width = max(fwidth(rim), 1e-6);
      if (rim < 0.0) discard;
      vec3 hit = ray * (along - ball.w * sqrt(max(1.0 - (1.0 - rim) * (1.0 - rim), 0.0)));
      vec3 normal = (hit - ball.xyz) / ball.w;
      float edge = 1.0 - smoothstep(0.5, 1.6, rim / width);
      float fade = 1.0 - smoothstep(0.08, 0.3, width);
      vec4 clip = projection * vec4(hit, 1);
      gl_FragDepth = 0.5 + 0.5 * clip.z / clip.w;
      vec3 colour = base * (0.76 + 0.26 * dot(normal, light));
      pixel = layer == 3 ? vec4(base, max(opacity, 0.9 * edge)) : vec4(colour * (1.0 - 0.4 * edge * fade), opacity);
    }`;

  // A capsule as the faces of a box around it that are turned away from the eye: they cover it once, also where the eye is inside the box. The fragment
  // shader casts a ray. Here `extent` is the way from the middle to an end, and `rotation.x` the radius.
  const CAPSULE_VERTEX = `${BODY}
    out vec3 through;
    flat out vec3 middle;
    flat out vec4 tube; // the axis, and half its length
    flat out float thickness;
    flat out vec3 base;
    ${CORNERS}
    void main() {
      vec3 to = center - eye;
      float half_length = length(extent);
      float radius = max(rotation.x, THINNEST * slope * length(to));
      vec3 along = half_length > 0.0 ? extent / half_length : vec3(1, 0, 0);
      vec3 aside = normalize(cross(along, abs(along.y) < 0.9 ? vec3(0, 1, 0) : vec3(1, 0, 0)));
      mat3 frame = mat3(along, aside, cross(along, aside));
      base = palette[state];
      middle = to;
      tube = vec4(along, half_length);
      thickness = radius;
      through = vec3(0);
      gl_Position = vec4(2, 2, 2, 1);
      vec3 away = -to * frame;
      vec3 nearest = vec3(clamp(away.x, -half_length, half_length), 0, 0);
      if (length(away - nearest) <= radius * 1.001 || hides(to, half_length + radius)) return;
      int axis = gl_VertexID / 8;
      float side = gl_VertexID / 4 % 2 == 0 ? 1.0 : -1.0;
      vec3 size = vec3(half_length + radius, radius, radius) * 1.01;
      if (side * away[axis] >= size[axis]) return;
      vec2 corner = CORNERS[gl_VertexID % 4];
      vec3 local = vec3(0);
      local[axis] = side;
      local[(axis + 1) % 3] = corner.x;
      local[(axis + 2) % 3] = corner.y;
      through = to + frame * (local * size);
      gl_Position = projection * vec4(through, 1);
      // The depth is that of what the ray hits: the box must not be cut off before or behind it.
      gl_Position.z = 0.0;
    }`;

  // All lengths are seen from the point of the ray next to the middle, where they are small.
  const CAPSULE_FRAGMENT = `${COMMON}
    in vec3 through;
    flat in vec3 middle;
    flat in vec4 tube;
    flat in float thickness;
    flat in vec3 base;
    out vec4 pixel;
    void main() {
      vec3 ray = normalize(through);
      vec3 axis = tube.xyz;
      vec3 from = ray * dot(middle, ray) - middle;
      float height = dot(from, axis);
      float rate = dot(ray, axis);
      vec3 aside = from - height * axis;
      vec3 across = ray - rate * axis;
      float square = dot(across, across);
      bool is_along = square < 1e-10;
      // The point of the segment that the ray passes nearest to.
      float time = is_along ? 0.0 : -dot(aside, across) / square;
      float passed = clamp(is_along ? 0.0 : height + time * rate, -tube.w, tube.w);
      vec3 beside = passed * axis - from;
      beside -= dot(beside, ray) * ray;
      float rim = 1.0 - length(beside) / thickness;
      float width = max(fwidth(rim), 1e-6);
      if (rim < 0.0) discard;
      // Where the ray enters the endless cylinder; beyond the segment, it enters the ball at its end.
      vec3 nearest = aside + time * across;
      float enter = time - sqrt(max(thickness * thickness - dot(nearest, nearest), 0.0) / max(square, 1e-10));
      float reached = is_along ? -sign(rate) * 2.0 * (tube.w + thickness) : height + enter * rate;
      float at = clamp(reached, -tube.w, tube.w);
      if (at != reached) {
        vec3 end = at * axis - from;
        float along = dot(end, ray);
        vec3 off = end - along * ray;
        enter = along - sqrt(max(thickness * thickness - dot(off, off), 0.0));
      }
      vec3 hit = from + enter * ray;
      vec3 normal = (hit - at * axis) / thickness;
      float edge = 1.0 - smoothstep(0.5, 1.6, rim / width);
      float fade = 1.0 - smoothstep(0.08, 0.3, width);
      vec4 clip = projection * vec4(middle + hit, 1);
      gl_FragDepth = 0.5 + 0.5 * clip.z / clip.w;
      vec3 colour = base * (0.76 + 0.26 * dot(normal, light));
      pixel = layer == 3 ? vec4(base, max(opacity, 0.9 * edge)) : vec4(colour * (1.0 - 0.4 * edge * fade), opacity);
    }`;

  // An arrow along a normal, of constant width on the screen: a line of six vertices and a head of three.
  const ARROW_VERTEX = `${COMMON}
    layout(location = 0) in vec3 start;
    layout(location = 1) in vec3 along;
    uniform vec2 viewport;
    uniform float dot_size;
    const vec2 CORNERS[9] = vec2[9](
      vec2(0, -1), vec2(1, -1), vec2(1, 1), vec2(0, -1), vec2(1, 1), vec2(0, 1), // the line
      vec2(1, -4), vec2(2, 0), vec2(1, 4)); // the head
    void main() {
      vec4 from = projection * vec4(start - eye, 1);
      vec4 to = projection * vec4(start - eye + along, 1);
      if (from.w <= 0.0 || to.w <= 0.0) {
        gl_Position = vec4(2, 2, 2, 1);
        return;
      }
      vec2 way = (to.xy / to.w - from.xy / from.w) * viewport * 0.5;
      float size = max(length(way), 1e-6);
      float unit = dot_size / 7.0;
      float head = min(9.0 * unit, 0.5 * size);
      vec2 ahead = way / size;
      vec2 corner = CORNERS[gl_VertexID];
      float forward = corner.x == 0.0 ? 0.0 : corner.x == 1.0 ? size - head : size;
      float aside = corner.y * (abs(corner.y) > 1.0 ? head / 9.0 : unit * 0.9);
      vec2 moved = from.xy / from.w + (ahead * forward + vec2(-ahead.y, ahead.x) * aside) * 2.0 / viewport;
      gl_Position = vec4(moved, 0, 1);
    }`;

  const ARROW_FRAGMENT = `${COMMON}
    uniform vec3 ink;
    out vec4 pixel;
    void main() { pixel = vec4(ink, 1); }`;

  const POINT_VERTEX = `${COMMON}
    layout(location = 0) in vec3 start;
    uniform float dot_size;
    void main() {
      gl_Position = projection * vec4(start - eye, 1);
      gl_Position.z = 0.0;
      gl_PointSize = dot_size;
    }`;

  const POINT_FRAGMENT = `${COMMON}
    uniform vec3 ink;
    uniform vec3 paper;
    out vec4 pixel;
    void main() {
      float from_middle = length(gl_PointCoord - 0.5) * 2.0;
      if (from_middle > 1.0) discard;
      pixel = vec4(from_middle > 0.6 ? ink : paper, 1);
    }`;

  T.shaders = {
    box: [BOX_VERTEX, BOX_FRAGMENT],
    sphere: [SPHERE_VERTEX, SPHERE_FRAGMENT],
    capsule: [CAPSULE_VERTEX, CAPSULE_FRAGMENT],
    sheet: [BOX_VERTEX, SHEET_FRAGMENT],
    hull: [HULL_VERTEX, HULL_FRAGMENT],
    arrow: [ARROW_VERTEX, ARROW_FRAGMENT],
    point: [POINT_VERTEX, POINT_FRAGMENT],
  };
})((globalThis.Tangency ??= {}));
