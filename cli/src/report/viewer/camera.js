// A camera that orbits a target. Lengths are those of the drawn scene, whose radius is about one.
(function (T) {
  "use strict";

  const FIELD = (40 * Math.PI) / 180;
  const add = (u, v, s) => [u[0] + s * v[0], u[1] + s * v[1], u[2] + s * v[2]];
  const dot = (u, v) => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  const cross = (u, v) => [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];

  T.Camera = class {
    // `reach` is the distance of the farthest point from the origin, and `framed` half the size of a box about it that is to be seen.
    constructor(reach, framed) {
      this.reach = reach;
      this.framed = framed;
      this.up = "y";
      this.width = 1;
      this.height = 1;
      this.home();
    }

    // Moves so that the box is seen as large as it can be, with a margin.
    home() {
      this.yaw = 0.7;
      this.pitch = 0.5;
      this.target = [0, 0, 0];
      const { right, up, back } = this.axes();
      const [across, down] = [(Math.tan(FIELD / 2) * this.width) / this.height, Math.tan(FIELD / 2)];
      this.distance = 1e-7;
      for (let corner = 0; corner < 8; corner++) {
        const at = this.framed.map((x, k) => (corner & (1 << k) ? x : -x));
        const aside = Math.max(Math.abs(dot(at, right)) / across, Math.abs(dot(at, up)) / down);
        this.distance = Math.max(this.distance, dot(at, back) + 1.12 * aside);
      }
    }

    // Moves so that a ball fills the view.
    frame(target, radius) {
      this.target = target;
      // The narrower side of the view decides.
      const narrow = Math.min(1, this.width / this.height);
      this.distance = Math.max(radius, 1e-7) / Math.sin(Math.atan(Math.tan(FIELD / 2) * narrow));
    }

    resize(width, height) {
      this.width = Math.max(width, 1);
      this.height = Math.max(height, 1);
    }

    // The directions to the right, up and towards the eye.
    axes() {
      const turned = this.up === "y" ? (v) => v : ([x, y, z]) => [x, -z, y];
      const back = turned([
        Math.cos(this.pitch) * Math.sin(this.yaw),
        Math.sin(this.pitch),
        Math.cos(this.pitch) * Math.cos(this.yaw),
      ]);
      const right = turned([Math.cos(this.yaw), 0, -Math.sin(this.yaw)]);
      return { right, up: cross(back, right), back };
    }

    eye() {
      return add(this.target, this.axes().back, this.distance);
    }

    // The length of a pixel at distance 1, and at the target.
    slope() {
      return (2 * Math.tan(FIELD / 2)) / this.height;
    }

    pixel() {
      return this.slope() * this.distance;
    }

    // Turns by pixels of movement.
    orbit(dx, dy) {
      this.yaw -= dx * 0.008;
      this.pitch = Math.min(Math.max(this.pitch + dy * 0.008, -1.55), 1.55);
    }

    pan(dx, dy) {
      const { right, up } = this.axes();
      this.target = add(add(this.target, right, -dx * this.pixel()), up, dy * this.pixel());
    }

    // Changes the distance by a factor; what is under the pixel (x, y) stays there.
    zoom(factor, x = this.width / 2, y = this.height / 2) {
      const distance = Math.min(Math.max(this.distance * factor, 1e-6), 1e9);
      const moved = (1 - distance / this.distance) * this.pixel();
      const { right, up } = this.axes();
      this.target = add(add(this.target, right, (x - this.width / 2) * moved), up, (this.height / 2 - y) * moved);
      this.distance = distance;
    }

    // The unit direction from the eye through a pixel.
    ray(x, y) {
      const { right, up, back } = this.axes();
      const slope = this.slope();
      const across = add(add([0, 0, 0], right, (x - this.width / 2) * slope), up, (this.height / 2 - y) * slope);
      const through = add(across, back, -1);
      return through.map((value) => value / Math.hypot(...through));
    }

    // Projection times view, by columns. Positions are relative to the eye, so that digits are not lost when it is close.
    matrix() {
      const { right, up, back } = this.axes();
      const depth = Math.min(this.reach + Math.hypot(...this.target), Math.max(50, 4 * this.distance));
      const far = this.distance + depth;
      const near = Math.max(this.distance * 0.01, far * 1e-6, (this.distance - depth) * 0.9);
      const y = 1 / Math.tan(FIELD / 2);
      const x = (y * this.height) / this.width;
      const a = (far + near) / (near - far);
      const b = (2 * far * near) / (near - far);
      const column = (k) => [x * right[k], y * up[k], a * back[k], -back[k]];
      return new Float32Array([...column(0), ...column(1), ...column(2), 0, 0, b, 0]);
    }

    // Stays where it is among bodies that are drawn at another place and scale. Both are models.
    rescale(before, after) {
      const at = this.target.map((x, k) => before.origin[k] + x * before.scale);
      this.target = at.map((x, k) => (x - after.origin[k]) / after.scale);
      this.distance *= before.scale / after.scale;
      this.reach = after.reach;
      this.framed = after.framed;
    }

    // A copy of where the camera is, and the way from there to another such copy.
    place() {
      return { target: this.target, distance: this.distance };
    }

    between(from, to, t) {
      this.target = add(from.target, add(to.target, from.target, -1), t);
      this.distance = from.distance * (to.distance / from.distance) ** t;
    }
  };

  T.vector = { add, dot, cross };
})((globalThis.Tangency ??= {}));
