// A light layer over each plot: the cursor, dots on the curves, what is highlighted, a tooltip.
// Scrubbing moves these few elements and leaves the heavy figure below alone.
(function () {
  "use strict";

  const SVG = "http://www.w3.org/2000/svg";

  function make(parent, tag, name) {
    const element = document.createElementNS(SVG, tag);
    element.setAttribute("class", name);
    parent.append(element);
    return element;
  }

  function set(element, attributes) {
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.style.display = "";
  }

  const hide = (element) => (element.style.display = "none");

  function attach(host) {
    const svg = make(host.element, "svg", "pl-overlay");
    svg.setAttribute("aria-hidden", "true");
    host.layer = { svg, dots: [] };
    for (const [name, tag] of [["stage", "rect"], ["curtain", "rect"], ["datum", "line"], ["hover", "line"], ["cursor", "line"],
      ["halo", "path"], ["neuron", "path"], ["ring", "circle"]])
      host.layer[name] = make(svg, tag, "pl-" + name);
    host.tip = document.createElement("div");
    host.tip.className = "pl-tip";
    host.tip.hidden = true;
    host.element.append(host.tip);
    clear(host);
  }

  function clear(host) {
    for (const name of ["stage", "curtain", "datum", "hover", "cursor", "halo", "neuron", "ring"]) hide(host.layer[name]);
    host.layer.dots.forEach(hide);
  }

  /** Pixel scales of a drawn panel, and its plot area. */
  function scales(host) {
    const full = host.gd._fullLayout;
    if (!full || !full.xaxis || !full.yaxis) return null;
    const { xaxis, yaxis } = full;
    const box = { left: xaxis._offset, top: yaxis._offset, width: xaxis._length, height: yaxis._length };
    return {
      box,
      x: (value) => box.left + xaxis.d2p(value),
      y: (value) => box.top + yaxis.d2p(value),
      toX: (pixel) => xaxis.p2d(pixel - box.left),
      toY: (pixel) => yaxis.p2d(pixel - box.top),
      holdsX: (pixel) => pixel >= box.left - 0.5 && pixel <= box.left + box.width + 0.5,
      holdsY: (pixel) => pixel >= box.top - 0.5 && pixel <= box.top + box.height + 0.5,
    };
  }

  function vertical(element, scale, pixel) {
    if (!scale.holdsX(pixel)) return hide(element);
    set(element, { x1: pixel, x2: pixel, y1: scale.box.top, y2: scale.box.top + scale.box.height });
  }

  function horizontal(element, scale, pixel) {
    if (!scale.holdsY(pixel)) return hide(element);
    set(element, { y1: pixel, y2: pixel, x1: scale.box.left, x2: scale.box.left + scale.box.width });
  }

  /** Where a run stands on the time axis at the chosen moment. */
  function timeOf(run, context) {
    if (context.view.x === "epoch") return context.epoch > 0 ? context.epoch : context.view.zero;
    return plateau.history.times(run, context.view)[context.frame(run)];
  }

  function showMoment(host, context, scale) {
    const { selected } = context;
    showDots(host, context, scale);
    if (!plateau.history.counts(selected, context.view)) return;
    const now = scale.x(timeOf(selected, context));
    vertical(host.layer.cursor, scale, now);
    showCurtain(host, scale, now);
    const frame = context.frame(selected);
    const starts = plateau.history.stageStarts(selected);
    const index = plateau.derive.upperBound(starts, frame) - 1;
    const time = plateau.history.times(selected, context.view);
    const left = Math.max(scale.box.left, scale.x(time[starts[index]]));
    const end = index + 1 < starts.length ? time[starts[index + 1]] : time[selected.last];
    const right = Math.min(scale.box.left + scale.box.width, scale.x(end));
    const { stage } = host.layer;
    if (right - left > 1)
      set(stage, { x: left, width: right - left, y: scale.box.top, height: scale.box.height });
    else hide(stage);
  }

  /** Who is asked what comes next must not see it yet. */
  function showCurtain(host, scale, now) {
    const { curtain } = host.layer;
    const from = Math.max(scale.box.left, now + 1);
    const width = scale.box.left + scale.box.width - from;
    if (document.documentElement.hasAttribute("data-curtain") && width > 0)
      set(curtain, { x: from, width: width + 2, y: scale.box.top - 4, height: scale.box.height + 4 });
    else hide(curtain);
  }

  function showDots(host, context, scale) {
    const traces = (host.gd.data || []).filter((trace) => trace.meta && trace.meta.dot);
    while (host.layer.dots.length < traces.length) host.layer.dots.push(make(host.layer.svg, "circle", "pl-dot"));
    host.layer.dots.forEach((dot, i) => {
      const trace = traces[i];
      const run = trace && context.runs.find((one) => one.id === trace.meta.run);
      if (!run || !plateau.history.counts(run, context.view)) return hide(dot);
      const frame = context.frame(run);
      const value = Math.max(plateau.history.SMALLEST, run.value(trace.meta.dot, frame));
      const x = scale.x(plateau.history.times(run, context.view)[frame]);
      const y = scale.y(value);
      if (!Number.isFinite(y) || !scale.holdsX(x) || !scale.holdsY(y)) return hide(dot);
      set(dot, { cx: x, cy: y, r: run === context.selected ? 4.5 : 3.5 });
      dot.style.fill = plateau.style.method(run.method).colour;
    });
  }

  function showNeuron(host, context, scale, neuron, column) {
    const run = context.selected;
    const frames = plateau.history.shown(run, context.view, 400);
    const time = plateau.history.times(run, context.view);
    const values = run.column[column];
    let path = "";
    for (const frame of frames) {
      const x = Math.min(scale.box.left + scale.box.width, Math.max(scale.box.left, scale.x(time[frame])));
      const y = scale.y(values[frame * run.width + neuron]);
      const inside = Math.min(scale.box.top + scale.box.height, Math.max(scale.box.top, y));
      path += (path ? "L" : "M") + x.toFixed(1) + " " + inside.toFixed(1);
    }
    set(host.layer.halo, { d: path });
    set(host.layer.neuron, { d: path });
    host.layer.neuron.style.stroke = plateau.style.neuron(run, neuron);
  }

  function showPlace(host, context, scale, { neuron, datum }) {
    const run = context.selected;
    if (neuron !== null) {
      const { b } = plateau.momentOf.stateAt(run, context.frame(run), context.view);
      const x = scale.x(b[neuron]);
      if (scale.holdsX(x)) {
        const { top, height } = scale.box;
        set(host.layer.neuron, { d: `M${x} ${top}V${top + height * (1 - plateau.momentOf.BASELINE)}` });
        host.layer.neuron.style.stroke = plateau.style.neuron(run, neuron);
        host.layer.svg.classList.add("pl-upright");
      }
    }
    if (datum !== null) {
      const x = scale.x(run.data.x[datum]);
      vertical(host.layer.datum, scale, x);
      const y = scale.y(run.data.y[datum]);
      if (host.panel.figure.layout.meta.y === "response" && scale.holdsX(x) && scale.holdsY(y))
        set(host.layer.ring, { cx: x, cy: y, r: 7 });
    }
  }

  /** Bring one panel's layer up to date. */
  function refresh(host, context) {
    if (!host.panel || !host.visible || !context.selected || !context.selected.count) return;
    const scale = scales(host);
    if (!scale) return;
    const { meta } = host.panel.figure.layout;
    const { mark } = context;
    clear(host);
    if (host.bare) return;
    if (meta.cursor) showMoment(host, context, scale);
    const kind = meta.hover ? meta.hover.kind : "";
    const faded = mark.neuron !== null && kind === "neurons";
    host.element.classList.toggle("pl-faded", faded);
    if (mark.neuron !== null && mark.neuron >= context.selected.width) return;
    if (faded) showNeuron(host, context, scale, mark.neuron, meta.hover.column);
    if (kind === "neurons" && meta.hover.column === "b" && mark.datum !== null && context.selected.data)
      horizontal(host.layer.datum, scale, scale.y(context.selected.data.x[mark.datum]));
    if (kind === "place" && context.selected.data) showPlace(host, context, scale, mark);
    if (meta.cursor && mark.time !== null) vertical(host.layer.hover, scale, scale.x(mark.time));
  }

  /** Zooming one history zooms all; Plotly tells of every change of its axes here. */
  function listen(host) {
    host.listening = true;
    host.gd.on("plotly_relayout", (change) => {
      if ("xaxis.range[0]" in change && host.panel.figure.layout.meta.x === "time")
        overlay.zoomed([10 ** change["xaxis.range[0]"], 10 ** change["xaxis.range[1]"]]);
      overlay.redrawn(host);
    });
    host.gd.on("plotly_relayouting", () => overlay.redrawn(host));
  }

  const overlay = { attach, listen, refresh, scales, zoomed: () => {}, redrawn: () => {} };
  plateau.overlay = overlay;
})();
