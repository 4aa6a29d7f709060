// The timeline: one log-epoch scrubber for all panels, with the stages of the selected run under it.
(function () {
  "use strict";

  const { axes, derive } = plateau;
  const SPEEDS = [0.25, 0.5, 1, 2, 4];
  const DECADES_PER_SECOND = 0.5;
  const parts = {};
  const motion = { playing: false, speed: 1, at: 0, clock: 0 };
  let player = null;

  const SIGNS = {
    play: "M5 3.2v9.6L13 8z", pause: "M4 3h3v10H4zM9 3h3v10H9z", back: "M3 3h2v10H3zM13 3v10L6 8z", next: "M11 3h2v10h-2zM3 3v10l7-5z",
  };

  /** A drawn sign: fonts differ in which of the media characters they have. */
  function sign(name) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", "0 0 16 16");
    svg.setAttribute("class", "pl-sign");
    svg.setAttribute("aria-hidden", "true");
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", SIGNS[name]);
    svg.append(path);
    return svg;
  }

  function button(name, label, text, action) {
    const element = document.createElement("button");
    element.type = "button";
    element.className = "pl-button pl-" + name;
    element.append(text || sign(name));
    element.title = label;
    element.setAttribute("aria-label", label);
    element.addEventListener("click", action);
    return element;
  }

  function build(owner) {
    player = owner;
    const root = document.getElementById("timeline");
    if (!root || root === parts.root) return;
    parts.root = root;
    parts.play = button("play", "Play (space)", "", () => toggle());
    const back = button("back", "Previous stage (shift ←)", "", () => stepStage(-1));
    const next = button("next", "Next stage (shift →)", "", () => stepStage(1));
    parts.speed = document.createElement("select");
    parts.speed.className = "pl-speed";
    parts.speed.setAttribute("aria-label", "Speed");
    parts.speed.title = "Speed";
    for (const value of SPEEDS) parts.speed.append(new Option(value + "×", value, value === 1, value === 1));
    parts.speed.addEventListener("change", () => speed(Number(parts.speed.value)));
    parts.live = button("live", "Follow the run live (End)", "Live", () => player.follow(true));
    parts.track = document.createElement("div");
    parts.track.className = "pl-track";
    parts.track.tabIndex = 0;
    for (const [name, value] of [["role", "slider"], ["aria-label", "Epoch"], ["aria-orientation", "horizontal"]])
      parts.track.setAttribute(name, value);
    parts.strip = document.createElement("canvas");
    parts.strip.className = "pl-stages";
    parts.thumb = document.createElement("div");
    parts.thumb.className = "pl-thumb";
    parts.track.append(parts.strip, parts.thumb);
    parts.read = document.createElement("output");
    parts.read.className = "pl-read";
    parts.epoch = document.createElement("span");
    parts.stage = document.createElement("span");
    parts.read.append(parts.epoch, " · ", parts.stage);
    const controls = document.createElement("div");
    controls.className = "pl-controls";
    controls.append(back, parts.play, next, parts.speed, parts.live);
    root.replaceChildren(controls, parts.track, parts.read);
    drag(parts.track);
    new ResizeObserver(() => player.redraw("all")).observe(parts.track);
  }

  /** Position on the track, from 0 to 1, of an epoch; and back. */
  const shareOf = (epoch, view) => {
    const [from, to] = view.epochs.range;
    const share = (Math.log10(Math.max(epoch, view.epochs.zero)) - from) / (to - from);
    return Math.min(1, Math.max(0, share));
  };
  const epochAt = (share, view) => {
    const [from, to] = view.epochs.range;
    const epoch = 10 ** (from + share * (to - from));
    return share <= 0.004 ? 0 : share >= 0.998 ? Infinity : epoch;
  };

  function drag(track) {
    const go = (event) => {
      const box = track.getBoundingClientRect();
      player.seek(epochAt((event.clientX - box.left) / box.width, player.state_.view));
    };
    track.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      track.setPointerCapture(event.pointerId);
      track.classList.add("pl-dragging");
      go(event);
      track.focus({ preventScroll: true });
    });
    track.addEventListener("pointermove", (event) => track.hasPointerCapture(event.pointerId) && go(event));
    const drop = () => track.classList.remove("pl-dragging");
    track.addEventListener("pointerup", drop);
    track.addEventListener("pointercancel", drop);
  }

  /** Stages as alternating bands, decades as labels: drawn when frames come, not when scrubbing. */
  function paintStrip(now) {
    const { strip, track } = parts;
    const width = track.clientWidth;
    const height = track.clientHeight;
    const ratio = window.devicePixelRatio || 1;
    strip.width = width * ratio;
    strip.height = height * ratio;
    const pen = strip.getContext("2d");
    pen.scale(ratio, ratio);
    const { inks } = plateau.style;
    const run = now.selected;
    const bar = { top: 7, height: 12 };
    pen.fillStyle = inks.line;
    pen.fillRect(0, bar.top, width, bar.height);
    pen.fillStyle = plateau.style.method(run.method).colour;
    const epochs = { x: "epoch", zero: now.view.epochs.zero, window: null };
    plateau.history.spans(run, epochs).forEach((span, i) => {
      const from = shareOf(span.from, now.view) * width;
      pen.globalAlpha = i % 2 ? 0.3 : 0.55;
      pen.fillRect(from, bar.top, shareOf(span.to, now.view) * width - from, bar.height);
    });
    pen.globalAlpha = 1;
    const [low, high] = now.view.epochs.range;
    const powers = axes.decades(low, high, Math.max(2, Math.floor(width / 54)));
    const look = getComputedStyle(track);
    const type = Math.max(11, Math.round(0.78 * parseFloat(look.fontSize)));
    pen.font = type + "px " + look.fontFamily;
    pen.fillStyle = inks.muted;
    pen.textBaseline = "top";
    pen.textAlign = "left";
    pen.fillText("0", 0, bar.top + bar.height + 4);
    for (const power of powers) {
      const x = shareOf(10 ** power, now.view) * width;
      if (x < 14) continue;
      pen.fillRect(x, bar.top + bar.height, 0.5, 3);
      pen.textAlign = x > width - 16 ? "right" : "center";
      pen.fillText(axes.powerLabel(power), Math.min(x, width), bar.top + bar.height + 4);
    }
  }

  function show(now, state, whole) {
    if (!parts.root || !now.selected) return;
    const run = now.selected;
    if (whole || !now.view.epochs) {
      now.view.epochs = axes.timeAxis(now.runs, "epoch");
      paintStrip(now);
    }
    const frame = now.frame(run);
    const [stage, stages] = plateau.story.stageOf(run, frame);
    parts.thumb.style.left = 100 * shareOf(state.epoch, now.view) + "%";
    parts.epoch.textContent = "epoch " + axes.number(state.epoch);
    parts.stage.textContent = "stage " + stage + "/" + stages;
    if (parts.shownPlaying !== motion.playing) {
      parts.shownPlaying = motion.playing;
      parts.play.replaceChildren(sign(motion.playing ? "pause" : "play"));
      parts.play.title = motion.playing ? "Pause (space)" : "Play (space)";
      parts.play.setAttribute("aria-label", parts.play.title);
    }
    const running = now.runs.some((one) => one.running);
    parts.live.hidden = !running;
    parts.live.setAttribute("aria-pressed", String(state.following));
    const { track } = parts;
    track.setAttribute("aria-valuemin", "0");
    track.setAttribute("aria-valuemax", String(player.lastEpoch()));
    track.setAttribute("aria-valuenow", String(state.epoch));
    track.setAttribute("aria-valuetext", `epoch ${axes.number(state.epoch)}, stage ${stage} of ${stages}, loss ${axes.number(run.value("loss", frame))}`);
  }

  /** One frame of the selected run on or back; where it has none left, of any other run. */
  function step(by) {
    const { state_: state } = player;
    const epochs = state.runs.filter((run) => run.count).map((run) => {
      const here = run.frameAt(state.epoch);
      const before = run.value("epoch", here) < state.epoch;
      const next = by > 0 ? here + 1 : before ? here : here - 1;
      return next >= 0 && next <= run.last ? run.value("epoch", next) : null;
    });
    const own = epochs[state.runs.filter((run) => run.count).indexOf(state.selected)];
    const other = epochs.filter((epoch) => epoch !== null);
    if (own !== null && own !== undefined) player.seek(own);
    else if (other.length) player.seek(by > 0 ? Math.min(...other) : Math.max(...other));
  }

  function stepStage(by) {
    const { state_: state } = player;
    const run = state.selected;
    if (!run || !run.count) return;
    const starts = plateau.history.stageStarts(run);
    const at = derive.upperBound(starts, run.frameAt(state.epoch)) - 1;
    const atStart = run.value("epoch", starts[at]) === state.epoch;
    const next = by > 0 ? at + 1 : atStart ? at - 1 : at;
    if (next >= starts.length) player.seek(Infinity);
    else player.seek(run.value("epoch", starts[Math.max(0, next)]));
  }

  function play() {
    const { state_: state } = player;
    if (motion.playing || !state.selected) return;
    const { view } = state;
    if (state.epoch >= player.lastEpoch()) player.seek(0, "play");
    Object.assign(motion, { playing: true, clock: performance.now(), at: shareOf(state.epoch, view) });
    requestAnimationFrame(move);
    player.redraw("moment");
  }

  function move(clock) {
    if (!motion.playing) return;
    const { view } = player.state_;
    const [from, to] = view.epochs.range;
    motion.at += (motion.speed * DECADES_PER_SECOND * Math.max(0, clock - motion.clock)) / 1000 / (to - from);
    motion.clock = clock;
    player.seek(motion.at >= 1 ? Infinity : epochAt(motion.at, view), "play");
    if (motion.at >= 1) pause();
    else requestAnimationFrame(move);
  }

  const halt = () => (motion.playing = false);

  function pause() {
    if (!motion.playing) return;
    halt();
    player.told("pause");
    player.redraw("moment");
  }

  const toggle = () => (motion.playing ? pause() : play());

  function speed(value) {
    motion.speed = value;
    if (parts.speed) parts.speed.value = String(value);
  }

  const typing = (element) =>
    element && (/^(INPUT|SELECT|TEXTAREA)$/.test(element.tagName) || element.isContentEditable);
  const elsewhere = (element) => element && element.closest && element.closest('[role="menu"],[role="tablist"],[role="dialog"],dialog');

  document.addEventListener("keydown", (event) => {
    if (!player || !player.state_.selected || event.defaultPrevented) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const focus = document.activeElement;
    if (typing(focus) || elsewhere(focus)) return;
    const presses = focus && (focus.tagName === "BUTTON" || focus.tagName === "A" || focus.tagName === "SUMMARY");
    const act = {
      ArrowLeft: () => (event.shiftKey ? stepStage(-1) : step(-1)),
      ArrowRight: () => (event.shiftKey ? stepStage(1) : step(1)),
      Home: () => player.home(),
      End: () => player.end(),
      " ": () => toggle(),
    }[event.key];
    if (!act || (event.key === " " && presses)) return;
    event.preventDefault();
    act();
  });

  plateau.timeline = { build, show, step, stepStage, play, pause, toggle, halt, speed, playing: () => motion.playing, pace: () => motion.speed };
})();
