// Mouse, touch and keyboard of the 3D view. Mouse: drag to turn, with the right button or Shift to move, wheel to zoom. Touch: one finger
// turns, two move and zoom. A click or tap that does not move picks.
(function (T) {
  "use strict";

  const STEP = 40; // pixels that an arrow key stands for
  const COMMANDS = {
    ...{ "+": "in", "=": "in", "-": "out", 0: "home", Home: "home", f: "frame" },
    ...{ n: "next", p: "previous", u: "up", "?": "help", Escape: "clear" },
  };

  // `view` has camera, changed(), pick(x, y), hover(x, y) and command(name).
  T.listen = function (canvas, view) {
    const pointers = new Map();
    let moved = 0;

    const at = (event) => {
      const box = canvas.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top };
    };
    // Middle and spread of the fingers.
    const spread = () => {
      const [p, q] = [...pointers.values()];
      return { x: (p.x + q.x) / 2, y: (p.y + q.y) / 2, size: Math.max(Math.hypot(p.x - q.x, p.y - q.y), 1) };
    };

    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      if (pointers.size === 0) moved = 0;
      pointers.set(event.pointerId, { ...at(event), panning: event.button !== 0 || event.shiftKey, button: event.button });
      canvas.focus({ preventScroll: true });
    });
    canvas.addEventListener("pointermove", (event) => {
      const before = pointers.get(event.pointerId);
      const now = at(event);
      if (!before) {
        if (event.pointerType === "mouse") view.hover(now.x, now.y);
        return;
      }
      const [dx, dy] = [now.x - before.x, now.y - before.y];
      moved += Math.hypot(dx, dy);
      if (pointers.size === 1) {
        Object.assign(before, now);
        if (before.panning) view.camera.pan(dx, dy);
        else view.camera.orbit(dx, dy);
      } else if (pointers.size === 2) {
        const from = spread();
        Object.assign(before, now);
        const to = spread();
        view.camera.pan(to.x - from.x, to.y - from.y);
        view.camera.zoom(from.size / to.size, to.x, to.y);
      }
      view.changed();
    });
    const release = (event) => {
      const pointer = pointers.get(event.pointerId);
      if (!pointer) return;
      if (event.type === "pointerup" && pointers.size === 1 && moved < 5 && pointer.button === 0) view.pick(pointer.x, pointer.y);
      if (pointers.size > 1) moved = Infinity;
      pointers.delete(event.pointerId);
    };
    canvas.addEventListener("pointerup", release);
    canvas.addEventListener("pointercancel", release);
    canvas.addEventListener("pointerleave", () => view.hover(-1, -1));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        // Lines and pages as pixels.
        const pixels = event.deltaY * [1, 16, 400][event.deltaMode];
        const { x, y } = at(event);
        view.camera.zoom(Math.exp(Math.min(Math.max(pixels, -400), 400) * 0.0015), x, y);
        view.changed();
      },
      { passive: false },
    );
    canvas.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const { camera } = view;
      const arrows = { ArrowLeft: [STEP, 0], ArrowRight: [-STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP] };
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      if (arrows[key]) {
        if (event.shiftKey) camera.pan(...arrows[key]);
        else camera.orbit(...arrows[key]);
        view.changed();
      } else if (COMMANDS[key]) {
        view.command(COMMANDS[key]);
      } else {
        return;
      }
      event.preventDefault();
    });
  };
})((globalThis.Tangency ??= {}));
