/** What the axes of a panel mean: ranges and ticks. */

import { domainOf } from "../derive/moments.ts";
import { dateTicks, escaped, slopeUnit } from "../derive/places.ts";
import { counts } from "../derive/times.ts";
import type { View } from "../derive/view.ts";
import { number, powerLabel } from "../format.ts";
import type { Run } from "../store/run.ts";
import type { Vector } from "../store/search.ts";
import type { Axis, Layout } from "../store/template.ts";

/** Below so small a share of the largest value there is nothing but rounding. */
const ROUNDING = 1e-19;
const ROOM_BELOW = 0.03;
/** Pixels of a neuron's number above its curve; the least part of a panel's height that its plot has, and the most of it
 *  that the number takes. */
const NUMBER_HEIGHT = 16;
const PLOTTED = 0.7;
const MOST_ROOM = 0.3;

type Size = { width: number; height: number };

/** Whole decades from lo to hi (exponents), at most `most` of them. */
export function decades(lo: number, hi: number, most: number): number[] {
  const first = Math.ceil(lo - 1e-9);
  const last = Math.floor(hi + 1e-9);
  const step = Math.max(1, Math.ceil((last - first + 1) / most));
  const powers = [];
  for (let power = Math.ceil(first / step) * step; power <= last; power += step) powers.push(power + 0); // never -0
  return powers;
}

/** Ticks of a time axis; `least` is the smallest number that means something there: there is no half iteration. */
export function timeTicks(zero: number, from: number, to: number, most: number, least = 0): Axis {
  const room = (to - from) / (2.2 * most);
  const isClear = (power: number): boolean => power > Math.log10(zero) + room && 10 ** power >= least;
  const powers = decades(from, to, most).filter(isClear);
  const withZero = from <= Math.log10(zero) + 1e-9;
  // a few iterations are counted one by one, not by powers of ten
  const values = powers.length > 2 ? powers.map((power) => 10 ** power) : fineTicks(from, to).filter((value) => isClear(Math.log10(value)));
  const texts = powers.length > 2 ? powers.map(powerLabel) : values.map((value) => number(value));
  return { tickmode: "array", tickvals: [...(withZero ? [zero] : []), ...values], ticktext: [...(withZero ? ["0"] : []), ...texts] };
}

/** What the time axis counts, and which of the methods have nothing to count. */
export function timeTitle(runs: Run[], view: View): string {
  const title = view.style.spec?.times[view.x] ?? view.x;
  const without = runs.filter((run) => !counts(run, view));
  if (!without.length || without.length === runs.length) return title;
  return `${title} (none by ${[...new Set(without.map((run) => view.style.method(run)))].join(", ")})`;
}

function setTime(axis: Axis, view: View, size: Size): void {
  const pad = 0.012 * (view.range[1] - view.range[0]);
  const [from, to] = view.window ? view.window.map(Math.log10) : [view.range[0] - pad, view.range[1] + pad];
  axis.range = [from, to];
  axis.uirevision = [view.x, from, to].join();
  axis.title = { ...axis.title, text: view.timeTitle };
  Object.assign(axis, timeTicks(view.zero, from, to, Math.max(3, Math.floor(size.width / 52)), view.x === "seconds" ? 0 : 1));
}

/** Epochs counted evenly, as one looks at a run that one takes to be over. */
function setEpochs(axis: Axis, view: View): void {
  const [from, to] = view.window ?? [0, 10 ** view.range[1]];
  const tickvals = evenSteps(from, to, 6);
  const ticks = { tickmode: "array", tickvals, ticktext: tickvals.map((value) => number(value)) };
  Object.assign(axis, { type: "linear", range: [from, to], title: { ...axis.title, text: view.timeTitle }, ...ticks });
}

/** 1, 2 and 5 times powers of ten between two exponents; where that gives fewer than two, even steps. */
export function fineTicks(lo: number, hi: number): number[] {
  const values = [];
  for (let power = Math.floor(lo); power <= hi; power++)
    for (const lead of [1, 2, 5]) {
      const at = Math.log10(lead) + power;
      if (at >= lo && at <= hi) values.push(Number(`${lead}e${power}`));
    }
  if (values.length >= 2) return values;
  return evenSteps(10 ** lo, 10 ** hi);
}

/** Even steps of 1, 2 or 5 times a power of ten, `most` of them at most. */
function evenSteps(from: number, to: number, most = 4): number[] {
  const rough = (to - from) / most;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = unit * [1, 2, 5, 10].find((lead) => lead * unit >= rough)!;
  const steps = [];
  for (let value = Math.ceil(from / step) * step; value <= to; value += step) steps.push(value);
  return steps;
}

/** The smallest and the largest positive number of a column. */
function endsOf(values: Vector): [number, number] {
  let least = Infinity;
  let most = -Infinity;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (!(value > 0) || value === Infinity) continue;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return [least, most];
}

/** Log axis with decade ticks only; where fewer than two decades show, with finer ones. Where it is `clipped`, a curve
 *  that falls to rounding errors does not flatten those that do not: it leaves the picture below them. */
function setDecades(axis: Axis, columns: Vector[], size: Size, clipped: boolean): void {
  const ends = columns.map(endsOf).filter(([least]) => least < Infinity);
  if (!ends.length) return;
  const most = Math.max(...ends.map(([, high]) => high));
  const exact = ends.filter(([least]) => clipped && least < ROUNDING * most);
  const rest = ends.filter((end) => !exact.includes(end));
  const below = exact.length && rest.length ? ROOM_BELOW : 1;
  const least = below * Math.min(...(rest.length ? rest : ends).map(([low]) => low));
  let [lo, hi] = [Math.log10(least), Math.log10(most)];
  if (hi - lo < 0.002) [lo, hi] = [lo - 0.1, hi + 0.1];
  const pad = 0.05 * (hi - lo);
  const range: [number, number] = [lo - pad, hi + pad];
  const powers = decades(...range, Math.max(2, Math.floor(size.height / 26)));
  const fine = powers.length < 2;
  const tickvals = fine ? fineTicks(...range) : powers.map((power) => 10 ** power);
  const ticktext = fine ? tickvals.map((value) => number(value)) : powers.map(powerLabel);
  Object.assign(axis, { range, tickmode: "array", tickvals, ticktext });
}

/** Linear axis that a few huge values do not flatten. */
function setValues(axis: Axis, columns: Vector[]): void {
  const values = Float64Array.from(columns.flatMap((column) => Array.from(column)).filter(Number.isFinite)).sort();
  if (!values.length) return;
  const at = (share: number): number => values[Math.round(share * (values.length - 1))];
  const spread = at(0.98) - at(0.02);
  // nearly all are the same: then nothing is an outlier
  if (!spread) return setAll(axis, columns);
  const lo = Math.max(values[0], at(0.02) - 0.6 * spread);
  const hi = Math.min(values[values.length - 1], at(0.98) + 0.6 * spread);
  const pad = 0.05 * (hi - lo || 1);
  axis.range = [lo - pad, hi + pad];
}

/** Positions of biases: the domain, and as much around it as they use, up to a quarter of it a side. Where a curve begins
 *  stands its neuron's number, above the highest one too. */
function setPositions(axis: Axis, run: Run, { style }: View, { height }: Size): void {
  if (!run.data || !run.count) return;
  const [lo, hi] = domainOf(run);
  const [least, most] = run.cached("positions", () => {
    const all = run.column.b.subarray(0, run.count * run.width);
    return all.reduce(([low, high], b) => [Math.min(low, b), Math.max(high, b)], [Infinity, -Infinity]);
  });
  const span = hi - lo;
  const below = Math.max(lo - 0.25 * span, least) - 0.015 * span;
  const [bottom, top] = [Math.min(lo, below), Math.min(hi + 0.25 * span, most)];
  const room = (NUMBER_HEIGHT * (style.spec!.scale || 1)) / (PLOTTED * height);
  axis.range = [bottom, Math.max(hi, top + 0.08 * span, bottom + (top - bottom) / (1 - Math.min(MOST_ROOM, room)))];
}

/** The data's range, with room for the crosses on the baseline and the words above them; a wild network is cut off. */
function setResponse(axis: Axis, run: Run): void {
  const { data } = run;
  if (!data) return;
  axis.range = run
    .extra("response", () => {
      const values = [...data.y, ...(data.truth?.y ?? [])].filter(Number.isFinite);
      let lo = Math.min(...values);
      let hi = Math.max(...values);
      if (hi - lo < 1e-9) [lo, hi] = [lo - 1, hi + 1];
      return [lo - 0.3 * (hi - lo), hi + 0.12 * (hi - lo)];
    })
    .slice();
}

/** Linear axis that leaves nothing out. */
function setAll(axis: Axis, columns: Vector[]): void {
  let [lo, hi] = [Infinity, -Infinity];
  for (const column of columns)
    for (const value of Array.from(column)) if (Number.isFinite(value)) [lo, hi] = [Math.min(lo, value), Math.max(hi, value)];
  const pad = 0.05 * (hi - lo || 1);
  if (lo <= hi) axis.range = [lo - pad, hi + pad];
}

/** The data's range and whatever else is drawn, as far as the data's range once more on either side. */
function setReach(axis: Axis, run: Run, columns: Vector[]): void {
  if (!run.data) return;
  const values = Array.from(run.data.y);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const span = most - least || 1;
  const inside = (value: number): boolean => value >= least - span && value <= most + span;
  let [lo, hi] = [least, most];
  for (const column of columns)
    for (const value of Array.from(column))
      if (inside(value)) [lo, hi] = [Math.min(lo, value), Math.max(hi, value)];
      else if (Number.isFinite(value)) [lo, hi] = value < lo ? [least - span, hi] : [lo, most + span];
  axis.range = [lo - 0.16 * (hi - lo), hi + 0.06 * (hi - lo)];
}

/** Dates along an axis of positions. */
function setDates(axis: Axis, run: Run, most: number): void {
  if (run.data?.dates && axis.range) Object.assign(axis, { tickmode: "array", ...dateTicks(axis.range[0], axis.range[1], most) });
}

/** A letter's width as a part of the type's size, on average. */
const LETTER = 0.58;
const FEWEST = 4;

const titleLength = (text: string): number => text.replace(/<[^>]*>/g, "").length;

/** Words and a name in parentheses as far as they have room: the name is shortened first, then left out. */
function titleWithin(most: number, words: string, name: string, end = ""): string {
  const room = most - titleLength(words) - 3 - end.length;
  if (name.length <= room) return `${words} (${escaped(name)}${end})`;
  return room >= FEWEST ? `${words} (${escaped(name.slice(0, room - 1).trimEnd())}…${end})` : words;
}

const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, Math.max(1, most - 1)).trimEnd()}…`;

/** What the data call their x and y, on the axes that show them, as far as it fits along them. A loss is in squares of
 *  what y is in, a coefficient changes the slope. */
export function nameAxes({ meta, margin, font, xaxis, yaxis }: Layout, { data }: Run, size: Size): void {
  const name = (axis: Axis, text: string): void => {
    axis.title = { ...axis.title, text };
  };
  const letter = LETTER * ((font as { size?: number } | undefined)?.size ?? 12);
  const along = (size.width - margin.l - margin.r) / letter;
  const upright = (size.height - Math.abs(margin.t - margin.b)) / letter;
  if (data?.x_name && meta.x === "position") name(xaxis, escaped(shortened(data.x_name, along)));
  if (data?.x_name && meta.y === "positions") name(yaxis, titleWithin(upright, "bias b<sub>j</sub>", data.x_name));
  if (data?.y_name && (meta.y === "response" || meta.y === "reach")) name(yaxis, `${escaped(shortened(data.y_name, upright - 6))}, f(x)`);
  if (data?.y_name && meta.loss) name(yaxis, titleWithin(upright, yaxis.title?.text ?? "loss", data.y_name, "²"));
  if (data?.y_name && meta.slope) {
    const unit = slopeUnit(data);
    const words = ["coefficient c<sub>j</sub>", "c<sub>j</sub>"].find((text) => titleLength(text) + unit.length + 3 <= upright);
    if (words) name(yaxis, `${words} (${escaped(unit)})`);
  }
}

type Meaning = (axis: Axis, run: Run, view: View, columns: Vector[], size: Size) => void;

/** What an axis can mean (components/panels/tables.py); "plain" is as Plotly finds it. */
export const meanings: Record<string, Meaning> = {
  time: (axis, _run, view, _columns, size) => setTime(axis, view, size),
  epochs: (axis, _run, view) => setEpochs(axis, view),
  decades: (axis, _run, _view, columns, size) => setDecades(axis, columns, size, false),
  clipped: (axis, _run, _view, columns, size) => setDecades(axis, columns, size, true),
  values: (axis, _run, _view, columns) => setValues(axis, columns),
  all: (axis, _run, _view, columns) => setAll(axis, columns),
  position: (axis, run, view, _columns, size) => {
    if (run.data) axis.range = view.domain ?? domainOf(run);
    setDates(axis, run, Math.max(2, Math.floor(size.width / 80)));
  },
  positions: (axis, run, view, _columns, size) => {
    setPositions(axis, run, view, size);
    setDates(axis, run, Math.max(2, Math.floor(size.height / 40)));
  },
  response: setResponse,
  reach: (axis, run, _view, columns) => setReach(axis, run, columns),
  levels: (axis, run) => {
    if (run.count) axis.range = [-0.5, run.width + 0.5];
  },
  plain: () => {},
};

/** Give an axis the range and the ticks of what it means; `columns` are the values drawn along it. */
export const setAxis = (axis: Axis, meaning: string | undefined, ...scene: [Run, View, Vector[], Size]): void =>
  meanings[meaning ?? "plain"](axis, ...scene);
