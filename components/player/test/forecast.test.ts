/** Plateaus and forecasts: where a moment lies, what is drawn of the future, and when it came true. */

import assert from "node:assert/strict";
import test from "node:test";
import { announced, futureColumns, happened, isCurrent, namedAt, outcome, reach } from "../src/derive/forecast.ts";
import { endingOf, landmarks, plateauAt, plateaus, stepped } from "../src/derive/plateaus.ts";
import { about, aboutAt } from "../src/derive/sentences.ts";
import type { Forecast, Told } from "../src/derive/view.ts";
import type { Run } from "../src/store/run.ts";
import { race, sceneAt } from "./fixtures.ts";

const { selected: run, view } = sceneAt(0);
const toldOf = (fixture: unknown): Told => ({ ...(fixture as Forecast), run: run.id });
const forecasts = Object.values(race[0].forecasts).map(toldOf);
const dated = forecasts.filter((told) => told.epoch !== null);
/** The same run when it had computed so many frames. */
const early = (frames: number, status = "running"): Run => {
  const shorter = sceneAt(0).selected;
  shorter.count = frames;
  shorter.changes.length = frames;
  shorter.info = {
    id: run.id,
    status,
    active: status === "running",
    epochs: 1e5,
    remaining: [20, 40],
    epoch: shorter.value("epoch", shorter.last),
  };
  return shorter;
};

test("plateaus: every frame lies in one or in none, and their ends are falls", () => {
  assert.ok(run.plateaus.length > 0);
  for (let frame = 0; frame < run.count; frame++) {
    const within = run.plateaus.filter(({ first, last }) => first <= frame && frame <= last);
    assert.ok(within.length <= 1);
    assert.equal(plateauAt(run, frame), within[0] ?? null);
  }
  const begins = landmarks(run, "plateau");
  const falls = landmarks(run, "fall");
  assert.equal(stepped(begins, -1, 1), begins[0]);
  assert.equal(stepped(begins, begins[0], -1), undefined);
  assert.equal(stepped(falls, Infinity, -1), falls.at(-1));
  assert.ok([...begins, ...falls].every((epoch) => epoch <= run.value("epoch", run.last)));
  const columns = plateaus(run, view) as { x: number[]; text: string[] };
  assert.equal(columns.text.length, run.plateaus.length);
  assert.equal(columns.x.filter(Number.isNaN).length, run.plateaus.length);
});

test("plateaus: when one ends is said while it lasts, with what happens before", () => {
  for (let frame = 0; frame < run.count; frame++) {
    const plateau = plateauAt(run, frame);
    const text = endingOf(run, frame);
    if (!plateau) assert.equal(text, "");
    else if (plateau.open) assert.equal(text, "The plateau lasts to the end of this run.");
    else {
      assert.ok(text.startsWith(`The plateau ends at epoch ${plateau.end.toLocaleString("en-US")}`), text);
      const left = run.changes.slice(frame + 1, plateau.last + 1).filter((changes) => changes.length).length;
      assert.equal(/after (\d+) more (crossing|stage change)s?\.$/.exec(text)?.[1] ?? "0", String(left));
    }
  }
  const going = early(run.count);
  assert.equal(endingOf(going, run.plateaus[0].first), "", "of a run that goes on nobody knows");
});

test("who is named: the next one by the forecast, and after it has come true whom the sentence is about", () => {
  const told = dated.find((one) => outcome(one, run)?.right)!;
  const seen = { ...view, forecast: told };
  const { event } = outcome(told, run)!;
  assert.deepEqual(namedAt(run, told.frame, told.frame_epoch, seen), { neuron: event.neuron, datum: event.datum });
  assert.deepEqual(namedAt(run, run.last, Infinity, seen), aboutAt(run, run.last, view));
  assert.deepEqual(namedAt(run, 0, 0, { ...seen, forecast: { ...told, run: "another" } }), aboutAt(run, 0, view));
});

test("forecasts: the future starts at the present, and its signs lie on it", () => {
  assert.ok(dated.length > 0);
  for (const told of dated) {
    const seen = { ...view, forecast: told };
    const curve = futureColumns("future_loss", run, seen, 0) as Record<string, number[]>;
    assert.equal(curve.x[0], told.frame_epoch || view.zero);
    assert.equal(Math.fround(curve.loss[0]), Math.fround(run.value("loss", told.frame)), "told to seven digits");
    const events = futureColumns("future_events", run, seen, 0) as Record<string, number[]>;
    const kinds = ["future_crossings", "future_pins"].map((table) => futureColumns(table, run, seen, 0) as Record<string, number[]>);
    assert.equal(events.x.length, told.events.length);
    assert.equal(events.x.length, kinds[0].x.length + kinds[1].x.length);
    for (let i = 0; i < events.x.length; i++) {
      assert.ok(events.x[i] <= curve.x.at(-1)! * (1 + 1e-9));
      assert.ok(events.loss[i] <= Math.max(...curve.loss) && events.loss[i] >= Math.min(...curve.loss));
    }
    const groups = Array.from({ length: 12 }, (_, group) => futureColumns("future_neurons", run, seen, group));
    assert.ok(groups.some(Boolean) && groups.every((one) => !one || (one.x as number[]).length === (one.b as number[]).length));
    assert.equal(futureColumns("future_loss", run, { ...seen, x: "seconds" }, 0), null);
    assert.equal(futureColumns("future_loss", sceneAt(0).runs[1], seen, 0), null);
  }
});

test("forecasts: what happened is the next change of the frames", () => {
  for (const told of dated) {
    const [{ epoch, neuron, kind, datum }] = happened(run, told.frame);
    const next = race[0].json.changes!.slice(told.frame + 1).flat()[0] as unknown;
    assert.deepEqual([epoch, neuron, kind, datum], next ?? [run.value("epoch", run.last), null, "trained", null]);
  }
});

test("forecasts: announced before it happens, compared after", () => {
  const told = dated.find((one) => outcome(one, run)?.right)!;
  const before = early(told.frame + 1);
  assert.equal(outcome(told, before), null);
  assert.match(announced(told, before), /^Next: .*\. The run gets there in (about [\d a-z]+|a few seconds)\.$/);
  assert.match(announced(told, early(told.frame + 1, "paused")), /^Next: .*\.$/);
  const right = outcome(told, run)!;
  assert.ok(right.right, right.text);
  assert.match(right.text, /^Next: neuron \d+ .* at epoch [\d,]+ \((as predicted|predicted for [\d,]+)\)\.$/);
  const wrong = outcome({ ...told, neuron: (told.neuron! + 1) % run.width }, run)!;
  assert.ok(!wrong.right);
  assert.match(wrong.text, /^Next: neuron \d+ .* Predicted: neuron \d+ /);
  assert.equal(outcome({ ...told, kind: "unknown", epoch: null }, run), null);
  for (const one of [told, { ...told, neuron: (told.neuron! + 1) % run.width }]) {
    const passed = outcome(one, run, right.event.epoch)!;
    assert.match(passed.text, /^Forecast of epoch [\d,]+: neuron \d+ /, "what has passed is not next");
  }
});

test("forecasts: one is of a moment until something changes, and of none before it was made", () => {
  for (const told of dated) {
    const next = happened(run, told.frame)[0]?.epoch ?? Infinity;
    for (let frame = 0; frame < run.count; frame++) {
      const now = run.value("epoch", frame);
      assert.equal(isCurrent(told, run, frame), told.frame <= frame && now < Math.min(next, told.epoch!));
    }
  }
  assert.ok(dated.some((told) => isCurrent(told, run, told.frame)));
});

test("forecasts: the time axis makes room for what lies beyond the last frame, a decade at most", () => {
  const last = run.value("epoch", run.last);
  const going = early(run.count);
  for (const told of dated) {
    const room = reach(told, going);
    assert.equal(reach(told, run), null);
    if (told.epoch! <= last) assert.equal(room, null);
    else assert.ok(room! > Math.log10(last) && room! <= Math.log10(last) + 1);
  }
  assert.ok(dated.some((told) => told.epoch! > last) && dated.some((told) => told.epoch! <= last));
  assert.equal(reach(null, going), null);
});

test("what a sentence is about comes with it, as numbers", () => {
  assert.deepEqual(about(3, 7), { neuron: 3, datum: 7 });
  assert.deepEqual(about(0, -1), { neuron: 0 });
  assert.deepEqual(about(null, undefined), {});
  const told = dated.find((one) => outcome(one, run)?.right)!;
  const { neuron, datum } = outcome(told, run)!.event;
  assert.deepEqual([neuron, datum], [told.neuron, told.datum]);
});
