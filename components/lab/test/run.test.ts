/** Frames arrive whole, once each, in either form. */

import assert from "node:assert/strict";
import test from "node:test";
import { statusOf } from "../src/store/poll.ts";
import { colourGroups, type FrameColumns, Run } from "../src/store/run.ts";
import { unpack } from "../src/store/source.ts";
import { bytesOf, race, runOf } from "./fixtures.ts";

const SCALARS = ["epoch", "loss", "stage", "floor", "stationarity", "prediction_error", "seconds", "gradients", "solves"] as const;

/** Frames from..to of the JSON form. */
function part(columns: FrameColumns, from: number, to: number): FrameColumns {
  const lists = Object.entries(columns).filter(([, values]) => Array.isArray(values));
  return Object.fromEntries(lists.map(([name, values]) => [name, (values as unknown[]).slice(from, to)])) as FrameColumns;
}

for (const fixture of race)
  test(`the compact form of ${fixture.method} says what the JSON form says`, () => {
    const run = runOf(fixture);
    const json = fixture.json as unknown as Record<string, (number | null)[]>;
    assert.equal(run.count, json.index.length);
    for (const name of SCALARS)
      assert.deepEqual(
        Array.from(run.column[name].subarray(0, run.count)),
        json[name].map((value) => value ?? NaN),
        name,
      );
    const rows = fixture.json as unknown as Record<"b" | "c" | "gap" | "pin", number[][]>;
    for (let frame = 0; frame < run.count; frame++) {
      for (const name of ["b", "c"] as const) assert.deepEqual(Array.from(run.row(name, frame)), rows[name][frame].map(Math.fround));
      for (const name of ["gap", "pin"] as const) assert.deepEqual(Array.from(run.row(name, frame)), rows[name][frame]);
    }
    const told = fixture.json.changes!.map((list) => list.map(([epoch, ...change]) => [...change, epoch]));
    assert.deepEqual(run.changes, told);
  });

test("an overlap is skipped and a gap refused", () => {
  const [fixture] = race;
  const run = new Run(fixture);
  assert.equal(run.append(part(fixture.json, 0, 10)), 10);
  assert.equal(run.append(part(fixture.json, 5, 20)), 10);
  assert.equal(run.append(part(fixture.json, 5, 20)), 0);
  assert.throws(() => run.append(part(fixture.json, 25, 30)), /missing before 25/);
  assert.equal(run.count, 20);
  assert.deepEqual(Array.from(run.row("b", 19)), (fixture.json.b as unknown as number[][])[19]);
});

test("the frame at an epoch is the last one before it", () => {
  const run = runOf(race[0]);
  const epochs = run.column.epoch.subarray(0, run.count);
  for (const epoch of [0, 0.5, 1, 7.2, 500, 1e9]) {
    const frame = run.frameAt(epoch);
    assert.ok(epochs[frame] <= epoch && (frame === run.last || epochs[frame + 1] > epoch));
  }
});

test("what is asked of the server is asked once and kept", () => {
  const run = runOf(race[0]);
  const asked: string[] = [];
  run.inquire = (path) => asked.push(path);
  assert.equal(run.remote("rates?stage=99"), undefined);
  run.answers.set("rates?stage=99", { epoch: [] });
  assert.deepEqual(run.remote("rates?stage=99"), { epoch: [] });
  assert.deepEqual(asked, ["rates?stage=99"]);
});

test("neighbours share a colour group", () => {
  const b = Float64Array.from({ length: 24 }, (_, j) => (j * 7) % 24);
  const group = colourGroups(b);
  assert.equal(Math.max(...group), 11);
  for (let i = 0; i < 24; i++) for (let j = 0; j < 24; j++) if (b[i] < b[j]) assert.ok(group[i] <= group[j]);
});

test("a status says how long it still takes", () => {
  const run = runOf(race[0]);
  run.info = { id: run.id, status: "running", epoch: 100, epochs: 1100, rate: 500 };
  assert.equal(statusOf(run).seconds_left, 2);
  assert.equal(run.running, true);
  assert.equal(unpack(bytesOf(race[0])).count, run.count);
});
