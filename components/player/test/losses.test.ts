/** The small table of a race's losses. */

import assert from "node:assert/strict";
import test from "node:test";
import { lossRows } from "../src/store/losses.ts";

test("one row per shared epoch, one column per run, and every end", () => {
  const runs = [
    { epoch: [0, 1, 2, 2.5, 3, 7], loss: [9, 8, 7, 6.5, 6, 5] },
    { epoch: [0, 1, 2], loss: [4, 3, 2] },
  ];
  assert.equal(lossRows(["GD", 'ANLS, "plus"'], runs), 'epoch,GD,"ANLS, ""plus"""\n0,9,4\n1,8,3\n2,7,2\n2.5,6.5,\n3,6,\n7,5,\n');
});

test("a change of stage of one run among several has no row of its own", () => {
  const runs = [
    { epoch: [0, 1, 1.5, 2], loss: [9, 8, 7.5, 7] },
    { epoch: [0, 1, 2], loss: [4, 3, 2] },
  ];
  assert.equal(lossRows(["a", "b"], runs), "epoch,a,b\n0,9,4\n1,8,3\n2,7,2\n");
});
