/** Tables of columns for one frame of a run: what the network looks like at the chosen moment. */

import { number } from "../format.ts";
import type { NetworkState, Run } from "../store/run.ts";
import { lowerBound } from "../store/search.ts";
import { knots, regressionLines, type Segments, type Status, segments, statusOf } from "./segments.ts";
import { SMALLEST } from "./times.ts";
import type { Columns, View } from "./view.ts";

/** undefined: the server has been asked and will answer; null: there is nothing to show. */
type MomentTable = (run: Run, view: View, frame: number) => Columns | null | undefined;

export const BASELINE = 0.035;
/** Where the counts of neurons that the picture does not show stand. */
export const COUNTS = 0.15;

/** The network at a frame, or the one that was edited by hand on top of it. */
export const stateAt = (run: Run, frame: number, view: View): NetworkState => (view.edit?.id === run.id ? view.edit : run.state(frame));

/** What is computed of a state once and kept with it. */
export function kept<Value>(state: NetworkState, key: string, compute: () => Value): Value {
  state.kept ??= new Map();
  if (!state.kept.has(key)) state.kept.set(key, compute());
  return state.kept.get(key) as Value;
}

export function segmentsAt(run: Run, frame: number, view: View): Segments | null {
  const { data } = run;
  if (!data) return null;
  const state = stateAt(run, frame, view);
  return kept(state, "segments", () => segments(data.x, data.y, state.b, state.c, state.gap, data.w, data.base));
}

export const statusesAt = (run: Run, state: NetworkState): Status[] =>
  Array.from(state.b, (_, j) => statusOf(state.gap[j], state.pin[j], run.data?.x.length ?? Infinity));

/** The stretch of x that the moment panels show. */
export function domainOf(run: Run): [number, number] {
  const x = run.data!.x;
  const [lo, hi] = run.data!.domain ?? [x[0], x[x.length - 1]];
  const pad = 0.04 * (hi - lo || 1);
  return [lo - pad, hi + pad];
}

function data(run: Run): Columns | null {
  const { data: given } = run;
  if (!given) return null;
  const m = given.x.length;
  return run.extra("data", () => ({
    x: given.x,
    y: given.y,
    size: m <= 40 ? 8 : m <= 150 ? 5.5 : m <= 600 ? 4 : 3,
    opacity: m <= 150 ? 1 : m <= 600 ? 0.7 : 0.4,
  }));
}

function network(run: Run, view: View, frame: number): Columns | null {
  if (!run.data) return null;
  const { b, c } = stateAt(run, frame, view);
  return knots(b, c, ...domainOf(run), run.data.base);
}

function lines(run: Run, view: View, frame: number): Columns | null {
  const part = segmentsAt(run, frame, view);
  if (!part) return null;
  const found = regressionLines(run.data!.x, part);
  return { x: found.flatMap(({ from, to }) => [from, to, NaN]), y: found.flatMap((line) => [line.y_from, line.y_to, NaN]) };
}

/** The pieces of the network over which there are no data: they join what stands on the data. */
function glue(run: Run, view: View, frame: number): Columns | null {
  if (!run.data) return null;
  const { x: corners, y: heights } = knots(stateAt(run, frame, view).b, stateAt(run, frame, view).c, ...domainOf(run), run.data.base);
  const found = { x: [] as number[], y: [] as number[] };
  for (let i = 1; i < corners.length; i++) {
    if (lowerBound(run.data.x, corners[i - 1]) < lowerBound(run.data.x, corners[i])) continue;
    found.x.push(corners[i - 1], corners[i], NaN);
    found.y.push(heights[i - 1], heights[i], NaN);
  }
  return found;
}

/** Lines from the bottom to the top, in the places given. */
const posts = (places: number[]): Columns => ({ x: places.flatMap((x) => [x, x, NaN]), y: places.flatMap(() => [0, 1, NaN]) });

/** The sets U_l by name, each between its two biases. */
function setNames(run: Run, view: View, frame: number): Columns | null {
  const part = segmentsAt(run, frame, view);
  if (!part) return null;
  const [lo, hi] = domainOf(run);
  const edges = [lo, ...Array.from(stateAt(run, frame, view).b).sort((one, two) => one - two), hi];
  return {
    x: Array.from(part.u.keys(), (l) => (edges[l] + edges[l + 1]) / 2),
    y: Array.from(part.u, () => 0.95),
    text: Array.from(part.u, (_, l) => `U<sub>${l}</sub>`),
  };
}

function macroscopic(run: Run, view: View, frame: number): Columns | null {
  const part = segmentsAt(run, frame, view);
  if (!part) return null;
  const filled = Array.from(part.u.keys()).filter((l) => part.u[l] > 0);
  return {
    x: filled.map((l) => part.mean_x[l]),
    y: filled.map((l) => part.mean_y[l]),
    size: filled.length <= 30 ? 9 : filled.length <= 120 ? 6 : 4,
  };
}

const crosses =
  (...wanted: Status[]): MomentTable =>
  (run, view, frame) => {
    const { data: given } = run;
    if (!given) return null;
    const state = stateAt(run, frame, view);
    const statuses = statusesAt(run, state);
    const neurons = Array.from(state.b.keys()).filter((j) => wanted.includes(statuses[j]));
    return {
      x: neurons.map((j) => (statuses[j] === "pinned" ? given.x[state.pin[j]] : state.b[j])),
      y: neurons.map(() => BASELINE),
      colour: neurons.map((j) => (statuses[j] === "dead" ? view.style.inks.faint : view.style.neuron(run, j))),
      neuron: neurons,
    };
  };

/** How many biases lie beyond the left edge of the picture, and how many neurons are dead: most lie beyond the right one. */
function outside(run: Run, view: View, frame: number): Columns | null {
  if (!run.data) return null;
  const [lo, hi] = domainOf(run);
  const state = stateAt(run, frame, view);
  const left = state.b.filter((bias) => bias < lo).length;
  const dead = statusesAt(run, state).filter((status) => status === "dead").length;
  const arrow = state.b.some((bias) => bias > hi) ? " →" : "";
  return {
    x: [0.004, 0.996],
    y: [COUNTS, COUNTS],
    position: ["middle right", "middle left"],
    text: [left ? `← ${left} left of all data` : "", dead ? `${dead} dead${arrow}` : ""],
  };
}

function segmentRows(run: Run, view: View, frame: number): Columns | null {
  const part = segmentsAt(run, frame, view);
  if (!part) return null;
  const level = Array.from(part.u.keys());
  const { x } = run.data!;
  return {
    level,
    count: part.u,
    mean_x: part.mean_x,
    mean_y: part.mean_y,
    network: part.value,
    slope: part.slope,
    regression: level.map((l) => (part.u[l] > 1 ? part.sxy[l] / part.sxx[l] : NaN)),
    from: level.map((l) => (part.u[l] ? x[part.start[l]] : NaN)),
    to: level.map((l) => (part.u[l] ? x[part.start[l + 1] - 1] : NaN)),
  };
}

function neuronRows(run: Run, view: View, frame: number): Columns {
  const state = stateAt(run, frame, view);
  return {
    neuron: Array.from(state.b.keys(), (j) => j + 1),
    b: state.b,
    c: state.c,
    gap: state.gap,
    status: statusesAt(run, state),
    datum: Array.from(state.pin, (pin) => (pin >= 0 && run.data ? run.data.x[pin] : NaN)),
  };
}

const ENVELOPES = ["excess", "lower", "upper", "bound_lower", "bound_upper"] as const;
type Rates = { epoch?: number[] } & Record<(typeof ENVELOPES)[number], (number | null)[]>;
type RateColumns = Record<(typeof ENVELOPES)[number] | "x", number[]>;

/** Excess over the floor and its envelopes; the epochs count from the start of the stage. */
function rates(run: Run, _view: View, frame: number): RateColumns | null | undefined {
  const stage = run.value("stage", frame);
  const answer = run.remote<Rates>(run.ofAll(ratesPath(stage)));
  if (answer === undefined) return undefined;
  const { epoch } = answer;
  if (!epoch || epoch.length < 2) return null;
  return run.extra(`rates:${stage}:${epoch.length}`, () => {
    const of = (name: (typeof ENVELOPES)[number]) => answer[name].map((value) => (value === null ? NaN : Math.max(SMALLEST, value)));
    const columns = Object.fromEntries(ENVELOPES.map((name) => [name, of(name)]));
    return { ...columns, x: epoch.map((one) => one - epoch[0]) } as RateColumns;
  });
}

export const ratesPath = (stage: number): string => `rates?stage=${stage}`;
export const candidatesPath = (frame: number): string => `candidates?frame=${frame}`;

function rateLabels(run: Run, view: View, frame: number): Columns | null | undefined {
  const told = rates(run, view, frame);
  if (!told) return told;
  return run.extra(`rate_labels:${run.value("stage", frame)}:${told.x.length}`, () => {
    const last = told.x.length - 1;
    const least = Math.min(...told.excess.filter((value) => value > SMALLEST));
    // the fast envelope has mostly left the picture by the end: its name then stands where it leaves
    const isSeen = told.lower[last] > least / 100;
    const at = Math.floor(0.6 * last);
    return {
      x: [told.x[at], told.x[isSeen ? at : 0]],
      y: [told.upper[at], isSeen ? told.lower[at] : least],
      text: ["r<sub>min</sub>", "  r<sub>max</sub>"],
      position: ["top right", isSeen ? "bottom left" : "middle right"],
    };
  });
}

export type CandidatesAnswer = {
  position?: number[];
  candidate_loss: number[];
  neuron: number[];
  side: string[];
  loss: number;
  chosen: number | null;
};

/** What a table says of the candidates, once they are there. */
const ofCandidates =
  (compute: (answer: CandidatesAnswer & { position: number[] }, run: Run, frame: number, view: View) => Columns): MomentTable =>
  (run, view, frame) => {
    const answer = run.remote<CandidatesAnswer>(candidatesPath(run.askable(frame)));
    if (answer === undefined) return undefined;
    const { position } = answer;
    if (!position?.length) return null;
    const candidate_loss = answer.candidate_loss.map((loss) => Math.max(SMALLEST, loss));
    return compute({ ...answer, position, candidate_loss }, run, frame, view);
  };

const candidates = ofCandidates((answer, run, _frame, view) => ({
  x: answer.position,
  loss: answer.candidate_loss,
  neuron: answer.neuron.map((j) => j + 1),
  side: answer.side,
  colour: answer.neuron.map((j) => view.style.neuron(run, j)),
  text: answer.candidate_loss.map((loss) => number(loss)),
}));

const candidateLevel = ofCandidates((answer, run) => ({ x: domainOf(run), y: [answer.loss, answer.loss] }));

const candidateStems = ofCandidates((answer, run, frame) => {
  const b = run.row("b", frame);
  return {
    x: answer.position.flatMap((position, i) => [b[answer.neuron[i]], position, NaN]),
    y: answer.candidate_loss.flatMap((loss) => [answer.loss, loss, NaN]),
    neuron: answer.neuron.flatMap((j) => [j + 1, j + 1, NaN]),
  };
});

const candidateChosen = ofCandidates((answer, run, _frame, view) => {
  const i = answer.chosen ?? -1;
  if (i < 0) return { x: [], loss: [], colour: [], neuron: [], text: [], position: [] };
  const [lo, hi] = domainOf(run);
  return {
    x: [answer.position[i]],
    loss: [answer.candidate_loss[i]],
    colour: [view.style.neuron(run, answer.neuron[i])],
    neuron: [answer.neuron[i] + 1],
    text: [`neuron ${answer.neuron[i] + 1} moves`],
    position: [answer.position[i] > (lo + hi) / 2 ? "middle left" : "middle right"],
  };
});

export const moments: Record<string, MomentTable> = {
  data,
  truth: (run) => run.data?.truth ?? null,
  network,
  lines,
  glue,
  set_names: setNames,
  set_edges: (run, view, frame) => posts(Array.from(stateAt(run, frame, view).b)),
  data_posts: (run) => (run.data ? posts(Array.from(run.data.x)) : null),
  macroscopic,
  crosses_free: crosses("live", "left", "hopping"),
  crosses_pinned: crosses("pinned"),
  crosses_dead: crosses("dead"),
  outside,
  segments: segmentRows,
  state: neuronRows,
  rates,
  rate_labels: rateLabels,
  candidates,
  candidate_level: candidateLevel,
  candidate_stems: candidateStems,
  candidate_chosen: candidateChosen,
};
