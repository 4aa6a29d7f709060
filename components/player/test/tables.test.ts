/** The tables of plateaus and stages: the row of the moment is marked, a row leads to its moment. */

import assert from "node:assert/strict";
import test from "node:test";
import type { Player } from "../src/view/player.ts";
import { RunTables } from "../src/view/tables.ts";
import { sceneAt } from "./fixtures.ts";

class Nothing {
  observe(): void {}
  disconnect(): void {}
}

class Row {
  readonly dataset: Record<string, string>;
  readonly attributes = new Map<string, string>();
  scrolled = 0;

  constructor(start: number, end?: number) {
    this.dataset = { start: String(start), ...(end === undefined ? {} : { end: String(end) }) };
  }

  setAttribute = (name: string, value: string) => this.attributes.set(name, value);
  removeAttribute = (name: string) => this.attributes.delete(name);
  hasAttribute = (name: string) => this.attributes.has(name);
  closest = () => this;

  scrollIntoView(): void {
    this.scrolled += 1;
  }
}

function tablesOf(run: string, rows: Row[]) {
  Object.assign(globalThis, { ResizeObserver: Nothing, MutationObserver: Nothing });
  const table = { hidden: true, dataset: { run }, querySelectorAll: () => rows };
  let click: (event: unknown) => void = () => {};
  const root = {
    addEventListener: (_: string, act: typeof click) => {
      click = act;
    },
    checkVisibility: () => true,
    querySelector: () => null,
    querySelectorAll: () => [table],
  };
  const sought: number[] = [];
  const player = { redraw: () => {}, emit: () => {}, forecasting: true, seek: (epoch: number) => sought.push(epoch) };
  const ended = new AbortController();
  const tables = new RunTables(player as unknown as Player, root as unknown as HTMLElement, ended.signal);
  return { tables, table, sought, click: (row: Row) => click({ target: row }) };
}

test("the row that the moment is in is the current one; between two rows none is", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const rows = [new Row(0, 10), new Row(15, 100), new Row(100)];
  const scene = sceneAt(5);
  const { tables, table } = tablesOf(scene.selected.id, rows);
  const current = (epoch: number): number => {
    tables.show(sceneAt(epoch));
    return rows.findIndex((row) => row.attributes.has("aria-current"));
  };
  assert.equal(current(5), 0);
  assert.equal(table.hidden, false);
  assert.equal(current(12), -1, "nothing is current between two plateaus");
  assert.equal(current(20), 1);
  assert.equal(current(30), 1);
  assert.equal(rows[1].scrolled, 1, "it is scrolled to once");
  assert.equal(current(1000), 2, "the last one is still open");
  assert.equal(rows.filter((row) => row.attributes.has("aria-current")).length, 1);
});

test("the table of another run is not shown, and a row leads to its moment", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const rows = [new Row(7)];
  const { tables, table, sought, click } = tablesOf("another", rows);
  tables.show(sceneAt(50));
  assert.equal(table.hidden, true);
  click(rows[0]);
  assert.deepEqual(sought, [7]);
});
