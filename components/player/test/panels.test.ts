/** Every panel that Python declares can be filled: its tables exist and have the columns that it binds. */

import assert from "node:assert/strict";
import test from "node:test";
import { futures } from "../src/derive/forecast.ts";
import { histories } from "../src/derive/histories.ts";
import { moments } from "../src/derive/moments.ts";
import { phaseAt } from "../src/derive/plateaus.ts";
import { gaps } from "../src/derive/segments.ts";
import { reasonsAt, sentenceOf } from "../src/derive/sentences.ts";
import { counts, shown, spans, stageOf, stageStarts, timeAxis, times } from "../src/derive/times.ts";
import type { Forecast, View } from "../src/derive/view.ts";
import { decades, fineTicks, meanings, timeTicks, timeTitle } from "../src/draw/axes.ts";
import { columnsOf, emptiness } from "../src/draw/figure.ts";
import { finders } from "../src/draw/hover.ts";
import { number } from "../src/format.ts";
import { type Change, Run } from "../src/store/run.ts";
import type { Axis } from "../src/store/template.ts";
import { factsOf } from "../src/view/rows.ts";
import { race, read, sceneAt, spec } from "./fixtures.ts";

const language = read<{ tables: Record<string, string[]>; looks: string[]; axes: string[]; hovers: string[] }>("language");

for (const panel of spec.panels)
  test(`the panel ${panel.name}`, () => {
    for (const epoch of [0, 3, 2000]) {
      const scene = sceneAt(epoch);
      scene.view.forecast = { ...(race[0].forecasts["0"] as Forecast), run: scene.selected.id };
      for (const { meta } of panel.figure.data) {
        assert.ok(meta.table in histories || meta.table in moments || meta.table in futures, `no table ${meta.table}`);
        for (let group = 0; group < (meta.each === "group" ? spec.neurons.length : 1); group++) {
          const columns = columnsOf(meta.table, scene.selected, scene, group);
          if (!columns) continue;
          for (const name of Object.values(meta.bind))
            assert.ok(name in columns || language.looks.includes(name), `${meta.table} has no ${name}`);
        }
      }
      const rows = panel.figure.layout.meta.rows!;
      const columns = columnsOf(rows.table, scene.selected, scene);
      if (columns) for (const [name] of rows.columns) assert.ok(name in columns, `${rows.table} has no ${name}`);
      const known = factsOf(scene);
      for (const [, brace] of spec.summaries[panel.name].matchAll(/\{(\w+)\}/g)) assert.ok(brace in known, `nobody fills ${brace}`);
    }
  });

test("the language of the panels is the one that Python says", () => {
  assert.deepEqual(Object.keys(meanings).sort(), language.axes);
  assert.deepEqual(Object.keys(finders).sort(), language.hovers);
  assert.deepEqual([...Object.keys(histories), ...Object.keys(moments), ...Object.keys(futures)].sort(), Object.keys(language.tables));
  for (const epoch of [0, 20, 2000])
    for (const [name, columns] of Object.entries(language.tables)) {
      const scene = sceneAt(epoch);
      scene.view.forecast = { ...(race[0].forecasts["0"] as Forecast), run: scene.selected.id };
      const found = columnsOf(name, scene.selected, scene);
      if (found) assert.deepEqual(Object.keys(found).sort(), columns, name);
    }
});

test("histories: the curve is the run's own, stages tile the time", () => {
  const scene = sceneAt(0);
  const run = scene.selected;
  const curve = columnsOf("curve", run, scene) as Record<string, Float64Array>;
  assert.deepEqual(Array.from(curve.epoch), Array.from(run.column.epoch.subarray(0, run.count)));
  assert.equal(curve.x[0], scene.view.zero);
  assert.equal(curve.stage[0], 1);
  const starts = stageStarts(run);
  assert.equal(starts.length, race[0].stages.length);
  assert.deepEqual(
    starts.map((frame) => run.value("epoch", frame)),
    race[0].stages.map((stage) => stage.start),
  );
  const list = spans(run, scene.view);
  for (let i = 1; i < list.length; i++) assert.equal(list[i].from, list[i - 1].to);
  assert.deepEqual(stageOf(run, run.last), [starts.length, starts.length]);
});

test("histories: thinning keeps the ends and the order", () => {
  const { selected, view } = sceneAt(0);
  const kept = shown(selected, view, 20);
  assert.ok(kept.length <= 22 && kept[0] === 0 && kept.at(-1) === selected.last);
  for (let i = 1; i < kept.length; i++) assert.ok(kept[i] > kept[i - 1]);
  const zoomed = shown(selected, { ...view, window: [10, 100] }, 1000);
  assert.ok(zoomed.length < selected.count && times(selected, view)[zoomed[1]] >= 10);
});

test("histories: a run that never solves has no place on the axis of solves", () => {
  const { runs } = sceneAt(0, "solves");
  const view = { x: "solves", window: null, ...timeAxis(runs, "solves") } as const;
  assert.deepEqual(
    runs.map((run) => counts(run, view)),
    [false, true],
  );
});

test("a panel says why it is empty, and the axis who is not on it", () => {
  const scene = sceneAt(0, "solves");
  const [gd, anls] = scene.runs;
  const loss = spec.panels.find(({ name }) => name === "loss")!;
  assert.equal(timeTitle(scene.runs, scene.view), "least-squares solves (none by GD)");
  assert.equal(timeTitle([gd], scene.view), "least-squares solves");
  scene.view.runs = [gd];
  for (const { meta } of loss.figure.data) assert.equal(columnsOf(meta.table, gd, scene), null, meta.table);
  assert.equal(emptiness(loss, scene), "GD solves no least-squares problems. Switch the axis to epochs.");
  assert.equal(emptiness(loss, { ...scene, selected: anls }), "Nothing to draw for this method.");
});

test("the reference line names its width where there are several", () => {
  const scene = sceneAt(0);
  const [gd, anls] = scene.runs;
  const text = () => (histories.best(gd, scene.view, 0) as { text: string }).text;
  gd.data!.best_known = gd.value("loss", gd.last);
  assert.equal(text(), "best known for this width");
  anls.width += 1;
  assert.equal(text(), `best known for width ${gd.width}`);
});

test("moments: crosses show every neuron once, pinned ones on their datum", () => {
  const scene = sceneAt(2000);
  const run = scene.selected;
  const of = (table: string) => columnsOf(table, run, scene) as { neuron: number[]; x: number[] };
  const all = ["crosses_free", "crosses_pinned", "crosses_dead"].flatMap((table) => of(table).neuron);
  assert.deepEqual(
    all.toSorted((a, b) => a - b),
    Array.from(run.row("b", 0).keys()),
  );
  const pin = run.row("pin", scene.frame(run));
  of("crosses_pinned").neuron.forEach((j, i) => {
    assert.equal(of("crosses_pinned").x[i], run.data!.x[pin[j]]);
  });
});

test("the sentence is the core's story with the moment's numbers", () => {
  const scene = sceneAt(2000);
  const run = scene.selected;
  const [plateau] = run.plateaus;
  for (let frame = plateau.first; frame <= plateau.last; frame++) {
    const phase = plateau.phases.find(({ first, last }) => first <= frame && frame <= last)!;
    const floor = number(run.value("floor", frame));
    assert.equal(sentenceOf(run, frame, scene.view), phase.sentence.replace("{floor}", floor));
  }
  run.plateaus = [];
  const story = race[0].stages.at(-1)!.story!;
  const sentence = sentenceOf(run, run.last, scene.view);
  assert.ok(sentence.startsWith(story.headline) && !sentence.includes("{"));
  run.stages = [];
  assert.match(sentenceOf(run, run.last, scene.view), /^Stage \d+ of \d+: the loss is .* Analysing this stage…$/);
});

test("nothing behind Why? repeats what stands above it", () => {
  const scene = sceneAt(0);
  for (const run of scene.runs)
    for (let frame = 0; frame <= run.last; frame++) {
      const texts = [sentenceOf(run, frame, scene.view), phaseAt(run, frame)?.ends ?? "", ...reasonsAt(run, frame)];
      const sentences = texts.flatMap((text) => text.match(/[A-Z].*?\.(?= |$)/g) ?? []);
      assert.equal(new Set(sentences).size, sentences.length, texts.join("\n"));
    }
});

test("ticks stand on decades, and finer where there are none", () => {
  assert.deepEqual(decades(-0.2, 3.1, 9), [0, 1, 2, 3]);
  assert.deepEqual(decades(0, 8, 3), [0, 3, 6]);
  assert.deepEqual(fineTicks(0, 1), [1, 2, 5, 10]);
  assert.ok(fineTicks(Math.log10(5), Math.log10(6)).length >= 2);
  assert.deepEqual(timeTicks(0.3, Math.log10(0.3), 2, 9), {
    tickmode: "array",
    tickvals: [0.3, 1, 10, 100],
    ticktext: ["0", "1", "10", "10²"],
  });
});

for (const scale of [1e-6, 1, 1e6])
  test(`biases: room for the number of every neuron in sight, data times ${scale}`, () => {
    for (const place of [0.5, 0.99, 1, 1.2, 1.25]) {
      const { selected: run, view } = sceneAt(0);
      const x = run.data!.x.map((each) => each * scale);
      const [lo, hi] = [x[0], x[x.length - 1]];
      run.data = { ...run.data!, x, domain: [lo, hi] };
      run.column.b.fill(lo).fill(lo + place * (hi - lo), 0, 1);
      const axis: Partial<Axis> = {};
      meanings.positions(axis as Axis, run, view, [], { width: 600, height: 240 });
      const [below, above] = axis.range!;
      assert.ok(below <= lo && above >= hi, "all data are in sight");
      assert.ok(above - run.column.b[0] >= 0.05 * (above - below), `${run.column.b[0]} below ${above}`);
    }
  });

test("of 300 neurons those are drawn that something happens to, and a few of the others", () => {
  const scene = sceneAt(0);
  const width = 300;
  const run = new Run({ id: "wide", method: "gd" });
  const b = Array.from({ length: width }, (_, j) => Math.sin(7 * j));
  const eventful = [17, 4, 250];
  const row = { b, c: b, gap: b.map(() => 1), pin: b.map(() => -1) };
  const frames = [0, 1, 2];
  const columns = Object.fromEntries(Object.entries(row).map(([name, values]) => [name, frames.map(() => values)]));
  const changes = [[], eventful.map((neuron): Change => [neuron, "crossed", 0, 1]), []];
  run.append({ index: frames, epoch: frames, loss: [3, 2, 1], stage: [0, 1, 1], changes, ...columns });
  const starts: number[] = [];
  for (let group = 0; group < spec.neurons.length; group++) {
    const curves = columnsOf("neurons", run, scene, group) as { b: number[] } | null;
    starts.push(...(curves?.b.filter((_, i, b) => i === 0 || Number.isNaN(b[i - 1])) ?? []));
  }
  assert.ok(starts.length >= 40 && starts.length <= 80, String(starts.length));
  for (const neuron of eventful) assert.ok(starts.includes(b[neuron]), `neuron ${neuron}`);
});

test("over the highest bias its number has room in a low panel too", () => {
  const scene = sceneAt(0);
  const { b } = scene.selected.column;
  const highest = Math.max(...b.subarray(0, scene.selected.count * scene.selected.width));
  for (const height of [150, 210, 400]) {
    const axis: Axis = {};
    meanings.positions(axis, scene.selected, scene.view, [], { width: 300, height });
    const [low, high] = axis.range!;
    const top = Math.min(highest, scene.selected.data!.x.at(-1)! + 0.5);
    assert.ok(((high - top) / (high - low)) * 0.7 * height > 15, `${height}: ${axis.range}`);
  }
});

test("every dead neuron is counted, also one whose cross stands within the picture", () => {
  const { view, selected } = sceneAt(0);
  const { x } = selected.data!;
  const state = selected.state(0);
  const last = x[x.length - 1];
  const told = (...dead: number[]) => {
    const b = Float64Array.from(state.b, (_, j) => dead[j] ?? x[0]);
    const edit = { ...state, b, gap: gaps(x, b), pin: new Int32Array(b.length).fill(-1), id: selected.id, kept: undefined };
    return (moments.outside(selected, { ...view, edit } as View, 0)!.text as string[])[1];
  };
  assert.equal(told(), "");
  assert.equal(told(last), "1 dead");
  assert.equal(told(last, last + 9), "2 dead →");
});
