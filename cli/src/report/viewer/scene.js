// Draws bodies and contacts with WebGL2. What each body looks like is a state: an index of the palette, or 0 if it is not drawn.
(function (T) {
  "use strict";

  T.HIDDEN = 0;
  T.MUTED = 1;
  T.PICKED = 4;
  // The states of bodies with a touching and an overlapping pair.
  T.stateOf = (relation) => relation + 1;

  // The layers of `hides` in shaders.js.
  const [PLAIN, MUTED, THROUGH, PICKED] = [0, 1, 2, 3];
  const BYTES = 44; // of an instance: ten f32, and the state in a word
  // What draws each kind, and the vertices of its triangles.
  const SHAPES = ["sphere", "box", "box", "capsule", "sheet", "hull"];
  const VERTICES = { box: 18, sphere: 6, capsule: 36, sheet: 18 };

  T.Drawing = class {
    // Throws where there is no WebGL2.
    constructor(canvas, model) {
      this.canvas = canvas;
      this.model = model;
      // Smooth edges cost a GPU little, but a program that acts as one a multiple.
      const antialias = !/swiftshader|llvmpipe|softpipe|software|basic render/i.test(renderer());
      this.gl = canvas.getContext("webgl2", { antialias, alpha: false, powerPreference: "high-performance" });
      if (!this.gl) throw new Error("WebGL2 is not available");
      this.contacts = { start: new Float32Array(0), count: 0 };
      this.states = new Uint8Array(model.count);
      this.open();
    }

    setModel(model) {
      this.model = model;
      this.makeGroups();
      this.setStates(new Uint8Array(model.count));
    }

    // Makes what the context holds; again after it was lost.
    open() {
      const { gl } = this;
      this.programs = Object.fromEntries(Object.entries(T.shaders).map(([name, sources]) => [name, program(gl, ...sources)]));
      this.triangles = gl.createBuffer();
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.triangles);
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, T.TRIANGLES(6), gl.STATIC_DRAW);
      this.groups = [];
      this.makeGroups();
      this.arrows = { array: gl.createVertexArray(), buffer: gl.createBuffer(), count: 0 };
      gl.bindVertexArray(this.arrows.array);
      gl.bindBuffer(gl.ARRAY_BUFFER, this.arrows.buffer);
      attribute(gl, 0, 3, 24, 0);
      attribute(gl, 1, 3, 24, 12);
      gl.bindVertexArray(null);
      this.setStates(this.states);
      this.setContacts(this.contacts);
    }

    // Bodies that are drawn by one call: those of one shape, and of hulls those of one form. Muted bodies come first, because the others shine through
    // them.
    makeGroups() {
      const { gl, model } = this;
      for (const { array, buffer, mesh } of this.groups) {
        gl.deleteVertexArray(array);
        [buffer, mesh].forEach((one) => one && gl.deleteBuffer(one));
      }
      this.groups = [];
      for (const muted of [true, false]) {
        for (const shape of Object.keys(VERTICES))
          this.groups.push({ muted, shape, key: shape, vertices: VERTICES[shape], ...this.instances() });
        model.forms.forEach((form, number) => {
          if (!form.faces.length) return;
          const group = { muted, shape: "hull", key: number, vertices: 3 * form.faces.length, ...this.instances() };
          group.mesh = gl.createBuffer();
          gl.bindVertexArray(group.array);
          this.fill(group.mesh, T.hullTriangles(form, model.scale));
          attribute(gl, 4, 3, 24, 0, 0);
          attribute(gl, 5, 3, 24, 12, 0);
          gl.bindVertexArray(null);
          this.groups.push(group);
        });
      }
    }

    instances() {
      const { gl } = this;
      const group = { array: gl.createVertexArray(), buffer: gl.createBuffer(), count: 0 };
      gl.bindVertexArray(group.array);
      gl.bindBuffer(gl.ARRAY_BUFFER, group.buffer);
      attribute(gl, 0, 3, BYTES, 0);
      attribute(gl, 1, 3, BYTES, 12);
      attribute(gl, 2, 4, BYTES, 24);
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.triangles);
      gl.enableVertexAttribArray(3);
      gl.vertexAttribIPointer(3, 1, gl.UNSIGNED_INT, BYTES, 40);
      gl.vertexAttribDivisor(3, 1);
      gl.bindVertexArray(null);
      return group;
    }

    // Sorts the bodies into groups by what is drawn in which way.
    setStates(states) {
      this.states = states;
      const { placed, drawn, data, count } = this.model;
      const groups = new Map(this.groups.map((group) => [`${group.muted} ${group.key}`, group]));
      for (const group of this.groups) group.bodies = [];
      for (let i = 0; i < count; i++) {
        if (states[i] === T.HIDDEN) continue;
        const shape = SHAPES[drawn[i]];
        const key = shape === "hull" ? data.shapes[10 * i + 7] : shape;
        groups.get(`${states[i] === T.MUTED} ${key}`).bodies.push(i);
      }
      for (const group of this.groups) {
        group.count = group.bodies.length;
        const words = new Uint32Array((group.count * BYTES) / 4);
        const floats = new Float32Array(words.buffer);
        group.bodies.forEach((i, place) => {
          const at = (place * BYTES) / 4;
          floats.set(placed.subarray(10 * i, 10 * i + 10), at);
          words[at + 10] = states[i];
        });
        delete group.bodies;
        this.fill(group.buffer, words);
      }
    }

    // The contacts to draw: start holds a point and the arrow from it, six numbers each.
    setContacts(contacts) {
      this.contacts = contacts;
      this.arrows.count = contacts.count;
      this.fill(this.arrows.buffer, contacts.start);
    }

    fill(buffer, values) {
      this.gl.bindBuffer(this.gl.ARRAY_BUFFER, buffer);
      this.gl.bufferData(this.gl.ARRAY_BUFFER, values, this.gl.STATIC_DRAW);
    }

    // Draws a frame. `colours` are triples from 0 to 1: background, ink, paper, and the palette by state; `ratio` is pixels per CSS pixel.
    // `spot` is where the selection is and its radius, four numbers: muted bodies that may hide it are left out.
    draw(camera, colours, ratio, spot) {
      const { gl, canvas } = this;
      const { right, up, back } = camera.axes();
      const light = [0, 1, 2].map((k) => 0.35 * right[k] + 0.62 * up[k] + 0.7 * back[k]);
      const eye = camera.eye();
      const frame = { projection: camera.matrix(), eye, light, colours, ratio, slope: camera.slope() };
      frame.spot = spot.map((x, k) => (k < 3 ? x - eye[k] : x));
      gl.viewport(0, 0, canvas.width, canvas.height);
      gl.clearColor(...colours.background, 1);
      gl.depthMask(true);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      gl.enable(gl.DEPTH_TEST);
      gl.depthFunc(gl.LEQUAL);
      gl.disable(gl.BLEND);
      const sheets = this.groups.filter((group) => group.shape === "sheet" && group.count);
      const solid = this.groups.filter((group) => group.shape !== "sheet" && group.count);
      const [muted, shown] = [true, false].map((which) => solid.filter((group) => group.muted === which));
      muted.forEach((group) => this.bodies(group, frame, 1, MUTED));
      const through = (layer, opacity, depth = gl.GREATER, groups = shown) => {
        gl.enable(gl.BLEND);
        gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
        gl.depthFunc(depth);
        gl.depthMask(false);
        groups.forEach((group) => this.bodies(group, frame, opacity, layer));
        gl.disable(gl.BLEND);
        gl.depthFunc(gl.LEQUAL);
        gl.depthMask(true);
      };
      if (muted.length) through(THROUGH, 0.4);
      shown.forEach((group) => this.bodies(group, frame, 1, PLAIN));
      // The sheets of half-spaces hide nothing.
      through(PLAIN, 1, gl.LEQUAL, sheets);
      // Its partners may contain the picked body.
      if (this.states.includes(T.PICKED)) through(PICKED, 0.12, gl.GREATER, [...shown, ...sheets]);
      gl.disable(gl.DEPTH_TEST);
      if (this.arrows.count) this.drawContacts(frame);
      gl.bindVertexArray(null);
    }

    use(name, frame) {
      const { gl } = this;
      const { handle, places } = this.programs[name];
      gl.useProgram(handle);
      gl.uniformMatrix4fv(places.projection, false, frame.projection);
      gl.uniform3fv(places.eye, frame.eye);
      return places;
    }

    bodies(group, frame, opacity, layer) {
      const { gl } = this;
      const places = this.use(group.shape, frame);
      gl.uniform3fv(places.light, frame.light);
      gl.uniform3fv(places.palette, frame.colours.palette.flat());
      gl.uniform1f(places.opacity, opacity);
      gl.uniform1f(places.slope, frame.slope);
      gl.uniform1i(places.layer, layer);
      gl.uniform4fv(places.spot, frame.spot);
      gl.bindVertexArray(group.array);
      if (group.mesh) gl.drawArraysInstanced(gl.TRIANGLES, 0, group.vertices, group.count);
      else gl.drawElementsInstanced(gl.TRIANGLES, group.vertices, gl.UNSIGNED_SHORT, 0, group.count);
    }

    drawContacts(frame) {
      const { gl, canvas } = this;
      gl.bindVertexArray(this.arrows.array);
      for (const name of ["arrow", "point"]) {
        const places = this.use(name, frame);
        gl.uniform3fv(places.ink, frame.colours.ink);
        gl.uniform1f(places.dot_size, 7 * frame.ratio);
        if (name === "arrow") {
          gl.uniform2f(places.viewport, canvas.width, canvas.height);
          gl.drawArraysInstanced(gl.TRIANGLES, 0, 9, this.arrows.count);
        } else {
          gl.uniform3fv(places.paper, frame.colours.paper);
          gl.drawArraysInstanced(gl.POINTS, 0, 1, this.arrows.count);
        }
      }
    }

    // Waits until everything is drawn.
    finish() {
      this.gl.readPixels(0, 0, 1, 1, this.gl.RGBA, this.gl.UNSIGNED_BYTE, new Uint8Array(4));
    }
  };

  // The name of what WebGL draws with. Some browsers tell it only through an extension.
  function renderer() {
    const gl = document.createElement("canvas").getContext("webgl2");
    if (!gl) return "";
    const told = String(gl.getParameter(gl.RENDERER));
    const info = told === "WebKit WebGL" && gl.getExtension("WEBGL_debug_renderer_info");
    const name = info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : told;
    gl.getExtension("WEBGL_lose_context")?.loseContext();
    return name;
  }

  // Numbers of each instance, or with a divisor of 0 of each vertex.
  function attribute(gl, place, size, stride, offset, divisor = 1) {
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, size, gl.FLOAT, false, stride, offset);
    gl.vertexAttribDivisor(place, divisor);
  }

  function program(gl, vertex, fragment) {
    const handle = gl.createProgram();
    for (const [type, source] of [
      [gl.VERTEX_SHADER, vertex],
      [gl.FRAGMENT_SHADER, fragment],
    ]) {
      const shader = gl.createShader(type);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(handle, shader);
    }
    gl.linkProgram(handle);
    if (!gl.getProgramParameter(handle, gl.LINK_STATUS) && !gl.isContextLost()) throw new Error(gl.getProgramInfoLog(handle));
    const places = {};
    for (let k = 0; k < gl.getProgramParameter(handle, gl.ACTIVE_UNIFORMS); k++) {
      const name = gl.getActiveUniform(handle, k).name.replace("[0]", "");
      places[name] = gl.getUniformLocation(handle, name);
    }
    return { handle, places };
  }
})((globalThis.Tangency ??= {}));
