/* Follow me. In present mode this browser publishes what it shows; whoever has opened its link goes
   along until they take over, and can come back at any time. */
(function () {
  "use strict";
  const plateau = (window.plateau = window.plateau || {});
  const follow = (plateau.follow = {});
  const one = (selector) => document.querySelector(selector);
  const SAY_EVERY = 300, ASK_EVERY = 1000, BEAT_EVERY = 2000, DRIFT = 0.35;
  const SHARED = ["panels", "tab", "enlarged", "xaxis", "neuron", "focus", "highlight", "lesson", "step"];
  const TIMELINE_KEYS = ["ArrowLeft", "ArrowRight", "Home", "End", " "];
  let mine = false, known = "", mode = "off", serial = 0, applying = false, timer = 0, asking = 0, said = "", saidAt = 0;

  const room = () => plateau.link.view.follow || "";
  const presenting = () => Boolean(plateau.link.view.present) && (!room() || mine);

  /* ---- the presenter ------------------------------------------------------------------------------ */
  function picture(live) {
    const { config, view } = plateau.link;
    const state = plateau.player.state();
    const kept = Object.fromEntries(SHARED.map((key) => [key, view[key]]));
    const at = state.following && !state.playing ? "" : plateau.link.number(Number((state.epoch || 0).toPrecision(7)));
    return { query: plateau.link.full(config, { ...kept, at }), playing: state.playing, speed: state.speed || 1, live };
  }

  function say() {
    if (!presenting() || !plateau.player) return;
    clearTimeout(timer);
    const wait = Math.max(0, saidAt + SAY_EVERY - performance.now());
    timer = setTimeout(() => publish(true), wait);
  }

  async function publish(live) {
    const document_ = picture(live);
    const text = JSON.stringify(document_);
    if (text === said && performance.now() - saidAt < 60_000) return;
    said = text;
    saidAt = performance.now();
    const reply = await plateau.runs.post("/api/room", document_);
    if (!reply.ok) { said = ""; return; }
    mine = true;
    known = reply.body.room;
    if (live && plateau.link.view.present && room() !== known) plateau.link.setView({ follow: known });
  }

  /* ---- the audience ------------------------------------------------------------------------------- */
  function show(text, { dot = "", again = false } = {}) {
    one("#follow-bar").hidden = !text;
    one("#follow-text").textContent = text;
    one("#follow-dot").dataset.state = dot;
    one("#follow-again").hidden = !again;
    document.documentElement.toggleAttribute("data-following", Boolean(text) && !again);
  }

  async function ask() {
    clearTimeout(asking);
    if (!room() || presenting()) return;
    asking = setTimeout(ask, ASK_EVERY);
    if (document.hidden) return;
    let answer = null;
    try {
      const response = await fetch(`/api/room/${encodeURIComponent(room())}`);
      if (response.ok) answer = await response.json();
    } catch { /* the connection banner says so */ }
    if (!answer || !room()) return;
    if (answer.mine && !mine) { mine = true; known = room(); decide(); }
    if (mode !== "following" || presenting()) return;
    if (!answer.serial) return show("The presenter is not here yet.", { dot: "queued" });
    show(answer.live ? "Following the presenter" : "The presenter has left present mode.", { dot: answer.live ? "running" : "finished" });
    if (answer.serial === serial && !answer.playing) return;
    const fresh = answer.serial !== serial;
    serial = answer.serial;
    apply(answer, fresh);
  }

  function apply(answer, fresh) {
    const { link, player } = plateau;
    const { config, view } = link.parse(answer.query);
    applying = true;
    if (fresh && link.join(config, {}) !== canonical()) {
      const own = Object.fromEntries(["follow", "theme", "present", "embed"].map((key) => [key, link.view[key]]));
      link.go(config, { ...view, ...own });
      pending = answer.query;
    } else {
      if (fresh) {
        link.setView(Object.fromEntries(SHARED.map((key) => [key, view[key] || null])));
        player.setView({ x: view.xaxis || "epoch", selected: view.focus || plateau.race[0]?.method, neuron: view.neuron ? Number(view.neuron) : null });
      }
      move(answer, view, fresh);
    }
    setTimeout(() => { applying = false; }, 0);
  }
  /* What the presenter's configuration was the last time; the server may have respelled ours since. */
  let pending = "";
  const canonical = () => (pending && plateau.link.join(plateau.link.parse(pending).config, {})) || plateau.link.configQuery();

  function move(answer, view, fresh) {
    const { player } = plateau;
    const state = player.state();
    const epoch = view.at ? Number(view.at) : Infinity;
    if (!answer.playing) {
      if (state.playing) plateau.timeline.halt();
      return player.seek(epoch, "follow");
    }
    const apart = Math.abs(Math.log10((state.epoch || 1) / (epoch || 1)));
    if (state.playing && (!fresh || apart < DRIFT)) return;
    if (!fresh) return;
    if (state.playing) plateau.timeline.halt();
    player.seek(epoch, "follow");
    player.speed(answer.speed || 1);
    player.play();
  }

  function takeOver() {
    if (mode !== "following" || applying) return;
    mode = "free";
    show("You have taken over.", { again: true });
  }

  function resume() {
    mode = "following";
    serial = 0;
    pending = "";
    show("Following the presenter", { dot: "running" });
    ask();
  }

  /* ---- which of the two --------------------------------------------------------------------------- */
  function decide() {
    if (presenting()) {
      mode = "presenting";
      show("");
      return say();
    }
    if (mode === "presenting") {
      /* Left present mode: the audience is told, and the own link is an ordinary one again. */
      mode = "off";
      clearTimeout(timer);
      if (plateau.player && mine) publish(false);
      if (mine && room() === known) plateau.link.setView({ follow: null });
      return show("");
    }
    if (!room()) {
      mode = "off";
      return show("");
    }
    if (mode === "off") resume();
  }

  follow.mode = () => mode;
  follow.start = () => {
    document.addEventListener("plateau:view", () => { decide(); say(); });
    document.addEventListener("plateau:race", say);
    document.addEventListener("plateau:selected", () => { say(); takeOver(); });
    document.addEventListener("plateau:moment", (event) => {
      say();
      if (event.detail.cause === "user") takeOver();
    });
    setInterval(() => { if (mode === "presenting" && plateau.player?.state().playing) say(); }, BEAT_EVERY);
    /* Taking over is a deed of the hand, not of the pictures: the timeline, its keys, the settings. */
    document.addEventListener("pointerdown", (event) => { if (event.target.closest?.("#timeline, #stage-table, #method-tabs, #run-bar")) takeOver(); }, true);
    document.addEventListener("keydown", (event) => {
      const typing = event.target.closest?.("input, select, textarea, button, a, dialog, [role=tablist]");
      if (TIMELINE_KEYS.includes(event.key) && !typing) takeOver();
    }, true);
    document.addEventListener("change", (event) => { if (event.target.closest?.("#settings")) takeOver(); }, true);
    one("#follow-again").addEventListener("click", resume);
    document.addEventListener("visibilitychange", () => { if (!document.hidden && mode === "following") ask(); });
    decide();
  };
})();
