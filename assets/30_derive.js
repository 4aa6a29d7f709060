// What a frame implies, recomputed in the browser from b, c, gap, pin and the data: the same
// formulas, in the same order of operations, as core.pattern and core.network.
(function () {
  "use strict";

  const lowerBound = (sorted, value) => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle] < value) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  const upperBound = (sorted, value) => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle] <= value) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  /** The sets U_l of data that activate exactly l neurons, and the network's line on each. */
  function segments(x, y, b, c, gap) {
    const n = b.length;
    const m = x.length;
    const order = Array.from(b.keys()).sort((i, j) => gap[i] - gap[j] || b[i] - b[j] || i - j);
    const start = new Int32Array(n + 2);
    order.forEach((neuron, rank) => (start[rank + 1] = gap[neuron]));
    start[n + 1] = m;
    const part = {
      order, start,
      u: new Int32Array(n + 1),
      mean_x: new Float64Array(n + 1).fill(NaN),
      mean_y: new Float64Array(n + 1).fill(NaN),
      sxx: new Float64Array(n + 1),
      sxy: new Float64Array(n + 1),
      slope: new Float64Array(n + 1),
      offset: new Float64Array(n + 1),
      value: new Float64Array(n + 1).fill(NaN),
    };
    let height = 0;
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
        dx += x[k] - x[from];
        dy += y[k] - y[from];
      }
      dx /= to - from;
      dy /= to - from;
      part.mean_x[l] = x[from] + dx;
      part.mean_y[l] = y[from] + dy;
      for (let k = from; k < to; k++) {
        const deviation = x[k] - x[from] - dx;
        part.sxx[l] += deviation * deviation;
        part.sxy[l] += deviation * (y[k] - y[from] - dy);
      }
      part.value[l] = l > 0 ? height + part.slope[l] * (x[from] - b[order[l - 1]] + dx) : 0;
    }
    return part;
  }

  /** Regression line of each U_l with two or more data, drawn a tenth beyond its data on both sides. */
  function regressionLines(x, part, beyond = 0.1) {
    const lines = [];
    for (let l = 0; l < part.u.length; l++) {
      if (part.u[l] < 2) continue;
      const slope = part.sxy[l] / part.sxx[l];
      const from = x[part.start[l]];
      const to = x[part.start[l + 1] - 1];
      const more = beyond * (to - from);
      const at = (position) => part.mean_y[l] + slope * (position - part.mean_x[l]);
      lines.push({ level: l, slope, from: from - more, to: to + more, y_from: at(from - more), y_to: at(to + more) });
    }
    return lines;
  }

  /** Corners of the network between lo and hi, accumulated from the left: nothing cancels. */
  function knots(b, c, lo, hi) {
    const order = Array.from(b.keys()).sort((i, j) => b[i] - b[j]);
    const xs = [lo];
    const ys = [];
    let slope = 0;
    let height = 0;
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

  function evaluate(b, c, x) {
    let sum = 0;
    for (let j = 0; j < b.length; j++) if (x > b[j]) sum += c[j] * (x - b[j]);
    return sum;
  }

  /** Mean squared loss, for a network that was edited by hand. */
  function loss(x, y, b, c) {
    let sum = 0;
    for (let k = 0; k < x.length; k++) {
      const residual = evaluate(b, c, x[k]) - y[k];
      sum += residual * residual;
    }
    return sum / x.length;
  }

  const gaps = (x, b) => Int32Array.from(b, (value) => upperBound(x, value));

  /** dead sees no datum, left sees all, pinned cannot move, live is the rest. */
  function status(gap, pin, m) {
    if (gap === m) return "dead";
    if (pin >= 0) return "pinned";
    return gap === 0 ? "left" : "live";
  }

  plateau.derive = { segments, regressionLines, knots, evaluate, loss, gaps, status, lowerBound, upperBound };
})();
