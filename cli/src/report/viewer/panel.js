// The panel beside the 3D view: search, filters, what is picked, and the table of pairs.
(function (T) {
  "use strict";

  const { element, grouped, plural, single, short } = T;

  T.Panel = class {
    // `view` has model, selection, select({ body, pair }, focus), setShown(name, value) and setContacts(which).
    constructor(view) {
      this.view = view;
      this.order = { key: "a", descending: false };
      this.table = new T.Table({
        label: "Pairs",
        activate: (row) => view.select({ body: view.selection.body, pair: this.pairs[row] }, true),
        sort: (column) => this.sortBy(this.columns[column].key),
      });
      this.details = element("section", { class: "details", "aria-label": "Selection" });
      this.caption = element("h2", { class: "caption" });
      // Read out whenever it changes.
      this.status = element("p", { class: "unseen", role: "status", "aria-live": "polite" });
      this.element = element(
        "section",
        { class: "panel", "aria-label": "Bodies and pairs" },
        this.search(),
        this.filters(),
        this.details,
        this.caption,
        this.table.element,
        this.status,
      );
      // Ids are aligned to the right, in as much room as the longest needs.
      const { count } = view.model;
      this.element.style.setProperty("--digits", `${Math.max(view.model.label(count - 1).length, view.model.label(0).length, 2)}ch`);
    }

    close() {
      this.table.close();
      this.element.remove();
    }

    search() {
      const { model } = this.view;
      const named = model.data.names.length > 0;
      const field = element("input", {
        type: "search",
        id: "find",
        placeholder: named ? "id or part of a name" : model.data.second ? "A 12 or B 12" : "id",
        autocomplete: "off",
        spellcheck: "false",
      });
      const message = element("span", { class: "problem", role: "alert" });
      const find = (event) => {
        event.preventDefault();
        const body = model.find(field.value, this.view.selection.body);
        message.textContent = body < 0 ? "no such body" : "";
        if (body >= 0) this.view.select({ body, pair: -1 }, true);
      };
      const label = element("label", { for: "find" }, "Body");
      return element(
        "form",
        { class: "search", role: "search", onsubmit: find },
        label,
        field,
        element("button", {}, "Pick"),
        message,
      );
    }

    filters() {
      const { model } = this.view;
      const counts = model.counts();
      const box = (name, swatch, label, count) => {
        const input = element("input", { type: "checkbox", checked: true, onchange: () => this.view.setShown(name, input.checked) });
        const words = element("span", {}, label);
        const number = element("span", { class: "count" }, count);
        return { words, number, row: element("label", {}, input, element("span", { class: `swatch ${swatch}` }), words, number) };
      };
      const overlapping = box(T.OVERLAPPING, "overlapping", "overlapping", plural(counts.overlapping, "pair"));
      const touching = box(T.TOUCHING, "touching", "touching", plural(counts.touching, "pair"));
      this.others = box("others", "muted", "without hits", plural(counts.alone, "body", "bodies"));
      const rows = [overlapping.row, touching.row, this.others.row];
      if (model.worlds.length > 1) rows.push(this.worldFilter());
      if (model.hasContacts) rows.push(this.contactChoice());
      return element("fieldset", { class: "filters" }, element("legend", {}, "Show"), ...rows);
    }

    worldFilter() {
      const chosen = () => this.view.setShown("world", choose.value === "" ? null : Number(choose.value));
      const choose = element("select", { id: "world", onchange: chosen });
      choose.append(element("option", { value: "" }, `all ${grouped(this.view.model.worlds.length)}`));
      for (const world of this.view.model.worlds) choose.append(element("option", { value: world }, String(world)));
      return element("label", { class: "choice" }, "world", choose);
    }

    contactChoice() {
      const choose = element("select", { id: "contacts", onchange: () => this.view.setContacts(choose.value) });
      for (const [value, words] of [
        ["selection", "of the selection"],
        ["all", "all"],
        ["none", "none"],
      ]) {
        choose.append(element("option", { value, selected: value === this.view.contacts }, words));
      }
      return element("label", { class: "choice" }, "contact points and normals", choose);
    }

    sortBy(key) {
      // Of ids the smallest come first, of all else the largest.
      const largest = ["relation", "depth", "points"].includes(key);
      this.order = { key, descending: this.order.key === key ? !this.order.descending : largest };
      this.update();
    }

    // The columns of the table; those of a picked body leave that body out.
    columnsOf(body) {
      const contacts = this.view.model.hasContacts;
      const { data } = this.view.model;
      const wide = data.names.length ? "minmax(0, 1fr)" : "minmax(3.6rem, 1fr)";
      const ends =
        body < 0
          ? [
              { key: "a", title: "a", width: wide, value: (k) => data.a[k] },
              { key: "b", title: "b", width: wide, value: (k) => data.b[k] },
            ]
          : [{ key: "partner", title: "partner", width: wide, value: (k) => this.view.model.partner(k, body) }];
      const columns = [...ends, { key: "relation", title: "relation", width: "7.4rem", value: (k) => data.relations[k] }];
      if (contacts) {
        const { depths, offsets } = data.contacts;
        columns.push({ key: "depth", title: "depth", width: "5.2rem", numeric: true, value: (k) => depths[k] });
        columns.push({ key: "points", title: "points", width: "3.4rem", numeric: true, value: (k) => offsets[k + 1] - offsets[k] });
      }
      return columns;
    }

    update() {
      const { model, selection } = this.view;
      this.columns = this.columnsOf(selection.body);
      const sorted = this.columns.find((column) => column.key === this.order.key) ?? this.columns[0];
      this.pairs = model.shownPairs(selection.body);
      const sign = this.order.descending && sorted.key === this.order.key ? -1 : 1;
      // Pairs are in order of a, then b, which is that of the file.
      if (sorted.key !== "a" || sign < 0) this.pairs.sort((x, y) => sign * (sorted.value(x) - sorted.value(y)) || x - y);
      const whole = selection.body < 0 ? model.pairs : model.offsets[selection.body + 1] - model.offsets[selection.body];
      const hidden = this.pairs.length < whole ? ` of ${grouped(whole)}` : "";
      const noun = selection.body < 0 ? ["pair", "pairs"] : ["partner", "partners"];
      const caption = `${grouped(this.pairs.length)}${hidden} ${(hidden ? whole : this.pairs.length) === 1 ? noun[0] : noun[1]}`;
      this.caption.textContent = selection.body < 0 ? caption : `${caption} of body ${model.label(selection.body)}`;
      this.table.show({
        label: this.caption.textContent,
        columns: this.columns.map((column) => ({ ...column, sorted: column === sorted && (sign < 0 ? "descending" : "ascending") })),
        rows: this.pairs.length,
        active: selection.pair < 0 ? -1 : this.pairs.indexOf(selection.pair),
        cell: (row, column, cell) => this.cell(this.pairs[row], this.columns[column].key, cell),
      });
      this.describe();
    }

    // Names the bodies that are muted, and says how many.
    describeOthers(count) {
      const { selection } = this.view;
      this.others.words.textContent = selection.body < 0 && selection.pair < 0 ? "without hits" : "all others";
      this.others.number.textContent = plural(count, "body", "bodies");
    }

    cell(k, key, cell) {
      const { model, selection } = this.view;
      if (key === "relation") cell.append(this.relation(k));
      else if (key === "depth") cell.append(short(model.data.contacts.depths[k]));
      else if (key === "points") cell.append(String(model.data.contacts.offsets[k + 1] - model.data.contacts.offsets[k]));
      else {
        const body = key === "a" ? model.bodyA[k] : key === "b" ? model.bodyB[k] : model.partner(k, selection.body);
        cell.append(element("span", { class: "id" }, model.label(body)));
        if (model.name(body)) cell.append(element("span", { class: "name", title: model.name(body) }, model.name(body)));
      }
    }

    relation(k) {
      const word = T.RELATIONS[this.view.model.data.relations[k]];
      return element("span", { class: "relation" }, element("span", { class: `swatch ${word}` }), word);
    }

    // What is picked, with the numbers of the file.
    describe() {
      const { model, selection } = this.view;
      const back = (words, to) => element("button", { onclick: () => this.view.select(to, false) }, words);
      const all = back("All pairs", { body: -1, pair: -1 });
      if (selection.pair >= 0) {
        const { body } = selection;
        const away = body < 0 ? all : back(`Partners of body ${model.label(body)}`, { body, pair: -1 });
        this.details.replaceChildren(...this.pairDetails(selection.pair), element("p", { class: "actions" }, away));
      } else if (selection.body >= 0) {
        this.details.replaceChildren(...this.bodyDetails(selection.body), element("p", { class: "actions" }, all));
      } else {
        const hint = "Pick a body in the view or by its id to see its partners; pick a row to see the pair.";
        this.details.replaceChildren(element("p", { class: "hint" }, hint));
      }
      this.status.textContent = this.sentence();
    }

    sentence() {
      const { model, selection } = this.view;
      if (selection.pair >= 0) {
        const k = selection.pair;
        return `Pair of ${model.title(model.bodyA[k])} and ${model.title(model.bodyB[k])}: ${T.RELATIONS[model.data.relations[k]]}`;
      }
      if (selection.body < 0) return `${this.caption.textContent} shown`;
      return `Body ${model.title(selection.body)}, ${T.KINDS[model.data.kinds[selection.body]]}: ${plural(this.pairs.length, "partner")}`;
    }

    bodyDetails(i) {
      const { model } = this.view;
      const { kinds, shapes, worlds } = model.data;
      const numbers = (from, to) => [...shapes.subarray(10 * i + from, 10 * i + to)].map(single).join(", ");
      const rows = [
        [
          ["centre", numbers(0, 3)],
          ["radius", numbers(3, 4)],
        ],
        [
          ["lower corner", numbers(0, 3)],
          ["upper corner", numbers(3, 6)],
        ],
        [
          ["centre", numbers(0, 3)],
          ["half extents", numbers(3, 6)],
          ["rotation", numbers(6, 10)],
        ],
        [
          ["first end", numbers(0, 3)],
          ["second end", numbers(3, 6)],
          ["radius", numbers(6, 7)],
        ],
        [
          ["normal", numbers(0, 3)],
          ["offset", numbers(3, 4)],
        ],
        [
          ["position", numbers(0, 3)],
          ["rotation", numbers(3, 7)],
          ["corners", kinds[i] === T.HULL ? String(model.form(i).corners.length) : ""],
        ],
      ][kinds[i]];
      if (worlds) rows.push(["world", worlds[i] === 0xffffffff ? "every" : String(worlds[i])]);
      const title = element("h2", {}, `Body ${model.label(i)}`);
      if (model.name(i)) title.append(" ", element("span", { class: "name" }, model.name(i)));
      return [title, element("p", { class: "kind" }, T.KINDS[kinds[i]]), list(rows)];
    }

    pairDetails(k) {
      const { model } = this.view;
      const select = (body) => this.view.select({ body, pair: -1 }, false);
      const pick = (body) => element("button", { class: "link", onclick: () => select(body) }, model.title(body));
      const title = element("h2", {}, "Pair of ", pick(model.bodyA[k]), " and ", pick(model.bodyB[k]));
      const parts = [title, element("p", {}, this.relation(k))];
      if (!model.hasContacts) return parts;
      const { normals, depths, kinds, words, offsets, points, features } = model.data.contacts;
      parts.push(
        list([
          ["normal, a to b", [...normals.subarray(3 * k, 3 * k + 3)].map(single).join(", ")],
          ["depth", single(depths[k])],
          ["kind", words[kinds[k]]],
        ]),
      );
      const body = element("tbody");
      for (let p = offsets[k]; p < offsets[k + 1]; p++) {
        const cells = [...points.subarray(4 * p, 4 * p + 4)].map(single).concat(String(features[p]));
        body.append(element("tr", {}, ...cells.map((text) => element("td", {}, text))));
      }
      const head = ["x", "y", "z", "depth", "feature"].map((text) => element("th", { scope: "col" }, text));
      const top = [element("caption", {}, "points on b"), element("thead", {}, element("tr", {}, ...head))];
      parts.push(element("div", { class: "wide" }, element("table", { class: "points" }, ...top, body)));
      return parts;
    }
  };

  function list(rows) {
    return element("dl", {}, ...rows.flatMap(([term, value]) => [element("dt", {}, term), element("dd", {}, value)]));
  }
})((globalThis.Tangency ??= {}));
