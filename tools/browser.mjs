// A headless Chromium, driven through its debugging pipe: no packages, and no port that anything else could reach.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const PATIENCE = 120_000; // milliseconds for one command: software rendering is slow, and machines may be busy

export class Browser {
  constructor(program) {
    this.profile = mkdtempSync(join(tmpdir(), "tangency-browser-"));
    const options = [
      "--headless=new",
      "--remote-debugging-pipe",
      "--no-first-run",
      "--hide-scrollbars",
      `--user-data-dir=${this.profile}`,
    ];
    // WebGL without a GPU; containers run as root, for whom there is no sandbox.
    options.push(
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
      "--ignore-gpu-blocklist",
      "--no-sandbox",
      "--disable-dev-shm-usage",
    );
    // Nothing but the files it is given.
    options.push("--host-resolver-rules=MAP * ~NOTFOUND", "--disable-background-networking", "--disable-component-update");
    this.process = spawn(program, [...options, "about:blank"], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    this.waiting = new Map();
    this.listeners = new Map();
    this.last = 0;
    let text = "";
    this.process.stdio[4].on("data", (data) => {
      text += data;
      const messages = text.split("\0");
      text = messages.pop();
      messages.forEach((message) => this.receive(JSON.parse(message)));
    });
  }

  receive({ id, result, error, method, params, sessionId }) {
    if (method) this.listeners.get(sessionId)?.(method, params);
    const waiting = this.waiting.get(id);
    if (!waiting) return;
    this.waiting.delete(id);
    clearTimeout(waiting.timer);
    if (error) waiting.reject(new Error(error.message));
    else waiting.resolve(result);
  }

  send(method, params = {}, sessionId = undefined) {
    const id = ++this.last;
    this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${method}: no answer`)), PATIENCE);
      this.waiting.set(id, { resolve, reject, timer });
    });
  }

  // Opens a file in a window of this size, and waits until it has loaded.
  async open(file, { width = 1280, height = 800, dark = false, scale = 1 } = {}) {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    const page = new Page(this, sessionId, targetId);
    this.listeners.set(sessionId, (method, params) => page.hear(method, params));
    for (const domain of ["Page", "Runtime", "Log", "Network"]) await page.send(`${domain}.enable`);
    await page.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: scale, mobile: false });
    const features = [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }];
    await page.send("Emulation.setEmulatedMedia", { features: [...features, { name: "prefers-reduced-motion", value: "reduce" }] });
    const loaded = new Promise((resolve) => (page.onLoad = resolve));
    await page.send("Page.navigate", { url: pathToFileURL(file).href });
    await loaded;
    return page;
  }

  async close() {
    const ended = new Promise((resolve) => this.process.once("exit", resolve));
    await this.send("Browser.close").catch(() => this.process.kill());
    await ended;
    rmSync(this.profile, { recursive: true, force: true });
  }
}

class Page {
  constructor(browser, sessionId, targetId) {
    Object.assign(this, { browser, sessionId, targetId, errors: [], requests: [] });
  }

  send(method, params) {
    return this.browser.send(method, params, this.sessionId);
  }

  hear(method, params) {
    if (method === "Page.loadEventFired") this.onLoad?.();
    if (method === "Network.requestWillBeSent") this.requests.push(params.request.url);
    if (method === "Runtime.exceptionThrown")
      this.errors.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === "Runtime.consoleAPICalled" && ["error", "warning"].includes(params.type)) {
      this.errors.push(params.args.map((value) => value.value ?? value.description).join(" "));
    }
    // The driver's advice about how it is used is none of ours.
    if (method === "Log.entryAdded" && params.entry.level === "error") this.errors.push(params.entry.text);
  }

  // The value of an expression, which may be a promise.
  async evaluate(expression) {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  async click(x, y) {
    for (const type of ["mousePressed", "mouseReleased"]) {
      await this.send("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: 1 });
    }
  }

  async drag(from, to, button = "left") {
    await this.send("Input.dispatchMouseEvent", { type: "mousePressed", ...from, button, clickCount: 1 });
    await this.send("Input.dispatchMouseEvent", { type: "mouseMoved", ...to, button, buttons: button === "left" ? 1 : 2 });
    await this.send("Input.dispatchMouseEvent", { type: "mouseReleased", ...to, button, clickCount: 1 });
  }

  async wheel(x, y, deltaY) {
    await this.send("Input.dispatchMouseEvent", { type: "mouseWheel", x, y, deltaX: 0, deltaY });
  }

  async key(key, { shift = false } = {}) {
    const text = key.length === 1 ? key : key === "Enter" ? "\r" : undefined;
    const codes = { Enter: 13, Escape: 27, Tab: 9, ArrowDown: 40, ArrowUp: 38, ArrowLeft: 37, ArrowRight: 39, End: 35, Home: 36 };
    const event = { key, text, modifiers: shift ? 8 : 0, windowsVirtualKeyCode: codes[key] ?? key.toUpperCase().charCodeAt(0) };
    await this.send("Input.dispatchKeyEvent", { ...event, type: text ? "keyDown" : "rawKeyDown" });
    await this.send("Input.dispatchKeyEvent", { ...event, type: "keyUp" });
  }

  // A picture of the window, as the bytes of a PNG.
  async screenshot() {
    const { data } = await this.send("Page.captureScreenshot", { format: "png" });
    return Buffer.from(data, "base64");
  }

  close() {
    return this.browser.send("Target.closeTarget", { targetId: this.targetId });
  }
}
