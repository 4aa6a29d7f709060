/** Answers that get lost: asked for again while somebody looks, a few times, and not where the server says no. */

import assert from "node:assert/strict";
import test from "node:test";
import { patiently } from "../src/store/poll.ts";

Object.assign(globalThis, { document: { getElementById: () => null } });

type Told = number | "lost";

/** A server that answers so, one after the other; how often it was asked. */
function serving(...answers: Told[]): () => number {
  let asked = 0;
  globalThis.fetch = async () => {
    const told = answers[Math.min(asked, answers.length - 1)];
    asked += 1;
    if (told === "lost") throw new TypeError("network");
    return new Response(JSON.stringify({ loss: 1, error: "no" }), { status: told });
  };
  return () => asked;
}

const always = () => true;
const atOnce = () => 0;

test("what a busy server did not answer in time, or the network lost, is asked for again", async () => {
  const asked = serving(503, "lost", 429, 200);
  assert.deepEqual(await patiently("best", always, atOnce), { loss: 1, error: "no" });
  assert.equal(asked(), 4);
});

test("what is refused is not", async () => {
  const asked = serving(404, 200);
  assert.equal(await patiently("best", always, atOnce), null);
  assert.equal(asked(), 1);
});

test("what is never answered is given up", async () => {
  const asked = serving(503);
  assert.equal(await patiently("best", always, atOnce), null);
  assert.equal(asked(), 6);
});

test("nobody asks for a run that is no longer looked at", async () => {
  const asked = serving(503);
  let looks = 2;
  assert.equal(await patiently("best", () => looks-- > 0, atOnce), null);
  assert.equal(asked(), 2);
});
