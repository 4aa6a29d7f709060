/** The names of many curves that end close to each other. */

import assert from "node:assert/strict";
import test from "node:test";
import { placeLabels } from "../src/draw/labels.ts";
import type { Layout, Trace } from "../src/draw/template.ts";

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

test("labels keep the order of their curves, apart from each other and near them", () => {
  const traces = ENDS.map((loss, i) => labelAt(`seed ${i}, width 5`, 1e5, loss));
  placeLabels(traces, layoutOf());
  const shown = traces.map((trace, i) => ({ loss: ENDS[i], text: trace.text![0], y: placeOf(trace) })).filter(({ text }) => text);
  shown.sort((a, b) => b.loss - a.loss);
  assert.ok(shown.length >= 5, `${shown.length} of ${ENDS.length}`);
  for (let i = 1; i < shown.length; i++) assert.ok(shown[i].y - shown[i - 1].y >= LINE - 1e-6);
  for (const { y, loss } of shown) assert.ok(Math.abs(y - ((1 - Math.log10(loss)) / 4) * HEIGHT) <= 2 * LINE + 1e-6);
  for (const { y } of shown) assert.ok(y >= LINE / 2 - 1e-6 && y <= HEIGHT - LINE / 2 + 1e-6);
});

test("where there is no room a label is left out, not that of the selected run, which is the last", () => {
  const traces = [0.03, 0.031, 0.032, 0.033, 0.034, 0.035, 0.036, 0.037].map((loss, i) => labelAt(`run ${i}`, 1e5, loss));
  placeLabels(traces, layoutOf(40));
  const shown = traces.filter((trace) => trace.text![0]);
  assert.ok(shown.length > 0 && shown.length <= 2);
  assert.ok(shown.includes(traces[7]));
});

test("labels that stand beside each other do not move, and one below the axis says how far down", () => {
  const traces = [labelAt("a", 10, 0.1), labelAt("b", 1e5, 0.1), labelAt("c", 1e3, 1e-9)];
  placeLabels(traces, layoutOf());
  assert.deepEqual(
    traces.slice(0, 2).map((trace) => Math.round(placeOf(trace))),
    [100, 100],
  );
  assert.equal(traces[2].text![0], "c ↓ 10⁻⁹");
  assert.ok(placeOf(traces[2]) <= HEIGHT - LINE / 2 + 1e-6);
});
