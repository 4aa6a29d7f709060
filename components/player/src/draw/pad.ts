/** The state of a pad to draw data points on: a tap adds a point, a stroke draws many, a drag of a point moves it, a
 *  tap on a point removes it. Places are in pixels of the pad; points are texts, as they stand in the link. */

export type Row = string[];
type Place = { x: number; y: number };
type Range = [low: number, high: number];
type Grip = { at: Place; last: Place; index: number | null; isMoved: boolean; before: Row[] };

/** Pixels that a finger or a hand may shake before a tap is a stroke. */
const SHAKE = { touch: 10, mouse: 4 };
/** Pixels from a point within which it is meant. */
const REACH = { touch: 14, mouse: 8 };
/** Pixels between the points of a stroke. */
const SPACING = 12;
/** Characters of the points in a link: longer data are kept by the server, and can no longer be drawn (core/limits.py). */
const MAX_CHARACTERS = 1400;
const MAX_UNDO = 100;
/** Decimals below the leading digit of the range. */
const DIGITS = 3;

const decimals = ([low, high]: Range): number => Math.min(15, Math.max(0, DIGITS - Math.ceil(Math.log10(high - low))));

/** A range with a margin. */
export function widened(values: number[]): Range {
  if (!values.length) return [-1, 1];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return high > low ? [low - 0.06 * (high - low), high + 0.06 * (high - low)] : [low - 1, high + 1];
}

/** Room to draw in: from -1 to 1, or around data that are on another scale. */
function room(values: number[]): Range {
  if (values.every((value) => Math.abs(value) <= 1)) return widened([-1, 1]);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return widened([low - 0.1 * (high - low), high + 0.1 * (high - low)]);
}

const sorted = (rows: Row[]): Row[] => rows.toSorted((one, two) => Number(one[0]) - Number(two[0]));
const spelling = (rows: Row[]): string => JSON.stringify(sorted(rows).map((row) => row.map(Number)));

export class Pad {
  rows: Row[] = [];
  x: Range = room([]);
  y: Range = room([]);
  private past: Row[][] = [];
  private grip: Grip | null = null;

  /** Take over points from elsewhere. Its own come back from the server as well: then nothing moves. */
  adopt(rows: Row[]): void {
    if (spelling(rows) === spelling(this.rows)) return;
    if (this.rows.length) this.remember(this.rows);
    this.rows = rows;
    this.x = room(rows.map((row) => Number(row[0])));
    this.y = room(rows.map((row) => Number(row[1])));
  }

  /** Somebody is drawing. */
  get isHeld(): boolean {
    return this.grip !== null;
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  get isFull(): boolean {
    return this.rows.join(";").length > MAX_CHARACTERS;
  }

  /** Where a point is, as shares of the pad from its upper left corner. */
  shareOf(row: Row): Place {
    return { x: (Number(row[0]) - this.x[0]) / (this.x[1] - this.x[0]), y: (this.y[1] - Number(row[1])) / (this.y[1] - this.y[0]) };
  }

  press(at: Place, size: Place, kind: "touch" | "mouse"): void {
    this.grip = { at, last: at, index: this.nearest(at, size, REACH[kind]), isMoved: false, before: this.rows };
  }

  /** The finger goes on; true when that changed something. */
  drag(at: Place, size: Place, kind: "touch" | "mouse"): boolean {
    const { grip } = this;
    if (!grip || (!grip.isMoved && distance(at, grip.at) < SHAKE[kind])) return false;
    if (!grip.isMoved) {
      grip.isMoved = true;
      if (grip.index === null) this.add(grip.at, size);
    }
    if (grip.index !== null) {
      const moved = this.rows[grip.index];
      const others = this.rows.filter((row) => row !== moved);
      const row = [...this.rowAt(at, size, others), ...moved.slice(2)];
      this.rows = sorted([...others, row]);
      grip.index = this.rows.indexOf(row);
      return true;
    }
    if (distance(at, grip.last) < SPACING) return false;
    grip.last = at;
    return this.add(at, size);
  }

  /** The finger is lifted; true when the points are others than before. */
  release(size: Place): boolean {
    const { grip } = this;
    if (!grip) return false;
    this.grip = null;
    if (!grip.isMoved && grip.index !== null) this.rows = this.rows.filter((_, index) => index !== grip.index);
    else if (!grip.isMoved) this.add(grip.at, size);
    if (this.rows === grip.before) return false;
    this.remember(grip.before);
    return true;
  }

  /** The system took the finger away: as if it had not been there; true when that changed something. */
  cancel(): boolean {
    const before = this.grip?.before ?? this.rows;
    const isChanged = before !== this.rows;
    this.rows = before;
    this.grip = null;
    return isChanged;
  }

  undo(): boolean {
    const before = this.past.pop();
    if (!before) return false;
    this.rows = before;
    this.x = within(this.x, before, 0) ? this.x : room(before.map((row) => Number(row[0])));
    this.y = within(this.y, before, 1) ? this.y : room(before.map((row) => Number(row[1])));
    return true;
  }

  /** One point a line. */
  get text(): string {
    return this.rows.map((row) => row.join(", ")).join("\n");
  }

  private remember(rows: Row[]): void {
    this.past = [...this.past.slice(1 - MAX_UNDO), rows];
  }

  private add(at: Place, size: Place): boolean {
    if (this.isFull) return false;
    this.rows = sorted([...this.rows, this.rowAt(at, size, this.rows)]);
    return true;
  }

  /** The point at a place. Points that share an x would be averaged: it goes to the nearest x that is free. */
  private rowAt(at: Place, size: Place, others: Row[]): Row {
    const step = 10 ** -decimals(this.x);
    const taken = new Set(others.map((row) => Number(row[0])));
    const [x, y] = [at.x / size.x, at.y / size.y].map((share) => Math.min(1, Math.max(0, share)));
    const meant = this.x[0] + x * (this.x[1] - this.x[0]);
    const written = (value: number, range: Range): string => String(Number(value.toFixed(decimals(range))));
    let text = written(meant, this.x);
    for (let k = 1; taken.has(Number(text)); k += 1) text = written(meant + (k % 2 ? k + 1 : -k) * (step / 2), this.x);
    return [text, written(this.y[1] - y * (this.y[1] - this.y[0]), this.y)];
  }

  private nearest(at: Place, size: Place, reach: number): number | null {
    let found: number | null = null;
    let least = reach;
    for (const [index, row] of this.rows.entries()) {
      const share = this.shareOf(row);
      const apart = distance(at, { x: share.x * size.x, y: share.y * size.y });
      if (apart <= least) [found, least] = [index, apart];
    }
    return found;
  }
}

const distance = (one: Place, two: Place): number => Math.hypot(one.x - two.x, one.y - two.y);
const within = ([low, high]: Range, rows: Row[], column: number): boolean =>
  rows.every((row) => Number(row[column]) >= low && Number(row[column]) <= high);
