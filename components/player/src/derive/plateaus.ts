/** Plateaus, as the core tells them: where the moment lies among them, and the ways from one to the next. */

import { count } from "../format.ts";
import type { Phase, Plateau, Run } from "../store/run.ts";
import { counts, SMALLEST, times } from "./times.ts";
import type { Columns, View } from "./view.ts";

/** The plateau that a frame lies in. */
export const plateauAt = (run: Run, frame: number): Plateau | null =>
  run.plateaus.find(({ first, last }) => first <= frame && frame <= last) ?? null;

/** Why the loss stands still at a frame; null off the plateaus. */
export const phaseAt = (run: Run, frame: number): Phase | null =>
  plateauAt(run, frame)?.phases.find(({ first, last }) => first <= frame && frame <= last) ?? null;

/** Where plateaus begin; and where the loss starts to fall: at the start, and at the end of each. */
export function landmarks(run: Run, what: "plateau" | "fall"): number[] {
  const begins = run.plateaus.map(({ begin }) => begin);
  if (what === "plateau") return begins;
  const ends = run.plateaus.filter(({ open }) => !open).map(({ end }) => end);
  return begins.length && begins[0] > 0 ? [0, ...ends] : ends;
}

/** When the plateau of a frame ends, as the frames show, and how much happens on it before. */
export function endingOf(run: Run, frame: number): string {
  const plateau = plateauAt(run, frame);
  if (!plateau || run.running) return "";
  if (plateau.open) return "The plateau lasts to the end of this run.";
  const between = run.changes.slice(frame + 1, plateau.last + 1).filter((changes) => changes.length > 0);
  const what = between.flat().every(([, kind]) => kind === "crossed") ? "crossing" : "stage change";
  const after = between.length ? `, after ${between.length.toLocaleString("en-US")} more ${what}${between.length > 1 ? "s" : ""}` : "";
  return `The plateau ends at epoch ${count(plateau.end)}${after}.`;
}

/** The next landmark after an epoch, or the last one before it. */
export const stepped = (marks: number[], epoch: number, by: 1 | -1): number | undefined =>
  by > 0 ? marks.find((mark) => mark > epoch) : marks.findLast((mark) => mark < epoch);

/** A broad line along the curve on each plateau, and its number above, if there are several. */
export function plateaus(run: Run, view: View): Columns | null {
  if (!run.plateaus.length || !counts(run, view)) return null;
  const x = times(run, view);
  const loss = (frame: number): number => Math.max(SMALLEST, run.value("loss", frame));
  const columns = { x: [] as number[], y: [] as number[], at: [] as number[], height: [] as number[], text: [] as string[] };
  for (const { first, last, number } of run.plateaus) {
    const end = Math.min(last, run.last);
    for (let frame = first; frame <= end; frame++) {
      columns.x.push(x[frame]);
      columns.y.push(loss(frame));
    }
    columns.x.push(NaN);
    columns.y.push(NaN);
    const third = x[first] ** (2 / 3) * x[end] ** (1 / 3);
    let near = first;
    while (near < end && x[near] < third) near++;
    columns.at.push(x[near]);
    columns.height.push(1.12 * loss(near));
    columns.text.push(run.plateaus.length > 1 ? String(number) : "");
  }
  return columns;
}
