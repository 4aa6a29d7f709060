/** What a state implies is what the core says of it, for ordinary and degenerate networks. */

import assert from "node:assert/strict";
import test from "node:test";
import { evaluate, gaps, knots, levels, loss, regressionLines, type Segments, segments, statusOf } from "../src/derive/segments.ts";
import { pushedBias } from "../src/draw/edits.ts";
import { lowerBound, nearest, upperBound } from "../src/store/search.ts";
import { close, read } from "./fixtures.ts";

type Network = Record<"x" | "y" | "w" | "b" | "c" | "gap" | "values", number[]> & {
  name: string;
  status: string[];
  segments: Record<string, number[]>;
  corners: { x: number[]; y: number[] };
  loss: number;
  lines: { level: number; slope: number; height: number }[];
};

const same = (found: ArrayLike<number>, wanted: number[], tolerance: number, what: string): void => {
  assert.equal(found.length, wanted.length, what);
  wanted.forEach((value, i) => {
    assert.ok(close(found[i], value, tolerance * (1 + Math.abs(value))), `${what}[${i}]: ${found[i]} for ${value}`);
  });
};

const between = (corners: { x: number[]; y: number[] }, at: number): number => {
  const i = Math.max(1, Math.min(corners.x.length - 1, lowerBound(corners.x, at)));
  const share = (at - corners.x[i - 1]) / (corners.x[i] - corners.x[i - 1] || 1);
  return corners.y[i - 1] + share * (corners.y[i] - corners.y[i - 1]);
};

for (const core of read<Network[]>("networks"))
  test(`a network with ${core.name}`, () => {
    const { x, y, b, c } = core;
    const gap = gaps(x, b);
    assert.deepEqual(Array.from(gap), core.gap);
    assert.deepEqual(
      Array.from(gap, (one) => statusOf(one, -1, x.length)),
      core.status,
    );
    const part = segments(x, y, b, c, gap, core.w);
    for (const [name, wanted] of Object.entries(core.segments)) same(part[name as keyof Segments], wanted, 1e-13, name);
    assert.deepEqual(
      levels(gap, x.length).map(({ from, to }) => Math.max(0, to - from)),
      core.segments.u,
    );
    const scale = 1e-13 * (1 + c.reduce((sum, value) => sum + Math.abs(value), 0));
    same(
      x.map((at) => evaluate(b, c, at)),
      core.values,
      scale,
      "values",
    );
    assert.ok(close(loss(x, y, b, c, core.w), core.loss, 1e-6 * core.loss + scale));
    const corners = knots(b, c, -1.04, 1.04);
    same(
      core.corners.x.map((at) => between(corners, at)),
      core.corners.y,
      10 * scale,
      "corners",
    );
    const lines = regressionLines(x, part);
    assert.deepEqual(
      lines.map(({ level }) => level),
      core.lines.map(({ level }) => level),
    );
    lines.forEach((line, i) => {
      const { slope, height } = core.lines[i];
      assert.ok(close(line.slope, slope, 1e-10));
      assert.ok(close(line.y_from, height + slope * line.from, 1e-10) && close(line.y_to, height + slope * line.to, 1e-10));
    });
  });

test("searching sorted values", () => {
  const values = [1, 2, 2, 5];
  assert.deepEqual(
    [0, 2, 3, 9].map((value) => lowerBound(values, value)),
    [0, 1, 3, 4],
  );
  assert.deepEqual(
    [0, 2, 3, 9].map((value) => upperBound(values, value)),
    [0, 3, 3, 4],
  );
  assert.deepEqual(
    [0, 1.4, 1.6, 3.6, 9].map((value) => nearest(values, value)),
    [0, 0, 1, 3, 3],
  );
});

test("a push goes over the next datum, and no further", () => {
  const x = [0, 1, 2, 3];
  assert.equal(pushedBias(x, 0.5, -1, true), 1.5);
  assert.equal(pushedBias(x, 0.5, -1, false), -0.5);
  assert.equal(pushedBias(x, 2.5, -1, true), 3.5);
  assert.equal(pushedBias(x, 3.5, -1, true), null);
  assert.equal(pushedBias(x, 1, 1, true), 1.5);
  assert.equal(pushedBias(x, 1, 1, false), 0.5);
});
