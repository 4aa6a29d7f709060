/* From configuration to runs: what a link would cost, starting, stopping, continuing, and how far they are. */
(function () {
  "use strict";
  const plateau = (window.plateau = window.plateau || {});
  const runs = (plateau.runs = { infos: [] });
  plateau.race = [];
  let spec = null, serial = 0, answer = null, starting = false, pending = Promise.resolve();
  const one = (selector) => document.querySelector(selector);

  runs.post = async (path, body) => {
    try {
      const response = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
      let parsed = {};
      try { parsed = await response.json(); } catch { parsed = { error: `The server answered ${response.status}.` }; }
      return { ok: response.ok, status: response.status, body: parsed, wait: Number(response.headers.get("Retry-After")) || 0 };
    } catch {
      return { ok: false, status: 0, body: { error: "The server does not answer; trying again." }, wait: 0 };
    }
  };

  /* ---- what would this be? -------------------------------------------------------------------
     cause "open": a link was opened or gone back to: show it, and start it when it is cheap.
     cause "change": a control was changed: show it when the server has it, else offer Run.
     cause "draft": somebody is typing: errors, cost and picture only. */
  runs.resolve = (cause, config) => (pending = ask(cause, config));
  async function ask(cause, config) {
    const mine = ++serial;
    const reply = await runs.post("/api/resolve", { query: plateau.link.join(config, cause === "draft" ? {} : plateau.link.view) });
    if (mine !== serial) return;
    if (!reply.ok && !reply.body.errors) {
      if (reply.status === 0) setTimeout(() => mine === serial && runs.resolve(cause, config), 1500);
      return note(reply.body.error || "The server refused this link.", true);
    }
    answer = { ...reply.body, draft: cause === "draft" };
    if (answer.thumbnail) plateau.target.draw(answer.thumbnail);
    runs.showErrors(answer.errors);
    if (cause === "draft" || answer.errors.length) return showState();
    if (answer.canonical !== plateau.link.configQuery()) {
      plateau.link.replaceConfig(plateau.link.parse(answer.canonical).config);
      plateau.form.show(plateau.link.config);
    }
    plateau.link.tidy();
    const known = answer.runs.every((run) => run.exists);
    const wanting = answer.runs.some((run) => ["missing", "short"].includes(run.state));
    if (wanting && cause === "open" && answer.cheap) return begin({ quiet: true });
    if (known) open();
    else stale(true);
    return showState();
  }

  const open = () => {
    stale(false);
    plateau.race = answer.runs.filter((run) => run.exists);
    runs.infos = [];
    document.dispatchEvent(new CustomEvent("plateau:race", { detail: { runs: plateau.race } }));
    plateau.player?.open(plateau.race, {
      moment: plateau.link.view.at ? Number(plateau.link.view.at) : null,
      selected: plateau.link.view.focus || plateau.race[0]?.method,
      x: plateau.link.view.xaxis || "epoch",
    });
  };

  /* ---- starting, stopping, continuing --------------------------------------------------------- */
  /* A press of Run may come before the answer to the last change: it means that change. */
  runs.start = () => pending.then(() => begin());
  async function begin({ quiet = false } = {}) {
    if (starting || hasErrors() || !answer) return;
    starting = true;
    showState();
    /* The quick ones first: on one worker they are on screen while the long one still runs. */
    const wanted = answer;
    const replies = new Array(wanted.runs.length);
    for (const i of [...replies.keys()].sort((a, b) => wanted.runs[a].seconds - wanted.runs[b].seconds)) {
      replies[i] = await runs.post("/api/runs", { query: wanted.runs[i].query });
    }
    starting = false;
    if (wanted !== answer) return showState();
    const refused = replies.find((reply) => !reply.ok);
    if (refused && replies.every((reply) => !reply.ok)) {
      stale(!answer.runs.every((run) => run.exists));
      note(refused.body.error || "The run could not be started.", !quiet);
      return showState();
    }
    answer.runs.forEach((run, i) => accept(run, replies[i]));
    if (refused) plateau.toast(refused.body.error);
    answer.runs.forEach((run, i) => replies[i].status === 429 && tryLater(wanted, run, replies[i].wait));
    document.documentElement.removeAttribute("data-sheet");
    if (!quiet) plateau.link.setView({ at: null });
    open();
    for (const run of answer.runs) plateau.player?.poke?.(run.id);
    note("");
    showState();
  }

  const accept = (run, reply) => {
    if (reply.ok) Object.assign(run, { exists: true, complete: true, state: "complete", status: reply.body.status, id: reply.body.id });
    return reply.ok;
  };

  /* A race may have more methods than one browser may run at a time: the rest go in as places get free. */
  function tryLater(wanted, run, seconds) {
    setTimeout(async () => {
      if (wanted !== answer) return;
      const reply = await runs.post("/api/runs", { query: run.query });
      if (wanted !== answer) return;
      if (accept(run, reply)) open();
      else if (reply.status === 429) tryLater(wanted, run, reply.wait);
      else plateau.toast(reply.body.error);
      showState();
    }, 1000 * Math.max(1, seconds));
  }

  runs.stop = async () => {
    for (const info of runs.infos.filter((entry) => ["running", "queued"].includes(entry.status))) {
      const reply = await runs.post(`/api/runs/${info.id}/stop`, {});
      if (!reply.ok) plateau.toast(reply.body.error || "It could not be stopped.");
      plateau.player?.poke?.(info.id);
    }
  };

  /* Ten times the budget of every run that the budget ended; the others have nothing left to gain. */
  runs.extend = async () => {
    const methods = plateau.form.methods(plateau.link.config);
    const budgets = methods.map((method) => {
      const run = runs.infos.find((entry) => entry.method === method);
      const now = Number(plateau.race.find((entry) => entry.method === method)?.epochs ?? spec.methods[method].epochs);
      return continues(run) ? Math.min(now * 10, spec.methods[method].highest) : now;
    });
    const text = new Set(budgets).size === 1 ? plateau.link.number(budgets[0]) : budgets.map(plateau.link.number).join(",");
    plateau.link.setConfig({ ...plateau.link.config, epochs: text }, { keepMoment: true });
    plateau.form.show(plateau.link.config);
    await runs.resolve("change", plateau.link.config);
    runs.start();
  };
  const continues = (info) => Boolean(info) && (info.status === "stopped" || info.status === "paused" || (info.status === "finished" && info.outcome === "budget"));

  /* Hands-on: a new run from an edited network. */
  plateau.fork = ({ biases, coefficients }) => {
    const list = (values) => Array.from(values, (value) => plateau.link.number(value)).join(",");
    plateau.form.patch({ biases: list(biases), coefficients: list(coefficients), width: null });
    return plateau.form.commit().then(() => runs.start());
  };

  /* ---- saying what is --------------------------------------------------------------------------- */
  const hasErrors = () => Boolean(answer?.errors?.length) || Object.values(plateau.form.localErrors).some(Boolean);

  /* Whether what is known of the link may be of another draft, or wrong. */
  runs.doubtful = () => hasErrors() || !answer || answer.draft;

  runs.showErrors = (errors) => {
    const texts = { ...plateau.form.localErrors };
    for (const entry of errors) texts[entry.field] = entry.error;
    const placed = new Set();
    for (const place of document.querySelectorAll(".field-error")) {
      const name = place.id.replace("error-", "");
      if (name === "query") continue;
      const text = texts[name] || "";
      if (text) {
        placed.add(name);
        for (let fold = place.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
      }
      if (place.textContent !== text) place.textContent = text;
      for (const input of document.querySelectorAll(`[data-field="${name}"] input:not([type=range]), #field-${name}, #data-text`)) {
        if (input.id === "data-text" && name !== "data") continue;
        if (text) input.setAttribute("aria-invalid", "true");
        else input.removeAttribute("aria-invalid");
      }
    }
    const rest = Object.entries(texts).filter(([name, text]) => text && !placed.has(name));
    one("#error-query").textContent = rest.map(([, text]) => text).join(" ");
    showState();
  };

  const note = (text, wrong = false) => {
    one("#run-note").textContent = text;
    one("#run-note").classList.toggle("wrong", wrong);
  };
  const stale = (on) => one("#panels").classList.toggle("stale", on);
  const seconds = (value) => (value < 1 ? "less than 1 s" : value < 90 ? `about ${Math.round(value)} s` : value < 5400 ? `about ${Math.round(value / 60)} min` : `about ${(value / 3600).toFixed(1)} h`);

  function showState() {
    const wrong = hasErrors();
    const active = runs.infos.filter((info) => ["running", "queued"].includes(info.status));
    const same = answer && !one("#panels").classList.contains("stale") && answer.runs?.every((run) => runs.infos.some((info) => info.id === run.id));
    const running = same && active.length > 0;
    const complete = same && !running && answer.runs.every((run) => run.complete);
    const bar = one("#run-bar");
    bar.dataset.state = starting || running ? (active.some((info) => info.status === "running") ? "running" : "queued") : "idle";
    const run = one("#run");
    const underway = running && !answer.runs.some((entry) => ["missing", "short"].includes(entry.state));
    run.disabled = wrong || starting || !answer || complete || underway;
    one("#run-text").textContent = starting ? "Starting…" : wrong ? "Run" : underway ? "Running…" : complete ? "This run is on screen" : "Run";
    one("#run-cost").textContent = !wrong && !complete && !underway && !starting && answer?.seconds !== undefined ? seconds(answer.seconds) : "";
    one("#stop").hidden = !running || !active.some((info) => info.mine !== false);
    one("#pause").hidden = !running;
    one("#continue").hidden = running || starting || !same || wrong || !runs.infos.some(continues);
    const waiting = one("#panels").classList.contains("stale") && !starting && Boolean(answer);
    const refused = wrong && !plateau.race.length && answer?.errors?.length;
    one("#overlay").hidden = refused ? false : !waiting || wrong;
    one("#overlay-run").hidden = Boolean(refused);
    one("#overlay-text").textContent = refused
      ? `These settings cannot be run: ${answer.errors.map((entry) => entry.error).join("; ")}.`
      : waiting && answer.seconds !== undefined ? `These settings have not been run yet. It takes ${seconds(answer.seconds)}.` : "";
    plateau.progress.show(runs.infos, { same, running });
  }

  runs.seconds = seconds;
  runs.listen = (specification) => {
    spec = specification;
    document.addEventListener("plateau:status", (event) => {
      const before = runs.infos.map((info) => info.status).join();
      runs.infos = event.detail.runs.map((info) => ({ ...(info.info || {}), ...info }));
      if (before !== runs.infos.map((info) => info.status).join()) note("");
      showState();
    });
    one("#run").addEventListener("click", () => runs.start());
    one("#overlay-run").addEventListener("click", () => runs.start());
    one("#stop").addEventListener("click", runs.stop);
    one("#continue").addEventListener("click", runs.extend);
    Object.assign(plateau, { run: runs.start, stop: runs.stop, extend: runs.extend });
  };
})();
