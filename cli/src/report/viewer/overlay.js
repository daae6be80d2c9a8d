// What lies over the 3D view: the directions of the axes and a scale bar, in the units of the file.
(function (T) {
  "use strict";

  const RADIUS = 26;

  T.Overlay = class {
    constructor() {
      const { element } = T;
      this.axes = ["x", "y", "z"].map((name) => element("span", { class: "axis" }, name));
      this.sticks = this.axes.map(() => element("span", { class: "stick" }));
      this.bar = element("span", { class: "bar" });
      this.length = element("span", { class: "length" });
      this.element = element(
        "div",
        { class: "overlay", "aria-hidden": "true" },
        element("div", { class: "axes" }, ...this.sticks, ...this.axes),
        element("div", { class: "scale" }, this.length, this.bar),
      );
    }

    // `unit` is how many units of the file one unit of the drawing is.
    update(camera, unit) {
      const { right, up, back } = camera.axes();
      this.axes.forEach((label, k) => {
        const [x, y] = [right[k], -up[k]];
        label.style.transform = `translate(${x * RADIUS}px, ${y * RADIUS}px) translate(-50%, -50%)`;
        label.style.zIndex = Math.round(back[k] * 10) + 20;
        label.style.opacity = 0.7 + 0.3 * back[k];
        this.sticks[k].style.transform = `rotate(${Math.atan2(y, x)}rad)`;
        this.sticks[k].style.width = `${Math.max(Math.hypot(x, y) * RADIUS - 7, 0)}px`;
      });
      // The largest 1, 2 or 5 times a power of ten that takes at most 120 pixels at the target.
      const pixel = camera.pixel() * unit;
      const most = 120 * pixel;
      const power = 10 ** Math.floor(Math.log10(most));
      const length = [5, 2, 1].map((k) => k * power).find((value) => value <= most) ?? power;
      this.bar.style.width = `${length / pixel}px`;
      this.length.textContent = `${T.short(length)} ${length === 1 ? "unit" : "units"}`;
    }
  };
})((globalThis.Tangency ??= {}));
