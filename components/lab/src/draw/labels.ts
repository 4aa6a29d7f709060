/** Names beside the ends of curves, moved apart where they would stand on each other. */

import { number } from "../format.ts";
import type { Axis, Layout, Trace } from "./template.ts";

type Box = { left: number; right: number; y: number };
const GAP = 6;
/** Of the type's size: how wide a letter is, and how far lines stand apart. */
const LETTER = 0.56;
const LINE = 1.2;

/** 0, 1, -1, 2, -2, …: below its place before above it. */
const steps = Array.from({ length: 25 }, (_, i) => (i % 2 ? (i + 1) / 2 : -i / 2));

/** Where a label may stand, the nearest to its curve first; below the axis it says how far down the curve goes. */
function place(trace: Trace, width: number, height: number, share: { x: number; y: number }, taken: Box[]): Box & { far: boolean } {
  const size = trace.textfont?.size ?? 12;
  const long = LETTER * size * trace.text![0].replace(/<[^>]*>/g, "").length;
  const x = share.x * width;
  const far = x + GAP + long > width + 8;
  const [left, right] = far ? [x - GAP - long, x - GAP] : [x + GAP, x + GAP + long];
  const line = LINE * size;
  const beside = trace.meta.apart === "above" ? -0.6 * line : far ? 0.8 * line : 0;
  const wanted = Math.min(height - line / 2, Math.max(line / 2, share.y * height + beside));
  const isFree = (y: number): boolean =>
    y >= line / 2 - 1 &&
    y <= height - line / 2 + 1 &&
    taken.every((box) => box.left > right || box.right < left || Math.abs(box.y - y) >= line);
  const y = steps.map((step) => wanted + step * line * 0.5).find(isFree) ?? wanted;
  return { left, right, y, far };
}

const onAxis = (axis: Axis, value: number): number => (axis.type === "log" ? Math.log10(value) : value);
const offAxis = (axis: Axis, place: number): number => (axis.type === "log" ? 10 ** place : place);

/** Give every label that may be moved a place of its own; the ranges of both axes are known. */
export function placeLabels(data: Trace[], layout: Layout): void {
  const [x, y] = [layout.xaxis.range, layout.yaxis.range];
  const { l, r, t, b } = layout.margin;
  const [width, height] = [Number(layout.width) - l - r, Number(layout.height) - t - b];
  if (!x || !y || !(width > 0) || !(height > 0)) return;
  const taken: Box[] = [];
  const labels = data.filter((trace) => trace.meta.apart && trace.text?.[0]);
  for (const trace of labels) {
    const [at, value] = [trace.x![0], trace.y![0]];
    const { xaxis, yaxis } = layout;
    const low = onAxis(yaxis, value) < y[0];
    if (low) trace.text = [`${trace.text![0]} ↓ ${number(value)}`];
    const share = { x: (onAxis(xaxis, at) - x[0]) / (x[1] - x[0]), y: (y[1] - onAxis(yaxis, value)) / (y[1] - y[0]) };
    const box = place(trace, width, height, share, taken);
    taken.push(box);
    const middle = ((box.far ? box.right : box.left) / width) * (x[1] - x[0]) + x[0];
    Object.assign(trace, {
      x: [offAxis(xaxis, middle)],
      y: [offAxis(yaxis, y[1] - (box.y / height) * (y[1] - y[0]))],
      text: [trace.text![0]],
      textposition: box.far ? "middle left" : "middle right",
    });
  }
}
