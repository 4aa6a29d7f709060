/** A panel that cannot be drawn says why in its place, once, and keeps no other from being drawn. */

import assert from "node:assert/strict";
import test from "node:test";
import type { Host } from "../src/draw/host.ts";
import type { Holder } from "../src/draw/scene.ts";
import type { PanelSpec } from "../src/store/template.ts";
import { Board } from "../src/view/board.ts";
import { sceneAt, spec } from "./fixtures.ts";

class Nothing {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

/** A place of a panel, as far as it is needed where nothing is drawn. */
function place(panel: PanelSpec | null) {
  const said: string[] = [];
  const classList = { toggle: () => {}, remove: () => {} };
  const host = { name: "none", parts: {}, panel, broken: null, drawn: null, visible: true, element: { classList }, size: {} };
  return { host: Object.assign(host, { layer: null, ready: null, sayEmpty: (text: string) => said.push(text) }), said };
}

test("two panels that ask for what is not there say so, and the rest of the page is drawn", async () => {
  const errors: unknown[] = [];
  Object.assign(globalThis, {
    ResizeObserver: Nothing,
    reportError: (error: unknown) => errors.push(error),
    requestAnimationFrame: (act: () => void) => setTimeout(act, 0),
    window: globalThis,
  });
  const wrong = structuredClone(spec.panels[0]);
  const scene = sceneAt(20);
  scene.view.style.spec = { ...spec, panels: [wrong] };
  let painted = 0;
  const holder = { scene: () => scene } as unknown as Holder;
  const board = new Board(
    holder,
    scene.view.style,
    () => {},
    () => {
      painted += 1;
    },
    () => {},
  );
  Object.assign(wrong.figure.data[0].meta, { table: "losses" });
  const places = [place(null), place(null), place(null)];
  for (const [i, { host }] of places.entries())
    board.hosts.set(`${i}`, Object.assign(host, { name: i < 2 ? wrong.name : "free" }) as unknown as Host);
  for (const turn of [1, 2]) {
    board.redraw("all");
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(painted, turn, "what follows the panels goes on");
    for (const { said } of places.slice(0, 2)) {
      assert.equal(said.length, 1, "it is not tried again");
      assert.match(said[0], /^This panel could not be drawn\. Its table is "losses"/);
    }
    assert.deepEqual(places[2].said, []);
  }
  assert.ok(errors.length >= 2, "and the console knows");
});
