// The sentence for the chosen moment, the table of stages and the tabs of the methods.
(function () {
  "use strict";

  const { axes } = plateau;
  const NEGLIGIBLE = 1e-5;
  const SPOKEN_EVERY = 1500;
  const parts = {};

  function element(tag, name, text) {
    const made = document.createElement(tag);
    if (name) made.className = name;
    if (text !== undefined) made.textContent = text;
    return made;
  }

  /** Stage of a frame and number of stages, counted from 1. */
  const stageOf = (run, frame) => [run.value("stage", frame) + 1, run.value("stage", run.last) + 1];

  const storyOf = (run, frame) => {
    const stage = run.value("stage", frame);
    const stages = run.stages || [];
    const direct = stages[stage];
    return direct && direct.stage === stage ? direct : stages.find((one) => one.stage === stage) || null;
  };

  /** How far the loss is above its floor: the rule of core.explanation.percentage. */
  function excess(loss, floor) {
    const above = loss - floor;
    if (floor > 0 && above <= NEGLIGIBLE * floor) return "less than 0.001 %";
    if (floor > 0 && above <= 10 * floor) return axes.number((100 * above) / floor, 2) + " %";
    return axes.number(Math.max(above, 0));
  }

  function fill(template, run, frame) {
    const loss = run.value("loss", frame);
    const floor = run.value("floor", frame);
    return (template || "").replaceAll("{loss}", axes.number(loss)).replaceAll("{excess}", excess(loss, floor));
  }

  function sentence(run, frame, view) {
    if (view && view.edit && view.edit.id === run.id) {
      const before = run.value("loss", frame);
      return `Neuron ${view.edit.neuron + 1} moved by hand: the loss is ${axes.number(view.edit.loss)} instead of ${axes.number(before)}.`;
    }
    const told = storyOf(run, frame);
    if (told && told.story) return [told.story.headline, fill(told.story.moment, run, frame)].filter(Boolean).join(" ");
    const [stage, stages] = stageOf(run, frame);
    return `Stage ${stage} of ${stages}: the loss is ${axes.number(run.value("loss", frame))}.`;
  }

  function build() {
    const root = document.getElementById("explanation");
    if (root && root !== parts.explanation) {
      parts.explanation = root;
      parts.sentence = element("p", "pl-sentence");
      parts.sentence.tabIndex = 0; // it scrolls when it is long, and the keyboard must reach it
      parts.spoken = element("p", "visually-hidden");
      parts.spoken.setAttribute("aria-live", "polite");
      parts.details = element("details", "pl-why");
      parts.details.append(element("summary", "", "Why is it stuck?"), (parts.why = element("p")));
      parts.details.addEventListener("keydown", (event) => {
        if (event.key !== "Escape" || !parts.details.open) return;
        event.stopPropagation();
        parts.details.open = false;
      });
      root.replaceChildren(parts.sentence, parts.details, parts.spoken);
    }
    const tabs = document.getElementById("method-tabs");
    if (tabs && tabs !== parts.tabs) {
      parts.tabs = tabs;
      parts.tabKey = "";
      tabs.setAttribute("role", "radiogroup");
      tabs.setAttribute("aria-label", "Method shown in the panels");
    }
    const table = document.getElementById("stage-table");
    if (table && table !== parts.table) {
      parts.table = table;
      parts.tableKey = "";
      new ResizeObserver(() => plateau.player.redraw("moment")).observe(table);
    }
  }

  /** Screen readers hear a new stage, and no more often than they can speak. */
  function speak(text) {
    if (parts.said === text) return;
    clearTimeout(parts.timer);
    const wait = Math.max(0, (parts.saidAt || 0) + SPOKEN_EVERY - performance.now());
    parts.timer = setTimeout(() => {
      parts.said = text;
      parts.saidAt = performance.now();
      parts.spoken.textContent = text;
    }, Math.max(400, wait));
  }

  function showSentence(run, frame, view) {
    if (!parts.sentence) return;
    const text = sentence(run, frame, view);
    if (parts.sentence.textContent !== text) parts.sentence.textContent = text;
    const told = storyOf(run, frame);
    const story = (told && told.story) || {};
    const why = [story.state, fill(story.why, run, frame)].filter(Boolean).join(" ");
    if (parts.why.textContent !== why) parts.why.textContent = why;
    parts.details.hidden = !why;
    speak(story.headline || text);
  }

  function swatch(look) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("class", "pl-swatch");
    svg.setAttribute("aria-hidden", "true");
    const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
    for (const [name, value] of [["x1", 0], ["x2", 26], ["y1", 5], ["y2", 5]]) line.setAttribute(name, value);
    line.style.stroke = look.colour;
    if (look.dash !== "solid") line.style.strokeDasharray = look.dash.replaceAll("px", "");
    svg.append(line);
    return svg;
  }

  function showTabs(now, select) {
    if (!parts.tabs) return;
    const key = now.runs.map((run) => run.id).join() + plateau.style.spec.theme + now.selected.id;
    if (key !== parts.tabKey) {
      parts.tabKey = key;
      const focused = parts.tabs.contains(document.activeElement);
      parts.losses = new Map();
      parts.tabs.replaceChildren(...now.runs.map((run) => {
        const look = plateau.style.method(run.method);
        const chosen = run === now.selected;
        const tab = element("button", "pl-method");
        tab.type = "button";
        tab.setAttribute("role", "radio");
        tab.setAttribute("aria-checked", String(chosen));
        tab.tabIndex = chosen ? 0 : -1;
        const loss = element("span", "pl-loss");
        tab.append(swatch(look), element("span", "pl-name", run.title || look.title), loss);
        tab.addEventListener("click", () => select(run.method));
        tab.addEventListener("keydown", (event) => {
          const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
          if (!by || event.shiftKey) return;
          event.preventDefault();
          select(now.runs[(now.runs.indexOf(run) + by + now.runs.length) % now.runs.length].method);
        });
        parts.losses.set(run.id, loss);
        return tab;
      }));
      const active = parts.tabs.querySelector("[aria-checked=true]");
      if (focused && active) active.focus();
    }
    for (const run of now.runs) {
      const text = axes.number(run.value("loss", now.frame(run)));
      const target = parts.losses.get(run.id);
      if (target && target.textContent !== text) target.textContent = text;
    }
  }

  const COLUMNS = [
    ["Stage", (stage) => stage.stage + 1],
    ["From", (stage) => axes.number(stage.start)],
    ["Length", (stage) => axes.number(stage.end - stage.start)],
    ["Floor Q₀", (stage) => axes.number(stage.floor)],
    ["Rate", (stage) => axes.number(stage.rate, 2)],
    ["What began it", (stage) => stage.began || ""],
  ];

  const VERBS = { crossed: "crossed", pinned: "pinned at", released: "released from", moved: "moved over", relocated: "relocated" };

  /** What began a stage, short enough for a table. */
  function began(stage, run) {
    return (stage.changes || []).map(([, neuron, kind, datum]) => {
      const where = datum >= 0 && run.data ? " " + axes.number(run.data.x[datum]) : "";
      return neuron + 1 + " " + VERBS[kind] + where;
    }).join(", ");
  }

  function showTable(now) {
    const { table } = parts;
    const { seek } = plateau.player;
    if (!table || !table.offsetParent) return;
    const run = now.selected;
    const key = [run.id, run.version, (run.stages || []).length].join();
    if (key !== parts.tableKey) {
      parts.tableKey = key;
      const made = element("table", "pl-table");
      const head = element("tr");
      head.append(...COLUMNS.map(([title]) => Object.assign(element("th", "", title), { scope: "col" })));
      const body = element("tbody");
      for (const told of run.stages) {
        const stage = Object.assign({ began: began(told, run) }, told);
        const row = element("tr");
        row.dataset.stage = stage.stage;
        COLUMNS.forEach(([, cell], i) => {
          const place = element("td", "");
          if (i === 0) {
            const jump = element("button", "pl-jump", cell(stage));
            jump.type = "button";
            jump.setAttribute("aria-label", "Jump to stage " + cell(stage));
            place.append(jump);
          } else place.textContent = cell(stage);
          row.append(place);
        });
        row.addEventListener("click", () => seek(stage.start));
        body.append(row);
      }
      const top = element("thead");
      top.append(head);
      made.append(element("caption", "visually-hidden", "Stages of " + plateau.style.method(run.method).title), top, body);
      table.replaceChildren(made);
    }
    const current = String(run.value("stage", now.frame(run)));
    for (const row of table.querySelectorAll("tr[aria-current]")) if (row.dataset.stage !== current) row.removeAttribute("aria-current");
    const row = table.querySelector(`tr[data-stage="${current}"]`);
    if (row && !row.hasAttribute("aria-current")) {
      row.setAttribute("aria-current", "true");
      row.scrollIntoView({ block: "nearest" });
    }
  }

  function show(now) {
    build();
    if (!now.selected) return;
    const frame = now.frame(now.selected);
    showSentence(now.selected, frame, now.view);
    showTabs(now, plateau.player.select);
  }

  plateau.story = { show, showTable, stageOf, storyOf, sentence, excess, fill };
})();
