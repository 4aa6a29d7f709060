/** A panel that asks for what is not there says so in words, and the counts that panels want are columns. */

import assert from "node:assert/strict";
import test from "node:test";
import { census, quantity } from "../src/derive/census.ts";
import { statusesAt } from "../src/derive/moments.ts";
import { checkPanel } from "../src/draw/check.ts";
import { columnsOf, figureAt } from "../src/draw/figure.ts";
import type { PanelSpec } from "../src/store/template.ts";
import { sceneAt, spec } from "./fixtures.ts";

const loss = spec.panels.find((panel) => panel.name === "loss")!;

function changed(change: (panel: PanelSpec) => void): PanelSpec {
  const panel = structuredClone(loss);
  change(panel);
  return panel;
}

test("every panel that ships asks for what there is", () => {
  for (const panel of spec.panels) checkPanel(panel);
});

const WRONG: [string, (panel: PanelSpec) => void, RegExp][] = [
  ["a table", ({ figure }) => Object.assign(figure.data[0].meta, { table: "losses" }), /table is "losses".*curve/],
  ["a dot", ({ figure }) => Object.assign(figure.data[0].meta, { dot: "deaths" }), /dot is "deaths".*dead/],
  ["an axis", ({ figure }) => Object.assign(figure.layout.meta, { y: "logarithmic" }), /y axis is "logarithmic".*decades/],
  ["a hover", ({ figure }) => Object.assign(figure.layout.meta, { hover: { kind: "curve" } }), /hover is "curve".*curves/],
  ["a column", ({ figure }) => Object.assign(figure.layout.meta, { hover: { kind: "curves", column: "los" } }), /"los".*loss/],
  ["a table of rows", ({ figure }) => Object.assign(figure.layout.meta, { rows: { table: "x", columns: [] } }), /table of rows is "x"/],
];

for (const [what, change, sentence] of WRONG)
  test(`${what} that is not there is named, with what there is`, () => {
    assert.throws(() => checkPanel(changed(change)), sentence);
  });

test("so is a column that a trace binds", () => {
  const panel = changed(({ figure }) => {
    const trace = figure.data.find(({ meta }) => meta.table === "curve")!;
    trace.meta.bind.y = "deaths";
  });
  checkPanel(panel);
  assert.throws(() => figureAt(panel, sceneAt(100), { width: 400, height: 300 }), /column is "deaths".*"curve" has.*dead/);
});

test("neurons are counted at every frame as they are told one by one", () => {
  const scene = sceneAt(0);
  for (const run of scene.runs) {
    const { dead, pinned, live, crossings } = census(run);
    for (let frame = 0; frame < run.count; frame++) {
      const statuses = statusesAt(run, run.state(frame));
      assert.equal(dead[frame], statuses.filter((status) => status === "dead").length);
      assert.equal(pinned[frame], statuses.filter((status) => status === "pinned").length);
      assert.equal(dead[frame] + pinned[frame] + live[frame], run.width);
      assert.ok(frame === 0 || crossings[frame] >= crossings[frame - 1]);
      assert.equal(quantity(run, "dead", frame), dead[frame]);
      assert.equal(quantity(run, "loss", frame), run.value("loss", frame));
    }
    const kinds = ["crossed", "moved", "relocated"];
    assert.equal(crossings[run.last], run.changes.flat().filter(([, kind]) => kinds.includes(kind)).length);
    const curve = columnsOf("curve", run, scene) as Record<string, Float64Array>;
    assert.deepEqual(Array.from(curve.dead), Array.from(dead));
  }
});
