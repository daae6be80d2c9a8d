// A table that holds only the rows in sight, so that millions of rows scroll like a few. Keyboard: arrows, Page Up and Down, Home, End,
// Enter. Assistive technology is told how many rows there are and which of them it meets (the ARIA grid pattern).
(function (T) {
  "use strict";

  const ROW = 26; // height of a row in CSS pixels; viewer.css has the same
  const TALLEST = 8e6; // browsers cannot make elements of any height; beyond this, a scrolled pixel is more than a pixel
  let tables = 0;

  T.Table = class {
    // `activate(row)` is called when a row is clicked, or with Enter; `sort(column)` when a header is.
    constructor({ label, activate, sort }) {
      this.activate = activate;
      this.sort = sort;
      this.name = `table-${++tables}`;
      this.rows = 0;
      this.active = -1;
      this.columns = [];
      this.pool = [];
      this.head = T.element("div", { role: "row", class: "head", "aria-rowindex": 1 });
      this.body = T.element("div", { class: "rows", role: "rowgroup" });
      this.space = T.element("div", { class: "space", role: "presentation" }, this.body);
      this.element = T.element(
        "div",
        { class: "table", role: "grid", tabindex: 0, "aria-label": label, "aria-readonly": "true" },
        T.element("div", { role: "rowgroup", class: "headgroup" }, this.head),
        this.space,
      );
      this.element.addEventListener("keydown", (event) => this.key(event));
      this.element.addEventListener("scroll", () => this.paint(), { passive: true });
      this.body.addEventListener("click", (event) => {
        const row = event.target.closest("[data-row]");
        if (row) this.choose(Number(row.dataset.row));
      });
      this.sizes = new ResizeObserver(() => this.paint());
      this.sizes.observe(this.element);
    }

    close() {
      this.sizes.disconnect();
    }

    // Shows other rows: columns are { title, numeric, width, sorted: "ascending" or "descending", if it is }, and
    // `cell(row, column, element)` fills an empty element.
    show({ label, columns, rows, cell, active = -1 }) {
      this.element.setAttribute("aria-label", label);
      this.element.setAttribute("aria-rowcount", rows + 1);
      this.element.setAttribute("aria-colcount", columns.length);
      Object.assign(this, { columns, rows, cell, active });
      this.element.style.setProperty("--columns", columns.map((column) => column.width).join(" "));
      const focused = [...this.head.children].findIndex((cell) => cell.contains(document.activeElement));
      this.head.replaceChildren(...columns.map((column, k) => this.header(column, k)));
      if (focused >= 0) this.head.children[focused]?.firstChild.focus();
      this.height = Math.min(rows * ROW, TALLEST);
      this.space.style.height = `${this.height}px`;
      this.pool = [];
      this.body.replaceChildren();
      if (active >= 0) this.reveal(active);
      else this.element.scrollTop = 0;
      this.paint();
    }

    header(column, k) {
      const arrow = { ascending: " ↑", descending: " ↓" }[column.sorted] ?? "";
      const button = T.element("button", { class: "sort", onclick: () => this.sort(k) }, column.title + arrow);
      return T.element(
        "div",
        { role: "columnheader", "aria-sort": column.sorted || "none", class: column.numeric && "number" },
        button,
      );
    }

    // How many rows are in sight, and the first of them.
    seen() {
      return Math.max(Math.floor((this.element.clientHeight - ROW) / ROW), 1);
    }

    first() {
      const all = this.rows * ROW;
      if (all <= TALLEST) return Math.floor(this.element.scrollTop / ROW);
      const most = this.height - (this.element.clientHeight - ROW);
      return Math.floor(Math.min(this.element.scrollTop / most, 1) * Math.max(this.rows - this.seen(), 0));
    }

    reveal(row) {
      const all = this.rows * ROW;
      const first = this.first();
      if (row >= first && row < first + this.seen()) return;
      const wanted = row < first ? row : Math.max(row - this.seen() + 1, 0);
      const most = this.height - (this.element.clientHeight - ROW);
      this.element.scrollTop = all <= TALLEST ? wanted * ROW : (wanted / Math.max(this.rows - this.seen(), 1)) * most;
    }

    // Fills as many row elements as are in sight.
    paint() {
      const first = this.first();
      const count = Math.min(this.seen() + 2, this.rows - first);
      while (this.pool.length < count) {
        const cells = this.columns.map((column) => T.element("div", { role: "gridcell", class: column.numeric && "number" }));
        const row = T.element("div", { role: "row", class: "row" }, ...cells);
        this.pool.push(row);
        this.body.append(row);
      }
      while (this.pool.length > Math.max(count, 0)) this.pool.pop().remove();
      const exact = this.rows * ROW <= TALLEST;
      this.body.style.transform = `translateY(${exact ? first * ROW : this.element.scrollTop}px)`;
      this.pool.forEach((row, k) => {
        const index = first + k;
        row.dataset.row = index;
        row.id = `${this.name}-${index}`;
        row.setAttribute("aria-rowindex", index + 2);
        row.setAttribute("aria-selected", String(index === this.active));
        [...row.children].forEach((cell, column) => {
          cell.replaceChildren();
          this.cell(index, column, cell);
        });
      });
      if (this.active >= first && this.active < first + count) {
        this.element.setAttribute("aria-activedescendant", `${this.name}-${this.active}`);
      } else {
        this.element.removeAttribute("aria-activedescendant");
      }
    }

    choose(row) {
      this.active = row;
      this.paint();
      this.activate(row);
    }

    key(event) {
      if (event.target !== this.element || event.ctrlKey || event.metaKey || event.altKey) return;
      const page = this.seen();
      const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
      if (event.key in steps && this.rows) {
        this.active = Math.min(Math.max(this.active + steps[event.key], 0), this.rows - 1);
        this.reveal(this.active);
        this.paint();
      } else if (event.key === "Enter" && this.active >= 0) {
        this.choose(this.active);
      } else {
        return;
      }
      event.preventDefault();
    }
  };
})((globalThis.Tangency ??= {}));
