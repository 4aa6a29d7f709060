/** Tables of columns over all frames of a run. A table is a function (run, view, group) -> columns, or null
 *  when there is nothing to show; its result is kept until new frames come or the view changes. */

import type { Run, Scalar } from "../store/run.ts";
import { upperBound } from "../store/search.ts";
import { COUNTS, census, PASSES } from "./census.ts";
import { plateaus } from "./plateaus.ts";
import { levels } from "./segments.ts";
import { counts, SMALLEST, shown, spans, times } from "./times.ts";
import type { Columns, View } from "./view.ts";

type History = (run: Run, view: View, group: number) => Columns | null;

const TRAJECTORY_POINTS = 400;
const CURVE_POINTS = 1500;
const PATTERN_POINTS = 300;
const DATA_LINES = 60;
const MARKS = 400;
const NUMBERED = 16;
/** So many curves can be told apart in a panel, and of those to which nothing happens half as many are enough. */
const CURVES = 80;
/** Stages and ticks go from one to the next below the picture, where it is cut off: a gap would make a path of
 *  its own of each, and hundreds of paths are what takes time to draw. */
const BELOW = -1;

const taken = (frames: number[], values: Float64Array) => Float64Array.from(frames, (frame) => values[frame]);
const positive = (values: Float64Array) => values.map((value) => (value > SMALLEST ? value : value >= 0 ? SMALLEST : NaN));

/** A table that has nothing to say of a run which does not know the chosen time. */
const known =
  (compute: History): History =>
  (run, view, group) =>
    counts(run, view) ? compute(run, view, group) : null;

function curve(run: Run, view: View): Columns {
  const frames = shown(run, view, CURVE_POINTS);
  const of = (name: Scalar) => taken(frames, run.column[name]);
  const columns: Columns = { x: taken(frames, times(run, view)), stage: of("stage").map((stage) => stage + 1) };
  for (const name of Object.keys(view.style.spec!.times) as Scalar[]) columns[name] = of(name);
  for (const name of ["loss", "floor", "stationarity", "prediction_error"] as const) columns[name] = positive(of(name));
  for (const name of COUNTS) columns[name] = taken(frames, census(run)[name]);
  return columns;
}

/** The end of a curve, where its name stands; a previous run may end beyond the picture. */
function end(run: Run, view: View): Columns {
  const last = run.previous ? Math.max(0, upperBound(times(run, view), 10 ** view.range[1]) - 1) : run.last;
  return { x: [times(run, view)[last]], loss: [Math.max(SMALLEST, run.value("loss", last))] };
}

/** A loss that some network of the run's width is known to reach; left out where it is far below all curves, or there are
 *  none. */
function best(run: Run, view: View): Columns | null {
  const runs = (view.runs.length ? view.runs : [run]).filter((one) => counts(one, view));
  const reached = runs.map((one) => one.value("loss", one.last));
  const loss = run.data?.best_known;
  if (!loss || !runs.length || loss < Math.min(...reached) / 100) return null;
  const which = runs.every((one) => one.width === run.width) ? "this width" : `width ${run.width}`;
  const text = `${run.data?.is_proven ? "proven best" : "best known"} for ${which}`;
  return { x: view.range.map((power) => 10 ** power), y: [loss, loss], text };
}

function stages(run: Run, view: View): Columns {
  const odd = spans(run, view).filter((_, i) => i % 2);
  return { x: odd.flatMap(({ from, to }) => [from, from, to, to]), y: odd.flatMap(() => [BELOW, 1, 1, BELOW]) };
}

function ticks(run: Run, view: View): Columns {
  const later = spans(run, view).slice(1);
  return { x: later.flatMap(({ from }) => [from, from, from]), y: later.flatMap(() => [BELOW, 0.03, BELOW]) };
}

function floors(run: Run, view: View): Columns {
  const told = spans(run, view).filter(({ frame }) => run.value("floor", frame) > SMALLEST);
  return {
    x: told.flatMap(({ from, to }) => [from, to, NaN]),
    y: told.flatMap(({ frame }) => [run.value("floor", frame), run.value("floor", frame), NaN]),
  };
}

class Path {
  readonly x: number[] = [];
  readonly b: number[] = [];
  readonly c: number[] = [];

  push(x: number, b: number, c: number): void {
    this.x.push(x);
    this.b.push(b);
    this.c.push(c);
  }

  cut(): void {
    this.push(NaN, NaN, NaN);
  }
}

/** The neurons whose curves are drawn. Of many it is those that something happens to, and some of the others to show where
 *  they are: all of them would be one solid block. Evenly by initial bias, so that the choice stays as the run grows. */
function drawn(run: Run): number[] {
  const order = Array.from(run.row("b", 0).keys());
  if (run.width <= CURVES) return order;
  const b = run.row("b", 0);
  order.sort((i, k) => b[i] - b[k]);
  const changed = new Set(run.changes.flatMap((changes) => changes.map(([neuron]) => neuron)));
  const thinned = (neurons: number[], most: number) => neurons.filter((_, k) => k % Math.ceil(neurons.length / most) === 0);
  const eventful = order.filter((neuron) => changed.has(neuron));
  return [...new Set([...thinned(eventful, CURVES), ...thinned(order, CURVES / 2)])];
}

/** Trajectories with gaps: where a neuron is dead it leaves its colour group for the grey one. */
function trajectories(run: Run, view: View) {
  return run.cached(["trajectories", view.x, view.zero, view.window].join(":"), () => {
    const frames = shown(run, view, TRAJECTORY_POINTS);
    const x = taken(frames, times(run, view));
    const { b, c, gap, pin } = run.column;
    const m = run.data ? run.data.x.length : Infinity;
    const [groups, held] = [0, 1].map(() => view.style.spec!.neurons.map(() => new Path()));
    const dead = new Path();
    for (const j of drawn(run)) {
      const group = view.style.group(run, j);
      const own = groups[group];
      const pinned = held[group];
      let current: Path | null = null;
      let wasPinned = false;
      for (let i = 0; i < frames.length; i++) {
        const at = frames[i] * run.width + j;
        const path: Path = gap[at] >= m ? dead : own;
        if (current && path !== current) {
          current.push(x[i], b[at], c[at]);
          current.cut();
        }
        path.push(x[i], b[at], c[at]);
        current = path;
        const isPinned = pin[at] >= 0;
        if (isPinned || wasPinned) pinned.push(x[i], b[at], c[at]);
        if (wasPinned && !isPinned) pinned.cut();
        wasPinned = isPinned;
      }
      // a method that is done at once has no curve: a short line, so that its values can be seen
      if (frames.length === 1) current?.push(1.15 * x[0], b[j], c[j]);
      current?.cut();
      if (wasPinned) pinned.cut();
    }
    return { groups, held, dead };
  });
}

const lineWidth = (run: Run): number => (run.width <= 20 ? 1.75 : run.width <= 60 ? 1.25 : 0.8);

const ofGroup =
  (part: "groups" | "held"): History =>
  (run, view, group) => {
    const { x, b, c } = trajectories(run, view)[part][group];
    return x.length ? { x, b, c, width: lineWidth(run), pinned_width: 2.2 * lineWidth(run) } : null;
  };

/** The number of each neuron where its curve begins, by which the sentences call it; of many, none.
 *  Curves that begin side by side share a place. */
function numbers(run: Run, view: View): Columns | null {
  if (!run.data || run.width > NUMBERED) return null;
  const b = run.row("b", 0);
  const near = 0.135 * view.style.spec!.scale * (run.data.x[run.data.x.length - 1] - run.data.x[0]);
  const places: { b: number; neurons: number[]; colour: string }[] = [];
  for (const j of Array.from(b.keys()).sort((i, k) => b[k] - b[i])) {
    const last = places[places.length - 1];
    if (last && last.b - b[j] < near) last.neurons.push(j + 1);
    else places.push({ b: b[j], neurons: [j + 1], colour: view.style.neuron(run, j) });
  }
  return {
    x: places.map(() => times(run, view)[0]),
    b: places.map((place) => place.b),
    text: places.map((place) => place.neurons.join(", ")),
    colour: places.map((place) => place.colour),
  };
}

/** Where neurons did one of `kinds`; too many are thinned evenly. */
const marks =
  (...kinds: string[]): History =>
  (run, view) => {
    const x = times(run, view);
    const all = run.changes.flatMap((changes, frame) =>
      changes
        .filter(([, kind]) => kinds.includes(kind))
        .map(([neuron, kind, datum]) => {
          const own = kind === "moved" || datum < 0 || !run.data;
          return { x: x[frame], b: own ? run.row("b", frame)[neuron] : run.data!.x[datum], neuron };
        }),
    );
    const stride = Math.ceil(all.length / MARKS);
    const list = stride > 1 ? all.filter((_, i) => i % stride === 0) : all;
    return {
      x: list.map((mark) => mark.x),
      b: list.map((mark) => mark.b),
      neuron: list.map((mark) => mark.neuron + 1),
      colour: list.map((mark) => view.style.neuron(run, mark.neuron)),
      size: list.length <= 30 ? 8 : list.length <= 120 ? 6 : 4,
    };
  };

function dataLines(run: Run, view: View): Columns | null {
  if (!run.data) return null;
  const stride = Math.ceil(run.data.x.length / DATA_LINES);
  const lines = Array.from(run.data.x).filter((_, k) => k % stride === 0);
  const ends = view.range.map((power) => 10 ** power);
  return { x: lines.flatMap(() => [...ends, NaN]), y: lines.flatMap((x) => [x, x, NaN]), opacity: run.data.x.length > 30 ? 0.45 : 0.7 };
}

/** u_l over time; a cell reaches from its frame to the next, so x has one edge more than z columns. */
function pattern(run: Run, view: View): Columns | null {
  if (!run.data) return null;
  const frames = shown(run, view, PATTERN_POINTS);
  const time = times(run, view);
  const m = run.data.x.length;
  const z = Array.from({ length: run.width + 1 }, () => new Float64Array(frames.length));
  let top = 1;
  frames.forEach((frame, i) => {
    levels(run.row("gap", frame), m).forEach(({ from, to }, l) => {
      z[l][i] = to - from;
      if (l > 0 && to - from > top) top = to - from;
    });
  });
  const x = frames.map((frame) => time[frame]);
  x.push(frames.length > 1 ? time[run.last] * 1.0001 : time[0] * 1.1);
  return { x, y: z.map((_, l) => l), z, top };
}

/** u_l over time, one curve a level; its name stands at its end, together with those that end at the same number. */
function setSizes(run: Run, view: View, level: number): Columns | null {
  const cells = pattern(run, view) as { x: number[]; z: Float64Array[] } | null;
  if (!cells || level > run.width) return null;
  const ends = cells.z.map((row) => row[row.length - 1]);
  const alike = Array.from(ends.keys()).filter((l) => ends[l] === ends[level]);
  const x = cells.x.slice(0, cells.z[level].length);
  const text = alike[0] === level ? alike.map((l) => `u<sub>${l}</sub>`).join(" ") : "";
  return { x, y: cells.z[level], end: [x[x.length - 1]], size: [ends[level]], text };
}

/** A star where the run ended because nothing is left to train. */
function trained(run: Run, view: View): Columns | null {
  if (!run.isTrained) return null;
  const value = run.value("stationarity", run.last);
  return { x: [times(run, view)[run.last]], y: [Math.max(SMALLEST, value)], text: ["fully trained"] };
}

export const histories: Record<string, History> = {
  best,
  curve: known(curve),
  end: known(end),
  stages: known(stages),
  ticks: known(ticks),
  floors: known(floors),
  neurons: known(ofGroup("groups")),
  pinned: known(ofGroup("held")),
  dead: known((run, view) => ({ ...trajectories(run, view).dead })),
  numbers: known(numbers),
  pins: known(marks("pinned")),
  hops: known(marks("hopping")),
  crossings: known(marks(...PASSES)),
  data_lines: known(dataLines),
  pattern: known(pattern),
  set_sizes: known(setSizes),
  trained: known(trained),
  plateaus,
};
