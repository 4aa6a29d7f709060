/** Names of curves. That of a single curve stands beside its end. Those of several stand in a column of their own right of
 *  the plot, in the order of the curves' ends and never over a curve; a low or narrow plot has them in smaller type and
 *  without the words that all of them share. Where even that has no room they are left out: the legend has them all. */

import { number } from "../format.ts";
import type { Axis, Layout, Trace } from "../store/template.ts";

/** Where a label would stand by itself, from the top of the plot; `rank` is where its curve ends. */
type Label = {
  trace: Trace;
  left: number;
  right: number;
  far: boolean;
  line: number;
  rank: number;
  wanted: number;
  y: number;
  /** It stands in the column right of the plot. */
  listed: boolean;
};
type Box = Pick<Label, "left" | "right" | "line" | "y">;
type Size = { width: number; height: number };
const GAP = 6;
/** Of the type's size: how wide a letter is, and how far lines stand apart. */
const LETTER = 0.56;
const LINE = 1.2;
/** How many lines a label inside the plot may stand from its place. */
const REACH = 2;
/** A column of names leaves the plot at least so many pixels, and takes at most this part of the panel. */
const NARROWEST = 230;
const WIDEST = 0.4;
/** Of the type's size: how small a low plot may make it. */
const SMALLEST = 0.8;
/** A name of fewer letters cannot be cut and still be read. */
const LEAST_LETTERS = 8;

const onAxis = (axis: Axis, value: number): number => (axis.type === "log" ? Math.log10(value) : value);
const offAxis = (axis: Axis, place: number): number => (axis.type === "log" ? 10 ** place : place);
const between = (low: number, high: number, value: number): number => Math.min(high, Math.max(low, value));
const sizeOf = (trace: Trace): number => trace.textfont?.size ?? 12;
const lengthOf = (text: string, size: number): number => LETTER * size * lettersOf(text.replace(/<[^>]*>/g, "")).length;

/** How far down a curve goes on below the axis. */
const depth = (trace: Trace, axis: Axis): string =>
  axis.range && onAxis(axis, trace.y![0]) < axis.range[0] ? ` ↓ ${number(trace.y![0])}` : "";

/** What is read as one letter, of text that is escaped. */
const lettersOf = (text: string): string[] => text.match(/&\w+;|./gu) ?? [];

/** The names without the words that all have in the same place: "seed 0, width 5" beside "seed 1, width 10" is "0, 5". */
function withoutShared(names: string[]): string[] {
  const lists = names.map((name) => name.split(", ").map((part) => part.split(" ")));
  if (lists.some((parts) => parts.length !== lists[0].length)) return names;
  const kept = lists[0].map((part, i) => part.findIndex((word, k) => lists.some((parts) => parts[i][k] !== word)));
  const rest = (parts: string[][]): string[] => parts.map((part, i) => (kept[i] < 0 ? "" : part.slice(kept[i]).join(" ")));
  return lists.map((parts) => rest(parts).filter(Boolean).join(", "));
}

function cutInside(name: string, most: number): string {
  const letters = lettersOf(name);
  if (letters.length <= most) return name;
  const tail = Math.floor((most - 1) / 2);
  return [...letters.slice(0, most - 1 - tail), "…", ...letters.slice(letters.length - tail)].join("");
}

/** Names in so many letters, still told apart; null if there is no way. */
export function shortened(names: string[], most: number): string[] | null {
  const fit = (all: string[]): boolean => all.every((name) => name && lettersOf(name).length <= most);
  const short = withoutShared(names);
  if (fit(names)) return names;
  if (fit(short)) return short;
  if (most < LEAST_LETTERS) return null;
  const cut = short.map((name, i) => cutInside(name || names[i], most));
  const apart = (all: string[]): number => new Set(all).size;
  return apart(cut) === apart(names) ? cut : null;
}

/** Make room for the names of several curves; returns whether there is a column. Names that fit nowhere are left out. */
function makeColumn(data: Trace[], layout: Layout): boolean {
  const names = data.filter((trace) => trace.meta.apart === "beside" && trace.text?.[0]);
  if (names.length < 2) return false;
  const { margin, yaxis } = layout;
  const width = Number(layout.width);
  const usual = sizeOf(names[0]);
  const most = Math.min(WIDEST * width, width - margin.l - margin.r - NARROWEST * (usual / 12));
  const line = (Number(layout.height) - margin.t - margin.b) / names.length;
  const size = between(SMALLEST * usual, usual, line / LINE);
  const letters = Math.floor((most - GAP) / (LETTER * size));
  const whole = names.map((trace) => trace.text![0]);
  const deep = whole.map((name, i) => name + depth(names[i], yaxis));
  const texts = deep.every((name) => lettersOf(name).length <= letters) ? deep : shortened(whole, letters);
  names.forEach((trace, i) => {
    trace.text = [texts?.[i] ?? ""];
    trace.textfont = { ...trace.textfont, size };
  });
  if (!texts) return false;
  margin.r += Math.ceil(Math.max(...texts.map((text) => lengthOf(text, size))) + GAP);
  return true;
}

function labelOf(trace: Trace, { xaxis, yaxis }: Layout, { width, height }: Size, listed: boolean): Label {
  const [x, y] = [xaxis.range!, yaxis.range!];
  const value = onAxis(yaxis, trace.y![0]);
  if (!listed) trace.text = [trace.text![0] + depth(trace, yaxis)];
  const text = trace.text![0];
  const size = sizeOf(trace);
  const line = LINE * size;
  const long = lengthOf(text, size);
  const rank = ((y[1] - value) / (y[1] - y[0])) * height;
  if (listed) {
    const wanted = between(line / 2, height - line / 2, rank);
    return { trace, left: width, right: width + long, far: false, line, rank, wanted, y: wanted, listed };
  }
  const at = ((onAxis(xaxis, trace.x![0]) - x[0]) / (x[1] - x[0])) * width;
  const far = at + GAP + long > width + 8;
  const [left, right] = far ? [at - GAP - long, at - GAP] : [at + GAP, at + GAP + long];
  const beside = trace.meta.apart === "above" ? -0.6 * line : far ? 0.8 * line : 0;
  const wanted = between(line / 2, height - line / 2, rank + beside);
  return { trace, left, right, far, line, rank, wanted, y: wanted, listed };
}

/** A label and those that stand above or below it, or would if they were moved, from the top to the bottom. */
function columnOf(label: Label, others: Label[]): Label[] {
  const column = [label];
  for (const one of column)
    column.push(
      ...others.filter(
        (other) => !column.includes(other) && one.listed === other.listed && one.left <= other.right && other.left <= one.right,
      ),
    );
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
  const near = places.every((y, i) => column[i].listed || Math.abs(y - column[i].wanted) <= REACH * column[i].line);
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
  const column = makeColumn(data, layout);
  const { xaxis, yaxis, margin } = layout;
  const [x, y] = [xaxis.range, yaxis.range];
  const size = { width: Number(layout.width) - margin.l - margin.r, height: Number(layout.height) - margin.t - margin.b };
  if (!x || !y || !(size.width > 0) || !(size.height > 0)) return;
  const placed: Label[] = [];
  for (const trace of data.filter((one) => one.meta.apart && one.text?.[0]).reverse()) {
    const label = labelOf(trace, layout, size, column && trace.meta.apart === "beside");
    const beside = columnOf(label, placed);
    const places = spread(beside, size.height);
    places?.forEach((place, i) => {
      beside[i].y = place;
    });
    if (places) placed.push(label);
    else trace.text = [""];
  }
  const fixed = fixedTexts(data, layout, size);
  for (const label of placed) {
    const { trace, left, right, far, listed, y: place } = label;
    Object.assign(trace, {
      x: [offAxis(xaxis, ((far ? right : left) / size.width) * (x[1] - x[0]) + x[0])],
      y: [offAxis(yaxis, y[1] - (place / size.height) * (y[1] - y[0]))],
      text: !listed && fixed.some((box) => overlap(box, label)) ? [""] : listed ? [` ${trace.text![0]}`] : trace.text,
      textposition: far ? "middle left" : "middle right",
    });
  }
}
