/** Frames on the wire: the compact form of one run, of several in one answer, and what a replay holds. */

import assert from "node:assert/strict";
import test from "node:test";
import { Replay, SourceError, server } from "../src/store/source.ts";
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
