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

test("an answer that is being made is come back for, but not for ever", async () => {
  const asked = serving(202);
  const wait = globalThis.setTimeout;
  globalThis.setTimeout = ((act: () => void) => wait(act, 0)) as typeof setTimeout;
  try {
    assert.equal(await patiently("best", always, atOnce), null);
  } finally {
    globalThis.setTimeout = wait;
  }
  assert.ok(asked() > 6 && asked() <= 6 * 31, String(asked()));
});

test("a request that hangs is given up", async () => {
  let aborted = 0;
  globalThis.fetch = (_, options) =>
    new Promise((_resolve, reject) => {
      options!.signal!.addEventListener("abort", () => {
        aborted += 1;
        reject(new DOMException("aborted", "AbortError"));
      });
    });
  const wait = globalThis.setTimeout;
  globalThis.setTimeout = ((act: () => void) => wait(act, 0)) as typeof setTimeout;
  try {
    assert.equal(await patiently("best", always, atOnce), null);
  } finally {
    globalThis.setTimeout = wait;
  }
  assert.equal(aborted, 6);
});
