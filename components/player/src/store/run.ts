/** One run's frames as growing columns: each frame crosses the wire once and is kept as typed arrays. */

import { count } from "../format.ts";
import { upperBound, type Vector } from "./search.ts";

export const SCALARS = ["epoch", "loss", "stage", "floor", "stationarity", "prediction_error", "seconds", "gradients", "solves"] as const;
export type Scalar = (typeof SCALARS)[number];
const ROWS = { b: Float64Array, c: Float64Array, gap: Int32Array, pin: Int32Array } as const;
type Row = keyof typeof ROWS;
/** Tables of a run that are kept: those of a few zooms. */
const MAX_CACHED = 400;
const MOST_EXTRAS = 400;

/** Neuron, what it did, at which datum, and at which epoch. */
export type Change = [number, string, number, number];
type Numbers = ArrayLike<number | null>;
export type FrameColumns = { index: ArrayLike<number>; changes?: Change[][] } & {
  [name: string]: Numbers | ArrayLike<ArrayLike<number>> | Change[][] | undefined;
};

/** `name` selects a run in a link, and is the method's where that tells them apart; title, colours and dash
 *  are the method's own where they are left out (components/common/run_styles.py). `epochs` is the link's budget for it: a run's
 *  name does not say how long it is, and the server may have more of it. */
export type RaceEntry = {
  id: string;
  method: string;
  query?: string;
  name?: string;
  problem?: string;
  title?: string;
  colours?: Record<string, string>;
  dash?: string;
  epochs?: number;
};
export type RunInfo = {
  id: string;
  status: string;
  /** It is being computed, or will be. */
  active?: boolean;
  /** A larger budget would take it further. */
  may_continue?: boolean;
  outcome?: string;
  reason?: string;
  epoch?: number;
  epochs?: number;
  rate?: number | null;
  /** Seconds that are left, at least and at most. */
  remaining?: [number, number] | null;
  loss?: number;
  watching?: number;
  position?: number | null;
  mine?: boolean;
  /** Of a run that goes on after the link's budget: what the server says of the whole. */
  whole?: RunInfo;
};
export type Data = {
  x: Float64Array;
  y: Float64Array;
  /** Weights; left out, all are 1. */
  w?: number[];
  domain?: [number, number];
  truth?: { x: number[]; y: number[] } | null;
  /** The height of a network left of all its biases; 0 where it is left out. */
  base?: number;
  /** What the data, their x and their y are called; x may count days since 1970. */
  title?: string;
  x_name?: string;
  y_name?: string;
  dates?: boolean;
  best_known?: number | null;
  is_proven?: boolean;
};
export type Story = { headline: string; change: string; state: string; moment: string; why: string };
export type Stage = {
  number: number;
  start: number;
  end: number;
  floor: number;
  rate: number | null;
  /** Epoch, neuron, kind and datum of what began it. */
  changes?: [number, number, string, number][];
  story?: Story;
};

/** Why the loss stands still on some frames in a row of a plateau. */
export type Phase = {
  first: number;
  last: number;
  why: string;
  /** What happens, with {floor} of the moment; what ends it, and the numbers behind. */
  sentence: string;
  ends: string;
  detail: string;
  /** Whom the sentence is about. */
  neuron: number | null;
  datum: number | null;
};

/** A stretch of log epochs on which the loss hardly falls; epochs, and the frames that they are. */
export type Plateau = {
  number: number;
  begin: number;
  end: number;
  first: number;
  last: number;
  loss_begin: number;
  loss_end: number;
  stage_first: number;
  stage_last: number;
  open: boolean;
  phases: Phase[];
};

/** The network at a frame (or edited by hand on top of it), and what was computed of it so far. */
export type NetworkState = {
  frame?: number;
  version?: number;
  loss: number;
  b: Float64Array;
  c: Float64Array;
  gap: Int32Array;
  pin: Int32Array;
  kept?: Map<string, unknown>;
};

/** An array of doubled capacity when the next values would not fit. */
function grown<T extends Float64Array | Int32Array>(array: T, needed: number): T {
  if (array.length >= needed) return array;
  const larger = new (array.constructor as new (length: number) => T)(Math.max(needed, 2 * array.length, 64));
  larger.set(array);
  return larger;
}

export class Run {
  readonly id: string;
  readonly method: string;
  readonly query: string;
  entry: RaceEntry;
  /** It was on screen before: its curve stays, in grey. */
  previous = false;
  /** What the server says of the whole run; `told` is what it is within the link's budget. */
  info: RunInfo | null = null;
  data: Data | null = null;
  stages: Stage[] = [];
  plateaus: Plateau[] = [];
  count = 0;
  /** How many of the frames never change. One more shows the present state of a run that rests between two frames; it
   *  is replaced when the run goes on. */
  recorded = 0;
  width = 0;
  version = 0;
  column!: Record<Scalar, Float64Array> & Record<"b" | "c", Float64Array> & Record<"gap" | "pin", Int32Array>;
  changes: Change[][] = [];
  /** Where each neuron stands among all by its initial bias, from 0 to 1. */
  place = new Float64Array(0);
  /** Asks the server something beside the frames; nobody may be there to do it. */
  inquire: ((path: string) => void) | null = null;
  readonly answers = new Map<string, unknown>();
  private readonly cache = new Map<string, unknown>();
  private readonly extras = new Map<string, unknown>();
  private shown: NetworkState | null = null;
  /** A frame after the link's budget was seen, and left out. */
  private beyond = false;

  constructor(entry: RaceEntry) {
    this.entry = entry;
    this.id = entry.id;
    this.method = entry.method;
    this.query = entry.query ?? "";
    this.clear();
  }

  clear(): void {
    this.count = this.recorded = this.width = this.version = 0;
    this.beyond = false;
    const scalars = SCALARS.map((name) => [name, new Float64Array(0)]);
    const rows = Object.entries(ROWS).map(([name, Kind]) => [name, new Kind(0)]);
    this.column = Object.fromEntries([...scalars, ...rows]);
    this.changes = [];
    this.cache.clear();
  }

  get name(): string {
    return this.entry.name ?? this.method;
  }

  get last(): number {
    return this.count - 1;
  }

  /** The last epoch to show. Where the server was never asked for more, all is shown that it has. */
  private get limit(): number {
    const { epochs = Infinity } = this.entry;
    return (this.info?.epochs ?? 0) > epochs ? epochs : Infinity;
  }

  /** The run goes on after the link's budget; it is here up to that. */
  get isCut(): boolean {
    return this.limit < Infinity && this.count > 0 && (this.beyond || this.value("epoch", this.last) >= this.limit);
  }

  /** The link's budget, if that is between two frames of a run that went on: its last frame is then to be computed anew. */
  get missingEnd(): number | null {
    return this.isCut && this.count === this.recorded && this.value("epoch", this.last) < this.limit ? this.limit : null;
  }

  /** The frame by which the server knows a moment: it has others behind the last of a link's budget. */
  askable(frame: number): number {
    return this.isCut ? Math.min(frame, this.recorded - 1) : frame;
  }

  /** The same run as another link wants it. Returns whether it is another part of it: then the server must be asked. */
  enter(entry: RaceEntry): boolean {
    const other = entry.epochs !== this.entry.epochs;
    Object.assign(this, { entry, previous: false });
    if (!other) return false;
    const kept = Math.min(this.count, Math.max(1, upperBound(this.column.epoch, this.limit, this.count)));
    this.beyond = kept < this.count;
    if (this.beyond) this.shorten(kept);
    this.version += 1;
    this.cache.clear();
    return true;
  }

  private shorten(kept: number): void {
    Object.assign(this, { count: kept, recorded: Math.min(this.recorded, kept), stages: [], plateaus: [] });
    this.changes = this.changes.slice(0, kept);
    this.answers.clear();
    this.forgetAll();
  }

  /** Take in the columns of an answer, of which `recorded` frames of the run never change. Returns how many were new, or
   *  1 if the present frame was taken back. */
  take(columns: FrameColumns, recorded: number): number {
    const { index } = columns;
    const present = this.recorded;
    if (this.isCut && this.count > present) return 0;
    let gone = 0;
    if (this.count > present) {
      const again = recorded === present && index.length === 1 && index[0] === present;
      if (again && (columns.epoch as Vector)[0] === this.value("epoch", present)) return 0;
      this.shorten(present);
      this.version += 1;
      gone = 1;
    }
    const fresh = this.append(columns);
    this.recorded = Math.min(this.count, recorded);
    return fresh || gone;
  }

  /** Append the columns of new frames. Returns how many were new: an overlap is skipped, a gap refused, and what comes
   *  after the link's budget is left out. */
  append(columns: FrameColumns): number {
    const { index } = columns;
    if (!index?.length) return 0;
    const skip = this.count - index[0];
    if (skip < 0) throw new Error(`frames are missing before ${index[0]}`);
    const wanted = upperBound(columns.epoch as Vector, this.limit, index.length);
    this.beyond ||= wanted < index.length;
    const fresh = wanted - skip;
    if (fresh <= 0) return 0;
    const first = this.count === 0;
    if (first) this.width = rowLength(columns.b as Rows, index.length);
    const total = this.count + fresh;
    for (const name of SCALARS) {
      const target = grown(this.column[name], total);
      const values = columns[name] as Numbers | undefined;
      for (let i = 0; i < fresh; i++) target[this.count + i] = values?.[skip + i] ?? NaN;
      this.column[name] = target;
    }
    for (const name of Object.keys(ROWS) as Row[]) {
      const target = grown<Float64Array | Int32Array>(this.column[name], total * this.width);
      copyRows(target, this.count, columns[name] as Rows | undefined, skip, fresh, this.width);
      (this.column as Record<Row, Float64Array | Int32Array>)[name] = target;
    }
    for (let i = 0; i < fresh; i++) this.changes.push(columns.changes?.[skip + i] ?? []);
    this.count = this.recorded = total;
    this.version += 1;
    this.cache.clear();
    if (first) this.place = placesOf(this.row("b", 0));
    return fresh;
  }

  value(name: Scalar, frame: number): number {
    return this.column[name][frame];
  }

  /** b, c, gap or pin of one frame, without a copy. */
  row<Name extends Row>(name: Name, frame: number): Run["column"][Name] {
    return this.column[name].subarray(frame * this.width, (frame + 1) * this.width) as Run["column"][Name];
  }

  /** The network at a frame; what is computed of it is kept with it while it is the one shown. */
  state(frame: number): NetworkState {
    if (this.shown?.frame !== frame || this.shown.version !== this.version)
      this.shown = {
        frame,
        version: this.version,
        loss: this.value("loss", frame),
        b: this.row("b", frame),
        c: this.row("c", frame),
        gap: this.row("gap", frame),
        pin: this.row("pin", frame),
      };
    return this.shown;
  }

  /** The last frame at or before an epoch. */
  frameAt(epoch: number): number {
    return Math.max(0, upperBound(this.column.epoch, epoch, this.count) - 1);
  }

  /** How the run does within the link's budget: when it was trained further, it has used that up. */
  get told(): RunInfo | null {
    const { info } = this;
    if (!info || !this.isCut) return info;
    const { epochs } = this.entry;
    const reason = `The budget of ${count(epochs!)} epochs is used up.`;
    const told = { id: this.id, watching: info.watching, status: "finished", outcome: "budget", may_continue: true };
    return { ...told, reason, epoch: epochs, epochs, whole: info };
  }

  get status(): string {
    return this.told?.status ?? "loading";
  }

  get running(): boolean {
    return Boolean(this.told?.active);
  }

  /** Ended because nothing is left to train. */
  get isTrained(): boolean {
    return !this.running && this.told?.outcome === "trained";
  }

  /** What a table computed, kept until new frames come, or until others were wanted more recently. */
  cached<Value>(key: string, compute: () => Value): Value {
    const value = this.cache.has(key) ? (this.cache.get(key) as Value) : compute();
    this.cache.delete(key);
    this.cache.set(key, value);
    if (this.cache.size > MAX_CACHED) this.cache.delete(this.cache.keys().next().value!);
    return value;
  }

  /** Compute one table anew at the next drawing. */
  forget(table: string): void {
    for (const key of this.cache.keys()) if (key.startsWith(`${table}|`)) this.cache.delete(key);
  }

  /** Colours or data have changed: nothing computed with the old ones may stay. */
  forgetAll(): void {
    this.cache.clear();
    this.extras.clear();
    this.shown = null;
  }

  /** What does not change when frames come, such as the candidates of one iteration. */
  extra<Value>(key: string, compute: () => Value): Value {
    if (!this.extras.has(key)) {
      if (this.extras.size > MOST_EXTRAS) this.extras.clear();
      this.extras.set(key, compute());
    }
    return this.extras.get(key) as Value;
  }

  /** An answer of the server about this run: undefined until it is there; then the panel is redrawn. */
  remote<Answer>(path: string): Answer | undefined {
    if (!this.answers.has(path)) this.inquire?.(path);
    return this.answers.get(path) as Answer | undefined;
  }

  /** A question about all frames: about those that are shown, where the server has more. */
  ofAll(path: string): string {
    return this.isCut ? `${path}${path.includes("?") ? "&" : "?"}head=${this.recorded}` : path;
  }

  path(rest = ""): string {
    return `/api/runs/${this.id}${rest ? `/${rest}` : ""}`;
  }
}

type Rows = ArrayLike<number> | ArrayLike<ArrayLike<number>>;
const isNested = (rows: Rows): rows is ArrayLike<ArrayLike<number>> => typeof rows[0] === "object";

const rowLength = (rows: Rows, frames: number): number => (isNested(rows) ? rows[0].length : rows.length / frames);

function copyRows(target: Float64Array | Int32Array, at: number, rows: Rows | undefined, skip: number, fresh: number, width: number): void {
  if (!rows) {
    target.fill(-1, at * width, (at + fresh) * width);
  } else if (isNested(rows)) {
    for (let i = 0; i < fresh; i++) target.set(rows[skip + i], (at + i) * width);
  } else {
    for (let i = 0; i < fresh * width; i++) target[at * width + i] = rows[skip * width + i];
  }
}

/** Where each neuron stands among all by its bias, from 0 to 1. */
function placesOf(b: Float64Array): Float64Array<ArrayBuffer> {
  const order = Array.from(b.keys()).sort((i, j) => b[i] - b[j] || i - j);
  const place = new Float64Array(b.length);
  order.forEach((neuron, rank) => {
    place[neuron] = b.length > 1 ? rank / (b.length - 1) : 0;
  });
  return place;
}

/** The data of a run as the drawing wants them. */
export const withArrays = (data: { x: ArrayLike<number>; y: ArrayLike<number> }): Data => ({
  ...data,
  x: Float64Array.from(data.x),
  y: Float64Array.from(data.y),
});
