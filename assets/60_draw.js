// Copies columns into the traces that the figures of the panels declare, and hands them to Plotly.
// It knows the language of components/panels/base.py, and no panel by name.
(function () {
  "use strict";

  const { axes } = plateau;
  const hosts = new Map();

  const style = {
    spec: null,
    inks: {},
    neuron: (run, j) => style.spec.neurons[run.group[j]],
    method: (name) => style.spec.methods[name] || { title: name, colour: style.inks.muted, dash: "solid" },
  };

  /** Set `marker.line.color` and the like inside a nested object. */
  function assign(target, path, value) {
    const keys = path.split(".");
    const last = keys.pop();
    for (const key of keys) target = target[key] = target[key] || {};
    target[last] = value;
  }

  function columnsOf(meta, run, context, group) {
    const history = plateau.histories[meta.table];
    if (history) {
      const key = [meta.table, group, context.view.key].join("|");
      return run.cached(key, () => history(run, context.view, group));
    }
    const moment = plateau.moments[meta.table];
    if (!moment) throw new Error("no table called " + meta.table);
    if (!run.count) return null;
    const frame = context.frame(run);
    const state = plateau.momentOf.stateAt(run, frame, context.view);
    state.tables = state.tables || {};
    return state.tables[meta.table] || (state.tables[meta.table] = moment(run, context.view, frame));
  }

  /** One declared trace as the drawn ones: for every run, for every colour group, or for the selected run. */
  function copies(trace, context) {
    const { each } = trace.meta;
    if (each === "run") {
      const others = context.runs.filter((run) => run !== context.selected);
      return others.concat(context.selected || []).map((run) => {
        const chosen = run === context.selected;
        const look = style.method(run.method);
        return { run, look: Object.assign({ width: chosen ? 2.25 : 1.5, label: "  " + look.title + "  " }, look) };
      });
    }
    if (!context.selected) return [];
    if (each === "group")
      return style.spec.neurons.map((colour, group) => ({ run: context.selected, group, look: { colour } }));
    return [{ run: context.selected, look: style.method(context.selected.method) }];
  }

  /** The traces of a panel with their numbers; null when one of them still waits for the server.
   *  Those that are drawn directly are kept apart: they change with the moment, the others need not. */
  function filled(panel, context) {
    const data = [];
    const live = [];
    const used = [];
    const moved = [];
    for (const trace of panel.figure.data) {
      for (const { run, group, look } of copies(trace, context)) {
        const columns = columnsOf(trace.meta, run, context, group);
        if (columns === undefined) return null;
        (trace.meta.direct ? moved : used).push(columns, look.colour, look.width);
        if (!columns) continue;
        const drawn = structuredClone(trace);
        for (const [path, name] of Object.entries(trace.meta.bind)) {
          let value = columns[name] === undefined ? look[name] : columns[name];
          if (value === undefined) throw new Error("no column " + name + " in table " + trace.meta.table);
          if (path === "text" && typeof value === "string") value = [value];
          if (typeof value === "number" && /(size|width)$/.test(path)) value *= style.spec.scale || 1;
          assign(drawn, path, value);
        }
        drawn.meta = Object.assign({ run: run.id }, trace.meta);
        (trace.meta.direct ? live : data).push(drawn);
      }
    }
    return { data, live, used, moved };
  }

  function layoutOf(panel, context, data, size, revision) {
    const layout = structuredClone(panel.figure.layout);
    const run = context.selected;
    const { meta } = layout;
    const measured = data.filter((trace) => trace.meta.ranged);
    const counted = (measured.length ? measured : data)
      .filter((trace) => trace.yaxis !== "y2" && trace.y)
      .map((trace) => trace.y);
    if (meta.x === "time") axes.set.time(layout.xaxis, context.view, size);
    else if (axes.set[meta.x]) axes.set[meta.x](layout.xaxis, run);
    if (meta.y === "decades") axes.set.decades(layout.yaxis, counted, size);
    else if (meta.y === "values") axes.set.values(layout.yaxis, counted);
    else if (axes.set[meta.y]) axes.set[meta.y](layout.yaxis, run);
    layout.uirevision = [context.viewers, revision].join(":");
    layout.width = size.width;
    layout.height = size.height;
    if (context.touch) layout.dragmode = false;
    return layout;
  }

  /** The plot of a panel: Plotly's own element inside, the overlay beside it. */
  function hostOf(name) {
    const element = document.getElementById("plot-" + name);
    if (!element) return null;
    let host = hosts.get(name);
    if (!host || host.element !== element) {
      if (host) Plotly.purge(host.gd);
      element.classList.add("pl-loading");
      const gd = document.createElement("div");
      gd.className = "pl-canvas";
      element.append(gd);
      host = { name, element, gd, drawn: null, revision: 0, empty: null };
      hosts.set(name, host);
      measure(host);
      plateau.overlay.attach(host);
      draw.observe(host);
    }
    return host;
  }

  function sayEmpty(host, text) {
    if (!host.empty) {
      host.empty = document.createElement("p");
      host.empty.className = "pl-empty";
      host.element.append(host.empty);
    }
    host.empty.textContent = text || "";
    host.empty.hidden = !text;
  }

  const same = (one, two) => one && one.length === two.length && one.every((value, i) => value === two[i]);

  const NOTHING = "Nothing to draw for this method along this axis.";
  const hasPoints = (trace) => (trace.x && trace.x.length > 0) || (trace.z && trace.z.length > 0);

  /** Hand the figure to Plotly; a panel that has nothing to show says so instead. */
  function drawFigure(host, spec, context, data) {
    const shown = data.filter(hasPoints);
    const bare = !shown.some((trace) => trace.yaxis !== "y2");
    sayEmpty(host, bare ? spec.figure.layout.meta.empty || NOTHING : "");
    // Plotly stumbles when a pair of axes comes or goes: such a figure is made anew
    const pairs = [...new Set(shown.map((trace) => (trace.xaxis || "x") + (trace.yaxis || "y")))].sort().join();
    if (host.gd.data && (bare || pairs !== host.pairs)) {
      Plotly.purge(host.gd);
      host.listening = false;
    }
    host.pairs = pairs;
    host.bare = bare;
    if (!bare) {
      host.ready = Plotly.react(host.gd, shown, layoutOf(spec, context, shown, host.size, host.revision), style.spec.config);
      if (!host.listening) plateau.overlay.listen(host);
    }
    host.panel = spec;
    host.element.classList.remove("pl-loading");
  }

  function panel(spec, context) {
    const host = hostOf(spec.name);
    if (!host || !host.visible || !context.runs.some((run) => run.count)) return false;
    const result = filled(spec, context);
    if (!result) return false;
    const { size } = host;
    const used = result.used.concat(size.width, size.height, context.view.key, context.viewers, host.revision, style.spec.theme, style.spec.scale);
    const stale = !same(host.drawn, used);
    if (stale) drawFigure(host, spec, context, result.data);
    if (stale || !same(host.moved, result.moved)) {
      host.live = result.live;
      plateau.direct.paint(host);
    }
    host.drawn = used;
    host.moved = result.moved;
    return stale;
  }

  /** A panel without a size is hidden: it is not drawn until it has one. */
  function measure(host) {
    host.size = { width: host.element.clientWidth, height: host.element.clientHeight };
    host.visible = host.size.width > 60 && host.size.height > 60;
  }

  const draw = { panel, filled, measure, hosts, hostOf, columnsOf, observe: () => {} };
  plateau.style = style;
  plateau.draw = draw;
})();
