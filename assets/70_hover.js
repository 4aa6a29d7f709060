// What is under the pointer: a neuron, a datum, a moment. It is highlighted in every panel at once.
(function () {
  "use strict";

  const { overlay, derive } = plateau;
  const NEAR = 14;
  const text = (value, digits) => plateau.axes.number(value, digits);

  const nearest = (values, wanted) => {
    const at = derive.lowerBound(values, wanted);
    if (at <= 0) return 0;
    if (at >= values.length) return values.length - 1;
    return wanted - values[at - 1] <= values[at] - wanted ? at - 1 : at;
  };

  /** The frame of a run under a pixel of a time axis. */
  function frameUnder(run, scale, pixel, view) {
    const time = plateau.history.times(run, view);
    return Math.max(0, derive.upperBound(time, scale.toX(pixel)) - 1);
  }

  const kinds = {};

  kinds.curves = (host, now, scale, at, { column }) => {
    const frame = frameUnder(now.selected, scale, at.x, now.view);
    const time = scale.toX(at.x);
    const lines = now.runs.filter((run) => plateau.history.counts(run, now.view)).map((run) => {
      const index = Math.max(0, derive.upperBound(plateau.history.times(run, now.view), time) - 1);
      return plateau.style.method(run.method).title + "  " + text(run.value(column, index));
    });
    const epoch = now.selected.value("epoch", frame);
    const floor = now.selected.value("floor", frame);
    const more = column === "loss" && Number.isFinite(floor) ? ["floor of the stage  " + text(floor)] : [];
    return { epoch, time, lines: ["epoch " + text(epoch), ...lines, ...more] };
  };

  kinds.neurons = (host, now, scale, at, { column }) => {
    const run = now.selected;
    const frame = frameUnder(run, scale, at.x, now.view);
    const values = run.row(column, frame);
    let neuron = -1;
    let best = NEAR;
    for (let j = 0; j < run.width; j++) {
      const distance = Math.abs(scale.y(values[j]) - at.y);
      if (distance < best) [best, neuron] = [distance, j];
    }
    const epoch = run.value("epoch", frame);
    const found = { epoch, time: scale.toX(at.x), lines: ["epoch " + text(epoch)] };
    if (neuron >= 0) {
      found.neuron = neuron;
      found.lines.unshift(...neuronLines(run, frame, neuron, now));
    } else if (column === "b" && run.data) {
      const datum = nearest(run.data.x, scale.toY(at.y));
      if (Math.abs(scale.y(run.data.x[datum]) - at.y) < 5) {
        found.datum = datum;
        found.lines.unshift("data point x = " + text(run.data.x[datum]));
      }
    }
    return found;
  };

  function neuronLines(run, frame, neuron, now, state) {
    const { b, c, gap, pin } = state || {
      b: run.row("b", frame), c: run.row("c", frame), gap: run.row("gap", frame), pin: run.row("pin", frame),
    };
    const m = run.data ? run.data.x.length : Infinity;
    const status = derive.status(gap[neuron], pin[neuron], m);
    const told = {
      live: "free", left: "left of all data", dead: "dead",
      pinned: run.data ? "pinned at x = " + text(run.data.x[pin[neuron]]) : "pinned",
    }[status];
    return ["neuron " + (neuron + 1) + ", " + told, "b = " + text(b[neuron]) + ",  c = " + text(c[neuron])];
  }

  kinds.place = (host, now, scale, at) => {
    const run = now.selected;
    const frame = now.frame(run);
    const state = plateau.momentOf.stateAt(run, frame, now.view);
    const low = at.y > scale.box.top + 0.86 * scale.box.height;
    if (low) {
      let neuron = -1;
      let best = NEAR;
      for (let j = 0; j < run.width; j++) {
        const distance = Math.abs(scale.x(state.b[j]) - at.x);
        if (distance < best) [best, neuron] = [distance, j];
      }
      if (neuron >= 0) return { neuron, lines: neuronLines(run, frame, neuron, now, state) };
    }
    if (!run.data) return null;
    const datum = nearest(run.data.x, scale.toX(at.x));
    if (Math.abs(scale.x(run.data.x[datum]) - at.x) > NEAR) return null;
    const value = derive.evaluate(state.b, state.c, run.data.x[datum]);
    return {
      datum,
      lines: ["x = " + text(run.data.x[datum]), "y = " + text(run.data.y[datum]), "f(x) = " + text(value)],
    };
  };

  kinds.levels = (host, now, scale, at) => {
    const run = now.selected;
    const frame = frameUnder(run, scale, at.x, now.view);
    const level = Math.round(scale.toY(at.y));
    if (level < 0 || level > run.width || !run.data) return null;
    const gap = Int32Array.from(run.row("gap", frame)).sort();
    const from = level > 0 ? gap[level - 1] : 0;
    const to = level < run.width ? gap[level] : run.data.x.length;
    const epoch = run.value("epoch", frame);
    const where = to > from ? ", x from " + text(run.data.x[from]) + " to " + text(run.data.x[to - 1]) : "";
    return {
      epoch, time: scale.toX(at.x),
      lines: ["l = " + level + ": " + (to - from) + (to - from === 1 ? " point" : " points") + where, "epoch " + text(epoch)],
    };
  };

  function showTip(host, at, lines) {
    const { tip } = host;
    tip.replaceChildren(...lines.map((line) => Object.assign(document.createElement("div"), { textContent: line })));
    tip.hidden = false;
    const right = at.x > host.element.clientWidth / 2;
    const room = host.element.clientHeight - tip.offsetHeight - 4;
    tip.style.left = (right ? at.x - tip.offsetWidth - 14 : at.x + 14) + "px";
    tip.style.top = Math.max(2, Math.min(room, at.y - tip.offsetHeight / 2)) + "px";
  }

  function findUnder(host, event) {
    const { player } = plateau;
    const now = player.context();
    if (!host.panel || !now.selected) return null;
    const rule = host.panel.figure.layout.meta.hover;
    const scale = overlay.scales(host);
    if (!rule || !scale) return null;
    const bounds = host.element.getBoundingClientRect();
    const at = { x: event.clientX - bounds.left, y: event.clientY - bounds.top };
    if (!scale.holdsX(at.x) || !scale.holdsY(at.y)) return null;
    return { at, found: kinds[rule.kind](host, now, scale, at, rule) };
  }

  function moved(host, event) {
    if (event.buttons) return left(host);
    const result = findUnder(host, event);
    if (!result || !result.found) return left(host);
    const { at, found } = result;
    const key = [found.neuron, found.datum, found.epoch, at.x, at.y].join();
    if (key === host.hoverKey) return;
    host.hoverKey = key;
    showTip(host, at, found.lines);
    const given = (value) => (value === undefined ? null : value);
    const detail = {
      neuron: given(found.neuron), datum: given(found.datum), epoch: given(found.epoch),
      time: given(found.time), origin: host.name,
    };
    plateau.player.state_.hover = detail;
    plateau.player.redraw("marks");
    plateau.emit("hover", detail);
  }

  function left(host) {
    host.tip.hidden = true;
    host.hoverKey = null;
    const { state_: state, redraw } = plateau.player;
    if (!state.hover || state.hover.origin !== host.name) return;
    state.hover = null;
    redraw("marks");
    plateau.emit("hover", { neuron: null, datum: null, epoch: null, origin: host.name });
  }

  /** A click goes to the moment under it, and chooses the neuron under it, or lets go of it. */
  function clicked(host, event) {
    const result = findUnder(host, event);
    if (!result || !result.found) return;
    const { found } = result;
    const { player } = plateau;
    const chosen = found.neuron === undefined || found.neuron === player.state_.neuron ? null : found.neuron;
    if (chosen !== player.state_.neuron) player.chooseNeuron(chosen);
    if (found.epoch !== undefined) player.seek(found.epoch);
  }

  function attach(host) {
    const { element } = host;
    let down = null;
    let queued = null;
    element.addEventListener("pointermove", (event) => {
      if (event.pointerType === "touch") return;
      if (!queued) requestAnimationFrame(() => {
        const latest = queued;
        queued = null;
        moved(host, latest);
      });
      queued = event;
    });
    element.addEventListener("pointerleave", () => left(host));
    // Plotly covers the page while a button is down, so the release is seen by the window only
    element.addEventListener("pointerdown", (event) => {
      down = event.target.closest(".pl-empty, a, button") ? null : { x: event.clientX, y: event.clientY };
    }, true);
    window.addEventListener("pointerup", (event) => {
      const still = down && Math.hypot(event.clientX - down.x, event.clientY - down.y) < 4;
      down = null;
      if (!still || event.button) return;
      const again = performance.now() - (host.clickedAt || -1000) < 350;
      host.clickedAt = performance.now();
      if (again) plateau.player.unzoom(host);
      else clicked(host, event);
    }, true);
    plateau.edits.attach(host);
  }

  plateau.hover = { attach };
})();
