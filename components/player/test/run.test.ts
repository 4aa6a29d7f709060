/** Frames arrive whole, once each, in either form. */

import assert from "node:assert/strict";
import test from "node:test";
import { statusOf } from "../src/store/poll.ts";
import { type FrameColumns, Run } from "../src/store/run.ts";
import { unpack } from "../src/store/source.ts";
import { bytesOf, race, read, runOf, sceneAt, spec } from "./fixtures.ts";

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

/** The answer of a run that rests between two frames: the last of these rows shows its present state. */
function resting(columns: FrameColumns, from: number, recorded: number, epoch: number): [FrameColumns, number] {
  const rows = part(columns, from, recorded + 1);
  (rows.epoch as number[])[recorded - from] = epoch;
  return [rows, recorded];
}

test("the present frame of a run that rests is replaced when the run goes on", () => {
  const [fixture] = race;
  const run = new Run(fixture);
  const epochs = fixture.json.epoch as number[];
  const between = (epochs[9] + epochs[10]) / 2;
  assert.equal(run.take(...resting(fixture.json, 0, 10, between)), 11);
  assert.deepEqual([run.count, run.recorded, run.value("epoch", run.last)], [11, 10, between]);
  run.answers.set("forecast?frame=10", { epoch: 1 });
  assert.equal(run.take(...resting(fixture.json, 10, 10, between)), 0, "it rests: the same answer brings nothing new");
  assert.equal(run.answers.size, 1);
  assert.equal(run.take(...resting(fixture.json, 10, 10, between + 0.1)), 1, "a little longer, before the next frame");
  assert.deepEqual([run.count, run.value("epoch", run.last), run.answers.size], [11, between + 0.1, 0]);
  assert.equal(run.take(part(fixture.json, 10, 10), 10), 1, "it runs: what it showed at rest is gone");
  assert.deepEqual([run.count, run.recorded], [10, 10]);
  assert.equal(run.take(part(fixture.json, 10, 20), 20), 10);
  assert.deepEqual(Array.from(run.column.epoch.subarray(0, 20)), epochs.slice(0, 20));
  assert.deepEqual([run.changes.length, run.recorded], [20, 20]);
});

test("the end of a link's budget between two frames is put behind the last of them, and stays", () => {
  const epochs = race[0].json.epoch as number[];
  const budget = (epochs[7] + epochs[8]) / 2;
  const run = cutAt(budget);
  assert.deepEqual([run.count, run.missingEnd], [8, budget]);
  assert.equal(run.take(...resting(race[0].json, 8, 8, budget)), 1);
  assert.deepEqual([run.count, run.recorded, run.value("epoch", run.last), run.missingEnd], [9, 8, budget, null]);
  assert.deepEqual([run.isCut, run.ofAll("stages"), run.askable(8)], [true, "stages?head=8", 7]);
  assert.equal(run.take(part(race[0].json, 8, 12), 12), 0, "what the run did afterwards is not the link's");
  assert.equal(run.count, 9);
});

/** A run whose link asks for the first epochs alone, while the server was asked for all. */
function cutAt(epochs: number, status = "finished"): Run {
  const [fixture] = race;
  const run = new Run({ ...fixture, epochs });
  run.info = { ...fixture.info, status, outcome: "trained", epochs: 1e9 };
  run.append(fixture.json);
  return run;
}

test("a run ends at the link's budget, however much the server has of it", () => {
  const whole = runOf(race[0]);
  const epochs = Array.from(whole.column.epoch.subarray(0, whole.count));
  for (const budget of [epochs[7], epochs[7] + 0.5 * (epochs[8] - epochs[7])]) {
    const run = cutAt(budget, "running");
    assert.equal(run.count, 8);
    assert.equal(run.changes.length, 8);
    assert.deepEqual([run.running, run.isTrained, run.isCut], [false, false, true]);
    const { status, outcome, epoch, reason, whole: told } = statusOf(run);
    assert.deepEqual([status, outcome, epoch, told?.epochs], ["finished", "budget", budget, 1e9]);
    assert.match(reason!, /^The budget of .* epochs is used up\.$/);
    assert.equal(run.ofAll("stages"), "stages?head=8");
    assert.equal(run.ofAll("rates?stage=1"), "rates?stage=1&head=8");
    assert.equal(run.append(part(race[0].json, 8, 12)), 0);
  }
});

test("a run that ended before the link's budget, or was never asked for more, is all there", () => {
  for (const info of [
    { ...race[0].info, epochs: 1e9 },
    { ...race[0].info, epochs: 10 },
  ]) {
    const run = new Run({ ...race[0], epochs: info.epochs === 10 ? 10 : 1e8 });
    run.info = info;
    run.append(race[0].json);
    assert.equal(run.count, runOf(race[0]).count);
    assert.equal(run.isCut, false);
    assert.equal(run.status, info.status);
    assert.equal(run.ofAll("stages"), "stages");
  }
});

test("a raised budget goes on with the same frames, a lowered one leaves them out again", () => {
  const [fixture] = race;
  const whole = runOf(fixture);
  const run = cutAt(whole.value("epoch", 7));
  Object.assign(run, { stages: fixture.stages, plateaus: fixture.plateaus });
  assert.equal(run.enter(run.entry), false);
  assert.equal(run.enter({ ...run.entry, epochs: 1e9 }), true);
  assert.equal(run.append(part(fixture.json, run.count, whole.count)), whole.count - 8);
  assert.deepEqual(run.changes, fixture.json.changes);
  assert.equal(run.enter({ ...run.entry, epochs: whole.value("epoch", 11) }), true);
  assert.deepEqual([run.count, run.changes.length, run.isCut, run.plateaus.length], [12, 12, true, 0]);
  assert.deepEqual(Array.from(run.row("b", 11)), (fixture.json.b as unknown as number[][])[11]);
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

test("a neuron has the colour group that pictures made in Python give it", () => {
  const { style } = sceneAt(0).view;
  for (const { b, groups } of read<{ b: number[]; groups: number[] }[]>("groups")) {
    const run = new Run({ id: "a", method: "gd" });
    run.append({ index: [0], epoch: [0], b: [b], c: [b], gap: [b] });
    assert.deepEqual(
      b.map((_, j) => style.group(run, j)),
      groups,
    );
    assert.ok(Math.max(...groups) <= spec.neurons.length - 1);
  }
});

test("a status says how long it still takes", () => {
  const run = runOf(race[0]);
  run.info = { id: run.id, status: "running", active: true, epoch: 100, epochs: 1100, rate: 50, remaining: [14, 28] };
  assert.deepEqual(statusOf(run).remaining, [14, 28]);
  assert.equal(run.running, true);
  assert.equal(unpack(bytesOf(race[0])).count, run.count);
});

test("tables of many zooms do not pile up, and those that are used stay", () => {
  const run = runOf(race[0]);
  let computed = 0;
  const table = (key: string) => run.cached(key, () => (computed += 1));
  table("used");
  for (let zoom = 0; zoom < 5000; zoom += 1) {
    table(`zoom ${zoom}`);
    table("used");
  }
  assert.equal(computed, 5001);
  assert.ok((run as unknown as { cache: Map<string, unknown> }).cache.size <= 400);
});
