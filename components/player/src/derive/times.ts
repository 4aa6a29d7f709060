/** The frames of a run along the time axis: where each stands, which are shown, where stages begin. */

import type { Run } from "../store/run.ts";
import type { Span, TimeName, TimeScale } from "./view.ts";

export const SMALLEST = 1e-33;

/** Numbers of the chosen time at every frame; zero stands half a decade left of the first positive one. */
export function times(run: Run, view: TimeScale): Float64Array {
  return run.cached(`times:${view.x}${view.zero}`, () => {
    const column = run.column[view.x];
    return Float64Array.from({ length: run.count }, (_, i) => (column[i] > 0 ? column[i] : view.zero));
  });
}

/** Does this run know the chosen time at all (gradient descent never solves least squares)? */
export const counts = (run: Run, view: TimeScale): boolean =>
  run.count > 0 && (view.x === "epoch" || run.column[view.x][run.last] > 0 || run.count === 1);

/** The shared time axis: where zero stands, and the range of exponents. */
export function timeAxis(runs: readonly Run[], x: TimeName): { zero: number; range: [number, number] } {
  let least = Infinity;
  let most = 0;
  for (const run of runs) {
    const column = run.column[x].subarray(0, run.count);
    const first = column.find((value) => value > 0);
    if (first !== undefined) least = Math.min(least, first);
    if (run.count) most = Math.max(most, column[run.last]);
  }
  if (least === Infinity) [least, most] = [1, 10];
  // where every run begins after zero (the first solve takes a moment), zero is not on the axis
  const first = runs.every((run) => !run.count || run.column[x][0] > 0) ? least : least / Math.sqrt(10);
  const zero = Math.min(first, least / Math.sqrt(10));
  return { zero, range: [Math.log10(first), Math.max(Math.log10(most), Math.log10(first) + 0.8)] };
}

/** Frames at which a stage begins, the first included. */
export function stageStarts(run: Run): number[] {
  return run.cached("starts", () => {
    const { stage } = run.column;
    const starts = [];
    for (let i = 0; i < run.count; i++) if (i === 0 || stage[i] !== stage[i - 1]) starts.push(i);
    return starts;
  });
}

/** Stage of a frame and number of stages, counted from 1. */
export const stageOf = (run: Run, frame: number): [number, number] => [run.value("stage", frame) + 1, run.value("stage", run.last) + 1];

/** At most `limit` frames, evenly over the visible log time; stage changes are kept before others. */
export function shown(run: Run, view: TimeScale, limit: number): number[] {
  const key = ["shown", view.x, view.zero, view.window?.join() ?? "", limit].join(":");
  return run.cached(key, () => {
    const x = times(run, view);
    let first = 0;
    let last = run.last;
    if (view.window) {
      while (first < last && x[first + 1] < view.window[0]) first++;
      while (last > first && x[last - 1] > view.window[1]) last--;
    }
    const all = last - first + 1;
    if (all <= limit) return Array.from({ length: all }, (_, i) => first + i);
    return thinned(x, run.column.stage, first, last, limit);
  });
}

function thinned(x: Float64Array, stage: Float64Array, first: number, last: number, limit: number): number[] {
  const origin = Math.log10(x[first]);
  const buckets = Math.floor(limit / 2) - 1;
  const scale = buckets / Math.max(1e-9, Math.log10(x[last]) - origin);
  const kept = [first];
  let bucket = 0;
  let change = -1;
  for (let i = first + 1; i <= last; i++) {
    const here = Math.floor((Math.log10(x[i]) - origin) * scale);
    if (here !== bucket || i === last) {
      if (change >= 0 && change !== i - 1) kept.push(change);
      if (kept[kept.length - 1] !== i - 1) kept.push(i - 1);
      bucket = here;
      change = -1;
    }
    if (change < 0 && stage[i] !== stage[i - 1]) change = i;
  }
  if (kept[kept.length - 1] !== last) kept.push(last);
  return kept;
}

/** Stages as [first x, last x, first frame]; neighbours narrower than a hair are drawn as one. */
export function spans(run: Run, view: TimeScale): Span[] {
  return run.cached(`spans:${view.x}${view.zero}${view.window}`, () => {
    const x = times(run, view);
    const starts = stageStarts(run);
    const [from, to] = view.window ?? [x[0], x[run.last]];
    const hair = Math.log10(to / from) / 1200;
    const list: Span[] = [];
    starts.forEach((frame, i) => {
      const end = i + 1 < starts.length ? x[starts[i + 1]] : x[run.last];
      const previous = list[list.length - 1];
      if (previous && Math.log10(previous.to / previous.from) < hair) previous.to = end;
      else list.push({ from: x[frame], to: end, frame });
    });
    return list;
  });
}
