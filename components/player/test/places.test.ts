import assert from "node:assert/strict";
import { test } from "node:test";
import { dateText, dateTicks, datumText, escaped, placeText } from "../src/derive/places.ts";
import { evaluate, knots, loss, segments } from "../src/derive/segments.ts";
import { withArrays } from "../src/store/run.ts";

test("a year keeps its digits, a date is written as one", () => {
  const years = withArrays({ x: [1871, 1872, 1970], y: [1, 2, 3] });
  assert.equal(datumText(years, 0), "1871");
  assert.equal(placeText(years, 1913.4), "1913.4");
  const days = { ...withArrays({ x: [0, 31, 400], y: [1, 2, 3] }), dates: true };
  assert.equal(datumText(days, 1), "1970-02-01");
  assert.equal(placeText(days, 59.2), "1970-03-01");
  const hours = { ...withArrays({ x: [0, 0.25, 0.5], y: [1, 2, 3] }), dates: true };
  assert.equal(datumText(hours, 1), "1970-01-01 06:00");
  assert.equal(dateText(-4296), "1958-03-29");
});

test("dates have round ticks", () => {
  const { tickvals, ticktext } = dateTicks(-4296, 11000, 6);
  assert.deepEqual(ticktext, ["1960", "1970", "1980", "1990", "2000"]);
  assert.equal(tickvals[1], 0);
  assert.deepEqual(dateTicks(0, 85, 4).ticktext, ["1970-01", "1970-02", "1970-03"]);
});

test("a name is text, not HTML", () => {
  assert.equal(escaped('<a href="javascript:x">&'), '&lt;a href="javascript:x"&gt;&amp;');
});

test("a network stands on the height that its data have left of all biases", () => {
  const [b, c, x, y] = [[1], [2], [0, 1, 2], [5, 5, 7]];
  assert.equal(evaluate(b, c, 2, 5), 7);
  assert.deepEqual(knots(b, c, 0, 2, 5), { x: [0, 1, 2], y: [5, 5, 7] });
  assert.equal(loss(x, y, b, c, undefined, 5), 0);
  assert.deepEqual(Array.from(segments(x, y, b, c, [2], undefined, 5).value), [5, 7]);
});
