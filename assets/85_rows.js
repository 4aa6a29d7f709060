// The words and numbers behind every picture: a summary for screen readers, and a table on demand.
(function () {
  "use strict";

  const { axes } = plateau;
  const MOST_ROWS = 250;

  function facts(now) {
    const run = now.selected;
    const frame = now.frame(run);
    const state = plateau.momentOf.stateAt(run, frame, now.view);
    const look = plateau.style.method(run.method);
    const m = run.data ? run.data.x.length : Infinity;
    const statuses = Array.from(state.b.keys(), (j) => plateau.derive.status(state.gap[j], state.pin[j], m));
    const [stage, stages] = plateau.story.stageOf(run, frame);
    const segments = run.data ? plateau.momentOf.segmentsAt(run, frame, now.view) : null;
    const candidates = run.answers.get("candidates?frame=" + frame) || {};
    const chosen = Number.isInteger(candidates.chosen) ? candidates.neuron[candidates.chosen] + 1 : null;
    return {
      title: look.title, stage, stages,
      methods: now.runs.map((one) => plateau.style.method(one.method).title).join(", "),
      epoch: axes.number(now.epoch),
      loss: axes.number(state.loss),
      floor: axes.number(run.value("floor", frame)),
      stationarity: axes.number(run.value("stationarity", frame)),
      prediction_error: axes.number(run.value("prediction_error", frame)),
      points: run.data ? m : "",
      live: statuses.filter((status) => status !== "dead").length,
      dead: statuses.filter((status) => status === "dead").length,
      pinned: statuses.filter((status) => status === "pinned").length,
      c_min: axes.number(Math.min(...state.c)), c_max: axes.number(Math.max(...state.c)),
      empty: segments ? Array.from(segments.u).filter((count) => count === 0).length : "", levels: run.width + 1,
      trained: run.isTrained ? "It is fully trained." : "",
      candidates: candidates.position ? candidates.position.length : "No",
      chosen: chosen === null ? "" : `Neuron ${chosen} is chosen.`,
    };
  }

  function summarise(now) {
    const known = facts(now);
    for (const panel of plateau.style.spec.panels) {
      const place = document.getElementById("summary-" + panel.name);
      if (!place) continue;
      const text = panel.summary.replace(/\{(\w+)\}/g, (brace, name) => (name in known ? known[name] : brace)).trim();
      if (place.textContent !== text) place.textContent = text;
    }
  }

  const cell = (value) => (typeof value === "number" ? axes.number(value, 4) : String(value ?? "–"));

  function tableOf(panel, now) {
    const { rows } = panel.figure.layout.meta;
    const holder = document.createElement("div");
    const runs = rows.each === "run" ? now.runs : [now.selected];
    for (const run of runs) {
      const columns = plateau.draw.columnsOf({ table: rows.table }, run, now);
      const table = document.createElement("table");
      table.className = "pl-table";
      const caption = table.createCaption();
      caption.textContent = panel.title + ", " + plateau.style.method(run.method).title;
      if (!columns) {
        caption.textContent += ": nothing to show at this moment.";
        holder.append(table);
        continue;
      }
      const head = table.createTHead().insertRow();
      for (const [, title] of rows.columns)
        head.append(Object.assign(document.createElement("th"), { textContent: title, scope: "col" }));
      const count = columns[rows.columns[0][0]].length;
      const stride = Math.ceil(count / MOST_ROWS);
      const body = table.createTBody();
      for (let i = 0; i < count; i += stride) {
        const row = body.insertRow();
        for (const [name] of rows.columns) row.insertCell().textContent = cell(columns[name][i]);
      }
      if (stride > 1) caption.textContent += `: one row in ${stride}; the whole is in the exports.`;
      holder.append(table);
    }
    return holder;
  }

  function fillTable(panel, now) {
    const place = document.getElementById("table-" + panel.name);
    if (!place || place.hidden) return;
    const top = place.scrollTop;
    place.replaceChildren(tableOf(panel, now));
    place.scrollTop = top;
  }

  let timer = 0;

  /** Summaries and open tables follow the moment, but not at every animation frame. */
  function show(now) {
    if (!now.selected || timer) return;
    timer = setTimeout(() => {
      timer = 0;
      const latest = plateau.player.context();
      if (!latest.selected) return;
      summarise(latest);
      plateau.story.showTable(latest);
      for (const panel of plateau.style.spec.panels) fillTable(panel, latest);
    }, 250);
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest && event.target.closest(".panel-data");
    if (!button || !plateau.style.spec) return;
    const panel = plateau.style.spec.panels.find((one) => one.name === button.dataset.panel);
    const place = panel && document.getElementById("table-" + panel.name);
    if (!place) return;
    place.hidden = !place.hidden;
    button.setAttribute("aria-expanded", String(!place.hidden));
    place.tabIndex = 0;
    place.setAttribute("role", "region");
    place.setAttribute("aria-label", panel.title + ": data");
    const now = plateau.player.context();
    if (!place.hidden && now.selected) fillTable(panel, now);
  });

  plateau.rows = { show, facts, tableOf };
})();
