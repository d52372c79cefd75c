// Decision maps that answer to pointer and arrow keys, and their layers.

const data = JSON.parse(document.getElementById("tutti-data").textContent);

const RUNNERS_UP = 7;

class DecisionMap {
  constructor(table) {
    this.table = table;
    this.data = data.maps[Number(table.dataset.map)];
    this.article = table.closest("article");
    this.panel = this.article.querySelector(".point");
    this.legend = this.article.querySelector(".legend");
    this.ownLegend = [...this.legend.childNodes];
    this.caption = table.caption.textContent;
    this.prefix = this.data.collective.length + 1; // the title names the collective
    this.sizes = [...table.tBodies[0].rows].map((row) => row.cells[0].textContent);
    this.view = { kind: "best", layer: -1 };
    this.ranksAcross = true;
    this.current = 0;
    table.setAttribute("role", "grid");
    this.build();
    this.makeControls();
    this.listen();
    this.panel.hidden = false;
    this.panel.setAttribute("aria-live", "polite");
    this.panel.append(element("p", { className: "soft",
      textContent: "Point at a cell, tap it, or move with the arrow keys: all that was measured there appears here." }));
  }

  // Points are numbered ranks by ranks, as in the data.
  ranksOf(point) { return this.data.ranks[Math.floor(point / this.sizes.length)]; }
  sizeOf(point) { return this.sizes[point % this.sizes.length]; }
  titleOf(point) { return `${this.ranksOf(point)} ranks, ${this.sizeOf(point)}`; }
  nameOf(method) { return this.data.methods[method].name.slice(this.prefix); }
  timeOf(point, method) { return method < this.data.measured ? this.data.times_us[point][method] : null; }

  // ---- cells ----

  heading(text, scope, className = "") {
    const made = element("th", { textContent: text, className });
    made.scope = scope;
    return made;
  }

  build() {
    const ranks = this.data.ranks, count = this.sizes.length, across = this.ranksAcross;
    const columns = across ? ranks : this.sizes, rows = across ? this.sizes : ranks;
    this.cells = [];
    const head = element("tr", {}, this.heading(across ? "size \\ ranks" : "ranks \\ size", "col", "corner"),
      ...columns.map((text) => this.heading(text, "col")));
    const lines = rows.map((text, row) => element("tr", {}, this.heading(text, "row"),
      ...columns.map((unused, column) => {
        const point = across ? column * count + row : row * count + column;
        const cell = element("td", { tabIndex: point === this.current ? 0 : -1 });
        cell.dataset.point = point;
        this.cells[point] = cell;
        return cell;
      })));
    this.table.tHead.replaceChildren(head);
    this.table.tBodies[0].replaceChildren(...lines);
    this.paintAll();
  }

  methodAt(point) {
    return this.view.kind === "best" ? this.data.best[point] : this.data.layers[this.view.layer].picks[point];
  }

  paintAll() {
    this.cells.forEach((cell, point) => {
      const method = this.methodAt(point);
      const time = method < 0 ? null : this.timeOf(point, method);
      let what = method < 0 ? "nothing" : `${this.nameOf(method)}, ${time === null ? "not measured" : `${number(time)} µs`}`;
      if (this.view.kind === "loss") {
        const loss = this.data.layers[this.view.layer].loss_percent[point];
        cell.textContent = loss === null ? "." : String(Math.round(loss));
        paint(cell, loss === null ? null : data.losses.findLast((step) => loss >= step.least));
        what = loss === null ? `${what}, loss not known` : `${what}, ${slower(loss)} the best`;
      } else {
        cell.textContent = method < 0 ? "." : this.data.methods[method].letter;
        paint(cell, method < 0 ? null : this.data.methods[method]);
      }
      cell.className = "";
      cell.setAttribute("aria-label", `${this.titleOf(point)}: ${what}`);
    });
    this.paintLegend();
  }

  // ---- legend ----

  legendTable(title, head, lines) {
    const table = element("table", {}, element("caption", { textContent: title }),
      element("thead", {}, element("tr", {}, this.heading(head, "col"), this.heading("Points", "col", "n"),
        this.heading("Share", "col", "n"))));
    table.append(element("tbody", {}, ...lines.map(([mark, text, points]) => element("tr", {},
      Object.assign(element("th", {}, mark, ` ${text}`), { scope: "row" }),
      element("td", { className: "n", textContent: points.toLocaleString("en-US") }),
      element("td", { className: "n", textContent: `${(100 * points / this.cells.length).toFixed(1)} %` })))));
    return table;
  }

  paintLegend() {
    if (this.view.kind === "best") {
      this.table.caption.textContent = this.ranksAcross ? this.caption
        : "Best method by ranks (down) and message size (bytes of one rank, across)";
      this.legend.replaceChildren(...this.ownLegend);
      return;
    }
    const layer = this.data.layers[this.view.layer];
    if (this.view.kind === "loss") {
      this.table.caption.textContent = `What ${layer.name} loses, in percent of the best time`;
      const counts = data.losses.map((step, at) => layer.loss_percent.filter((loss) => loss !== null && loss >= step.least &&
        (at + 1 === data.losses.length || loss < data.losses[at + 1].least)).length);
      this.legend.replaceChildren(this.legendTable(`Loss of ${layer.name}`, "Percent of the best time",
        data.losses.map((step, at) => [swatch("\u00a0", step), step.text, counts[at]])));
      return;
    }
    this.table.caption.textContent = `What ${layer.name} picks`;
    const counts = new Map();
    layer.picks.filter((pick) => pick >= 0).forEach((pick) => counts.set(pick, (counts.get(pick) || 0) + 1));
    this.legend.replaceChildren(this.legendTable(`Picked by ${layer.name}`, "Method",
      [...counts].sort((left, right) => left[0] - right[0]).map(([method, points]) => {
        const about = this.data.methods[method];
        return [swatch(about.letter, about),
          about.name + (method < this.data.measured ? "" : " (never measured)"), points];
      })));
  }

  // ---- what is known of one point ----

  // Of real machines a time has a noise; two that differ by less than those of both are no different.
  noiseOf(point, method) { return this.data.noise_us ? this.data.noise_us[point][method] || 0 : 0; }
  isWithinNoise(point, method) {
    const best = this.data.best[point];
    return Math.abs(this.timeOf(point, method) - this.timeOf(point, best)) <
      this.noiseOf(point, method) + this.noiseOf(point, best);
  }

  slowerThanBest(point, method, best) {
    const time = this.timeOf(point, method);
    if (time === null || !(best > 0)) return "–";
    if (time !== best && this.isWithinNoise(point, method)) return "within noise";
    return time < best ? `${percent(100 * (best - time) / best)} faster` : percent(100 * (time - best) / best);
  }

  methodLine(point, method, best) {
    const about = this.data.methods[method], time = this.timeOf(point, method);
    return element("tr", {},
      element("td", {}, swatch(about.letter || "\u00a0", about.letter ? about : null)),
      Object.assign(element("th", { textContent: this.nameOf(method) }), { scope: "row" }),
      element("td", { className: "n", textContent: number(time) +
        (this.noiseOf(point, method) > 0 ? ` ± ${number(this.noiseOf(point, method))}` : "") }),
      element("td", { className: "n", textContent: this.slowerThanBest(point, method, best) }));
  }

  methodsTable(point) {
    const times = this.data.times_us[point], best = this.timeOf(point, this.data.best[point]);
    // Ties go to the method that the map has chosen, then to the first of the catalogue. What cannot be best comes below.
    const measured = times.map((unused, method) => method).filter((method) => times[method] !== null);
    const isIn = (method) => this.data.methods[method].candidate;
    const others = measured.filter((method) => !isIn(method));
    const order = measured.filter(isIn)
      .sort((left, right) => (right === this.data.best[point]) - (left === this.data.best[point]) ||
        times[left] - times[right] || left - right);
    const table = element("table", {},
      element("caption", { textContent: `Best of ${order.length} methods` }),
      element("thead", {}, element("tr", {}, element("td"), this.heading("Method", "col"),
        this.heading("µs", "col", "n"), this.heading("slower", "col", "n"))));
    table.append(element("tbody", {},
      ...order.slice(0, RUNNERS_UP).map((method) => this.methodLine(point, method, best))));
    if (others.length > 0) {
      const title = element("th", { textContent: "Not in the race" });
      title.scope = "rowgroup";
      title.colSpan = 4;
      table.append(element("tbody", {}, element("tr", {}, title),
        ...others.slice(0, RUNNERS_UP).map((method) => this.methodLine(point, method, best))));
    }
    return table;
  }

  layersTable(point) {
    const table = element("table", {}, element("caption", { textContent: "Decision functions" }),
      element("thead", {}, element("tr", {}, this.heading("Function and what it picks", "col"),
        this.heading("loses", "col", "n"))));
    table.append(element("tbody", {}, ...this.data.layers.map((layer) => {
      const pick = layer.picks[point], loss = layer.loss_percent[point];
      const picked = element("span", { className: "picked", textContent: pick < 0 ? "nothing" : this.nameOf(pick) });
      return element("tr", {}, Object.assign(element("th", {}, layer.name, " ", picked), { scope: "row" }),
        element("td", { className: "n", textContent: loss === null ? "not measured" : percent(loss) }));
    })));
    return table;
  }

  show(point) {
    const best = this.data.best[point];
    const lines = [element("h4", { textContent: this.titleOf(point) })];
    if (best < 0) {
      lines.push(element("p", { textContent: "Nothing was measured here." }));
    } else {
      const about = this.data.methods[best];
      lines.push(element("p", {}, swatch(about.letter, about), " ",
        element("strong", { className: "best", textContent: about.name }), " ",
        element("span", { className: "whole", textContent: `${number(this.timeOf(point, best))} µs` })),
        this.methodsTable(point));
    }
    if (this.data.layers.length > 0) lines.push(this.layersTable(point));
    this.panel.replaceChildren(...lines);
    this.table.querySelectorAll("td.near").forEach((cell) => cell.classList.remove("near"));
    this.cells[point].classList.add("near");
  }

  // ---- pointer and keys ----

  moveTo(point) {
    this.cells[this.current].tabIndex = -1;
    this.current = point;
    this.cells[point].tabIndex = 0;
  }

  neighbour(key, whole) {
    const count = this.sizes.length, last = this.data.ranks.length - 1;
    let ranks = Math.floor(this.current / count), size = this.current % count;
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
      Home: [-Infinity, whole ? -Infinity : 0], End: [Infinity, whole ? Infinity : 0] }[key];
    if (!step) return -1;
    const [alongRanks, alongSizes] = this.ranksAcross ? step : [step[1], step[0]];
    ranks = Math.min(last, Math.max(0, ranks + alongRanks));
    size = Math.min(count - 1, Math.max(0, size + alongSizes));
    return ranks * count + size;
  }

  listen() {
    const pointOf = (event) => {
      const cell = event.target.closest("td[data-point]");
      return cell ? Number(cell.dataset.point) : -1;
    };
    this.table.addEventListener("pointerover", (event) => {
      if (pointOf(event) >= 0) this.show(pointOf(event));
    });
    this.table.addEventListener("pointerleave", () => {
      if (this.table.contains(document.activeElement)) this.show(this.current);
    });
    this.table.addEventListener("click", (event) => {
      if (pointOf(event) >= 0) this.cells[pointOf(event)].focus();
    });
    this.table.addEventListener("focusin", (event) => {
      if (pointOf(event) < 0) return;
      this.moveTo(pointOf(event));
      this.show(this.current);
    });
    this.table.addEventListener("keydown", (event) => {
      const point = event.altKey || event.metaKey ? -1 : this.neighbour(event.key, event.ctrlKey);
      if (point < 0) return;
      event.preventDefault();
      this.cells[point].focus();
    });
  }

  // ---- controls ----

  makeControls() {
    const controls = this.article.querySelector(".controls");
    const select = element("select");
    const options = (kind, label, prefix) => {
      const group = element("optgroup", { label });
      group.append(...this.data.layers.map((layer, at) =>
        element("option", { value: `${kind} ${at}`, textContent: `${prefix} ${layer.name}` })));
      return group;
    };
    select.append(element("option", { value: "best -1", textContent: "Best method" }));
    if (this.data.layers.length > 0)
      select.append(options("picks", "What a decision function picks", "Picks of"), options("loss", "What it loses, %", "Loss of"));
    select.addEventListener("change", () => {
      const [kind, layer] = select.value.split(" ");
      this.view = { kind, layer: Number(layer) };
      this.paintAll();
    });
    const turn = element("button", { type: "button", textContent: "Ranks down" });
    turn.setAttribute("aria-pressed", "false");
    turn.addEventListener("click", () => {
      this.ranksAcross = !this.ranksAcross;
      turn.setAttribute("aria-pressed", String(!this.ranksAcross));
      this.build();
    });
    controls.append(element("label", {}, "Show ", select), turn);
    controls.hidden = false;
  }
}
