/** A panel as a picture of its own: on white, with one legend, without what belongs to the page. */

import assert from "node:assert/strict";
import test from "node:test";
import { PICTURE_SIZES, pictureOf } from "../src/draw/picture.ts";
import { sceneAt, spec } from "./fixtures.ts";

type Made = {
  data: { name: string; showlegend: boolean; legendrank: number; meta: { table: string } }[];
  layout: Record<string, unknown> & { font: { size: number }; xaxis: { title: { text: string } } };
};

async function made(name: string, epoch: number, size = PICTURE_SIZES.slide): Promise<Made> {
  let figure: unknown;
  const toImage = async (given: unknown) => {
    figure = given;
    return "data:image/svg+xml,";
  };
  Object.assign(globalThis, { Plotly: { toImage } });
  const panel = spec.panels.find((one) => one.name === name)!;
  assert.equal(await pictureOf(panel, sceneAt(epoch), "svg", size), "data:image/svg+xml,");
  return figure as Made;
}

test("a picture is white, of the size that was asked for, and its type as large as the size says", async () => {
  for (const size of Object.values(PICTURE_SIZES)) {
    const { layout } = await made("loss", 20, size);
    assert.deepEqual([layout.width, layout.height], [size.width, size.height]);
    assert.deepEqual([layout.paper_bgcolor, layout.plot_bgcolor, layout.showlegend], ["#ffffff", "#ffffff", true]);
    const { font } = spec.panels[0].figure.layout as unknown as { font: { size: number } };
    assert.equal(layout.font.size, font.size * size.type);
  }
});

test("each run and each sign is in the legend once, the runs first and in their order", async () => {
  const { data } = await made("loss", 20);
  const named = data.filter((trace) => trace.showlegend);
  const names = named.toSorted((a, b) => a.legendrank - b.legendrank).map((trace) => trace.name);
  const { style } = sceneAt(20).view;
  assert.deepEqual(
    names.slice(0, 2),
    sceneAt(20).runs.map((run) => style.look(run).title),
  );
  assert.equal(new Set(names).size, names.length);
});

test("what belongs to the page is left out, and the marks of one run beside others", async () => {
  const tables = (await made("loss", 20)).data.map((trace) => trace.meta.table);
  assert.ok(tables.includes("curve"));
  for (const table of [...spec.pictures.omitted, ...spec.pictures.single]) assert.ok(!tables.includes(table), table);
});

test("a picture of a moment says which", async () => {
  assert.match((await made("fit", 20)).layout.xaxis.title.text, /\(epoch 20\)$/);
  assert.doesNotMatch((await made("loss", 20)).layout.xaxis.title.text, /\(epoch 20\)/);
});
