// Hands on: while paused, a bias can be dragged along the baseline of a panel that allows it.
// The network is redrawn with the moved bias; the page offers to start a run from there.
(function () {
  "use strict";

  const { derive, overlay, emit } = plateau;
  const REACH = 16;

  /** The shown network with one bias moved: a pinned neuron is free again once it is moved. */
  function edit(neuron, bias) {
    const { state_: state, frameOf, redraw } = plateau.player;
    const run = state.selected;
    if (!run || !run.count || !run.data || !Number.isFinite(bias)) return;
    const frame = frameOf(run);
    const old = plateau.momentOf.stateAt(run, frame, state.view);
    const b = Float64Array.from(old.b);
    const c = Float64Array.from(old.c);
    const pin = Int32Array.from(old.pin);
    b[neuron] = bias;
    pin[neuron] = -1;
    const gap = derive.gaps(run.data.x, b);
    for (let j = 0; j < pin.length; j++) if (pin[j] >= 0) gap[j] = pin[j] + 1;
    const loss = derive.loss(run.data.x, run.data.y, b, c);
    plateau.timeline.halt();
    state.view.edit = { id: run.id, b, c, gap, pin, loss, neuron };
    redraw("moment");
    emit("edit", {
      method: run.method, neuron: neuron + 1, value: bias, b: Array.from(b), c: Array.from(c), loss,
      loss_before: run.value("loss", frame), from_epoch: run.value("epoch", frame),
    });
  }

  /** Beyond the next datum on one side: the middle of the gap there, or a little beyond the last datum. */
  function pushOver(neuron, side) {
    const { state_: state, frameOf } = plateau.player;
    const run = state.selected;
    if (!run || !run.count || !run.data) return;
    const { b, pin } = plateau.momentOf.stateAt(run, frameOf(run), state.view);
    const { x } = run.data;
    const last = x.length - 1;
    const right = side === "right" || side > 0;
    const gap = derive.upperBound(x, b[neuron]);
    const datum = pin[neuron] >= 0 ? pin[neuron] : right ? gap : gap - 1;
    if (datum < 0 || datum > last) return;
    const step = (x[last] - x[0]) / Math.max(1, last);
    const beyond = right ? (datum < last ? x[datum + 1] : x[last] + step) : datum > 0 ? x[datum - 1] : x[0] - step;
    edit(neuron, (x[datum] + beyond) / 2);
  }

  function attach(host) {
    const spec = plateau.style.spec && plateau.style.spec.panels.find((panel) => panel.name === host.name);
    if (!spec || !spec.figure.layout.meta.drag) return;
    const strip = document.createElement("div");
    strip.className = "pl-strip";
    host.element.append(strip);
    let dragged = null;

    const under = (event) => {
      const { state_: state, context } = plateau.player;
      const now = context();
      const scale = overlay.scales(host);
      if (!now.selected || !scale) return null;
      const pixel = event.clientX - host.element.getBoundingClientRect().left;
      const { b } = plateau.momentOf.stateAt(now.selected, now.frame(now.selected), state.view);
      let best = REACH;
      let neuron = -1;
      for (let j = 0; j < b.length; j++) {
        const distance = Math.abs(scale.x(b[j]) - pixel);
        if (distance < best || (distance === best && j === state.neuron)) [best, neuron] = [distance, j];
      }
      return { neuron, bias: scale.toX(pixel) };
    };

    strip.addEventListener("pointerdown", (event) => {
      const found = under(event);
      if (!found || found.neuron < 0 || event.button) return;
      dragged = { neuron: found.neuron, x: event.clientX, moved: false };
      strip.setPointerCapture(event.pointerId);
    });
    strip.addEventListener("pointermove", (event) => {
      const found = under(event);
      strip.classList.toggle("pl-grab", Boolean(dragged) || Boolean(found && found.neuron >= 0));
      if (!dragged || !found) return;
      if (Math.abs(event.clientX - dragged.x) > 3) dragged.moved = true;
      if (dragged.moved) edit(dragged.neuron, found.bias);
    });
    const drop = () => (dragged = null);
    strip.addEventListener("pointerup", drop);
    strip.addEventListener("pointercancel", drop);
  }

  plateau.edits = { attach, edit, pushOver };
})();
