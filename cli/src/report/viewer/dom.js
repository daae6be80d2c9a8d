// Elements and numbers for people. Text from files only ever becomes text nodes and attribute values, never markup.
(function (T) {
  "use strict";

  // element("button", { class: "plain", onclick: f }, "text", child): attributes, listeners and children of a new element.
  T.element = function (name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
      else if (value === true) made.setAttribute(key, "");
      else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
    }
    made.append(...children);
    return made;
  };

  const whole = new Intl.NumberFormat("en-US");
  // 1234567 as 1,234,567.
  T.grouped = (n) => whole.format(n);

  // The fewest digits that read back to the same f32.
  T.single = function (x) {
    if (x === 0 || !Number.isFinite(x)) return String(x);
    for (let digits = 1; digits < 9; digits++) {
      const short = Number(x.toPrecision(digits));
      if (Math.fround(short) === Math.fround(x)) return String(short);
    }
    return String(Number(x.toPrecision(9)));
  };

  // A few digits, for columns and bars.
  T.short = (x) => {
    const size = Math.abs(x);
    if (x === 0) return "0";
    if (size >= 1e6 || size < 1e-3) return x.toExponential(2).replace("e+", "e");
    return String(Number(x.toPrecision(4)));
  };

  T.plural = (n, one, many = `${one}s`) => `${T.grouped(n)} ${n === 1 ? one : many}`;
})((globalThis.Tangency ??= {}));
