/** What is said of a run while its kernels are being compiled, and afterwards. */

import assert from "node:assert/strict";
import test from "node:test";
import { headline, lineOf } from "../src/shell/progress_lines.ts";
import type { RunStatus } from "../src/store/poll.ts";

const WARMING = "Warming up: full speed in about 40 s.";

const infoOf = (more: Partial<RunStatus>): RunStatus =>
  ({ id: "a", name: "gd", title: "GD", status: "running", active: true, epoch: 500, budget: 1e5, reason: "", ...more }) as RunStatus;

test("a run whose kernels are being compiled says when it is at full speed", () => {
  const begun = infoOf({ reason: WARMING });
  assert.equal(lineOf(begun, false, true), WARMING);
  assert.equal(lineOf(begun, true, true), `GD: ${WARMING}`);
  assert.equal(headline(begun, [begun], true), "warming up");
  const queued = infoOf({ status: "queued", reason: WARMING });
  assert.equal(lineOf(queued, false, true), WARMING);
  const fast = infoOf({ reason: WARMING, rate: 50 });
  assert.equal(headline(fast, [fast], true), "running, 50 epochs/s");
});

test("at full speed it says how far it is, and afterwards why it ended", () => {
  assert.equal(lineOf(infoOf({}), false, true), "500 of 10⁵ epochs · 0 %");
  assert.match(lineOf(infoOf({}), false, false), /^last seen: /);
  const ended = infoOf({ status: "finished", active: false, reason: "The budget is used up." });
  assert.equal(lineOf(ended, false, true), "The budget is used up.");
});
