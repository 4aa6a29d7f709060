/** Where numbers come from: the server that served the page, or data embedded in a replay.
 *  Everything the player reads goes through here, so a replay needs no server. */

import type { Change, FrameColumns, Plateau, RunInfo, Stage } from "./run.ts";

const TYPES = { float64: Float64Array, float32: Float32Array, int32: Int32Array, int16: Int16Array } as const;
const BY_NEURON = ["b", "c", "gap", "pin"];

type Typed = InstanceType<(typeof TYPES)[keyof typeof TYPES]>;
type ColumnHead = { name: string; type: keyof typeof TYPES; rows: number; bytes: number; offset: number };
type Header = { columns: ColumnHead[]; changes: [number, number, number, string, number][]; first: number; count: number; head: number };

type Frames = { columns: FrameColumns; head: number; count: number; info: RunInfo | null };
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

/** Columns of the compact form (core/runs/encoding.py says how it is laid out). */
export function unpack(buffer: ArrayBuffer): Omit<Frames, "info"> {
  const length = new DataView(buffer).getUint32(0, true);
  const header: Header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const columns: FrameColumns = { index: [] };
  for (const column of header.columns) columns[column.name] = unpackColumn(buffer, 4 + length, column, header.count);
  const changes: Change[][] = Array.from({ length: header.count }, () => []);
  for (const [frame, epoch, neuron, kind, datum] of header.changes) changes[frame - header.first].push([neuron, kind, datum, epoch]);
  columns.changes = changes;
  return { columns, head: header.head, count: header.count };
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

let embedded: Record<string, unknown> | null | undefined;

function embeddedData(): Record<string, unknown> | null {
  if (embedded === undefined) {
    const element = document.getElementById("replay-data");
    embedded = element ? JSON.parse(element.textContent ?? "") : null;
  }
  return embedded ?? null;
}

export const isReplay = (): boolean => embeddedData() !== null;

function fromReplay(path: string, data: Record<string, unknown>): unknown {
  const known = [path, path.split("?")[0]].find((name) => name in data);
  if (known === undefined) throw new SourceError(`not in this replay: ${path}`, 404);
  return data[known];
}

async function ask(path: string): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path);
  } catch {
    throw new SourceError("The server does not answer.", 0);
  }
  if (response.status === 202) {
    // A dear answer that is still being made.
    await new Promise((resolve) => setTimeout(resolve, 1000 * (Number(response.headers.get("Retry-After")) || 1)));
    return ask(path);
  }
  if (response.ok) return response;
  const body = await response.json().catch(() => null);
  throw new SourceError(body?.error || response.statusText, response.status);
}

const cut = (): never => {
  throw new SourceError("The answer was cut short.", 0);
};

export async function get<Answer>(path: string): Promise<Answer> {
  const data = embeddedData();
  if (data) return fromReplay(path, data) as Answer;
  return (await ask(path)).json().catch(cut);
}

/** The frames of a run after one of them, and what the server says of the run beside them. */
export async function getFrames(path: string, after: number): Promise<Frames> {
  const data = embeddedData();
  if (data) {
    type Told = [number, number, string, number];
    const { head, ...columns } = fromReplay(path, data) as { head: number; index: number[]; changes?: Told[][] };
    const changes = (columns.changes ?? []).map((list) => list.map(([epoch, ...change]): Change => [...change, epoch]));
    return { info: null, columns: { ...columns, changes }, head, count: columns.index.length };
  }
  const response = await ask(`${path}?format=compact&after=${after}`);
  const info = JSON.parse(response.headers.get("Plateau-Run") || "null");
  return { info, ...unpack(await response.arrayBuffer().catch(cut)) };
}

type Reply = { ok: boolean; status: number; body: Record<string, unknown> & { error?: string }; wait: number };

/** Ask the server to do something; it always answers, if only that it did not. */
export async function post(path: string, body: unknown): Promise<Reply> {
  try {
    const headers = { "Content-Type": "application/json" };
    const response = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
    const parsed = await response.json().catch(() => ({ error: `The server answered ${response.status}.` }));
    return { ok: response.ok, status: response.status, body: parsed, wait: Number(response.headers.get("Retry-After")) || 0 };
  } catch {
    return { ok: false, status: 0, body: { error: "The server does not answer; trying again." }, wait: 0 };
  }
}
