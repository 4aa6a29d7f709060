/** What a frame implies, recomputed in the browser from b, c, gap, pin and the data: the same formulas, in the
 *  same order of operations, as the core's pattern and network. */

import { upperBound, type Vector } from "../store/search.ts";

export type Status = "dead" | "pinned" | "hopping" | "left" | "live";

const places = (values: Vector): number[] => Array.from({ length: values.length }, (_, i) => i);

/** The sets U_l of data that activate exactly l neurons, and the network's line on each; data without weights
 *  have weight 1. `base` is the height of the network left of all biases. */
export function segments(x: Vector, y: Vector, b: Vector, c: Vector, gap: Vector, w?: Vector, base = 0) {
  const n = b.length;
  const order = places(b).sort((i, j) => gap[i] - gap[j] || b[i] - b[j] || i - j);
  const start = new Int32Array(n + 2);
  order.forEach((neuron, rank) => {
    start[rank + 1] = gap[neuron];
  });
  start[n + 1] = x.length;
  const part = {
    order,
    start,
    u: new Int32Array(n + 1),
    weight: new Float64Array(n + 1),
    mean_x: new Float64Array(n + 1).fill(NaN),
    mean_y: new Float64Array(n + 1).fill(NaN),
    sxx: new Float64Array(n + 1),
    sxy: new Float64Array(n + 1),
    slope: new Float64Array(n + 1),
    offset: new Float64Array(n + 1),
    value: new Float64Array(n + 1).fill(NaN),
  };
  let height = base;
  for (let l = 0; l <= n; l++) {
    if (l > 0) {
      const last = order[l - 1];
      if (l > 1) height += part.slope[l - 1] * (b[last] - b[order[l - 2]]);
      part.slope[l] = part.slope[l - 1] + c[last];
      part.offset[l] = part.offset[l - 1] + c[last] * b[last];
    }
    const from = start[l];
    const to = start[l + 1];
    part.u[l] = Math.max(0, to - from);
    if (to <= from) continue;
    // offsets from one datum of the segment: the sums then do not depend on the origin
    let dx = 0;
    let dy = 0;
    for (let k = from; k < to; k++) {
      const share = w ? w[k] : 1;
      part.weight[l] += share;
      dx += share * (x[k] - x[from]);
      dy += share * (y[k] - y[from]);
    }
    dx /= part.weight[l];
    dy /= part.weight[l];
    part.mean_x[l] = x[from] + dx;
    part.mean_y[l] = y[from] + dy;
    for (let k = from; k < to; k++) {
      const deviation = x[k] - x[from] - dx;
      const share = w ? w[k] : 1;
      part.sxx[l] += share * deviation * deviation;
      part.sxy[l] += share * deviation * (y[k] - y[from] - dy);
    }
    part.value[l] = l > 0 ? height + part.slope[l] * (x[from] - b[order[l - 1]] + dx) : base;
  }
  return part;
}

export type Segments = ReturnType<typeof segments>;

/** Regression line of each U_l with two or more data, drawn a tenth beyond its data on both sides. */
export function regressionLines(x: Vector, part: Segments, beyond = 0.1) {
  const lines = [];
  for (let l = 0; l < part.u.length; l++) {
    if (part.u[l] < 2) continue;
    const slope = part.sxy[l] / part.sxx[l];
    const from = x[part.start[l]];
    const to = x[part.start[l + 1] - 1];
    const more = beyond * (to - from);
    const at = (position: number): number => part.mean_y[l] + slope * (position - part.mean_x[l]);
    lines.push({ level: l, slope, from: from - more, to: to + more, y_from: at(from - more), y_to: at(to + more) });
  }
  return lines;
}

/** Corners of the network between lo and hi, accumulated from the left: nothing cancels. */
export function knots(b: Vector, c: Vector, lo: number, hi: number, base = 0): { x: number[]; y: number[] } {
  const order = places(b).sort((i, j) => b[i] - b[j]);
  const xs = [lo];
  const ys = [];
  let slope = 0;
  let height = base;
  let previous = lo;
  let next = 0;
  while (next < order.length && b[order[next]] <= lo) {
    const j = order[next++];
    slope += c[j];
    height += c[j] * (lo - b[j]);
  }
  ys.push(height);
  for (; next < order.length && b[order[next]] < hi; next++) {
    const j = order[next];
    height += slope * (b[j] - previous);
    slope += c[j];
    previous = b[j];
    xs.push(b[j]);
    ys.push(height);
  }
  xs.push(hi);
  ys.push(height + slope * (hi - previous));
  return { x: xs, y: ys };
}

export function evaluate(b: Vector, c: Vector, x: number, base = 0): number {
  let sum = base;
  for (let j = 0; j < b.length; j++) if (x > b[j]) sum += c[j] * (x - b[j]);
  return sum;
}

/** Mean squared loss, for a network that was edited by hand. */
export function loss(x: Vector, y: Vector, b: Vector, c: Vector, w?: Vector, base = 0): number {
  let sum = 0;
  let weight = 0;
  for (let k = 0; k < x.length; k++) {
    const share = w ? w[k] : 1;
    const residual = evaluate(b, c, x[k], base) - y[k];
    sum += share * residual * residual;
    weight += share;
  }
  return sum / weight;
}

export const gaps = (x: Vector, b: Vector): Int32Array<ArrayBuffer> => Int32Array.from(b, (value) => upperBound(x, value));

/** dead sees no datum, left sees all, pinned cannot move, hopping is thrown over datum -2 - pin, live is the rest. */
export function statusOf(gap: number, pin: number, m: number): Status {
  if (gap === m) return "dead";
  if (pin >= 0) return "pinned";
  if (pin <= -2) return "hopping";
  return gap === 0 ? "left" : "live";
}

/** How many data lie between neighbouring biases, from the sorted gaps. */
export function levels(gap: Vector, m: number): { from: number; to: number }[] {
  const sorted = Int32Array.from(gap).sort();
  return Array.from({ length: gap.length + 1 }, (_, l) => ({ from: l > 0 ? sorted[l - 1] : 0, to: l < gap.length ? sorted[l] : m }));
}
