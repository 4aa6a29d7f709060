// The player: which runs are open, which moment is shown, and who is told when either changes.
(function () {
  "use strict";

  const { axes, draw, emit, overlay, poll, style } = plateau;

  const state = {
    runs: [], selected: null, epoch: 0, following: true, cause: "open", hover: null, neuron: null,
    view: { x: "epoch", window: null, edit: null, zero: 0.3, range: [0, 1], key: "", timeTitle: "" },
  };
  let pending = null;
  let lastMoment = "";
  let toldAt = 0;
  let telling = 0;
  let restUntil = 0;
  let resting = 0;
  let drawing = false;
  let waiting = false;
  const TOLD_EVERY = 150;
  const REST = 3;

  /** New frames redraw the histories, but never take more than a quarter of the browser's time. */
  function redrawSoon() {
    waiting = drawing;
    if (drawing) return;
    clearTimeout(resting);
    resting = setTimeout(() => redraw("all"), Math.max(0, restUntil - performance.now()));
  }

  /** Plotly goes on drawing after it has returned: rest for longer than all of it took. */
  async function restAfter(started) {
    drawing = true;
    await Promise.allSettled([...draw.hosts.values()].map((host) => host.ready));
    drawing = false;
    restUntil = performance.now() + REST * (performance.now() - started);
    if (waiting) redrawSoon();
  }

  const frameOf = (run) => run.frameAt(state.epoch);

  /** What drawing needs to know; `mark` is what is highlighted in all panels. */
  function context() {
    const hover = state.hover || {};
    const given = (value) => (value === undefined ? null : value);
    return {
      runs: state.runs.filter((run) => run.count),
      selected: state.selected && state.selected.count ? state.selected : null,
      view: state.view,
      viewers: state.selected ? state.selected.id : "",
      epoch: state.epoch,
      frame: frameOf,
      touch: matchMedia("(pointer: coarse)").matches,
      mark: {
        neuron: hover.neuron === undefined || hover.neuron === null ? state.neuron : hover.neuron,
        datum: given(hover.datum),
        time: hover.epoch === undefined || hover.epoch === null ? null : hover.time,
      },
    };
  }

  function updateView() {
    const { view } = state;
    const loaded = state.runs.filter((run) => run.count);
    Object.assign(view, axes.timeAxis(loaded, view.x));
    view.runs = state.runs.filter((run) => run === state.selected).concat(state.runs.filter((run) => run !== state.selected));
    view.timeTitle = style.spec ? style.spec.times[view.x] : view.x;
    view.key = [view.x, view.zero, view.range, view.window, view.runs.map((run) => run.id)].join("|");
  }

  /** Draw in the next animation frame: "all" the panels, the "moment" or only the "marks" over them. */
  function redraw(what) {
    const rank = { marks: 0, moment: 1, all: 2 };
    if (pending === null) requestAnimationFrame(paint);
    if (pending === null || rank[what] > rank[pending]) pending = what;
  }

  function paint() {
    const what = pending;
    pending = null;
    if (!style.spec) return;
    const started = performance.now();
    if (what === "all") updateView();
    const now = context();
    if (now.selected && what !== "marks")
      for (const panel of style.spec.panels)
        if (what === "all" || panel.kind === "moment") draw.panel(panel, now);
    for (const host of draw.hosts.values()) overlay.refresh(host, now);
    if (what === "all") restAfter(started);
    if (what === "marks") return;
    plateau.timeline.show(now, state, what === "all");
    plateau.story.show(now, what === "all");
    plateau.rows.show(now);
    tellMoment(now);
  }

  function tellMoment(now) {
    if (!now.selected) return;
    const frames = Object.fromEntries(now.runs.map((run) => [run.id, frameOf(run)]));
    const run = now.selected;
    const key = JSON.stringify([frames, run.method, state.epoch]);
    if (key === lastMoment) return;
    lastMoment = key;
    const [stage, stages] = plateau.story.stageOf(run, frameOf(run));
    const { cause } = state;
    const wait = TOLD_EVERY - (performance.now() - toldAt);
    clearTimeout(telling);
    telling = setTimeout(() => {
      toldAt = performance.now();
      emit("moment", {
        epoch: state.epoch, frames, stage, stages, selected: run.method, cause,
        sentence: plateau.story.sentence(run, frameOf(run), state.view), at_end: state.epoch >= lastEpoch(),
      });
    }, Math.max(0, wait));
  }

  const lastEpoch = () => Math.max(0, ...state.runs.filter((run) => run.count).map((run) => run.value("epoch", run.last)));

  /** The frames' own epochs are the moments: the latest frame of any run at or before an epoch. */
  const snapped = (epoch) =>
    Math.max(0, ...state.runs.filter((run) => run.count).map((run) => run.value("epoch", run.frameAt(epoch))));

  function seek(epoch, cause = "user") {
    if (!state.runs.some((run) => run.count)) {
      if (cause !== "live") state.wanted = epoch === Infinity ? "end" : epoch;
      return;
    }
    const next = snapped(Math.min(Math.max(0, epoch), lastEpoch()));
    if (cause !== "live") state.following = next >= lastEpoch();
    if (cause === "user") plateau.timeline.halt();
    state.wanted = null;
    if (next === state.epoch && cause !== "open") return redraw("marks");
    state.epoch = next;
    state.cause = cause;
    if (state.view.edit) clearEdit();
    redraw("moment");
  }

  function clearEdit() {
    if (!state.view.edit) return;
    state.view.edit = null;
    emit("edit", { cleared: true });
    redraw("moment");
  }

  function select(method, silent = false) {
    const run = state.runs.find((one) => one.method === method);
    if (!run || run === state.selected) return;
    state.selected = run;
    clearEdit();
    if (!silent) emit("selected", { method });
    redraw("all");
  }

  /** Go to the moment that the link names, as far as the frames reach: more of them may be on their way. */
  function seekWanted() {
    const { wanted } = state;
    const coming = state.runs.some((run) => run.running || (!run.count && run.status === "loading"));
    const reached = wanted !== "end" && lastEpoch() >= wanted;
    seek(wanted === "end" ? Infinity : wanted, "open");
    state.following = wanted === "end";
    state.wanted = reached || !coming || wanted === "end" ? null : wanted;
  }

  /** New frames or a new status of a run. */
  poll.changed = (run, fresh) => {
    if (fresh) {
      run.answers.delete("rates?stage=" + run.value("stage", run.last));
      if (state.wanted !== null) seekWanted();
      else if (state.following) seek(Infinity, "live");
    }
    emit("status", { runs: state.runs.map(plateau.statusOf) });
    redrawSoon();
  };
  poll.answered = () => redraw("moment");

  overlay.zoomed = (window) => {
    state.view.window = window;
    redraw("all");
  };
  overlay.redrawn = (host) => {
    plateau.direct.paint(host);
    overlay.refresh(host, context());
  };

  const sizes = new ResizeObserver((entries) => {
    for (const entry of entries)
      for (const host of draw.hosts.values()) if (host.element === entry.target) draw.measure(host);
    redraw("all");
  });
  draw.observe = (host) => {
    sizes.observe(host.element);
    plateau.hover.attach(host);
  };

  /** Other colours or sizes: what was computed with the old ones is forgotten. */
  plateau.appearance.changed = (spec) => {
    for (const run of state.runs) {
      run.cache.clear();
      run.extras.clear();
      run.shownState = null;
    }
    for (const panel of spec.panels) draw.hostOf(panel.name);
    redraw("all");
  };

  /** Show a race. What is loaded already stays; runs that left are forgotten. */
  async function open(race, { moment = null, selected = null, x = null } = {}) {
    const known = new Map(state.runs.map((run) => [run.id, run]));
    const before = state.runs.map((run) => run.id).join();
    const method = selected || (state.selected && state.selected.method);
    state.runs = race.map((entry) => known.get(entry.id) || new plateau.Run(entry));
    for (const id of known.keys()) if (!race.some((entry) => entry.id === id)) poll.stop(id);
    const fresh = before !== state.runs.map((run) => run.id).join();
    state.selected = state.runs.find((run) => run.method === method) || state.runs[0] || null;
    if (x) state.view.x = x;
    if (fresh) Object.assign(state, { following: moment === null || moment === "end", hover: null });
    if (fresh) Object.assign(state.view, { window: null, edit: null });
    state.wanted = moment === null ? (fresh ? "end" : null) : moment;
    plateau.timeline.build(player);
    for (const run of state.runs) poll.start(run);
    await plateau.appearance.load();
    if (state.wanted !== null && state.runs.some((run) => run.count)) seekWanted();
    emit("status", { runs: state.runs.map(plateau.statusOf) });
    redraw("all");
  }

  function close() {
    for (const run of state.runs) poll.stop(run.id);
    Object.assign(state, { runs: [], selected: null });
  }

  function setView(change) {
    const { view } = state;
    if (change.x && change.x !== view.x) Object.assign(view, { x: change.x, window: null });
    if (change.selected) select(change.selected, true);
    if ("neuron" in change) state.neuron = change.neuron === null ? null : change.neuron - 1;
    redraw("all");
  }

  /** Leave the zoom of one panel; the time axis is shared, so the others follow. */
  function unzoom(host) {
    host.revision += 1;
    state.view.window = null;
    redraw("all");
  }

  function chooseNeuron(neuron) {
    state.neuron = neuron;
    emit("neuron", { neuron: neuron === null ? null : neuron + 1 });
    redraw("marks");
  }

  /** Say the moment again, for another reason: playing has come to rest on it. */
  function told(cause) {
    state.cause = cause;
    lastMoment = "";
  }

  const player = {
    state_: state, told, unzoom, chooseNeuron, context, redraw, open, close, seek, select, setView, lastEpoch, snapped, frameOf, clearEdit,
    poke: poll.poke,
    image: (name, kind) => plateau.picture(name, kind, state.runs.filter((run) => run.count)),
    edit: (neuron, bias) => plateau.edits.edit(neuron - 1, bias),
    pushOver: (neuron, side) => plateau.edits.pushOver(neuron - 1, side),
    play: plateau.timeline.play,
    pause: plateau.timeline.pause,
    toggle: plateau.timeline.toggle,
    speed: plateau.timeline.speed,
    step: plateau.timeline.step,
    stepStage: plateau.timeline.stepStage,
    run: (id) => state.runs.find((run) => run.id === id) || null,
    end: () => seek(Infinity),
    home: () => seek(0),
    follow: (on) => (on ? seek(Infinity) : (state.following = false)),
    seekFrame: (method, index) => {
      const run = state.runs.find((one) => one.method === method);
      if (run && run.count) seek(run.value("epoch", Math.min(run.last, Math.max(0, index))));
    },
    moment: (method) => {
      const run = method ? state.runs.find((one) => one.method === method) : state.selected;
      if (!run || !run.count) return null;
      const frame = frameOf(run);
      return Object.assign({ epoch: run.value("epoch", frame), frame }, plateau.momentOf.stateAt(run, frame, state.view));
    },
    state: () => ({
      epoch: state.epoch, following: state.following, playing: plateau.timeline.playing(), speed: plateau.timeline.pace(), x: state.view.x,
      selected: state.selected ? state.selected.method : null, neuron: state.neuron,
      runs: state.runs.map((run) => ({
        id: run.id, method: run.method, frames: run.count, frame: run.count ? frameOf(run) : null, status: run.status,
        stage: run.count ? run.value("stage", frameOf(run)) : null, loss: run.count ? run.value("loss", frameOf(run)) : null,
      })),
    }),
  };
  plateau.player = player;
})();
