/** The network on screen with one bias moved by hand. */

import { stateAt } from "../derive/moments.ts";
import { gaps, loss } from "../derive/segments.ts";
import type { View } from "../derive/view.ts";
import type { Run } from "../store/run.ts";
import { upperBound } from "../store/search.ts";

/** The shown network with one bias moved: a pinned neuron is free again once it is moved. */
export function editedState(run: Run, frame: number, view: View, neuron: number, bias: number): View["edit"] {
  const old = stateAt(run, frame, view);
  const { x, y, w, base } = run.data!;
  const [b, c, pin] = [Float64Array.from(old.b), Float64Array.from(old.c), Int32Array.from(old.pin)];
  b[neuron] = bias;
  pin[neuron] = -1;
  const gap = gaps(x, b);
  pin.forEach((datum, j) => {
    if (datum >= 0) gap[j] = datum + 1;
  });
  return { id: run.id, b, c, gap, pin, loss: loss(x, y, b, c, w, base), neuron };
}

/** Beyond the next datum on one side: the middle of the gap there, or a little beyond the last datum. */
export function pushedBias(x: ArrayLike<number>, bias: number, pin: number, right: boolean): number | null {
  const last = x.length - 1;
  const gap = upperBound(x, bias);
  const datum = pin >= 0 ? pin : right ? gap : gap - 1;
  if (datum < 0 || datum > last) return null;
  const step = (x[last] - x[0]) / Math.max(1, last);
  const beyond = right ? (datum < last ? x[datum + 1] : x[last] + step) : datum > 0 ? x[datum - 1] : x[0] - step;
  return (x[datum] + beyond) / 2;
}
