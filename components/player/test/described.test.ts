/** Pictures with a description inside. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import { described } from "../src/draw/described.ts";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const TEXT = "Loss. http://lab.example/?target=sin(pi*x)&width=10 «ü»";

test("a PNG gets one more chunk, with the right checksum", () => {
  const bytes = Buffer.from(described(`data:image/png;base64,${PIXEL}`, TEXT).split(",")[1], "base64");
  const length = bytes.readUInt32BE(33);
  const chunk = bytes.subarray(37, 41 + length);
  assert.equal(chunk.subarray(0, 4).toString(), "iTXt");
  assert.equal(bytes.readUInt32BE(41 + length), crc32(chunk));
  assert.ok(chunk.toString("utf8").endsWith(TEXT));
  assert.equal(bytes.length, Buffer.from(PIXEL, "base64").length + length + 12);
});

test("an SVG gets a description, escaped", () => {
  const plain = `data:image/svg+xml,${encodeURIComponent('<svg width="1"><g>a</g></svg>')}`;
  const drawn = decodeURIComponent(described(plain, "a < b & c").split(",")[1]);
  assert.equal(drawn, '<svg width="1"><desc>a &lt; b &amp; c</desc><g>a</g></svg>');
});
