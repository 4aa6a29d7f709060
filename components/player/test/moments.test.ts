/** How often a panel that Python draws is told the moment: each time is a request. */

import assert from "node:assert/strict";
import test from "node:test";
import { Emitter } from "../src/view/emitter.ts";
import type { PlayerEvents } from "../src/view/events.ts";
import { type Moment, tellMoments } from "../src/view/moments.ts";
import type { Player } from "../src/view/player.ts";

class Nothing {
  observe(): void {}
  disconnect(): void {}
}

function panel(running: boolean) {
  const documentElement = { dataset: { theme: "light" } };
  Object.assign(globalThis, { document: { documentElement }, ResizeObserver: Nothing, MutationObserver: Nothing, window: globalThis });
  const run = { id: "a", count: 9, isCut: false, running, askable: (frame: number) => frame };
  const player = Object.assign(new Emitter<PlayerEvents>(), {
    selected: run,
    following: true,
    playing: false,
    epoch: 0,
    neuron: null as number | null,
  });
  const kernel = Object.assign(player, { frameOf: () => player.epoch }) as unknown as Player;
  const told: Moment[] = [];
  const ended = new AbortController();
  tellMoments(kernel, { checkVisibility: () => true } as HTMLElement, (moment) => told.push(moment), ended.signal);
  return { player, kernel, told, run, ended };
}

/** Twelve seconds of a player that has a new moment every 800 ms. */
function live(running: boolean, tick: (ms: number) => void) {
  const all = panel(running);
  for (let i = 0; i < 15; i++) {
    all.player.epoch += 1;
    all.kernel.emit("moment", {} as PlayerEvents["moment"]);
    tick(800);
  }
  return all;
}

test("a run that is followed while it goes on is told every three seconds, and last as it ended", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  let now = 0;
  t.mock.method(performance, "now", () => now);
  const tick = (ms: number): void => {
    now += ms;
    t.mock.timers.tick(ms);
  };
  const { told, player, kernel, run, ended } = live(true, tick);
  assert.ok(told.length >= 3 && told.length <= 5, `${told.length} in twelve seconds`);
  player.neuron = 3;
  kernel.emit("neuron", 3);
  tick(300);
  assert.equal(told.at(-1)!.neuron, 4, "what a hand does is not kept waiting");
  run.running = false;
  player.epoch += 1;
  kernel.emit("moment", {} as PlayerEvents["moment"]);
  tick(300);
  assert.equal(told.at(-1)!.epoch, 16);
  ended.abort();
  const past = live(false, tick);
  assert.equal(past.told.length, 15, "a run that is over, as often as the moment rests");
  past.ended.abort();
});
