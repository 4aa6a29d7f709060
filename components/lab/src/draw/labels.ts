/** Names beside the ends of curves: in the order of the curves, each near its own; left out where there is no room, since
 *  the legend has them all. */

import { number } from "../format.ts";
import type { Axis, Layout, Trace } from "./template.ts";

/** Where a label would stand by itself, from the top of the plot; `rank` is where its curve ends. */
type Label = { trace: Trace; left: number; right: number; far: boolean; line: number; rank: number; wanted: number; y: number };
type Box = Pick<Label, "left" | "right" | "line" | "y">;
type Size = { width: number; height: number };
const GAP = 6;
/** Of the type's size: how wide a letter is, and how far lines stand apart. */
const LETTER = 0.56;
const LINE = 1.2;
/** How many lines a label may stand from its place. */
const REACH = 2;

const onAxis = (axis: Axis, value: number): number => (axis.type === "log" ? Math.log10(value) : value);
const offAxis = (axis: Axis, place: number): number => (axis.type === "log" ? 10 ** place : place);
const between = (low: number, high: number, value: number): number => Math.min(high, Math.max(low, value));

/** A label whose curve goes on below the axis says how far down. */
function labelOf(trace: Trace, { xaxis, yaxis }: Layout, { width, height }: Size): Label {
  const [x, y] = [xaxis.range!, yaxis.range!];
  const value = onAxis(yaxis, trace.y![0]);
  const text = trace.text![0] + (value < y[0] ? ` ↓ ${number(trace.y![0])}` : "");
  trace.text = [text];
  const size = trace.textfont?.size ?? 12;
  const line = LINE * size;
  const long = LETTER * size * text.replace(/<[^>]*>/g, "").length;
  const at = ((onAxis(xaxis, trace.x![0]) - x[0]) / (x[1] - x[0])) * width;
  const far = at + GAP + long > width + 8;
  const [left, right] = far ? [at - GAP - long, at - GAP] : [at + GAP, at + GAP + long];
  const rank = ((y[1] - value) / (y[1] - y[0])) * height;
  const beside = trace.meta.apart === "above" ? -0.6 * line : far ? 0.8 * line : 0;
  const wanted = between(line / 2, height - line / 2, rank + beside);
  return { trace, left, right, far, line, rank, wanted, y: wanted };
}

/** A label and those that stand above or below it, or would if they were moved, from the top to the bottom. */
function columnOf(label: Label, others: Label[]): Label[] {
  const column = [label];
  for (const one of column)
    column.push(...others.filter((other) => !column.includes(other) && one.left <= other.right && other.left <= one.right));
  return column.toSorted((a, b) => a.rank - b.rank);
}

/** Give the labels of a column places under each other, as near to the wanted ones as can be: those that would overlap
 *  move together. Returns null where one would be too far from its curve. */
function spread(column: Label[], height: number): number[] | null {
  let room = 0;
  const drops = column.map(({ line }, i) => {
    room += i ? (column[i - 1].line + line) / 2 : 0;
    return room;
  });
  const blocks: { y: number; size: number }[] = [];
  column.forEach(({ wanted }, i) => {
    let block = { y: wanted - drops[i], size: 1 };
    while (blocks.length && blocks[blocks.length - 1].y > block.y) {
      const { y, size } = blocks.pop()!;
      block = { y: (y * size + block.y * block.size) / (size + block.size), size: size + block.size };
    }
    blocks.push(block);
  });
  const [top, bottom] = [column[0].line / 2, height - column[column.length - 1].line / 2 - room];
  const places = blocks.flatMap(({ y, size }) => new Array(size).fill(between(top, bottom, y))).map((y, i) => y + drops[i]);
  const near = places.every((y, i) => Math.abs(y - column[i].wanted) <= REACH * column[i].line);
  return near && bottom >= top - 1 ? places : null;
}

/** Texts that stand where they are, above their points: the numbers of the plateaus. */
function fixedTexts(data: Trace[], { xaxis, yaxis }: Layout, { width, height }: Size): Box[] {
  const [x, y] = [xaxis.range!, yaxis.range!];
  return data
    .filter(({ meta, mode, text }) => !meta.apart && mode === "text" && text)
    .flatMap((trace) => {
      const size = trace.textfont?.size ?? 12;
      return [...trace.text!].map((text, i) => {
        const at = ((onAxis(xaxis, trace.x![i]) - x[0]) / (x[1] - x[0])) * width;
        const half = (LETTER * size * String(text).length) / 2;
        const point = ((y[1] - onAxis(yaxis, trace.y![i])) / (y[1] - y[0])) * height;
        return { left: at - half, right: at + half, line: LINE * size, y: point - 0.6 * LINE * size };
      });
    });
}

const overlap = (one: Box, other: Box): boolean =>
  one.left <= other.right && other.left <= one.right && Math.abs(one.y - other.y) < (one.line + other.line) / 2;

/** Give every label that may be moved a place of its own; the ranges of both axes are known. The last are drawn over the
 *  others, and come first. */
export function placeLabels(data: Trace[], layout: Layout): void {
  const { xaxis, yaxis, margin } = layout;
  const [x, y] = [xaxis.range, yaxis.range];
  const size = { width: Number(layout.width) - margin.l - margin.r, height: Number(layout.height) - margin.t - margin.b };
  if (!x || !y || !(size.width > 0) || !(size.height > 0)) return;
  const placed: Label[] = [];
  for (const trace of data.filter((one) => one.meta.apart && one.text?.[0]).reverse()) {
    const label = labelOf(trace, layout, size);
    const column = columnOf(label, placed);
    const places = spread(column, size.height);
    places?.forEach((place, i) => {
      column[i].y = place;
    });
    if (places) placed.push(label);
    else trace.text = [""];
  }
  const fixed = fixedTexts(data, layout, size);
  for (const label of placed) {
    const { trace, left, right, far, y: place } = label;
    Object.assign(trace, {
      x: [offAxis(xaxis, ((far ? right : left) / size.width) * (x[1] - x[0]) + x[0])],
      y: [offAxis(yaxis, y[1] - (place / size.height) * (y[1] - y[0]))],
      text: fixed.some((box) => overlap(box, label)) ? [""] : trace.text,
      textposition: far ? "middle left" : "middle right",
    });
  }
}
