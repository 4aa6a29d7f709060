/** The names of many curves that end close to each other. */

import assert from "node:assert/strict";
import test from "node:test";
import { placeLabels, shortened } from "../src/draw/labels.ts";
import type { Layout, Trace } from "../src/store/template.ts";

const HEIGHT = 200;
const LINE = 1.2 * 12;

const layoutOf = (height = HEIGHT): Layout =>
  ({
    width: 600,
    height,
    margin: { l: 0, r: 0, t: 0, b: 0 },
    xaxis: { type: "log", range: [0, 8] },
    yaxis: { type: "log", range: [-3, 1] },
  }) as unknown as Layout;

const labelAt = (text: string, x: number, y: number): Trace =>
  ({ x: [x], y: [y], text: [text], textfont: { size: 12 }, meta: { apart: "beside" } }) as unknown as Trace;

/** Pixels from the top. */
const placeOf = (trace: Trace, height = HEIGHT): number => ((1 - Math.log10(trace.y![0])) / 4) * height;

const ENDS = [0.032, 0.0286, 0.151, 0.018, 0.0158, 0.0118, 0.00957];

/** Whether a name stands in the column, right of the plot. */
const isListed = (trace: Trace): boolean => trace.x![0] >= 1e8 * (1 - 1e-9) && trace.textposition === "middle right";

test("names of several curves stand in a column right of the plot, in the order of their ends", () => {
  const traces = ENDS.map((loss, i) => labelAt(`seed ${i}, width 5`, 1e5, loss));
  const layout = layoutOf();
  placeLabels(traces, layout);
  assert.ok(layout.margin.r > 80, "there is room for them");
  assert.ok(traces.every((trace) => trace.text![0] && isListed(trace)));
  const shown = traces.map((trace, i) => ({ loss: ENDS[i], y: placeOf(trace) })).toSorted((a, b) => b.loss - a.loss);
  for (let i = 1; i < shown.length; i++) assert.ok(shown[i].y - shown[i - 1].y >= LINE - 1e-6);
  for (const { y } of shown) assert.ok(y >= LINE / 2 - 1e-6 && y <= HEIGHT - LINE / 2 + 1e-6);
});

test("where the column is too low a name is left out, not that of the selected run, which is the last", () => {
  const traces = [0.03, 0.031, 0.032, 0.033, 0.034, 0.035, 0.036, 0.037].map((loss, i) => labelAt(`run ${i}`, 1e5, loss));
  placeLabels(traces, layoutOf(40));
  const shown = traces.filter((trace) => trace.text![0]);
  assert.ok(shown.length > 0 && shown.length <= 40 / (0.8 * LINE));
  assert.ok(shown.includes(traces[7]));
});

test("a plot that is too narrow for a column has no names: the legend has them", () => {
  const traces = ENDS.map((loss, i) => labelAt(`method-${i}`, 1e5, loss));
  const layout = { ...layoutOf(), width: 250 } as Layout;
  placeLabels(traces, layout);
  assert.equal(layout.margin.r, 0);
  assert.ok(traces.every((trace) => !trace.text![0]));
});

test("names that do not fit lose what all of them share, and are told apart", () => {
  const names = ["seed 0, width 5", "seed 0, width 10", "seed 1, width 5"];
  assert.deepEqual(shortened(names, 20), names);
  assert.deepEqual(shortened(names, 8), ["0, 5", "0, 10", "1, 5"]);
  assert.deepEqual(shortened(["GD, seed 3", "GD, seed 4"], 5), ["3", "4"]);
  assert.deepEqual(shortened(["a long name, the first", "a long name, the second"], 10), ["first", "second"]);
  assert.deepEqual(shortened(["temperature-2023-north", "temperature-2024-north"], 10), null);
  assert.deepEqual(shortened(["measured-in-the-north", "measured-in-the-south"], 11), ["measu…north", "measu…south"]);
  assert.equal(shortened(["ANLS", "LS-Adam"], 5), null);
  assert.deepEqual(shortened(["a &lt; b, seed 10", "b &amp; c, seed 2"], 9), ["a &lt; b, 10", "b &amp; c, 2"]);
});

test("a low plot has all names in smaller type", () => {
  const traces = ENDS.map((loss, i) => labelAt(`seed ${i}, width 5`, 1e5, loss));
  placeLabels(traces, layoutOf(90));
  const sizes = traces.map((trace) => trace.textfont!.size!);
  assert.ok(traces.every((trace) => trace.text![0] && isListed(trace)));
  assert.ok(sizes.every((size) => size < 12 && size >= 9.6));
});

test("a long name is cut, so that the plot keeps most of the panel", () => {
  const traces = [labelAt("x".repeat(80), 10, 0.1), labelAt("b", 1e5, 0.2)];
  const layout = layoutOf();
  placeLabels(traces, layout);
  assert.ok(layout.margin.r <= 0.4 * 600 + 1);
  assert.ok(traces[0].text![0].includes("…"));
});

test("one name stands beside its curve, and one below the axis says how far down", () => {
  const [alone, below] = [labelAt("a", 10, 0.1), labelAt("c", 1e3, 1e-9)];
  for (const trace of [alone, below]) placeLabels([trace], layoutOf());
  assert.equal(Math.round(placeOf(alone)), 100);
  assert.equal(below.text![0], "c ↓ 10⁻⁹");
  assert.ok(placeOf(below) <= HEIGHT - LINE / 2 + 1e-6);
});
