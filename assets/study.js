/* The Study page: its scripts and pictures one at a time, light or dark, what is picked from the lists, and
   opening a run in the Lab. */
(function () {
  "use strict";
  const root = document.documentElement;
  const gridClass = () => `study-grid ag-theme-quartz${root.dataset.theme === "dark" ? "-dark" : ""}`;

  /* The page answers between any two scripts and any two pictures. A script that is added so is run in order
     and in a task of its own; those that the document names are run together, a third of a second at a stretch. */
  document.addEventListener("DOMContentLoaded", () => {
    const scripts = [...document.querySelectorAll("script[data-turn]")].map(({ src }) => Object.assign(document.createElement("script"), { src, async: false }));
    scripts.at(-1).addEventListener("load", () => {
      window.Plotly.react = later(window.Plotly.react);
      window.Plotly.between = between;
      practise();
      setTimeout(() => dispatchEvent(new Event("study:loaded")));
    });
    document.head.append(...scripts);
  });
  const inTurn = (act) => (document.hidden ? setTimeout(act) : requestAnimationFrame(() => setTimeout(act)));
  const STRETCH = 15; // milliseconds of a drawing after which somebody may be answered
  const waiting = new Map();
  let drawing = false; // the plot, or true between two of them
  let begun = 0;
  const between = (plot) => (plot !== drawing || performance.now() - begun < STRETCH ? null : new Promise((resolve) => {
    setTimeout(() => { begun = performance.now(); resolve(); });
  }));
  const drawNext = async () => {
    const [[plot, { draw, tell }]] = waiting;
    waiting.delete(plot);
    [drawing, begun] = [plot, performance.now()];
    try { tell(await draw()); } catch (error) { tell(Promise.reject(error)); }
    drawing = waiting.size > 0;
    if (drawing) { inTurn(drawNext); }
  };
  /* Of two pictures that wait for the same plot the newer is drawn, and is the answer to both. */
  const later = (act) => (plot, figure) => new Promise((resolve) => {
    const older = waiting.get(plot);
    const tell = (answer) => { older?.tell(answer); resolve(answer); };
    waiting.set(plot, { draw: () => act(plot, figure), tell });
    if (!drawing) { inTurn(drawNext); }
    drawing ||= true;
  });
  /* What is drawn for the first time takes several times as long, its code being read: so a tiny picture has
     each kind of thing in turn, while the page waits for its first answers. */
  const practise = async () => {
    "a".localeCompare("b"); // the grid sorts so, and the rules of the language are read at the first time
    const plot = document.body.appendChild(Object.assign(document.createElement("div"), { className: "study-practice", ariaHidden: "true" }));
    const axis = { type: "log", title: { text: "." } };
    const layout = { width: 200, height: 200, showlegend: false, hovermode: "closest", xaxis: axis, yaxis: axis };
    const points = { x: [1, 2, 4], y: [1, 3, 9], text: [".", ".", "."], customdata: ["", "", ""] };
    const parts = [
      { xaxis: { visible: false }, yaxis: { visible: false } },
      {},
      { mode: "lines" },
      { mode: "lines", fill: "toself", line: { dash: "dot" } },
      { mode: "markers", hovertemplate: "%{x}" },
      { mode: "lines+markers+text", error_y: { type: "data", array: [1, 1, 1] } },
    ];
    for (const part of parts) {
      const data = part.mode ? [{ ...points, ...part }] : [];
      await window.Plotly.react(plot, structuredClone({ data, layout: { ...layout, ...(part.mode ? {} : part) }, config: { staticPlot: true } }));
    }
    window.Plotly.purge(plot);
    plot.remove();
  };
  let given = null;
  const written = new WeakMap();

  /* What is typed is told after a pause, since to lay out ten thousand runs takes seconds; Enter and leaving tell
     it at once. What a link says is written there unless somebody has typed since it was opened or run. */
  const PAUSE = 700;
  let typing = 0;
  let isTyped = false;
  const plain = (text) => text.replace(/\s*\n\s*/g, "");
  const isQuery = (event) => event.target.id === "study-query";
  const tell = (field) => {
    if (!typing) { return; }
    clearTimeout(typing);
    typing = 0;
    window.dash_clientside.set_props("study-asked", { data: plain(field.value) });
  };
  document.addEventListener("input", (event) => {
    if (!isQuery(event)) { return; }
    clearTimeout(typing);
    isTyped = true;
    typing = setTimeout(tell, PAUSE, event.target);
  });
  document.addEventListener("change", (event) => { if (isQuery(event)) { tell(event.target); } });
  document.addEventListener("keydown", (event) => {
    if (!isQuery(event) || event.key !== "Enter") { return; }
    event.preventDefault();
    tell(event.target);
  });
  addEventListener("popstate", () => { isTyped = false; });

  /* A choice stands in the link, and is read from there when the page is loaded (components/pages/study/view.py). */
  const remember = (name, value) => {
    const pairs = location.search.slice(1).split("&").filter((pair) => pair && pair.split("=")[0] !== name);
    if (value) { pairs.push(`${name}=${encodeURIComponent(value)}`); }
    history.replaceState(history.state, "", pairs.length ? `?${pairs.join("&")}` : location.pathname);
  };
  document.addEventListener("change", (event) => {
    const list = event.target;
    const name = list.id?.startsWith("pick-") ? list.id.slice(5) : "";
    if (!name) { return; }
    window.dash_clientside.set_props(`study-${name}`, { data: list.value });
    remember(name, list.value === list.dataset.usual ? "" : list.value);
  });
  document.addEventListener("click", (event) => {
    const entry = event.target.closest?.("#study-legend button");
    if (entry) { window.dash_clientside.set_props("study-only", { data: entry.getAttribute("aria-pressed") === "true" ? "" : entry.dataset.group }); }
    if (event.target.closest?.("#study-run")) {
      document.getElementById("study-ready").open = false;
      isTyped = false;
    }
    if (event.target.closest?.("#reading-theme")) {
      window.dash_clientside.set_props?.("study-theme", { data: root.dataset.theme });
      window.dash_clientside.set_props?.("study-grid", { className: gridClass() });
    }
  });
  window.dash_clientside = Object.assign({}, window.dash_clientside, {
    study: {
      theme: () => [root.dataset.theme, gridClass()],
      show: (_groups, _levels, ...chosen) => {
        // After React has put the lists there.
        setTimeout(() => ["group", "level", "across", "up"].forEach((name, place) => {
          const list = document.getElementById(`pick-${name}`);
          const { entries } = list?.dataset ?? {};
          if (!entries) { return; }
          if (written.get(list) !== entries) {
            list.replaceChildren(...JSON.parse(entries).map(([value, title]) => new Option(title, value)));
            written.set(list, entries);
          }
          // what a link asks for can be chosen, whether it is offered or not
          if (chosen[place] && ![...list.options].some(({ value }) => value === chosen[place])) { list.add(new Option(chosen[place], chosen[place])); }
          list.value = chosen[place] ?? "";
        }));
        return null;
      },
      write: (query) => {
        if (isTyped || query == null) { return window.dash_clientside.no_update; }
        setTimeout(() => { // React puts it there
          if (isTyped) { return; }
          document.getElementById("study-query").value = query;
          document.dispatchEvent(new Event("study:linked"));
        });
        return query;
      },
      columns: (columns, asked) => {
        if (!columns || !asked || columns === given) { return window.dash_clientside.no_update; }
        given = columns;
        return columns;
      },
      open: (marker, step, cell, selected) => {
        const by = window.dash_clientside.callback_context.triggered[0]?.prop_id ?? "";
        const clicked = by.startsWith("study-scatter") ? marker : by.startsWith("study-reached") ? step : null;
        const link = clicked ? clicked.points?.[0]?.customdata : selected?.[0]?.lab;
        if (typeof link === "string" && link.startsWith("/?")) { location.assign(link); }
        return null;
      },
    },
  });
})();
