// Tables of columns over all frames of a run. A table is a function (run, view, group) -> columns, or null
// when there is nothing to show; its result is kept until new frames come or the view changes.
(function () {
  "use strict";

  const TRAJECTORY_POINTS = 400;
  const CURVE_POINTS = 1500;
  const DATA_LINES = 60;
  const MARKS = 400;
  const NUMBERED = 16;
  const { SMALLEST, times, counts, shown, spans } = plateau.history;

  const histories = {};

  const taken = (frames, values) => Float64Array.from(frames, (frame) => values[frame]);
  const positive = (values) => values.map((value) => (value > SMALLEST ? value : value >= 0 ? SMALLEST : NaN));

  histories.curve = (run, view) => {
    if (!counts(run, view)) return null;
    const frames = shown(run, view, CURVE_POINTS);
    const columns = { x: taken(frames, times(run, view)) };
    for (const name of ["epoch", "seconds", "solves"]) columns[name] = taken(frames, run.column[name]);
    columns.stage = taken(frames, run.column.stage).map((stage) => stage + 1);
    for (const name of ["loss", "floor", "stationarity", "prediction_error"])
      columns[name] = positive(taken(frames, run.column[name]));
    return columns;
  };

  /** Where the label at the end of a run's curve would stand, as shares of the time axis. */
  function labelOf(run, view) {
    const [from, to] = view.range;
    const at = (Math.log10(times(run, view)[run.last]) - from) / (to - from);
    const width = 0.03 + 0.018 * plateau.style.method(run.method).title.length;
    const far = at + width > 1.04;
    return { far, from: far ? at - width : at, to: far ? at : at + width, loss: run.value("loss", run.last) };
  }

  /** Would this run's label stand on that of a run before it? The tabs name every method anyway. */
  function isCrowded(run, view) {
    const own = labelOf(run, view);
    const before = (view.runs || []).slice(0, (view.runs || []).indexOf(run)).filter((other) => counts(other, view));
    return before.some((other) => {
      const label = labelOf(other, view);
      const beside = own.from > label.to || own.to < label.from;
      return !beside && Math.abs(Math.log10(label.loss / own.loss)) < 0.3;
    });
  }

  /** The name of the method at the end of its curve. */
  histories.end = (run, view) => {
    if (!counts(run, view) || isCrowded(run, view)) return null;
    const last = run.last;
    return {
      x: [times(run, view)[last]], loss: [Math.max(SMALLEST, run.value("loss", last))],
      position: labelOf(run, view).far ? "bottom left" : run.count === 1 ? "top right" : "middle right",
    };
  };

  /** A loss that some network of this width is known to reach; left out where it is far below all curves. */
  histories.best = (run, view) => {
    const reached = (view.runs || [run]).filter((one) => one.count).map((one) => one.value("loss", one.last));
    const best = run.data && run.data.best_known;
    if (!(best > 0) || best < Math.min(...reached) / 100) return null;
    return { x: [10 ** view.range[0], 10 ** view.range[1]], y: [best, best], text: ["  best known for this width", ""] };
  };

  /* Stages and ticks go from one to the next below the picture, where it is cut off: a gap would make a path of
     its own of each, and hundreds of paths are what takes time to draw. */
  const BELOW = -1;

  histories.stages = (run, view) => {
    if (!counts(run, view)) return null;
    const x = [];
    const y = [];
    spans(run, view).forEach((span, i) => {
      if (i % 2 === 0) return;
      x.push(span.from, span.from, span.to, span.to);
      y.push(BELOW, 1, 1, BELOW);
    });
    return { x, y };
  };

  histories.ticks = (run, view) => {
    if (!counts(run, view)) return null;
    const x = [];
    const y = [];
    spans(run, view).slice(1).forEach((span) => {
      x.push(span.from, span.from, span.from);
      y.push(BELOW, 0.03, BELOW);
    });
    return { x, y };
  };

  histories.floors = (run, view) => {
    if (!counts(run, view)) return null;
    const x = [];
    const y = [];
    for (const span of spans(run, view)) {
      const floor = run.value("floor", span.frame);
      if (!(floor > SMALLEST)) continue;
      x.push(span.from, span.to, NaN);
      y.push(floor, floor, NaN);
    }
    return { x, y };
  };

  /** Trajectories with gaps: where a neuron is dead it leaves its colour group for the grey one. */
  function trajectories(run, view) {
    return run.cached(["trajectories", view.x, view.zero, view.window].join(":"), () => {
      const frames = shown(run, view, TRAJECTORY_POINTS);
      const x = taken(frames, times(run, view));
      const { b, c, gap, pin } = run.column;
      const m = run.data ? run.data.x.length : Infinity;
      const empty = () => ({ x: [], b: [], c: [] });
      const groups = Array.from({ length: 12 }, empty);
      const held = Array.from({ length: 12 }, empty);
      const dead = empty();
      const push = (list, i, at) => {
        list.x.push(x[i]);
        list.b.push(b[at]);
        list.c.push(c[at]);
      };
      const cut = (list) => {
        list.x.push(NaN);
        list.b.push(NaN);
        list.c.push(NaN);
      };
      for (let j = 0; j < run.width; j++) {
        const own = groups[run.group[j]];
        const pinned = held[run.group[j]];
        let current = null;
        let wasPinned = false;
        for (let i = 0; i < frames.length; i++) {
          const at = frames[i] * run.width + j;
          const list = gap[at] >= m ? dead : own;
          if (current && list !== current) {
            push(current, i, at);
            cut(current);
          }
          push(list, i, at);
          current = list;
          const isPinned = pin[at] >= 0;
          if (isPinned || wasPinned) push(pinned, i, at);
          if (wasPinned && !isPinned) cut(pinned);
          wasPinned = isPinned;
        }
        if (current) cut(current);
        if (wasPinned) cut(pinned);
      }
      return { groups, held, dead };
    });
  }

  const lineWidth = (run) => (run.width <= 20 ? 1.75 : run.width <= 60 ? 1.25 : 0.8);

  function ofGroup(part) {
    return (run, view, group) => {
      if (!counts(run, view)) return null;
      const columns = trajectories(run, view)[part][group];
      if (!columns.x.length) return null;
      return Object.assign({ width: lineWidth(run), pinned_width: 2.2 * lineWidth(run) }, columns);
    };
  }

  histories.neurons = ofGroup("groups");
  histories.pinned = ofGroup("held");
  histories.dead = (run, view) => (counts(run, view) ? trajectories(run, view).dead : null);

  /** The number of each neuron where its curve begins, by which the sentences call it; of many, none.
   *  Curves that begin side by side share a place. */
  histories.numbers = (run, view) => {
    if (!counts(run, view) || !run.data || run.width > NUMBERED) return null;
    const b = run.row("b", 0);
    const near = 0.06 * (run.data.x[run.data.x.length - 1] - run.data.x[0]);
    const places = [];
    for (const j of Array.from(b.keys()).sort((i, k) => b[k] - b[i])) {
      const last = places[places.length - 1];
      if (last && last.b - b[j] < near) last.neurons.push(j + 1);
      else places.push({ b: b[j], neurons: [j + 1], colour: plateau.style.neuron(run, j) });
    }
    return {
      x: places.map(() => times(run, view)[0]), b: places.map((place) => place.b),
      text: places.map((place) => place.neurons.join(", ")), colour: places.map((place) => place.colour),
    };
  };

  /** Where neurons did one of `kinds`; too many are thinned evenly. */
  function marks(kinds) {
    return (run, view) => {
      if (!counts(run, view)) return null;
      const x = times(run, view);
      let list = [];
      for (let frame = 0; frame < run.count; frame++) {
        for (const [neuron, kind, datum] of run.changes[frame]) {
          if (!kinds.includes(kind)) continue;
          const at = datum >= 0 && run.data ? run.data.x[datum] : run.row("b", frame)[neuron];
          list.push({ x: x[frame], b: kind === "moved" ? run.row("b", frame)[neuron] : at, neuron });
        }
      }
      const stride = Math.ceil(list.length / MARKS);
      if (stride > 1) list = list.filter((_, i) => i % stride === 0);
      return {
        x: list.map((mark) => mark.x),
        b: list.map((mark) => mark.b),
        neuron: list.map((mark) => mark.neuron + 1),
        colour: list.map((mark) => plateau.style.neuron(run, mark.neuron)),
        size: list.length <= 30 ? 8 : list.length <= 120 ? 6 : 4,
      };
    };
  }

  histories.pins = marks(["pinned"]);
  histories.crossings = marks(["crossed", "moved", "relocated"]);

  histories.data_lines = (run, view) => {
    if (!run.data || !counts(run, view)) return null;
    const stride = Math.ceil(run.data.x.length / DATA_LINES);
    const x = [];
    const y = [];
    for (let k = 0; k < run.data.x.length; k += stride) {
      x.push(10 ** view.range[0], 10 ** view.range[1], NaN);
      y.push(run.data.x[k], run.data.x[k], NaN);
    }
    return { x, y, opacity: run.data.x.length > 30 ? 0.45 : 0.7 };
  };

  /** u_l over time; a cell reaches from its frame to the next, so x has one edge more than z columns. */
  histories.pattern = (run, view) => {
    if (!counts(run, view) || !run.data) return null;
    const frames = shown(run, view, 300);
    const time = times(run, view);
    const n = run.width;
    const m = run.data.x.length;
    const z = Array.from({ length: n + 1 }, () => new Float64Array(frames.length));
    let top = 1;
    frames.forEach((frame, i) => {
      const gap = Int32Array.from(run.row("gap", frame)).sort();
      for (let l = 0; l <= n; l++) {
        const count = (l < n ? gap[l] : m) - (l > 0 ? gap[l - 1] : 0);
        z[l][i] = count;
        if (l > 0 && count > top) top = count;
      }
    });
    const x = frames.map((frame) => time[frame]);
    x.push(frames.length > 1 ? time[run.last] * 1.0001 : time[0] * 1.1);
    return { x, y: Array.from({ length: n + 1 }, (_, l) => l), z, top };
  };

  /** A star where the run ended because nothing is left to train. */
  histories.trained = (run, view) => {
    if (!counts(run, view) || !run.isTrained) return null;
    const value = run.value("stationarity", run.last);
    return { x: [times(run, view)[run.last]], y: [Math.max(SMALLEST, value)], text: ["fully trained"] };
  };

  plateau.histories = histories;
})();
