/** Where numbers come from: the server that served the page, or the answers that a replay holds. */

import type { Change, FrameColumns, Plateau, RunInfo, Stage } from "./run.ts";

const TYPES = { float64: Float64Array, float32: Float32Array, int32: Int32Array, int16: Int16Array } as const;
const BY_NEURON = ["b", "c", "gap", "pin"];

type Typed = InstanceType<(typeof TYPES)[keyof typeof TYPES]>;
type ColumnHead = { name: string; type: keyof typeof TYPES; rows: number; bytes: number; offset: number };
type Header = {
  columns: ColumnHead[];
  changes: [number, number, number, string, number][];
  first: number;
  count: number;
  head: number;
  recorded: number;
};

/** `head` frames are there to show, `recorded` of them never change. */
export type Frames = { columns: FrameColumns; head: number; recorded: number; count: number; info: RunInfo | null };
export type StagesAnswer = { stages: Stage[]; plateaus: Plateau[] };

/** A failed answer keeps its status: 404 means another thing than a lost connection. */
export class SourceError extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }

  /** The server has understood and said no: asking again would not help. */
  get refused(): boolean {
    return this.status >= 400 && this.status < 500 && this.status !== 429;
  }
}

/** Columns of the compact form (core/service/encoding.py says how it is laid out). */
export function unpack(buffer: ArrayBuffer): Omit<Frames, "info"> {
  const length = new DataView(buffer).getUint32(0, true);
  const header: Header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const columns: FrameColumns = { index: [] };
  for (const column of header.columns) columns[column.name] = unpackColumn(buffer, 4 + length, column, header.count);
  const changes: Change[][] = Array.from({ length: header.count }, () => []);
  for (const [frame, epoch, neuron, kind, datum] of header.changes) changes[frame - header.first].push([neuron, kind, datum, epoch]);
  columns.changes = changes;
  return { columns, head: header.head, recorded: header.recorded, count: header.count };
}

/** Bytes of equal significance stand together, each as its difference to the frame before. */
function unpackColumn(buffer: ArrayBuffer, payload: number, column: ColumnHead, count: number): Typed {
  const items = column.rows * count;
  const size = column.bytes / items;
  const bytes = new Uint8Array(column.bytes);
  const coded = new Uint8Array(buffer, payload + column.offset, column.bytes);
  for (let p = 0; p < size; p++) {
    for (let i = 0, before = 0; i < items; i++) {
      before = coded[p * items + i] ^ (i % count ? before : 0);
      bytes[i * size + p] = before;
    }
  }
  const values = new TYPES[column.type](bytes.buffer);
  return BY_NEURON.includes(column.name) ? turned(values, column.rows, count) : values;
}

/** From one row a neuron to one row a frame. */
function turned(values: Typed, rows: number, count: number): Typed {
  const result = values.slice();
  for (let j = 0; j < rows; j++) for (let i = 0; i < count; i++) result[i * rows + j] = values[j * count + i];
  return result;
}

export type JsonFrames = { head: number; recorded: number; index: number[]; changes?: [number, number, string, number][][] };

/** Columns of the JSON form. */
export function plain({ head, recorded, ...columns }: JsonFrames): Omit<Frames, "info"> {
  const changes = (columns.changes ?? []).map((list) => list.map(([epoch, ...change]): Change => [...change, epoch]));
  return { columns: { ...columns, changes }, head, recorded, count: columns.index.length };
}

/** Milliseconds until an answer begins, and until it is all here; files are large, and sent on slow lines too. */
type Timeout = { begin: number; end: number };
const ANSWER: Timeout = { begin: 15_000, end: 90_000 };
const FILE: Timeout = { begin: 120_000, end: 600_000 };
/** How often one is told to come back for an answer that is being made. */
const MAX_WAITS = 30;

/** A request that hangs is given up: nobody can tell it from a server that is gone. */
export async function within(path: string, options: RequestInit = {}, timeout = ANSWER): Promise<Response> {
  const controller = new AbortController();
  const begin = setTimeout(() => controller.abort(), timeout.begin);
  try {
    const signal = AbortSignal.any([controller.signal, AbortSignal.timeout(timeout.end)]);
    return await fetch(path, { ...options, signal });
  } finally {
    clearTimeout(begin);
  }
}

/** How often one comes back for a file that is being made, or with one that is read after others: some minutes. */
const MAX_TURNS = 300;
const TURN_SECONDS = 2;

/** Send or fetch a file. A server with other work before it says how much, and when to come back. */
export async function inTurn(
  path: string,
  options: RequestInit = {},
  isWanted = (): boolean => true,
  waits: (ahead: number) => void = () => {},
): Promise<Response> {
  for (let turn = 1; ; turn++) {
    const response = await within(path, options, FILE);
    const { ahead } = [202, 429].includes(response.status)
      ? await response
          .clone()
          .json()
          .catch(() => ({}))
      : {};
    const isBusy = response.status === 202 || ahead !== undefined;
    if (!isBusy || turn === MAX_TURNS) return response;
    waits(ahead ?? 0);
    await new Promise((resolve) => setTimeout(resolve, 1000 * (Number(response.headers.get("Retry-After")) || TURN_SECONDS)));
    if (!isWanted()) return response;
  }
}

async function ask(path: string, waits = 0): Promise<Response> {
  let response: Response;
  try {
    response = await within(path);
  } catch {
    throw new SourceError("The server does not answer.", 0);
  }
  if (response.status === 202) {
    if (waits === MAX_WAITS) throw new SourceError("The server has had no time for it.", 503);
    // the longer it takes, the less often it is looked for
    const pause = (Number(response.headers.get("Retry-After")) || 1) * Math.min(10, Math.max(1, waits / 2));
    await new Promise((resolve) => setTimeout(resolve, 1000 * pause));
    return ask(path, waits + 1);
  }
  if (response.ok) return response;
  const body = await response.json().catch(() => null);
  throw new SourceError(body?.error || response.statusText, response.status);
}

const cut = (): never => {
  throw new SourceError("The answer was cut short.", 0);
};

/** Where a player has its numbers from. */
export type Source = {
  /** More may come later. */
  readonly isLive: boolean;
  get<Answer>(path: string): Promise<Answer>;
  /** The frames of a run after one of them, and what the server says of the run beside them. */
  frames(id: string, after: number): Promise<Frames>;
  /** The same of several runs at once, in their order; what is refused of one does not keep the others from coming. */
  framesOfSeveral(asked: readonly Asked[]): Promise<(Frames | SourceError)[]>;
};
export type Asked = { id: string; after: number };

/** The server that served the page. */
export const server: Source = {
  isLive: true,
  get: async (path) => (await ask(path)).json().catch(cut),
  frames: async (id, after) => {
    const response = await ask(`/api/runs/${id}/frames?format=compact&after=${after}`);
    const info = JSON.parse(response.headers.get("Plateau-Run") || "null");
    return { info, ...unpack(await response.arrayBuffer().catch(cut)) };
  },
  framesOfSeveral: async (asked) => {
    const runs = asked.map(({ id, after }) => `${id}:${after}`).join();
    const response = await ask(`/api/frames?format=compact&runs=${runs}`);
    return unpackSeveral(await response.arrayBuffer().catch(cut));
  },
};

type Told = { id: string; bytes: number; run?: RunInfo; error?: string; status_code?: number };

/** The answers of several runs, one after the other (core/service/encoding.py). */
function unpackSeveral(buffer: ArrayBuffer): (Frames | SourceError)[] {
  const length = new DataView(buffer).getUint32(0, true);
  const { runs } = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length))) as { runs: Told[] };
  let at = 4 + length;
  return runs.map(({ bytes, run, error, status_code }) => {
    const part = buffer.slice(at, at + bytes);
    at += bytes;
    return run ? { info: run, ...unpack(part) } : new SourceError(error ?? "", status_code ?? 0);
  });
}

/** The answers that a replay holds: a file from disk needs no server. */
export class Replay implements Source {
  readonly isLive = false;
  private readonly answers: Record<string, unknown>;

  constructor(answers: Record<string, unknown>) {
    this.answers = answers;
  }

  async get<Answer>(path: string): Promise<Answer> {
    const known = [path, path.split("?")[0]].find((name) => name in this.answers);
    if (known === undefined) throw new SourceError(`not in this replay: ${path}`, 404);
    return this.answers[known] as Answer;
  }

  async frames(id: string): Promise<Frames> {
    return { info: await this.get<RunInfo>(`/api/runs/${id}`), ...plain(await this.get<JsonFrames>(`/api/runs/${id}/frames`)) };
  }

  framesOfSeveral(asked: readonly Asked[]): Promise<Frames[]> {
    return Promise.all(asked.map(({ id }) => this.frames(id)));
  }
}

type Reply = { ok: boolean; status: number; body: Record<string, unknown> & { error?: string }; wait: number };

/** Ask the server to do something; it always answers, if only that it did not. */
export async function post(path: string, body: unknown): Promise<Reply> {
  try {
    const headers = { "Content-Type": "application/json" };
    const response = await within(path, { method: "POST", headers, body: JSON.stringify(body) });
    const parsed = await response.json().catch(() => ({ error: `The server answered ${response.status}.` }));
    return { ok: response.ok, status: response.status, body: parsed, wait: Number(response.headers.get("Retry-After")) || 0 };
  } catch {
    return { ok: false, status: 0, body: { error: "The server does not answer; trying again." }, wait: 0 };
  }
}
