// A 3D view of bodies with their pairs, and a table beside it: Tangency.view(element, data) fills an element, and returns the view.
// `data` is described in model.js; `show(data)` shows other data in place of it, and `close()` gives back what the view holds. Frames are drawn when something changes, and at no other time.
(function (T) {
  "use strict";

  const { element } = T;
  const MANY_POINTS = 400; // beyond which contacts are drawn for what is picked only, unless asked for
  const SLOW = 60; // milliseconds of a frame beyond which moving pictures are drawn with fewer pixels

  const KEYS = [
    ["drag, arrow keys", "turn"],
    ["right drag, Shift + drag, Shift + arrow keys, two fingers", "move"],
    ["wheel, pinch, + and −", "zoom"],
    ["click, tap", "pick a body, or nothing"],
    ["N, P", "next and previous body with hits"],
    ["F", "fill the view with what is picked"],
    ["0, Home", "the whole scene"],
    ["U", "y or z is up"],
    ["Escape", "pick nothing"],
    ["in the table: arrow keys, Enter", "choose a pair, pick it"],
  ];

  class View {
    constructor(root, data) {
      this.root = root;
      this.quality = 1;
      this.ended = new AbortController();
      this.build();
      root.classList.add("viewer");
      root.replaceChildren(this.stage);
      this.show(data);
      this.listen();
    }

    // Shows these data. Where there were others before, the camera stays where it was among them.
    show(data) {
      const before = this.model;
      this.model = new T.Model(data);
      this.selection = { body: -1, pair: -1 };
      this.states = new Uint8Array(this.model.count);
      this.contacts = this.model.hasContacts && data.contacts.points.length / 4 <= MANY_POINTS ? "all" : "selection";
      const label = `3D view of ${T.plural(this.model.count, "body", "bodies")}; press ? for its keys`;
      this.canvas.setAttribute("aria-label", label);
      this.panel?.close();
      this.panel = new T.Panel(this);
      this.root.append(this.panel.element);
      this.readColours();
      if (before) {
        this.drawing?.setModel(this.model);
        this.camera.rescale(before, this.model);
      } else {
        this.drawing = this.startDrawing();
        this.camera = new T.Camera(this.model.reach, this.model.framed);
        this.camera.resize(this.stage.clientWidth, this.stage.clientHeight);
        this.camera.home();
      }
      this.update();
    }

    startDrawing() {
      try {
        return new T.Drawing(this.canvas, this.model);
      } catch (error) {
        console.error(error);
        this.message.textContent = `This browser cannot show the 3D view (${error.message}). The table works without it.`;
        this.message.hidden = false;
        return null;
      }
    }

    // Leaves the element empty; nothing is drawn or listened to any more.
    close() {
      this.ended.abort();
      cancelAnimationFrame(this.pending);
      clearTimeout(this.resting);
      this.drawing?.gl.getExtension("WEBGL_lose_context")?.loseContext();
      this.panel.close();
      this.root.replaceChildren();
      this.root.classList.remove("viewer");
    }

    build() {
      this.canvas = element("canvas", { tabindex: 0, role: "application", "aria-roledescription": "3D view" });
      this.overlay = new T.Overlay();
      this.hovered = element("p", { class: "hovered", "aria-hidden": "true" });
      this.message = element("p", { class: "message", role: "alert", hidden: true });
      this.probe = element("span", { hidden: true });
      this.help = element(
        "dialog",
        { class: "help", "aria-label": "Keys and gestures" },
        element("h2", {}, "Keys and gestures"),
        element("dl", {}, ...KEYS.flatMap(([keys, what]) => [element("dt", {}, keys), element("dd", {}, what)])),
        element("form", { method: "dialog" }, element("button", {}, "Close")),
      );
      const button = (name, words, title) => element("button", { title, onclick: () => this.command(name) }, words);
      this.upButton = button("up", "Y up", "Which axis points up (U)");
      const tools = element(
        "div",
        { class: "tools", role: "toolbar", "aria-label": "View" },
        button("home", "Whole scene", "Show the whole scene (0)"),
        button("frame", "Fill view", "Fill the view with what is picked (F)"),
        button("previous", "‹ Previous", "Previous body with hits (P)"),
        button("next", "Next ›", "Next body with hits (N)"),
        this.upButton,
        button("help", "Keys", "Keys and gestures (?)"),
      );
      const over = [this.overlay.element, this.hovered, this.message, this.probe, tools, this.help];
      this.stage = element("div", { class: "stage" }, this.canvas, ...over);
    }

    listen() {
      T.listen(this.canvas, this);
      const { signal } = this.ended;
      const sizes = new ResizeObserver(() => this.changed());
      sizes.observe(this.stage);
      signal.addEventListener("abort", () => sizes.disconnect());
      this.canvas.addEventListener("webglcontextlost", (event) => event.preventDefault(), { signal });
      const reopen = () => {
        this.drawing.open();
        this.changed();
      };
      this.canvas.addEventListener("webglcontextrestored", reopen, { signal });
      const themed = () => {
        this.readColours();
        this.changed();
      };
      matchMedia("(prefers-color-scheme: dark)").addEventListener("change", themed, { signal });
      document.addEventListener("themechange", themed, { signal });
    }

    // The colours of the style sheet, as the theme has them now.
    readColours() {
      const colour = (name) => {
        this.probe.style.color = `var(--${name})`;
        return getComputedStyle(this.probe)
          .color.match(/[\d.]+/g)
          .slice(0, 3)
          .map((value) => value / 255);
      };
      this.colours = {
        background: colour("stage"),
        ink: colour("text"),
        paper: colour("page"),
        palette: ["stage", "muted", "touching", "overlapping", "picked"].map(colour),
      };
    }

    // Picks a body, a pair, or nothing (-1). With `focus`, the camera goes there.
    select({ body, pair }, focus) {
      this.selection = { body, pair };
      this.update();
      if (focus) this.command("frame");
    }

    setShown(name, value) {
      this.model.shown[name] = value;
      if (this.selection.pair >= 0 && !this.model.isShownPair(this.selection.pair)) this.selection.pair = -1;
      if (this.selection.body >= 0 && !this.model.inShownWorld(this.selection.body)) this.selection.body = -1;
      this.update();
    }

    setContacts(which) {
      this.contacts = which;
      this.update();
    }

    // Brings drawing and panel up to date with selection and filters.
    update() {
      const { model, selection } = this;
      const { others } = model.shown;
      const strongest = model.strongest();
      this.withHits = strongest;
      const nothing = selection.body < 0 && selection.pair < 0;
      for (let i = 0; i < model.count; i++) {
        const relation = nothing ? strongest[i] : T.SEPARATE;
        this.states[i] = !model.inShownWorld(i) ? T.HIDDEN : relation ? T.stateOf(relation) : others ? T.MUTED : T.HIDDEN;
      }
      this.panel.update();
      const shown = selection.pair >= 0 ? [selection.pair] : this.panel.pairs;
      if (!nothing) {
        for (const k of shown) {
          const state = T.stateOf(model.data.relations[k]);
          for (const body of [model.bodyA[k], model.bodyB[k]]) if (this.states[body] < state) this.states[body] = state;
        }
        if (selection.body >= 0) this.states[selection.body] = T.PICKED;
      }
      this.panel.describeOthers(this.states.reduce((sum, state, i) => sum + (state <= T.MUTED && model.inShownWorld(i)), 0));
      this.drawing?.setStates(this.states);
      this.drawing?.setContacts(this.arrows(this.contacts === "all" || (this.contacts === "selection" && !nothing) ? shown : []));
      this.changed();
    }

    // The points of these pairs, each with an arrow along the normal, half as long as the smaller body.
    arrows(pairs) {
      const { model } = this;
      const start = [];
      for (const k of model.hasContacts ? pairs : []) {
        const { normals, offsets, points } = model.data.contacts;
        const size = 0.7 * Math.min(model.radius(model.bodyA[k]), model.radius(model.bodyB[k]));
        const arrow = [0, 1, 2].map((axis) => normals[3 * k + axis] * size);
        for (let p = offsets[k]; p < offsets[k + 1]; p++) {
          start.push(...model.place(points[4 * p], points[4 * p + 1], points[4 * p + 2]), ...arrow);
        }
      }
      return { start: new Float32Array(start), count: start.length / 6 };
    }

    // The bodies of the selection. Half-spaces do not count if there is another one.
    selectedBodies() {
      const { model } = this;
      const { body, pair } = this.selection;
      const bodies = pair >= 0 ? [model.bodyA[pair], model.bodyB[pair]] : body >= 0 ? [body] : [];
      const bounded = bodies.filter((i) => !this.isSheet(i));
      return bounded.length ? bounded : bodies;
    }

    // Whether a body is drawn as a sheet, through which others are seen.
    isSheet(i) {
      return this.model.data.kinds[i] === T.HALF_SPACE;
    }

    // Where the selection is and how large, or null. A giant in it, such as a floor, does not count: what matters is where it is met.
    selected() {
      const { model } = this;
      const bodies = this.selectedBodies();
      if (!bodies.length) return null;
      const least = Math.min(...bodies.map((i) => model.radius(i)));
      const near = bodies.filter((i) => model.radius(i) <= 8 * least);
      const middle = [0, 1, 2].map((k) => near.reduce((sum, i) => sum + model.center(i)[k], 0) / near.length);
      const reach = (i) => Math.hypot(...model.center(i).map((x, k) => x - middle[k])) + model.radius(i);
      return { middle, radius: Math.max(...near.map(reach)) };
    }

    // The ball that muted bodies must not hide: the selection and a little around it. Of a half-space alone they may hide a part.
    spot() {
      const selected = this.selectedBodies().some((i) => this.isSheet(i)) ? null : this.selected();
      return selected ? [...selected.middle, 1.6 * selected.radius] : [0, 0, 0, 0];
    }

    // The body under a pixel, as it is drawn: what is not muted shines through what is, which is left out where it hides the selection. All are seen
    // through the sheets of half-spaces.
    bodyAt(x, y) {
      const { model, states } = this;
      const [eye, ray, spot] = [this.camera.eye(), this.camera.ray(x, y), this.spot()];
      const shines = (i) => states[i] > T.MUTED && !this.isSheet(i) && !T.isGiant(model.radius(i), spot);
      const there = (i) => states[i] !== T.HIDDEN && !this.isSheet(i) && !T.hides(model.center(i), model.radius(i), eye, spot);
      const sheets = (i) => states[i] !== T.HIDDEN && this.isSheet(i);
      const near = 2.5 * this.camera.slope(); // a pointer hits what is within some pixels
      for (const which of [shines, there, sheets]) {
        const found = T.cast(model, eye, ray, which, near);
        if (found >= 0) return found;
      }
      return -1;
    }

    pick(x, y) {
      this.select({ body: this.bodyAt(x, y), pair: -1 }, false);
    }

    hover(x, y) {
      this.pointer = { x, y };
      this.hoverPending ??= requestAnimationFrame(() => {
        this.hoverPending = undefined;
        const body = this.pointer.x < 0 ? -1 : this.bodyAt(this.pointer.x, this.pointer.y);
        this.hovered.textContent = body < 0 ? "" : `${this.model.title(body)} (${T.KINDS[this.model.data.kinds[body]]})`;
        this.canvas.style.cursor = body < 0 ? "" : "pointer";
      });
    }

    command(name) {
      const { camera, model, selection } = this;
      if (name === "in" || name === "out") camera.zoom(name === "in" ? 0.8 : 1.25);
      else if (name === "home") this.travel(() => camera.home());
      else if (name === "frame") {
        const selected = this.selected();
        this.travel(() => (selected ? camera.frame(selected.middle, 1.6 * selected.radius) : camera.home()));
      } else if (name === "up") {
        camera.up = camera.up === "y" ? "z" : "y";
        this.upButton.textContent = `${camera.up.toUpperCase()} up`;
      } else if (name === "clear") this.select({ body: selection.pair >= 0 ? selection.body : -1, pair: -1 }, false);
      else if (name === "help") this.help.showModal();
      else {
        const step = name === "next" ? 1 : model.count - 1;
        let body = selection.body < 0 && name === "previous" ? 0 : selection.body;
        for (let tried = 0; tried < model.count; tried++) {
          body = (body + step) % model.count;
          if (this.withHits[body]) return this.select({ body, pair: -1 }, true);
        }
      }
      this.changed();
    }

    // Moves the camera in a quarter of a second, or at once for those who asked for less motion.
    travel(move) {
      const { camera } = this;
      const from = camera.place();
      move();
      const to = camera.place();
      const start = performance.now();
      const travel = (this.travelling = {});
      const step = () => {
        if (this.travelling !== travel) return;
        const t = Math.min((performance.now() - start) / 250, 1);
        camera.between(from, to, t * t * (3 - 2 * t));
        this.changed();
        if (t < 1) requestAnimationFrame(step);
      };
      if (matchMedia("(prefers-reduced-motion: reduce)").matches) this.changed();
      else step();
    }

    // Something changed: draws a frame soon. While slow pictures move, they have fewer pixels, and all of them when they rest.
    changed() {
      if (this.ended.signal.aborted) return;
      this.pending ??= requestAnimationFrame(() => {
        this.pending = undefined;
        const start = performance.now();
        this.draw(this.quality);
        // The browser asks for the next frame when it is done with this one.
        requestAnimationFrame(() => {
          const cost = performance.now() - start;
          this.quality = Math.min(Math.max(this.quality * (cost > SLOW ? 0.7 : cost < SLOW / 3 ? 1.2 : 1), 0.4), 1);
        });
        clearTimeout(this.resting);
        if (this.quality < 1) this.resting = setTimeout(() => this.draw(1), 250);
      });
    }

    // Draws a frame with this share of the pixels of each side.
    draw(quality) {
      const [width, height] = [this.stage.clientWidth, this.stage.clientHeight];
      const ratio = Math.min(globalThis.devicePixelRatio || 1, 2) * quality;
      const [across, down] = [Math.max(Math.round(width * ratio), 1), Math.max(Math.round(height * ratio), 1)];
      if (this.canvas.width !== across || this.canvas.height !== down) Object.assign(this.canvas, { width: across, height: down });
      this.camera.resize(width, height);
      this.drawing?.draw(this.camera, this.colours, ratio, this.spot());
      this.overlay.update(this.camera, this.model.scale);
    }

    // Draws a frame in full, and returns the milliseconds it took.
    timeFrame() {
      const start = performance.now();
      this.draw(1);
      this.drawing?.finish();
      return performance.now() - start;
    }
  }

  T.view = (root, data) => new View(root, data);
})((globalThis.Tangency ??= {}));
