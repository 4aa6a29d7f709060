// Asking the server for what is new: one request in flight per run, once a second while it runs,
// nothing while the tab is hidden, ever more slowly while the server does not answer.
(function () {
  "use strict";

  const EVERY = 1000;
  const LONGEST = 15000;
  /* What was just asked for may be over before the next question, or not known yet to the process that answers:
     for so long after it a run is looked at as if it were running. */
  const AFTER_ASKING = 2500;
  const { source, emit } = plateau;
  const loops = new Map();
  let failures = 0;

  const poll = { changed: () => {}, answered: () => {} };

  async function fetchData(run) {
    const answer = await source.get(run.path("data"));
    run.data = Object.assign({}, answer, { x: Float64Array.from(answer.x), y: Float64Array.from(answer.y) });
    run.cache.clear();
    fetchBest(run);
  }

  /** The reference line may take the server a second: the pictures do not wait for it, and can do without. */
  async function fetchBest(run) {
    try {
      run.data.best_known = (await source.get(run.path("best"))).loss;
    } catch (error) {
      return;
    }
    run.forget("best");
    poll.changed(run, false);
  }

  /** New frames and, in the same answer, how the run is doing; the whole description only when that changes. */
  async function fetchFrames(run) {
    const answer = await source.frames(run.path("frames"), run.last);
    const status = answer.info ? answer.info.status : null;
    if (!run.info || (status && status !== run.info.status)) run.info = await source.get(run.path());
    if (answer.info) Object.assign(run.info, answer.info);
    try {
      return run.append(answer.columns);
    } catch (error) {
      run.clear();
      throw error;
    }
  }

  /** The stage table is told by the core: while a run goes on it is asked for now and then, and the more
   *  rarely the longer it takes; the pictures do not wait for it. */
  async function fetchStages(run) {
    const newest = run.count ? run.value("stage", run.last) : -1;
    const state = newest + run.status;
    const started = performance.now();
    if (run.stagesFor === state || run.stagesBusy || (run.running && started < (run.stagesNext || 0))) return;
    run.stagesBusy = true;
    try {
      const answer = await source.get(run.path("stages"));
      run.stages = answer.stages;
      run.stagesFor = state;
      poll.changed(run, false);
    } catch (error) {
      run.stagesFor = null;
    }
    run.stagesBusy = false;
    const took = performance.now() - started;
    run.stagesNext = started + took + Math.max(3000, 10 * took);
  }

  async function look(run) {
    const [fresh] = await Promise.all([fetchFrames(run), run.data ? null : fetchData(run)]);
    return fresh > 0;
  }

  function announce(error) {
    const ok = !error;
    if (ok && !failures) return;
    failures = ok ? 0 : failures + 1;
    const wait = ok ? 0 : Math.min(LONGEST, EVERY * 2 ** Math.min(failures - 1, 5));
    emit("connection", { ok, failures, retry_in: wait / 1000, message: ok ? "" : error.message });
  }

  async function turn(loop) {
    clearTimeout(loop.timer);
    if (loop.busy || loop.closed) return;
    if (document.hidden && loop.run.count) return;
    loop.busy = true;
    let wait = null;
    try {
      const fresh = await look(loop.run);
      announce(null);
      loop.failures = 0;
      if (!loop.closed) poll.changed(loop.run, fresh);
      if (!loop.closed) fetchStages(loop.run);
      if (!source.isReplay()) wait = performance.now() < loop.lively ? EVERY / 4 : loop.run.running ? EVERY : null;
    } catch (error) {
      if (error.status >= 400 && error.status < 500 && error.status !== 429) {
        loop.run.info = { status: error.status === 404 ? "missing" : "failed", reason: error.message };
        if (!loop.closed) poll.changed(loop.run, false);
      } else {
        loop.failures = (loop.failures || 0) + 1;
        announce(error);
        wait = Math.min(LONGEST, EVERY * 2 ** Math.min(loop.failures - 1, 5));
      }
    }
    loop.busy = false;
    if (loop.again) {
      loop.again = false;
      wait = 0;
    }
    if (wait !== null && !loop.closed) loop.timer = setTimeout(() => turn(loop), wait);
  }

  poll.start = (run) => {
    if (loops.has(run.id)) return;
    const loop = { run, busy: false, closed: false, timer: 0, lively: 0 };
    loops.set(run.id, loop);
    turn(loop);
  };

  poll.stop = (id) => {
    const loop = loops.get(id);
    if (!loop) return;
    loop.closed = true;
    clearTimeout(loop.timer);
    loops.delete(id);
  };

  /** Look now: after Run, Stop or Continue the status is known to be old. */
  poll.poke = (id) => {
    const loop = loops.get(id);
    if (!loop) return;
    loop.lively = performance.now() + AFTER_ASKING;
    if (loop.busy) loop.again = true;
    else turn(loop);
  };

  /** One question beside the frames, such as the candidates of an iteration: while one is under way,
   *  only the newest of the others is remembered, so that scrubbing does not queue up hundreds. */
  poll.ask = async (run, path) => {
    if (run.asking) {
      run.wanted = path;
      return;
    }
    run.asking = true;
    try {
      if (run.answers.size > 500) run.answers.clear();
      run.answers.set(path, await source.get(run.path(path)));
    } catch (error) {
      // what the server refuses has no answer; what got lost may be asked again
      if (error.status >= 400 && error.status < 500) run.answers.set(path, { refused: error.message });
    }
    run.asking = false;
    const next = run.wanted;
    run.wanted = null;
    poll.answered(run);
    if (next && !run.answers.has(next)) poll.ask(run, next);
  };

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    for (const loop of loops.values()) if (loop.run.running || !loop.run.count || loop.failures) turn(loop);
  });

  /** A run's status for the rest of the page. */
  function statusOf(run) {
    const info = run.info || {};
    const rate = info.rate || null;
    const budget = info.epochs || null;
    return {
      id: run.id, method: run.method, status: run.status, epoch: info.epoch, budget, rate, loss: info.loss,
      reason: info.reason, watching: info.watching, position: info.position, frames: run.count, info,
      seconds_left: rate && budget ? Math.max(0, (budget - info.epoch) / rate) : null,
    };
  }

  plateau.poll = poll;
  plateau.statusOf = statusOf;
})();
