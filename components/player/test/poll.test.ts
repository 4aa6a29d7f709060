/** One poll for all runs; and answers that get lost, which are asked for again while somebody looks, a few times. */

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { type Connection, Poll, patiently } from "../src/store/poll.ts";
import { Run } from "../src/store/run.ts";
import { type Asked, type Frames, type Source, SourceError, server } from "../src/store/source.ts";

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
  assert.deepEqual(await patiently(server, "best", always, atOnce), { loss: 1, error: "no" });
  assert.equal(asked(), 4);
});

test("what is refused is not", async () => {
  const asked = serving(404, 200);
  assert.equal(await patiently(server, "best", always, atOnce), null);
  assert.equal(asked(), 1);
});

test("what is never answered is given up", async () => {
  const asked = serving(503);
  assert.equal(await patiently(server, "best", always, atOnce), null);
  assert.equal(asked(), 6);
});

test("nobody asks for a run that is no longer looked at", async () => {
  const asked = serving(503);
  let looks = 2;
  assert.equal(await patiently(server, "best", () => looks-- > 0, atOnce), null);
  assert.equal(asked(), 2);
});

test("an answer that is being made is come back for, but not for ever", async () => {
  const asked = serving(202);
  const wait = globalThis.setTimeout;
  globalThis.setTimeout = ((act: () => void) => wait(act, 0)) as typeof setTimeout;
  try {
    assert.equal(await patiently(server, "best", always, atOnce), null);
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
    assert.equal(await patiently(server, "best", always, atOnce), null);
  } finally {
    globalThis.setTimeout = wait;
  }
  assert.equal(aborted, 6);
});

/** A server of runs: each has so many frames, and is under way until it is told to end. Keeps what it was asked. */
class Server implements Source {
  readonly isLive = true;
  readonly asked: string[] = [];
  readonly ended = new Set<string>();
  readonly paused = new Set<string>();
  lost = false;
  count = 3;

  async get<Answer>(path: string): Promise<Answer> {
    this.asked.push(path);
    return { x: [0, 1], y: [0, 1], loss: null, proven: false, stages: [], plateaus: [] } as Answer;
  }

  private answer({ id, after }: Asked): Frames {
    const status = this.ended.has(id) ? "finished" : this.paused.has(id) ? "paused" : "running";
    const index = Array.from({ length: this.count }, (_, i) => i).slice(after + 1);
    const columns = {
      index,
      epoch: index,
      loss: index,
      stage: index,
      b: index.map(() => [0.5]),
      c: index.map(() => [1]),
      gap: index.map(() => [1]),
    };
    return { columns, head: this.count, recorded: this.count, count: index.length, info: { id, status, active: status === "running" } };
  }

  async frames(id: string, after: number): Promise<Frames> {
    this.asked.push(`frames of ${id}`);
    if (this.lost) throw new SourceError("The server does not answer.", 0);
    return this.answer({ id, after });
  }

  async framesOfSeveral(asked: readonly Asked[]): Promise<(Frames | SourceError)[]> {
    this.asked.push(`frames of ${asked.map(({ id }) => id).join()}`);
    if (this.lost) throw new SourceError("The server does not answer.", 0);
    return asked.map((one) => (one.id === "gone" ? new SourceError("no such run", 404) : this.answer(one)));
  }
}

const elapsed = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

function polled(context: TestContext, names: string[], over: string[] = [], isSelected: (run: Run) => boolean = () => false) {
  const source = new Server();
  for (const name of over) source.ended.add(name);
  const told: boolean[] = [];
  let hidden = false;
  const page = Object.assign(new EventTarget(), { getElementById: () => null });
  Object.defineProperty(page, "hidden", { get: () => hidden });
  Object.assign(globalThis, { document: page });
  const ended = new AbortController();
  context.after(() => ended.abort());
  const runs = names.map((id) => new Run({ id, method: "gd" }));
  const listeners = { changed: () => {}, answered: () => {}, connected: ({ ok }: Connection) => told.push(ok), isSelected };
  const poll = new Poll(source, listeners, ended.signal);
  for (const run of runs) poll.start(run);
  const hide = (value: boolean): void => {
    hidden = value;
    page.dispatchEvent(new Event("visibilitychange"));
  };
  return { source, poll, runs, told, hide, frames: () => source.asked.filter((one) => one.startsWith("frames")) };
}

/** Wait for a condition, not for a time. */
async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries++) {
    assert.ok(tries < 2000, "it never came true");
    await elapsed(5);
  }
}

test("runs are loaded one by one, and from then on asked for together", async (context) => {
  const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
  const { frames, runs } = polled(context, names);
  await until(() => frames().length >= 10);
  assert.deepEqual(
    frames().slice(0, 8),
    names.map((name) => `frames of ${name}`),
  );
  assert.deepEqual([...new Set(frames().slice(8))], [`frames of ${names.join()}`]);
  assert.ok(runs.every((run) => run.count === 3));
});

test("what has ended is not asked for again, and a run that is poked is", async (context) => {
  const { frames, runs, poll } = polled(context, ["a", "b"], ["b"]);
  await until(() => frames().length >= 4);
  assert.deepEqual([...new Set(frames().slice(2))], ["frames of a"]);
  assert.equal(runs[1].status, "finished");
  poll.poke("b");
  await until(() => frames().some((one) => one.includes(",") || one === "frames of b"));
});

test("a run that is paused is looked at until it goes on", async (context) => {
  const { source, runs } = polled(context, ["a"]);
  source.paused.add("a");
  await until(() => runs[0].status === "paused");
  source.paused.clear();
  await until(() => runs[0].status === "running");
});

test("a run that the server does not have says so, and the others go on", async (context) => {
  const { runs, source, frames } = polled(context, ["gone", "a"]);
  source.count = 2;
  await until(() => runs[0].status === "missing");
  source.count = 5;
  await until(() => runs[1].count === 5);
  assert.equal(frames().at(-1), "frames of a");
});

test("a server that is lost is told once it is, and once it is back", async (context) => {
  const { source, runs, told } = polled(context, ["a"]);
  await until(() => runs[0].count === 3);
  source.lost = true;
  await until(() => told.length > 0);
  source.lost = false;
  source.count = 4;
  await until(() => runs[0].count === 4);
  assert.deepEqual([told[0], told.at(-1)], [false, true]);
});

test("a hidden tab asks for nothing that it has", async (context) => {
  const { frames, hide, runs, poll } = polled(context, ["a"]);
  await until(() => runs[0].count === 3 && poll.settled);
  hide(true);
  const before = frames().length;
  poll.poke("a"); // elsewhere it would be asked for at once
  for (let turn = 0; turn < 5; turn++) await elapsed(0);
  assert.equal(frames().length, before);
  hide(false);
  await until(() => frames().length > before);
});

test("a live race of eight makes at most two requests a second, its stages included", async (context) => {
  let now = 0;
  const alarms = new Map<number, { at: number; act: () => void }>();
  const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout, now: performance.now };
  context.after(() => Object.assign(globalThis, { setTimeout: real.setTimeout, clearTimeout: real.clearTimeout }));
  context.after(() => Object.assign(performance, { now: real.now }));
  performance.now = () => now;
  let serial = 0;
  const later = (act: () => void, wait = 0): number => {
    serial += 1;
    alarms.set(serial, { at: now + wait, act });
    return serial;
  };
  Object.assign(globalThis, { setTimeout: later, clearTimeout: (name: number) => alarms.delete(name) });
  const answered = (): Promise<void> => new Promise((resolve) => real.setTimeout(resolve, 0));
  /** Let so many milliseconds of the page's clock pass; whatever is asked is answered at once. */
  const pass = async (milliseconds: number): Promise<void> => {
    const end = now + milliseconds;
    for (;;) {
      await answered();
      const [name, next] = [...alarms].toSorted(([, one], [, other]) => one.at - other.at)[0] ?? [];
      if (!next || next.at > end) break;
      alarms.delete(name!);
      now = Math.max(now, next.at);
      next.act();
    }
    now = end;
  };
  const { source, runs } = polled(context, ["a", "b", "c", "d", "e", "f", "g", "h"], [], (run) => run.id === "a");
  await pass(3000);
  assert.ok(runs.every((run) => run.count > 0));
  const before = source.asked.length;
  for (let second = 0; second < 60; second++) {
    source.count += 1; // new frames in every answer
    await pass(1000);
  }
  const made = source.asked.length - before;
  assert.ok(source.asked.slice(before).some((one) => one.endsWith("stages")));

  assert.ok(made > 30 && made <= 120, `${made} requests in a minute`);
  assert.ok(runs.every((run) => run.count > 50));
});
