/** Numbers are written by the core's rules. */

import assert from "node:assert/strict";
import test from "node:test";
import {
  compared,
  count,
  excess,
  fill,
  momentText,
  number,
  powerLabel,
  prose,
  rate,
  seconds,
  secondsBetween,
  spelled,
} from "../src/format.ts";
import { read } from "./fixtures.ts";

type Numbers = {
  number: [string, number, string][];
  count: [number, string][];
  excess: [number, number, string][];
  fill: [string, number, number, string][];
  spelled: [string, string][];
  moment: [number, string][];
};
const core = read<Numbers>("numbers");
const parsed = (text: string): number => Number(text.replace("inf", "Infinity"));

test("significant digits and powers of ten", () => {
  for (const [text, digits, written] of core.number) assert.equal(number(parsed(text), digits), written, `${text} to ${digits}`);
  assert.equal(number(null), "–");
  assert.equal(number(NaN), "–");
});

test("numbers of epochs", () => {
  for (const [value, written] of core.count) assert.equal(count(value), written);
});

test("how far the loss is above its floor", () => {
  for (const [loss, floor, written] of core.excess) assert.equal(excess(loss, floor), written);
  for (const [template, loss, floor, written] of core.fill) assert.equal(fill(template, loss, floor), written);
});

test("numbers and moments in a link", () => {
  for (const [text, written] of core.spelled) assert.equal(spelled(parsed(text)), written, text);
  for (const [value, written] of core.moment) assert.equal(momentText(value), written);
});

test("axes, times and rates", () => {
  assert.deepEqual([-2, 0, 1, 6].map(powerLabel), ["10⁻²", "1", "10", "10⁶"]);
  assert.deepEqual([0.4, 3.2, 600, 9000].map(seconds), ["less than 1 s", "about 3 s", "about 10 min", "about 2.5 h"]);
  assert.deepEqual([8_100_000, 12_345, 42, 1.234].map(rate), ["8.1 M", "12 k", "42", "1.2"]);
  assert.equal(prose("fully trained: stationarity 3.2e-19"), "fully trained: stationarity 3.2·10⁻¹⁹");
});

test("two numbers are told apart", () => {
  assert.deepEqual(compared(0.25, 0.3), ["0.25", "0.3"]);
  assert.deepEqual(compared(0.25912, 0.25908), ["0.25912", "0.25908"]);
  assert.deepEqual(compared(0.2591, 0.2591), ["0.259", "0.259"]);
});

test("a duration between two ends, as Python says it", () => {
  assert.equal(secondsBetween([0.3, 0.8]), "a few seconds");
  assert.equal(secondsBetween([1.2, 6]), "up to 6 s");
  assert.equal(secondsBetween([9.4, 24]), "about 9 to 24 s");
  assert.equal(secondsBetween([50, 128]), "about 50 s to 2 min");
  assert.equal(secondsBetween([900, 1560]), "about 15 to 26 min");
  assert.equal(secondsBetween([300, 300]), "about 5 min");
});
