// What the axes of a panel mean: ranges, ticks and how numbers are written.
(function () {
  "use strict";

  const SUPERSCRIPT = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };
  const raised = (power) => Array.from(String(power), (sign) => SUPERSCRIPT[sign]).join("");

  /** Three significant digits; powers as 10⁶ rather than zeros. */
  function number(value, digits = 3) {
    if (value === null || value === undefined || Number.isNaN(value)) return "–";
    if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
    if (value === 0) return "0";
    const size = Math.abs(value);
    const sign = value < 0 ? "−" : "";
    if (Number.isInteger(value) && size < 10000) return sign + size;
    if (size >= 0.001 && size < 10000) return sign + String(Number(size.toPrecision(digits)));
    let power = Math.floor(Math.log10(size));
    let lead = Number((size / 10 ** power).toPrecision(digits));
    if (lead >= 10) {
      lead /= 10;
      power += 1;
    }
    return sign + (lead === 1 ? "10" : lead + "·10") + raised(power);
  }

  const powerLabel = (power) => (power === 0 ? "1" : power === 1 ? "10" : "10" + raised(power));

  /** Whole decades from lo to hi (exponents), at most `most` of them. */
  function decades(lo, hi, most) {
    const first = Math.ceil(lo - 1e-9);
    const last = Math.floor(hi + 1e-9);
    const step = Math.max(1, Math.ceil((last - first + 1) / most));
    const powers = [];
    for (let power = Math.ceil(first / step) * step; power <= last; power += step) powers.push(power);
    return powers;
  }

  /** The shared time axis: where zero stands, and the range of exponents. */
  function timeAxis(runs, x) {
    let least = Infinity;
    let most = 0;
    for (const run of runs) {
      const column = run.column[x];
      for (let i = 0; i < run.count; i++) {
        if (column[i] > 0) {
          least = Math.min(least, column[i]);
          break;
        }
      }
      if (run.count) most = Math.max(most, column[run.last]);
    }
    if (!(least < Infinity)) [least, most] = [1, 10];
    const zero = least / Math.sqrt(10);
    const range = [Math.log10(zero), Math.max(Math.log10(most), Math.log10(zero) + 0.8)];
    return { zero, range };
  }

  function timeTicks(view, from, to, most) {
    const room = (to - from) / (2.2 * most);
    const powers = decades(from, to, most).filter((power) => power > Math.log10(view.zero) + room);
    if (powers.length < 2 && to - from < 1.2) return null;
    const origin = Math.log10(view.zero);
    const withZero = from <= origin + 1e-9;
    return {
      tickvals: (withZero ? [view.zero] : []).concat(powers.map((power) => 10 ** power)),
      ticktext: (withZero ? ["0"] : []).concat(powers.map(powerLabel)),
    };
  }

  function setTime(axis, view, size) {
    const pad = 0.012 * (view.range[1] - view.range[0]);
    const [from, to] = view.window
      ? [Math.log10(view.window[0]), Math.log10(view.window[1])]
      : [view.range[0] - pad, view.range[1] + pad];
    axis.range = [from, to];
    axis.uirevision = [view.x, from, to].join();
    axis.title = Object.assign({}, axis.title, { text: view.timeTitle });
    const ticks = timeTicks(view, from, to, Math.max(3, Math.floor(size.width / 52)));
    if (ticks) Object.assign(axis, { tickmode: "array" }, ticks);
  }

  const finite = (columns) => columns.flatMap((values) => Array.from(values || [])).filter(Number.isFinite);

  /** 1, 2 and 5 times powers of ten between two exponents; where that gives fewer than two, even steps. */
  function fineTicks(lo, hi) {
    const values = [];
    for (let power = Math.floor(lo); power <= hi; power++)
      for (const lead of [1, 2, 5]) {
        const at = Math.log10(lead) + power;
        if (at >= lo && at <= hi) values.push(Number(lead + "e" + power));
      }
    if (values.length >= 2) return values;
    const [from, to] = [10 ** lo, 10 ** hi];
    const rough = (to - from) / 4;
    const unit = 10 ** Math.floor(Math.log10(rough));
    const step = unit * [1, 2, 5, 10].find((lead) => lead * unit >= rough);
    const steps = [];
    for (let value = Math.ceil(from / step) * step; value <= to; value += step) steps.push(value);
    return steps;
  }

  /** Log axis with decade ticks only; where fewer than two decades show, with finer ones. */
  function setDecades(axis, columns, size) {
    let lo = Infinity;
    let hi = -Infinity;
    for (const values of columns) {
      for (let i = 0; i < values.length; i++) {
        const value = values[i];
        if (!(value > 0) || value === Infinity) continue;
        if (value < lo) lo = value;
        if (value > hi) hi = value;
      }
    }
    if (!(lo < Infinity)) return;
    lo = Math.log10(lo);
    hi = Math.log10(hi);
    if (hi - lo < 0.002) [lo, hi] = [lo - 0.1, hi + 0.1];
    const pad = 0.05 * (hi - lo);
    axis.range = [lo - pad, hi + pad];
    const powers = decades(lo - pad, hi + pad, Math.max(2, Math.floor(size.height / 26)));
    const fine = powers.length < 2;
    const tickvals = fine ? fineTicks(...axis.range) : powers.map((power) => 10 ** power);
    const ticktext = fine ? tickvals.map((value) => number(value)) : powers.map(powerLabel);
    Object.assign(axis, { tickmode: "array", tickvals, ticktext });
  }

  /** Linear axis that a few huge values do not flatten. */
  function setValues(axis, columns) {
    const values = Float64Array.from(finite(columns)).sort();
    if (!values.length) return;
    const at = (share) => values[Math.round(share * (values.length - 1))];
    const spread = Math.max(at(0.98) - at(0.02), 1e-12);
    const lo = Math.max(values[0], at(0.02) - 0.6 * spread);
    const hi = Math.min(values[values.length - 1], at(0.98) + 0.6 * spread);
    const pad = 0.05 * (hi - lo || 1);
    axis.range = [lo - pad, hi + pad];
  }

  /** Positions of biases: the domain, and as much around it as they use, up to half a domain a side. */
  function setPositions(axis, run) {
    if (!run || !run.data || !run.count) return;
    const [lo, hi] = plateau.momentOf.domainOf(run);
    const [least, most] = run.cached("positions", () => {
      let low = Infinity;
      let high = -Infinity;
      const all = run.column.b;
      for (let i = 0; i < run.count * run.width; i++) {
        if (all[i] < low) low = all[i];
        if (all[i] > high) high = all[i];
      }
      return [low, high];
    });
    const side = 0.25 * (hi - lo);
    axis.range = [Math.max(lo - side, Math.min(lo, least - 0.03)), Math.min(hi + side, Math.max(hi, most + 0.03))];
  }

  /** The data's range, with room for the crosses on the baseline; a wild network is cut off. */
  function setResponse(axis, run) {
    if (!run || !run.data) return;
    const range = run.extra("response", () => {
      const truth = run.data.truth ? run.data.truth.y : [];
      const values = finite([run.data.y, truth]);
      let lo = Math.min(...values);
      let hi = Math.max(...values);
      if (hi - lo < 1e-9) [lo, hi] = [lo - 1, hi + 1];
      return [lo - 0.22 * (hi - lo), hi + 0.12 * (hi - lo)];
    });
    axis.range = range.slice();
  }

  function setPosition(axis, run) {
    if (run && run.data) axis.range = plateau.momentOf.domainOf(run);
  }

  function setLevels(axis, run) {
    if (run && run.count) axis.range = [-0.5, run.width + 0.5];
  }

  plateau.axes = {
    number, powerLabel, decades, timeAxis, timeTicks,
    set: { time: setTime, decades: setDecades, values: setValues, positions: setPositions,
      position: setPosition, response: setResponse, levels: setLevels },
  };
})();
