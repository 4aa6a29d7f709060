/** What the core says (tests/components/lab_fixtures.py), and runs made of it. */

import { readFileSync } from "node:fs";
import { candidatesPath, ratesPath } from "../src/derive/moments.ts";
import { timeAxis } from "../src/derive/times.ts";
import type { View } from "../src/derive/view.ts";
import type { ShownScene } from "../src/draw/scene.ts";
import { type FrameColumns, type Plateau, Run, type RunInfo, type Stage, withArrays } from "../src/store/run.ts";
import { server, unpack } from "../src/store/source.ts";
import { Style } from "../src/store/style.ts";
import type { Spec } from "../src/store/template.ts";

export const read = <Content>(name: string): Content =>
  JSON.parse(readFileSync(new URL(`fixtures/${name}.json`, import.meta.url), "utf-8"));

type RunFixture = {
  id: string;
  method: string;
  info: RunInfo;
  json: FrameColumns & { head: number };
  compact: string;
  data: { x: number[]; y: number[] };
  stages: Stage[];
  plateaus: Plateau[];
  forecasts: Record<string, unknown>;
  candidates: Record<string, unknown>;
  rates: Record<string, unknown>;
};

export const race = read<RunFixture[]>("race");
export const spec = read<Spec>("panels");

export const bytesOf = (fixture: RunFixture): ArrayBuffer => Uint8Array.from(Buffer.from(fixture.compact, "base64")).buffer;

export function runOf(fixture: RunFixture): Run {
  const run = new Run(fixture);
  run.append(unpack(bytesOf(fixture)).columns);
  Object.assign(run, { info: fixture.info, stages: fixture.stages, plateaus: fixture.plateaus, data: withArrays(fixture.data) });
  for (const [frame, answer] of Object.entries(fixture.candidates)) run.answers.set(candidatesPath(Number(frame)), answer);
  for (const [stage, answer] of Object.entries(fixture.rates)) run.answers.set(ratesPath(Number(stage)), answer);
  return run;
}

/** All runs at an epoch, as the player would show them. */
export function sceneAt(epoch: number, x: View["x"] = "epoch"): ShownScene {
  const style = new Style(server);
  style.spec = spec;
  const runs = race.map(runOf);
  const axis = timeAxis(runs, x);
  const view: View = { x, window: null, edit: null, timeTitle: spec.times[x], runs, key: `${x}${axis.range}`, style, ...axis };
  const mark = { neuron: null, datum: null, time: null, tables: [] };
  return { runs, selected: runs[0], view, epoch, frame: (run) => run.frameAt(epoch), touch: false, mark };
}

export const close = (found: number, wanted: number, tolerance: number): boolean =>
  Object.is(found, wanted) || (Number.isNaN(found) && wanted === null) || Math.abs(found - wanted) <= tolerance;
