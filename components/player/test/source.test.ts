/** Frames on the wire: the compact form of one run, of several in one answer, and what a replay holds. */

import assert from "node:assert/strict";
import test from "node:test";
import { inTurn, Replay, SourceError, server } from "../src/store/source.ts";
import { bytesOf, race } from "./fixtures.ts";

/** The answer of core/service/api.py for several runs. */
function joined(runs: object[], bodies: ArrayBuffer[]): Uint8Array<ArrayBuffer> {
  const header = new TextEncoder().encode(JSON.stringify({ runs: runs.map((run, i) => ({ ...run, bytes: bodies[i].byteLength })) }));
  const head = new Uint8Array(4 + header.length);
  new DataView(head.buffer).setUint32(0, header.length, true);
  head.set(header, 4);
  return Uint8Array.from([head, ...bodies.map((body) => new Uint8Array(body))].flatMap((part) => Array.from(part)));
}

function answering(body: Uint8Array<ArrayBuffer>): string[] {
  const asked: string[] = [];
  globalThis.fetch = async (path) => {
    asked.push(String(path));
    return new Response(body);
  };
  return asked;
}

/** A server that answers so, one after the other. */
function busy(...answers: [status: number, body: object][]): void {
  globalThis.fetch = async () => {
    const [status, body] = answers.length > 1 ? answers.shift()! : answers[0];
    return Response.json(body, { status, headers: { "Retry-After": "0.001" } });
  };
}

test("a file is sent again in its turn, and somebody is told how many go first", async () => {
  const ahead: number[] = [];
  const wait = (number: number): number => ahead.push(number);
  busy([429, { error: "busy", ahead: 2 }], [202, { ahead: 1 }], [200, { rows: 3 }]);
  const answer = await inTurn("/api/data", {}, () => true, wait);
  assert.deepEqual([answer.status, await answer.json(), ahead], [200, { rows: 3 }, [2, 1]]);
});

test("what is refused is not sent again, nor what nobody wants any more, nor for ever", async () => {
  let asked = 0;
  const wait = (): number => ++asked;
  busy([429, { error: "too many requests" }]);
  assert.equal((await inTurn("/api/data", {}, () => true, wait)).status, 429);
  assert.equal(asked, 0);
  busy([429, { ahead: 1 }]);
  assert.equal((await inTurn("/api/data", {}, () => asked < 3, wait)).status, 429);
  assert.equal(asked, 3);
  assert.equal((await inTurn("/api/data", {}, () => true, wait)).status, 429);
  assert.equal(asked, 3 + 299);
});

test("several runs come in one answer, in their order, and one that is not there does not spoil the others", async () => {
  const [one, two] = race;
  const runs = [
    { id: one.id, run: one.info },
    { id: "gone", error: "no such run", status_code: 404 },
    { id: two.id, run: two.info },
  ];
  const asked = answering(joined(runs, [bytesOf(one), new ArrayBuffer(0), bytesOf(two)]));
  const ids = runs.map(({ id }) => ({ id, after: -1 }));
  const [first, missing, second] = await server.framesOfSeveral(ids);
  assert.deepEqual(asked, [`/api/frames?format=compact&runs=${ids.map(({ id }) => `${id}:-1`).join()}`]);
  assert.ok(missing instanceof SourceError && missing.refused && missing.status === 404);
  for (const [frames, fixture] of [[first, one] as const, [second, two] as const]) {
    assert.ok(!(frames instanceof SourceError));
    assert.deepEqual(Array.from(frames.columns.epoch as ArrayLike<number>), fixture.json.epoch);
    assert.deepEqual(frames.info, fixture.info);
  }
});

test("a replay answers without a server", async () => {
  globalThis.fetch = () => assert.fail("nobody is to be asked");
  const [one] = race;
  const replay = new Replay({ [`/api/runs/${one.id}`]: one.info, [`/api/runs/${one.id}/frames`]: one.json });
  const [{ columns, info, head }] = await replay.framesOfSeveral([{ id: one.id, after: -1 }]);
  assert.deepEqual([columns.epoch, info, head], [one.json.epoch, one.info, one.json.head]);
  await assert.rejects(replay.get("/api/other"), /not in this replay/);
});
