/** The player without a browser: which runs are open, which moment is shown, who is told; and that it ends. */

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { type Asked, type Frames, type Source, SourceError, unpack } from "../src/store/source.ts";
import { Emitter } from "../src/view/emitter.ts";
import { Player } from "../src/view/player.ts";
import { bytesOf, race, spec } from "./fixtures.ts";

/** An observer of the page; those that observe something are known. */
class Watcher {
  static readonly open = new Set<Watcher>();

  observe(): void {
    Watcher.open.add(this);
  }

  disconnect(): void {
    Watcher.open.delete(this);
  }
}

/** As much of a page as a player needs before it has panels. */
function pageOf(): EventTarget {
  const page = Object.assign(new EventTarget(), { hidden: false, documentElement: { dataset: { theme: "light" } } });
  const requestAnimationFrame = (act: () => void): unknown => setTimeout(act, 0);
  const parts = { document: page, MutationObserver: Watcher, ResizeObserver: Watcher, requestAnimationFrame };
  const matchMedia = () => ({ matches: false });
  Object.assign(globalThis, { ...parts, matchMedia, window: globalThis, reportError: (error: unknown) => assert.fail(String(error)) });
  return page;
}

/** The runs of the fixtures, finished; what it was asked is kept. */
class StoredRuns implements Source {
  readonly isLive = true;
  readonly asked: string[] = [];

  async get<Answer>(path: string): Promise<Answer> {
    this.asked.push(path);
    if (path.startsWith("/api/panels")) return spec as Answer;
    const fixture = race.find(({ id }) => path.startsWith(`/api/runs/${id}/`));
    if (!fixture) throw new SourceError("no such thing", 404);
    const { data, stages, plateaus } = fixture;
    return (path.endsWith("/data") ? data : path.endsWith("/best") ? { loss: null, proven: false } : { stages, plateaus }) as Answer;
  }

  async frames(id: string): Promise<Frames> {
    const fixture = race.find((one) => one.id === id);
    if (!fixture) throw new SourceError("no such run", 404);
    return { info: fixture.info, ...unpack(bytesOf(fixture)) };
  }

  framesOfSeveral(asked: readonly Asked[]): Promise<Frames[]> {
    return Promise.all(asked.map(({ id }) => this.frames(id)));
  }
}

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries++) {
    assert.ok(tries < 2000, "it never came true");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function opened(context: TestContext, at: number | null = null) {
  pageOf();
  const source = new StoredRuns();
  const player = new Player(source);
  context.after(() => player.end());
  player.open(
    race.map(({ id, method }) => ({ id, method, name: method })),
    { at },
  );
  await until(() => player.runs.every((run) => run.count > 0 && run.stages.length > 0));
  return { player, source };
}

test("a race is loaded, and its newest moment followed", async (context) => {
  const { player } = await opened(context);
  assert.equal(player.runs.length, race.length);
  assert.equal(player.selected, player.runs[0]);
  assert.equal(player.epoch, player.lastEpoch());
  assert.ok(player.following);
});

test("a link's moment waits for the run that reaches it; every moment is a frame's", async (context) => {
  const { player } = await opened(context, 20.5);
  const epochs = player.runs.flatMap((run) => Array.from(run.column.epoch.subarray(0, run.count)));
  assert.equal(player.epoch, Math.max(...epochs.filter((epoch) => epoch <= 20.5)));
  assert.ok(!player.following);
  player.seek(Number.POSITIVE_INFINITY);
  assert.ok(player.following && player.epoch === Math.max(...epochs));
  player.seek(-5);
  assert.equal(player.epoch, 0);
});

test("who selects a run is told to others once, and what is not there is not selected", async (context) => {
  const { player } = await opened(context);
  const told: string[] = [];
  player.on("selected", (name) => told.push(name));
  player.select(race[1].method);
  player.select(race[1].method);
  player.select("no such run");
  assert.deepEqual(told, [race[1].method]);
  assert.equal(player.selected, player.runs[1]);
});

test("another axis leaves the zoom, and both are told", async (context) => {
  const { player } = await opened(context);
  const told: unknown[] = [];
  player.on("window", (window) => told.push(window));
  player.on("xaxis", (axis) => told.push(axis));
  player.zoomed([1, 10]);
  player.setAxis("seconds");
  assert.deepEqual(told, [[1, 10], "seconds"]);
  assert.equal(player.view.window, null);
});

test("a bias that is moved by hand is shown until the moment changes", async (context) => {
  const { player } = await opened(context, 5);
  const losses: (number | null)[] = [];
  player.on("edit", (edit) => losses.push(edit?.loss ?? null));
  player.edit(0, 0.25);
  assert.equal(player.biasOf(0), 0.25);
  player.seek(0);
  assert.notEqual(player.biasOf(0), 0.25);
  assert.equal(losses.length, 2);
  assert.ok(Number.isFinite(losses[0]) && losses[1] === null);
});

test("a run that the server does not have is missing, and the others are shown", async (context) => {
  pageOf();
  const player = new Player(new StoredRuns());
  context.after(() => player.end());
  player.open([{ id: "0".repeat(32), method: "gd" }, race[0]]);
  await until(() => player.runs[1].count > 0 && player.runs[0].status === "missing");
  assert.equal(player.scene().runs.length, 1);
});

test("once it has ended it observes nothing and asks for nothing", async () => {
  pageOf();
  assert.equal(Watcher.open.size, 0);
  const source = new StoredRuns();
  const player = new Player(source);
  player.open([race[0]]);
  await until(() => player.runs[0].stages.length > 0);
  assert.ok(Watcher.open.size > 0);
  player.end();
  assert.equal(Watcher.open.size, 0);
  const { length } = source.asked;
  player.poke(race[0].id);
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
  assert.equal(source.asked.length, length);
});

test("a listener that throws does not keep the others from hearing, and none hears after its end", () => {
  const reported: unknown[] = [];
  Object.assign(globalThis, { reportError: (error: unknown) => reported.push(error) });
  const emitter = new Emitter<{ told: number }>();
  const ended = new AbortController();
  const heard: number[] = [];
  emitter.on("told", () => {
    throw new Error("on purpose");
  });
  emitter.on("told", (detail) => heard.push(detail), ended.signal);
  emitter.emit("told", 1);
  ended.abort();
  emitter.emit("told", 2);
  assert.deepEqual([heard, reported.length], [[1], 2]);
});
