/** Drawing: what taps, strokes and drags do to the points, and that no answer, however late, undoes any of it. */

import assert from "node:assert/strict";
import test from "node:test";
import { Pad, type Row } from "../src/draw/pad.ts";
import { Pending, type Question } from "../src/shell/pending.ts";

const SIZE = { x: 280, y: 150 };
type Place = { x: number; y: number };

function tap(pad: Pad, at: Place): boolean {
  pad.press(at, SIZE, "touch");
  return pad.release(SIZE);
}

function stroke(pad: Pad, from: Place, to: Place, steps = 30): boolean {
  pad.press(from, SIZE, "touch");
  for (let k = 1; k <= steps; k += 1) {
    const share = k / steps;
    pad.drag({ x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y) }, SIZE, "touch");
  }
  return pad.release(SIZE);
}

const placeOf = (pad: Pad, row: Row): Place => {
  const share = pad.shareOf(row);
  return { x: share.x * SIZE.x, y: share.y * SIZE.y };
};

test("a tap adds, a tap on a point removes", () => {
  const pad = new Pad();
  for (let k = 0; k < 7; k += 1) tap(pad, { x: 20 + 40 * k, y: 75 });
  assert.equal(pad.rows.length, 7);
  assert.ok(Math.abs(Number(pad.rows[3][0])) < 0.02, "the middle is 0");
  tap(pad, { x: 62, y: 78 });
  assert.equal(pad.rows.length, 6);
});

test("a stroke draws evenly along its way", () => {
  const pad = new Pad();
  stroke(pad, { x: 20, y: 130 }, { x: 260, y: 20 });
  assert.ok(pad.rows.length >= 12 && pad.rows.length <= 25, String(pad.rows.length));
  assert.ok(pad.rows.every((row, k) => !k || row[0] > pad.rows[k - 1][0] || Number(row[0]) > Number(pad.rows[k - 1][0])));
});

test("a drag of a point moves it, past others too, and keeps its weight", () => {
  const pad = new Pad();
  pad.adopt([
    ["-0.5", "0", "3"],
    ["0", "0.5"],
  ]);
  stroke(pad, placeOf(pad, pad.rows[0]), { x: 250, y: 40 });
  assert.equal(pad.rows.length, 2);
  assert.deepEqual(pad.rows[0], ["0", "0.5"]);
  assert.equal(pad.rows[1][2], "3");
  assert.ok(Number(pad.rows[1][0]) > 0.5);
});

test("points above each other stay apart: data that share an x would be averaged", () => {
  const pad = new Pad();
  for (const y of [20, 50, 80, 110, 140]) tap(pad, { x: 140, y });
  assert.equal(new Set(pad.rows.map((row) => row[0])).size, 5);
});

test("a point at the edge does not move the others on the pad", () => {
  const pad = new Pad();
  tap(pad, { x: 140, y: 75 });
  const before = placeOf(pad, pad.rows[0]);
  tap(pad, { x: 280, y: 0 });
  pad.adopt(pad.rows.map((row) => [...row])); // comes back from the server
  assert.deepEqual(placeOf(pad, pad.rows[0]), before);
});

test("undo goes back step by step, over a stroke and a clearing at once", () => {
  const pad = new Pad();
  tap(pad, { x: 50, y: 50 });
  stroke(pad, { x: 100, y: 75 }, { x: 250, y: 75 });
  const drawn = pad.rows;
  pad.adopt([]);
  assert.ok(pad.undo());
  assert.deepEqual(pad.rows, drawn);
  assert.ok(pad.undo());
  assert.equal(pad.rows.length, 1);
  assert.ok(pad.undo());
  assert.equal(pad.rows.length, 0);
  assert.ok(!pad.undo());
});

test("a finger that the system takes away has done nothing", () => {
  const pad = new Pad();
  tap(pad, { x: 50, y: 50 });
  pad.press({ x: 100, y: 100 }, SIZE, "touch");
  pad.drag({ x: 160, y: 100 }, SIZE, "touch");
  assert.ok(pad.cancel());
  assert.equal(pad.rows.length, 1);
});

test("a drawing never gets too long for a link", () => {
  const pad = new Pad();
  for (let k = 0; k < 40; k += 1) stroke(pad, { x: 3, y: 3 + 3.5 * k }, { x: 277, y: 3 + 3.5 * k });
  assert.ok(pad.isFull);
  assert.ok(pad.rows.map((row) => row.join(":")).join(";").length < 1500);
});

/** A small generator with a seed, so that a failure can be looked at. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

test("100 random sequences of taps, strokes, drags, undos and late answers: nothing is lost", () => {
  for (let seed = 1; seed <= 100; seed += 1) {
    const next = random(seed);
    const pad = new Pad();
    const pending = new Pending();
    let meant: Row[] = []; // kept apart from the pad: what the person sees after each thing done
    let link: string | null = null;
    const way: Question[] = [];
    const somewhere = (): Place => ({ x: next() * SIZE.x, y: next() * SIZE.y });
    let isHolding = false;
    const hold = (): void => {
      pending.note(["points", "sketch", pad.text]);
      isHolding = true;
    };
    const ask = (): void => {
      way.push(pending.next());
      isHolding = false;
    };
    const answer = (question: Question): void => {
      if (!pending.isCurrent(question)) return;
      const text = question.edits.findLast((edit) => edit[0] === "points")?.[2] as string | undefined;
      const rows = text ? text.split("\n").map((line) => line.split(", ")) : [];
      if (rows.length >= 2) {
        link = text!;
        pending.confirm();
      }
      if (pending.mayShow("points") && !pad.isHeld && rows.length >= 2) pad.adopt(rows);
    };
    for (let step = 0; step < 40; step += 1) {
      const choice = next();
      const count = pad.rows.length;
      if (choice < 0.4) {
        const at = somewhere();
        const near = pad.rows.filter((row) => Math.hypot(placeOf(pad, row).x - at.x, placeOf(pad, row).y - at.y) <= 14).length;
        tap(pad, at);
        assert.equal(pad.rows.length, near ? count - 1 : count + 1);
        hold();
      } else if (choice < 0.5) {
        if (stroke(pad, somewhere(), somewhere(), 12)) hold();
      } else if (choice < 0.6 && count) {
        const from = placeOf(pad, pad.rows[Math.floor(next() * count)]);
        stroke(pad, from, { x: (from.x + SIZE.x / 2) % SIZE.x, y: next() * SIZE.y }, 8);
        assert.equal(pad.rows.length, count);
        hold();
      } else if (choice < 0.65) {
        if (pad.undo()) hold();
      } else if (choice < 0.8) {
        if (isHolding) ask();
      } else if (choice < 0.85) {
        ask(); // another control, or a question that is asked again
      } else if (way.length) {
        answer(way.splice(Math.floor(next() * way.length), 1)[0]);
        assert.deepEqual(pad.rows, meant, `seed ${seed}, step ${step}: an answer changed the drawing`);
      }
      meant = pad.rows;
    }
    ask();
    for (const question of way.toReversed()) answer(question);
    assert.deepEqual(pad.rows, meant);
    if (meant.length >= 2) assert.equal(link, pad.text, `seed ${seed}: the link is not what was drawn`);
  }
});
