// Opens the reports in a browser, and uses them as people do: node check_reports.mjs CHROMIUM FOLDER [PICTURES]
//
// The folder holds what tools/check_reports.sh has made: reports, and the files that they must agree with.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Browser } from "./browser.mjs";

const [program, folder, pictures] = process.argv.slice(2);
const at = (name) => join(folder, name);
const csv = (name) =>
  readFileSync(at(name), "utf8")
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split(","));

// The text of the table's rows in sight: one list of cells each.
const ROWS = `[...document.querySelectorAll(".table .row")].map((row) => [...row.children].map((cell) => cell.textContent))`;
const CAPTION = `document.querySelector(".caption").textContent`;
const settle = (page) => page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");

// Where a body's centre is in the window, or a point of the file.
const PLACE = (body) => PLACE_OF(`model.center(${body})`);
const PLACE_OF = (point) => `(() => {
  const { camera, model, canvas } = tangencyView;
  const { right, up, back } = camera.axes();
  const dot = (u, v) => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  const eye = camera.eye();
  const to = ${point}.map((x, k) => x - eye[k]);
  const pixel = (camera.pixel() * -dot(to, back)) / camera.distance;
  const box = canvas.getBoundingClientRect();
  return { x: box.left + box.width / 2 + dot(to, right) / pixel, y: box.top + box.height / 2 - dot(to, up) / pixel };
})()`;

// How many pixels of the view are nearly of the hue of a colour of the style sheet.
const PIXELS = (name) => `(() => {
  const view = tangencyView;
  view.timeFrame();
  const { gl } = view.drawing;
  const all = new Uint8Array(4 * view.canvas.width * view.canvas.height);
  gl.readPixels(0, 0, view.canvas.width, view.canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, all);
  const wanted = view.colours.palette[["stage", "muted", "touching", "overlapping", "picked"].indexOf("${name}")];
  const most = Math.max(...wanted);
  let count = 0;
  for (let i = 0; i < all.length; i += 4) {
    const value = Math.max(all[i], all[i + 1], all[i + 2]);
    if (value > 40 && wanted.every((part, k) => Math.abs(part / most - all[i + k] / value) < 0.06)) count++;
  }
  return count;
})()`;

// How many pixels change if a body is left out.
const COVERED = (body) => `(() => {
  const view = tangencyView;
  const pixels = () => {
    view.timeFrame();
    const all = new Uint32Array(view.canvas.width * view.canvas.height);
    const { gl } = view.drawing;
    gl.readPixels(0, 0, view.canvas.width, view.canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(all.buffer));
    return all;
  };
  const before = pixels();
  const states = view.states;
  view.drawing.setStates(states.map((state, i) => (i === ${body} ? 0 : state)));
  const after = pixels();
  view.drawing.setStates(states);
  return before.filter((pixel, k) => pixel !== after[k]).length;
})()`;

async function opened(browser, name, options) {
  const page = await browser.open(at(name), options);
  await settle(page);
  return page;
}

// Nothing went wrong, and nothing was loaded but the page.
async function closed(page) {
  await settle(page);
  assert.equal(await page.evaluate("globalThis.tangencyView ? Boolean(tangencyView.drawing) : true"), true, "there is no 3D view");
  assert.deepEqual(page.errors, []);
  assert.equal(page.requests.filter((url) => !url.startsWith("data:")).length, 1, page.requests.join(" "));
  await page.close();
}

const checks = {
  async "picking a body shows exactly the partners of the file"(browser) {
    const pairs = csv("city.pairs.csv");
    const partners = new Map();
    for (const [a, b, relation] of pairs) {
      for (const [own, other] of [
        [a, b],
        [b, a],
      ])
        partners.set(own, [...(partners.get(own) ?? []), [other, ["", "touching", "overlapping"][relation]]]);
    }
    const page = await opened(browser, "city.html");
    assert.match(await page.evaluate(CAPTION), new RegExp(`^${pairs.length.toLocaleString("en-US")} pairs$`));
    const bodies = [...partners.keys()].filter((_, k) => k % 971 === 0).concat("19999");
    assert.ok(bodies.length > 15, "too few bodies to try");
    for (const body of bodies) {
      await page.evaluate(
        `(() => { const field = document.getElementById("find"); field.value = "${body}"; field.form.requestSubmit(); })()`,
      );
      const expected = (partners.get(body) ?? []).sort((p, q) => p[0] - q[0]);
      const shown = await page.evaluate(ROWS);
      assert.deepEqual(shown, expected.slice(0, shown.length), `body ${body}`);
      assert.ok(shown.length === expected.length || shown.length > 8, `body ${body}: ${shown.length} rows of ${expected.length}`);
      const all = await page.evaluate(`[...tangencyView.panel.pairs].map((k) => String(tangencyView.model.partner(k, ${body})))`);
      assert.deepEqual(
        all,
        expected.map(([other]) => other),
        `body ${body}`,
      );
    }
    assert.ok((await page.evaluate(PIXELS("picked"))) > 50, "the picked body is drawn");
    await closed(page);
  },

  async "filters show what they say"(browser) {
    const pairs = csv("mixed.pairs.csv");
    const page = await opened(browser, "mixed.html");
    const toggle = (k) => page.evaluate(`document.querySelectorAll(".filters input")[${k}].click()`);
    const count = (relation) => pairs.filter((pair) => pair[2] === relation).length;
    assert.ok(count("2") > 0 && (await page.evaluate(PIXELS("overlapping"))) > 500, "overlapping bodies are drawn");
    assert.ok((await page.evaluate(PIXELS("muted"))) > 500, "bodies without hits are drawn");
    await toggle(0);
    assert.equal(await page.evaluate("tangencyView.panel.pairs.length"), count("1"));
    assert.equal(await page.evaluate(PIXELS("overlapping")), 0);
    assert.match(
      await page.evaluate(CAPTION),
      new RegExp(`^${count("1").toLocaleString("en-US")} of ${pairs.length.toLocaleString("en-US")} pairs`),
    );
    await toggle(0);
    await toggle(1);
    assert.equal(await page.evaluate("tangencyView.panel.pairs.length"), count("2"));
    await toggle(2);
    assert.equal(await page.evaluate("tangencyView.states.filter((state) => state === Tangency.MUTED).length"), 0);
    await closed(page);
  },

  async "mouse, keys and touch"(browser) {
    const page = await opened(browser, "blocks.html");
    const camera = () =>
      page.evaluate("({ yaw: tangencyView.camera.yaw, distance: tangencyView.camera.distance, target: tangencyView.camera.target })");
    const selection = () => page.evaluate("tangencyView.selection");
    // Click on a body, and beside all.
    const ball = await page.evaluate(PLACE(1));
    await page.click(ball.x, ball.y);
    assert.deepEqual(await selection(), { body: 1, pair: -1 });
    assert.deepEqual(
      (await page.evaluate(ROWS)).map((row) => row.slice(0, 2)),
      [["0", "overlapping"]],
    );
    assert.match(await page.evaluate(`document.querySelector("[role=status]").textContent`), /^Body 1, sphere: 1 partner$/);
    const stage = await page.evaluate(
      `(() => { const box = tangencyView.canvas.getBoundingClientRect(); return { x: box.left + 3, y: box.bottom - 3 }; })()`,
    );
    await page.click(stage.x, stage.y);
    assert.deepEqual(await selection(), { body: -1, pair: -1 });
    // Drag, drag with the right button, wheel.
    const start = await camera();
    await page.drag({ x: 400, y: 400 }, { x: 500, y: 420 });
    const turned = await camera();
    assert.ok(turned.yaw !== start.yaw && turned.distance === start.distance);
    await page.drag({ x: 400, y: 400 }, { x: 500, y: 420 }, "right");
    const panned = await camera();
    assert.ok(panned.yaw === turned.yaw && panned.target[0] !== turned.target[0]);
    await page.wheel(400, 400, -200);
    await settle(page);
    assert.ok((await camera()).distance < panned.distance);
    assert.deepEqual(await selection(), { body: -1, pair: -1 }, "a drag picks nothing");
    // Two fingers that part.
    const touch = (type, ...points) =>
      page.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
    const near = (await camera()).distance;
    await touch("touchStart", [380, 400], [420, 400]);
    await touch("touchMove", [340, 400], [460, 400]);
    await touch("touchEnd");
    assert.ok((await camera()).distance < near / 2);
    // Keys of the view.
    await page.evaluate("tangencyView.canvas.focus()");
    await page.key("0");
    assert.ok(Math.abs((await camera()).distance - start.distance) < 1e-6);
    await page.key("n");
    assert.deepEqual(await selection(), { body: 0, pair: -1 });
    await page.key("n");
    await page.key("n");
    assert.deepEqual(await selection(), { body: 2, pair: -1 });
    await page.key("ArrowLeft");
    assert.notEqual((await camera()).yaw, start.yaw);
    // Keys of the table: the second partner, and back.
    await page.evaluate("tangencyView.panel.table.element.focus()");
    await page.key("ArrowDown");
    await page.key("ArrowDown");
    await page.key("Enter");
    assert.deepEqual(await selection(), { body: 2, pair: 2 });
    const details = await page.evaluate(`document.querySelector(".details").textContent`);
    assert.match(details, /Pair of 2 and 4.*touching.*normal, a to b1, 0, 0.*face_a/s);
    const points = await page.evaluate(
      `[...document.querySelectorAll(".points tbody tr")].map((row) => [...row.children].map((cell) => cell.textContent).join(","))`,
    );
    const lines = csv("blocks.contacts.csv").filter(([a, b]) => a === "2" && b === "4");
    const number = (text) => text.split(",").map(Number);
    assert.deepEqual(
      points.map(number),
      lines.map((cells) => cells.slice(7).map(Number)),
    );
    await page.evaluate("tangencyView.canvas.focus()");
    await page.key("Escape");
    await page.key("Escape");
    assert.deepEqual(await selection(), { body: -1, pair: -1 });
    // Points are drawn for all of so few contacts.
    assert.equal(await page.evaluate("tangencyView.drawing.arrows.count"), csv("blocks.contacts.csv").length);
    await page.key("?");
    assert.equal(await page.evaluate(`document.querySelector("dialog").open`), true);
    await page.key("Escape");
    await closed(page);
  },

  async "capsules are drawn and picked as what they are"(browser) {
    const page = await opened(browser, "limbs.html");
    const selection = () => page.evaluate("tangencyView.selection");
    // With nothing picked before: what may hide a picked body is left out.
    const click = async (point) => {
      await page.evaluate("tangencyView.select({ body: -1, pair: -1 }, false)");
      const at = await page.evaluate(point);
      await page.click(at.x, at.y);
      return (await selection()).body;
    };
    const file = (x, y, z) => PLACE_OF(`model.place(${x}, ${y}, ${z})`);
    for (const body of [0, 1, 3]) assert.equal(await click(PLACE(body)), body);
    assert.match(await page.evaluate(`document.querySelector("[role=status]").textContent`), /^Body 3, capsule: 0 partners$/);
    const details = await page.evaluate(`document.querySelector(".details").textContent`);
    assert.match(details, /first end-3, -2, -1second end3, -2, 1radius0/);
    // Seen from the side: at its round end, and in the corner of the box around that.
    await page.evaluate("Object.assign(tangencyView.camera, { yaw: 0, pitch: 0 }); tangencyView.changed()");
    await settle(page);
    assert.equal(await click(file(2.4, 0, 0)), 0);
    assert.equal(await click(file(2.46, 0.46, 0)), -1);
    assert.equal(await click(file(2.55, 0, 0)), -1);
    assert.equal(await click(file(0.5, 0, 0)), 0);
    // What is drawn is what is picked: as many pixels as its outline, a rectangle and two half discs, has.
    await page.evaluate("tangencyView.setShown('others', false)");
    const drawn = await page.evaluate(PIXELS("picked"));
    const unit = await page.evaluate("devicePixelRatio / tangencyView.camera.pixel() / tangencyView.model.scale");
    const due = (4 + Math.PI / 4) * unit ** 2;
    assert.ok(drawn > 0.9 * due && drawn < 1.05 * due, `${drawn} pixels, not ${due}`);
    // From an end, from within the box around it, and from afar; and one that is only a line.
    for (const place of ["yaw: Math.PI / 2, pitch: 0", "yaw: 0.4, pitch: 0.5, distance: 0.3", "distance: 30"]) {
      await page.evaluate(`Object.assign(tangencyView.camera, { ${place} })`);
      assert.ok((await page.evaluate(PIXELS("picked"))) > 100, place);
    }
    await page.evaluate("tangencyView.command('home'); tangencyView.select({ body: 3, pair: -1 }, true)");
    assert.ok((await page.evaluate(PIXELS("picked"))) > 100, "a line is drawn");
    await closed(page);
  },

  async "hulls are drawn and picked as what they are"(browser) {
    const page = await opened(browser, "hulls.html");
    const click = async (point) => {
      await page.evaluate("tangencyView.select({ body: -1, pair: -1 }, false)");
      const at = await page.evaluate(point);
      await page.click(at.x, at.y);
      return (await page.evaluate("tangencyView.selection")).body;
    };
    const file = (x, y, z) => PLACE_OF(`model.place(${x}, ${y}, ${z})`);
    for (const body of [0, 1, 2, 3, 4]) assert.equal(await click(PLACE(body)), body);
    await click(PLACE(1));
    assert.match(await page.evaluate(`document.querySelector("[role=status]").textContent`), /^Body 1, convex hull: 1 partner$/);
    const details = await page.evaluate(`document.querySelector(".details").textContent`);
    assert.match(details, /position3, 0, 0rotation0, 0, 1, 1corners6/);
    // Seen from the front: where it is, and in the corner of the box around it.
    await page.evaluate("Object.assign(tangencyView.camera, { yaw: 0, pitch: 0 }); tangencyView.changed()");
    await settle(page);
    assert.equal(await click(file(0.4, 1, 0)), 0);
    assert.equal(await click(file(0.7, 1.6, 0)), -1);
    assert.equal(await click(file(4, 0.4, 0)), 1);
    assert.equal(await click(file(3.7, 1.4, 0)), -1);
    assert.equal(await click(file(-2.2, -0.8, 0)), 2);
    // The line is beside the place of its body.
    assert.equal(await click(file(-1, -3, 0)), 3);
    assert.equal(await click(file(-12, -3, 0)), -1);
    // What is drawn is what is picked: as many pixels as its outline, a rhombus, has, though it is seen in perspective.
    await click(file(0, 0, 0));
    await page.evaluate("tangencyView.setShown('others', false)");
    const drawn = await page.evaluate(PIXELS("picked"));
    const unit = await page.evaluate("devicePixelRatio / tangencyView.camera.pixel() / tangencyView.model.scale");
    assert.ok(drawn > 0.85 * 4 * unit ** 2 && drawn < 1.1 * 4 * unit ** 2, `${drawn} pixels, not ${4 * unit ** 2}`);
    await page.evaluate("tangencyView.setShown('others', true)");
    for (const body of [2, 3]) {
      await page.evaluate(`tangencyView.command('home'); tangencyView.select({ body: ${body}, pair: -1 }, true)`);
      assert.ok((await page.evaluate(PIXELS("picked"))) > 100, `body ${body} is drawn`);
    }
    await closed(page);
  },

  async "half-spaces are sheets at their borders, through which bodies are seen"(browser) {
    const page = await opened(browser, "room.html");
    const click = async (point) => {
      await page.evaluate("tangencyView.select({ body: -1, pair: -1 }, false)");
      const at = await page.evaluate(point);
      await page.click(at.x, at.y);
      return (await page.evaluate("tangencyView.selection")).body;
    };
    const file = (x, y, z) => PLACE_OF(`model.place(${x}, ${y}, ${z})`);
    const look = async (yaw, pitch) => {
      await page.evaluate(`Object.assign(tangencyView.camera, { yaw: ${yaw}, pitch: ${pitch} }); tangencyView.changed()`);
      await settle(page);
    };
    // The scene is as large as the bodies that have bounds.
    const { origin, scale } = await page.evaluate("({ origin: tangencyView.model.origin, scale: tangencyView.model.scale })");
    assert.deepEqual(origin, [-0.25, 2, 0]);
    assert.ok(Math.abs(scale - Math.hypot(6.5, 4, 2) / 2) < 1e-9);
    // Beside the bodies, from above and from below: the floor. Through it: the ball, and the block.
    await look(0.3, 1.2);
    assert.equal(await click(file(1.5, 0, 2.5)), 0);
    assert.match(await page.evaluate(`document.querySelector("[role=status]").textContent`), /^Body 0, half-space: 3 partners$/);
    assert.match(await page.evaluate(`document.querySelector(".details").textContent`), /normal0, 1, 0offset0/);
    assert.ok((await page.evaluate(COVERED(0))) > 20000, "a floor is drawn");
    assert.equal(await click(file(2, 1, 0)), 2);
    await look(0.3, -1.2);
    assert.equal(await click(file(1.5, 0, 2.5)), 0);
    assert.equal(await click(file(2, 0.5, 0)), 2);
    assert.equal(await click(file(-0.5, 0.5, 0)), 3);
    assert.ok((await page.evaluate(COVERED(3))) > 2000, "the block is seen through the floor");
    // The wall is at x = -3, and the half-space where x is more: its normal points to the left.
    await look(0, 0);
    const wall = await page.evaluate("[...tangencyView.model.center(1)]");
    const border = await page.evaluate("tangencyView.model.place(-3, 2, 0)");
    assert.ok(wall[0] > border[0] && wall[0] < border[0] + 0.1 && Math.abs(wall[1]) < 1e-6, `${wall}`);
    await look(-1.5, 0.2);
    assert.equal(await click(file(-3, 5, 2)), 1);
    await closed(page);
    const alone = await opened(browser, "planes.html");
    assert.deepEqual(await alone.evaluate("tangencyView.model.origin"), [0, 500.5, 0]);
    await closed(alone);
  },

  async "everything that can be focused has a name"(browser) {
    for (const name of ["blocks.html", "worlds.html", "compare.html"]) {
      const page = await opened(browser, name);
      await page.send("Accessibility.enable");
      const { nodes } = await page.send("Accessibility.getFullAXTree");
      const focusable = nodes.filter(
        (node) => !node.ignored && node.properties?.some((one) => one.name === "focusable" && one.value.value),
      );
      const nameless = focusable.filter((node) => node.role.value !== "RootWebArea" && !node.name?.value);
      assert.deepEqual(
        nameless.map((node) => node.role.value),
        [],
        name,
      );
      await closed(page);
    }
  },

  async "two sets, worlds and themes"(browser) {
    const between = await opened(browser, "between.html");
    const pairs = csv("between.pairs.csv").map(([a, b]) => [`A ${a}`, `B ${b}`]);
    assert.deepEqual(
      (await between.evaluate(ROWS)).map((row) => row.slice(0, 2)),
      pairs.slice(0, (await between.evaluate(ROWS)).length),
    );
    assert.equal(await between.evaluate(`tangencyView.model.find("b 3", -1) - tangencyView.model.data.first`), 3);
    await closed(between);
    const worlds = await opened(browser, "worlds.html");
    await worlds.evaluate(
      `(() => { const choose = document.getElementById("world"); choose.value = "1"; choose.dispatchEvent(new Event("change")); })()`,
    );
    const shown = await worlds.evaluate(
      "[...tangencyView.states].flatMap((state, i) => (state ? [tangencyView.model.data.worlds[i]] : []))",
    );
    assert.ok(shown.length === 64 && shown.every((world) => world === 1), String(shown));
    const background = `getComputedStyle(document.documentElement).backgroundColor`;
    const light = await worlds.evaluate(`[${background}, tangencyView.colours.background[0]]`);
    await worlds.evaluate(
      `(() => { const choose = document.getElementById("theme"); choose.value = "dark"; choose.dispatchEvent(new Event("change")); })()`,
    );
    const dark = await worlds.evaluate(`[${background}, tangencyView.colours.background[0]]`);
    assert.ok(light[0] !== dark[0] && light[1] > 0.8 && dark[1] < 0.2, `${light} ${dark}`);
    await closed(worlds);
  },

  async "names are text, and other data take the place of these"(browser) {
    const page = await opened(browser, "blocks.html");
    const name = `</script><img src=x onerror="globalThis.harmed = true"><b>`;
    await page.evaluate(`(() => {
      const view = tangencyView;
      const { data } = view.model;
      // The same bodies without the first ball, ten times as large.
      const shapes = data.shapes.slice(10).map((x, k) => (k % 10 < 6 ? 10 * x : x));
      const pairs = { a: Uint32Array.of(1, 1), b: Uint32Array.of(2, 3), relations: Uint8Array.of(2, 1) };
      const names = Array(4).fill(${JSON.stringify(name).replaceAll("</", "<\\/")});
      globalThis.at = view.model.origin.map((x, k) => x + view.model.scale * view.camera.eye()[k]);
      view.show({ first: 4, second: 0, kinds: data.kinds.slice(1), shapes, names, ...pairs });
      globalThis.moved = view.model.origin.map((x, k) => x + view.model.scale * view.camera.eye()[k] - at[k]);
      view.select({ body: 1, pair: -1 }, false);
    })()`);
    await settle(page);
    assert.ok((await page.evaluate("Math.hypot(...moved)")) < 1e-4, "the camera is where it was");
    assert.deepEqual(
      (await page.evaluate(ROWS)).map((row) => row.join("|")),
      [`2${name}|overlapping`, `3${name}|touching`],
    );
    assert.equal(await page.evaluate(`document.querySelectorAll("#view img, #view b").length`), 0);
    assert.equal(await page.evaluate("globalThis.harmed"), undefined);
    assert.ok((await page.evaluate(`document.querySelector(".details").textContent`)).includes(name));
    assert.equal(await page.evaluate(`tangencyView.model.find("onerror", 2)`), 3);
    // A body without any extent is seen and can be picked.
    await page.evaluate(`(() => {
      const pairs = { a: new Uint32Array(0), b: new Uint32Array(0), relations: new Uint8Array(0) };
      tangencyView.show({ first: 1, second: 0, kinds: Uint8Array.of(1), shapes: new Float32Array(10), names: [], ...pairs });
    })()`);
    const point = await page.evaluate(PLACE(0));
    await page.click(point.x + 1, point.y);
    assert.deepEqual(await page.evaluate("tangencyView.selection"), { body: 0, pair: -1 });
    assert.ok((await page.evaluate(PIXELS("picked"))) > 0);
    await page.evaluate("tangencyView.close()");
    await settle(page);
    assert.equal(await page.evaluate(`document.getElementById("view").childElementCount`), 0);
    page.errors = page.errors.filter((text) => !/context lost|CONTEXT_LOST/i.test(text));
    await closed(page);
  },

  async "the view comes back when the GPU has been lost"(browser) {
    const page = await opened(browser, "blocks.html");
    const before = await page.evaluate(PIXELS("overlapping"));
    await page.evaluate(`new Promise((done) => {
      const lose = tangencyView.drawing.gl.getExtension("WEBGL_lose_context");
      tangencyView.canvas.addEventListener("webglcontextrestored", () => setTimeout(done));
      tangencyView.canvas.addEventListener("webglcontextlost", () => setTimeout(() => lose.restoreContext()));
      lose.loseContext();
    })`);
    const after = await page.evaluate(PIXELS("overlapping"));
    assert.ok(before > 500 && after === before, `${before} and ${after} pixels`);
    // Its own complaint about what was asked for.
    page.errors = page.errors.filter((text) => !/context lost|CONTEXT_LOST/i.test(text));
    await closed(page);
  },

  async "20,000 bodies with their pairs stay smooth"(browser) {
    for (const name of ["city.html", "stacks.html"]) {
      const page = await opened(browser, name);
      await page.evaluate("tangencyView.timeFrame()");
      // The best of a few: others may use this machine.
      let frame = Infinity;
      for (let k = 0; k < 6 && frame >= 2000; k++) frame = Math.min(frame, await page.evaluate("tangencyView.timeFrame()"));
      const scroll = await page.evaluate(`(async () => {
        const { element } = tangencyView.panel.table;
        const start = performance.now();
        for (let k = 0; k < 50; k++) {
          element.scrollTop = ((k * 37) % 50) * element.scrollHeight / 50;
          tangencyView.panel.table.paint();
        }
        return (performance.now() - start) / 50;
      })()`);
      const pick = await page.evaluate(
        "(() => { const start = performance.now(); tangencyView.pick(300, 300); return performance.now() - start; })()",
      );
      const [bodies, pairs] = await page.evaluate("[tangencyView.model.count, tangencyView.model.pairs]");
      const told = [frame, scroll, pick].map((ms) => ms.toFixed(1));
      console.log(`  ${name}: ${bodies} bodies, ${pairs} pairs: a frame ${told[0]} ms, a scroll ${told[1]} ms, a pick ${told[2]} ms`);
      assert.ok(bodies === 20_000 && frame < 2000 && scroll < 50 && pick < 1000, "too slow");
      // The last row is the last of the file.
      await page.evaluate("tangencyView.select({ body: -1, pair: -1 }); tangencyView.panel.table.element.focus()");
      await page.key("End");
      const last = (await page.evaluate(ROWS)).at(-1);
      assert.deepEqual(last.slice(0, 2), csv(name.replace("html", "pairs.csv")).at(-1).slice(0, 2));
      await closed(page);
    }
  },

  async "the comparison tells what was measured"(browser) {
    const record = JSON.parse(readFileSync(at("compare.json"), "utf8"));
    for (const name of ["compare.html", "machines.html"]) {
      for (const dark of [false, true]) {
        const page = await opened(browser, name, { dark, width: dark ? 500 : 1280 });
        const text = await page.evaluate("document.body.textContent");
        assert.match(text, /All answers are identical/);
        const hash = name === "machines.html" ? record.rows[0].fingerprint : /[0-9a-f]{16}/.exec(text)[0];
        assert.ok(text.includes(hash));
        assert.equal(await page.evaluate(`document.querySelectorAll("svg.chart").length`), 2);
        assert.ok(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "only tables and charts scroll sideways");
        await closed(page);
      }
    }
  },
};

// The pictures of cli/README.md.
async function takePictures(browser) {
  const take = async (report, picture, options, steps) => {
    const page = await opened(browser, report, { width: 1080, height: 600, ...options });
    if (steps) await page.evaluate(steps);
    await settle(page);
    if (steps) await page.evaluate("tangencyView.timeFrame()");
    writeFileSync(join(pictures, picture), await page.screenshot());
    await page.close();
  };
  const crowded = Math.max(
    ...csv("city.pairs.csv")
      .filter((pair) => pair[2] === "2")
      .slice(0, 40)
      .map((pair) => Number(pair[0])),
  );
  await take(
    "city.html",
    "overlaps.png",
    {},
    `tangencyView.select({ body: ${crowded}, pair: -1 }, true); tangencyView.camera.zoom(3)`,
  );
  await take("blocks.html", "contacts.png", { dark: true }, "tangencyView.select({ body: 2, pair: -1 }, true)");
  await take("compare.html", "compare.png", { height: 960 });
}

// A browser for each purpose: it remembers the theme.
async function withBrowser(use) {
  const browser = new Browser(program);
  try {
    await use(browser);
  } finally {
    await browser.close();
  }
}

let failed = 0;
await withBrowser(async (browser) => {
  for (const [name, check] of Object.entries(checks)) {
    try {
      await check(browser);
      console.log(`ok: ${name}`);
    } catch (error) {
      failed++;
      console.error(`FAILED: ${name}\n${error.stack}`);
    }
  }
});
if (pictures) await withBrowser(takePictures);
process.exitCode = failed ? 1 : 0;
