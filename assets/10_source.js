// Where numbers come from: the server that served the page, or data embedded in a replay.
// Everything the player reads goes through plateau.source.get, so a replay needs no server.
window.plateau = window.plateau || {};

(function () {
  "use strict";

  const TYPES = { float64: Float64Array, float32: Float32Array, int32: Int32Array, int16: Int16Array };

  /** Columns of the compact form (core/runs/encoding.py says how it is laid out). */
  function unpack(buffer) {
    const length = new DataView(buffer).getUint32(0, true);
    const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
    const columns = {};
    for (const column of header.columns) columns[column.name] = unpackColumn(buffer, 4 + length, column, header.count);
    columns.changes = Array.from({ length: header.count }, () => []);
    for (const [frame, , neuron, kind, datum] of header.changes) columns.changes[frame - header.first].push([neuron, kind, datum]);
    return { columns, head: header.head, count: header.count };
  }

  /** Bytes of equal significance stand together, each as its difference to the frame before. */
  function unpackColumn(buffer, payload, column, count) {
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
    return ["b", "c", "gap", "pin"].includes(column.name) ? turned(values, column.rows, count) : values;
  }

  /** From one row a neuron to one row a frame. */
  function turned(values, rows, count) {
    const result = new values.constructor(values.length);
    for (let j = 0; j < rows; j++) for (let i = 0; i < count; i++) result[i * rows + j] = values[j * count + i];
    return result;
  }

  /** Columns of the JSON form, which a replay holds. */
  function columnsOf(answer) {
    const changes = (answer.changes || []).map((list) => list.map((change) => change.slice(-3)));
    return { columns: Object.assign({}, answer, { changes }), head: answer.head, count: answer.index.length };
  }

  /** A failed answer keeps its status: 404 means another thing than a lost connection. */
  class SourceError extends Error {
    constructor(message, status) {
      super(message);
      this.status = status;
    }
  }

  function embeddedData() {
    if (source.embedded) return source.embedded;
    const element = document.getElementById("replay-data");
    if (element) source.embedded = JSON.parse(element.textContent);
    return source.embedded;
  }

  function fromReplay(path, embedded) {
    const bare = path.split("?")[0];
    if (path in embedded) return embedded[path];
    if (bare in embedded) return embedded[bare];
    throw new SourceError("not in this replay: " + path, 404);
  }

  async function ask(path) {
    let response;
    try {
      response = await fetch(path);
    } catch (error) {
      throw new SourceError("The server does not answer.", 0);
    }
    if (response.ok) return response;
    const body = await response.json().catch(() => null);
    throw new SourceError((body && body.error) || response.statusText, response.status);
  }

  const cut = () => {
    throw new SourceError("The answer was cut short.", 0);
  };

  async function get(path) {
    const embedded = embeddedData();
    if (embedded) return fromReplay(path, embedded);
    return (await ask(path)).json().catch(cut);
  }

  /** The frames of a run after one of them, and what the server says of the run beside them. */
  async function frames(path, after) {
    const embedded = embeddedData();
    if (embedded) return Object.assign({ info: null }, columnsOf(fromReplay(path, embedded)));
    const response = await ask(path + "?format=compact&after=" + after);
    const info = JSON.parse(response.headers.get("Plateau-Run") || "null");
    const buffer = await response.arrayBuffer().catch(cut);
    return Object.assign({ info }, unpack(buffer));
  }

  const source = { get, frames, unpack, embedded: null, isReplay: () => Boolean(embeddedData()) };
  plateau.source = source;

  plateau.emit = (name, detail) =>
    document.dispatchEvent(new CustomEvent("plateau:" + name, { detail }));
})();
