/** Numbers of a frame by name: those that were recorded, and how its neurons are doing, counted from them. */

import { type Run, SCALARS, type Scalar } from "../store/run.ts";
import { statusOf } from "./segments.ts";

/** Neurons that see no datum, that are held by one, and the rest; and how often a neuron has passed a datum so far. */
export const COUNTS = ["dead", "pinned", "live", "crossings"] as const;
type Count = (typeof COUNTS)[number];

/** What a neuron does when it passes a datum. */
export const PASSES = ["crossed", "moved", "relocated"];

/** The counts at every frame. */
export function census(run: Run): Record<Count, Float64Array> {
  return run.cached("census", () => {
    const [dead, pinned, live, crossings] = COUNTS.map(() => new Float64Array(run.count));
    const { gap, pin } = run.column;
    const m = run.data?.x.length ?? Infinity;
    for (let frame = 0, passed = 0; frame < run.count; frame++) {
      for (let j = frame * run.width; j < (frame + 1) * run.width; j++) {
        const status = statusOf(gap[j], pin[j], m);
        (status === "dead" ? dead : status === "pinned" ? pinned : live)[frame] += 1;
      }
      passed += run.changes[frame].filter(([, kind]) => PASSES.includes(kind)).length;
      crossings[frame] = passed;
    }
    return { dead, pinned, live, crossings };
  });
}

const isScalar = (name: string): name is Scalar => (SCALARS as readonly string[]).includes(name);
export const isQuantity = (name: string): boolean => isScalar(name) || (COUNTS as readonly string[]).includes(name);

/** A number of a frame by its name. */
export const quantity = (run: Run, name: string, frame: number): number =>
  isScalar(name) ? run.value(name, frame) : census(run)[name as Count][frame];
