// Tables of columns for one frame of a run: what the network looks like at the chosen moment.
(function () {
  "use strict";

  const BASELINE = 0.035;
  const { SMALLEST } = plateau.history;
  const { derive } = plateau;
  const moments = {};

  /** The network at a frame, or the one that was edited by hand on top of it. */
  function stateAt(run, frame, view) {
    if (view.edit && view.edit.id === run.id) return view.edit;
    if (!run.shownState || run.shownState.frame !== frame || run.shownState.version !== run.version) {
      run.shownState = {
        frame, version: run.version, loss: run.value("loss", frame),
        b: run.row("b", frame), c: run.row("c", frame), gap: run.row("gap", frame), pin: run.row("pin", frame),
      };
    }
    return run.shownState;
  }

  function segmentsAt(run, frame, view) {
    const state = stateAt(run, frame, view);
    if (!state.segments && run.data)
      state.segments = derive.segments(run.data.x, run.data.y, state.b, state.c, state.gap);
    return state.segments;
  }

  /** The stretch of x that the moment panels show. */
  function domainOf(run) {
    const [lo, hi] = run.data.domain || [run.data.x[0], run.data.x[run.data.x.length - 1]];
    const pad = 0.04 * (hi - lo || 1);
    return [lo - pad, hi + pad];
  }

  moments.data = (run) => {
    if (!run.data) return null;
    return run.extra("data", () => {
      const m = run.data.x.length;
      return {
        x: run.data.x, y: run.data.y,
        size: m <= 40 ? 8 : m <= 150 ? 5.5 : m <= 600 ? 4 : 3,
        opacity: m <= 150 ? 1 : m <= 600 ? 0.7 : 0.4,
      };
    });
  };

  moments.truth = (run) => (run.data && run.data.truth) || null;

  moments.network = (run, view, frame) => {
    if (!run.data) return null;
    const state = stateAt(run, frame, view);
    if (!state.knots) state.knots = derive.knots(state.b, state.c, ...domainOf(run));
    return state.knots;
  };

  moments.lines = (run, view, frame) => {
    const part = segmentsAt(run, frame, view);
    if (!part) return null;
    const x = [];
    const y = [];
    for (const line of derive.regressionLines(run.data.x, part)) {
      x.push(line.from, line.to, NaN);
      y.push(line.y_from, line.y_to, NaN);
    }
    return { x, y };
  };

  moments.macroscopic = (run, view, frame) => {
    const part = segmentsAt(run, frame, view);
    if (!part) return null;
    const filled = Array.from(part.u.keys()).filter((l) => part.u[l] > 0);
    return {
      x: filled.map((l) => part.mean_x[l]), y: filled.map((l) => part.mean_y[l]),
      size: filled.length <= 30 ? 9 : filled.length <= 120 ? 6 : 4,
    };
  };

  function crosses(wanted) {
    return (run, view, frame) => {
      if (!run.data) return null;
      const state = stateAt(run, frame, view);
      const columns = { x: [], y: [], colour: [], neuron: [] };
      for (let j = 0; j < state.b.length; j++) {
        const status = derive.status(state.gap[j], state.pin[j], run.data.x.length);
        if (!wanted.includes(status)) continue;
        columns.x.push(status === "pinned" ? run.data.x[state.pin[j]] : state.b[j]);
        columns.y.push(BASELINE);
        columns.colour.push(status === "dead" ? plateau.style.inks.faint : plateau.style.neuron(run, j));
        columns.neuron.push(j);
      }
      return columns;
    };
  }

  moments.crosses_free = crosses(["live", "left"]);
  moments.crosses_pinned = crosses(["pinned"]);
  moments.crosses_dead = crosses(["dead"]);

  /** How many biases lie beyond the two edges of the picture. */
  moments.outside = (run, view, frame) => {
    if (!run.data) return null;
    const [lo, hi] = domainOf(run);
    const { b } = stateAt(run, frame, view);
    let left = 0;
    let right = 0;
    for (const bias of b) {
      if (bias < lo) left += 1;
      if (bias > hi) right += 1;
    }
    return {
      x: [0.004, 0.996], y: [0.1, 0.1], position: ["middle right", "middle left"],
      text: [left ? "← " + left + " left of all data" : "", right ? right + " dead →" : ""],
    };
  };

  moments.segments = (run, view, frame) => {
    const part = segmentsAt(run, frame, view);
    if (!part) return null;
    const levels = Array.from(part.u.keys());
    const x = run.data.x;
    return {
      level: levels, count: part.u, mean_x: part.mean_x, mean_y: part.mean_y, network: part.value, slope: part.slope,
      regression: levels.map((l) => (part.u[l] > 1 ? part.sxy[l] / part.sxx[l] : NaN)),
      from: levels.map((l) => (part.u[l] ? x[part.start[l]] : NaN)),
      to: levels.map((l) => (part.u[l] ? x[part.start[l + 1] - 1] : NaN)),
    };
  };

  moments.state = (run, view, frame) => {
    const state = stateAt(run, frame, view);
    const neurons = Array.from(state.b.keys());
    const m = run.data ? run.data.x.length : Infinity;
    return {
      neuron: neurons.map((j) => j + 1), b: state.b, c: state.c, gap: state.gap,
      status: neurons.map((j) => derive.status(state.gap[j], state.pin[j], m)),
      datum: neurons.map((j) => (state.pin[j] >= 0 && run.data ? run.data.x[state.pin[j]] : NaN)),
    };
  };

  /** Excess over the floor and its envelopes; the epochs count from the start of the stage. */
  moments.rates = (run, view, frame) => {
    const stage = run.value("stage", frame);
    const answer = run.remote("rates?stage=" + stage);
    if (answer === undefined) return undefined;
    if (!answer.epoch || answer.epoch.length < 2) return null;
    return run.extra("rates:" + stage + ":" + answer.epoch.length, () => {
      const columns = { x: answer.epoch.map((epoch) => epoch - answer.epoch[0]) };
      for (const name of ["excess", "lower", "upper", "bound_lower", "bound_upper"])
        columns[name] = answer[name].map((value) => (value === null ? NaN : Math.max(SMALLEST, value)));
      return columns;
    });
  };

  moments.rate_labels = (run, view, frame) => {
    const rates = moments.rates(run, view, frame);
    if (!rates) return rates;
    if (!rates.labels) {
      const last = rates.x.length - 1;
      const least = Math.min(...rates.excess.filter((value) => value > SMALLEST));
      rates.labels = {
        x: [rates.x[last], rates.x[0]], y: [rates.upper[last], least], text: ["r<sub>min</sub>", "  r<sub>max</sub>"],
        position: ["top left", "middle right"],
      };
    }
    return rates.labels;
  };

  function candidatesAt(run, frame) {
    const answer = run.remote("candidates?frame=" + frame);
    if (answer === undefined) return undefined;
    if (!answer.position || !answer.position.length) return null;
    return run.extra("candidates:" + frame, () => ({
      x: answer.position, loss: answer.candidate_loss.map((loss) => Math.max(SMALLEST, loss)),
      neuron: answer.neuron.map((j) => j + 1), side: answer.side, index: answer.neuron,
      colour: answer.neuron.map((j) => plateau.style.neuron(run, j)), now: answer.loss, chosen: answer.chosen,
    }));
  }

  moments.candidates = (run, view, frame) => candidatesAt(run, frame);

  const part = (name, compute) => {
    moments[name] = (run, view, frame) => {
      const all = candidatesAt(run, frame);
      if (!all) return all;
      return run.extra(name + ":" + frame, () => compute(all, run, frame));
    };
  };

  part("candidate_level", (all, run) => ({ x: domainOf(run), y: [all.now, all.now] }));
  part("candidate_stems", (all, run, frame) => {
    const x = [];
    const y = [];
    const b = run.row("b", frame);
    all.x.forEach((position, i) => {
      x.push(b[all.index[i]], position, NaN);
      y.push(all.now, all.loss[i], NaN);
    });
    return { x, y };
  });
  part("candidate_chosen", (all, run) => {
    const i = all.chosen;
    if (i === null || i === undefined || i < 0) return { x: [], loss: [], colour: [], text: [], position: [] };
    const [lo, hi] = domainOf(run);
    return {
      x: [all.x[i]], loss: [all.loss[i]], colour: [all.colour[i]], text: ["neuron " + all.neuron[i] + " moves"],
      position: [all.x[i] > (lo + hi) / 2 ? "middle left" : "middle right"],
    };
  });

  plateau.moments = moments;
  plateau.momentOf = { stateAt, segmentsAt, domainOf, BASELINE };
})();
