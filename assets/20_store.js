// One run's frames as growing columns: each frame crosses the wire once and is kept as typed arrays.
(function () {
  "use strict";

  const SCALARS = [
    "epoch", "loss", "stage", "floor", "stationarity", "prediction_error", "seconds", "gradients", "solves",
  ];
  const ROWS = { b: Float64Array, c: Float64Array, gap: Int32Array, pin: Int32Array };

  /** An array of doubled capacity when the next values would not fit. */
  function grown(array, needed, Kind) {
    if (array.length >= needed) return array;
    const larger = new Kind(Math.max(needed, 2 * array.length, 64));
    larger.set(array);
    return larger;
  }

  class Run {
    constructor({ id, method, query, title }) {
      Object.assign(this, { id, method, query: query || "", title: title || null });
      this.info = null;
      this.data = null;
      this.stages = [];
      this.extras = new Map();
      this.answers = new Map();
      this.clear();
    }

    clear() {
      this.count = 0;
      this.width = 0;
      this.version = 0;
      this.column = {};
      for (const name of SCALARS) this.column[name] = new Float64Array(0);
      for (const name of Object.keys(ROWS)) this.column[name] = new ROWS[name](0);
      this.changes = [];
      this.group = null;
      this.cache = new Map();
    }

    get last() {
      return this.count - 1;
    }

    /** Append the columns of new frames. Returns how many were new: an overlap is skipped, a gap refused. */
    append(columns) {
      const index = columns.index;
      if (!index || !index.length) return 0;
      const skip = this.count - index[0];
      if (skip < 0) throw new Error("frames are missing before " + index[0]);
      const fresh = index.length - skip;
      if (fresh <= 0) return 0;
      const first = this.count === 0;
      if (first) this.width = columns.b.length ? rowLength(columns.b, index.length) : 0;
      const total = this.count + fresh;
      for (const name of SCALARS) {
        const target = grown(this.column[name], total, Float64Array);
        const values = columns[name];
        for (let i = 0; i < fresh; i++) {
          const value = values ? values[skip + i] : NaN;
          target[this.count + i] = value === null || value === undefined ? NaN : value;
        }
        this.column[name] = target;
      }
      for (const name of Object.keys(ROWS)) {
        const target = grown(this.column[name], total * this.width, ROWS[name]);
        copyRows(target, this.count, columns[name], skip, fresh, this.width);
        this.column[name] = target;
      }
      for (let i = 0; i < fresh; i++) this.changes.push((columns.changes && columns.changes[skip + i]) || []);
      this.count = total;
      this.version += 1;
      this.cache.clear();
      if (first) this.group = colourGroups(this.row("b", 0));
      return fresh;
    }

    value(name, frame) {
      return this.column[name][frame];
    }

    /** b, c, gap or pin of one frame, without a copy. */
    row(name, frame) {
      return this.column[name].subarray(frame * this.width, (frame + 1) * this.width);
    }

    /** The last frame at or before an epoch. */
    frameAt(epoch) {
      const epochs = this.column.epoch;
      let low = 0;
      let high = this.count;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (epochs[middle] <= epoch) low = middle + 1;
        else high = middle;
      }
      return Math.max(0, low - 1);
    }

    get status() {
      return this.info ? this.info.status : "loading";
    }

    get running() {
      return ["queued", "running"].includes(this.status);
    }

    /** Ended because nothing is left to train. */
    get isTrained() {
      return !this.running && Boolean(this.info) && this.info.outcome === "trained";
    }

    /** What a table computed, kept until new frames come. */
    cached(key, compute) {
      if (!this.cache.has(key)) this.cache.set(key, compute());
      return this.cache.get(key);
    }

    /** Compute one table anew at the next drawing. */
    forget(table) {
      for (const key of this.cache.keys()) if (key.startsWith(table + "|")) this.cache.delete(key);
    }

    /** What does not change when frames come, such as the candidates of one iteration. */
    extra(key, compute) {
      if (!this.extras.has(key)) {
        if (this.extras.size > 400) this.extras.clear();
        this.extras.set(key, compute());
      }
      return this.extras.get(key);
    }

    /** An answer of the server about this run: undefined until it is there; then the panel is redrawn. */
    remote(path) {
      if (!this.answers.has(path)) plateau.poll.ask(this, path);
      return this.answers.get(path);
    }

    path(rest = "") {
      return "/api/runs/" + this.id + (rest ? "/" + rest : "");
    }
  }

  function rowLength(rows, frames) {
    return rows[0] !== undefined && rows[0].length !== undefined ? rows[0].length : rows.length / frames;
  }

  function copyRows(target, at, rows, skip, fresh, width) {
    if (!rows) {
      target.fill(-1, at * width, (at + fresh) * width);
    } else if (rows[0] !== undefined && rows[0].length !== undefined) {
      for (let i = 0; i < fresh; i++) target.set(rows[skip + i], (at + i) * width);
    } else {
      target.set(rows.slice(skip * width, (skip + fresh) * width), at * width);
    }
  }

  /** Colour group of every neuron: neighbours by initial bias share one, or get neighbouring ones. */
  function colourGroups(b, groups = 12) {
    const order = Array.from(b.keys()).sort((i, j) => b[i] - b[j] || i - j);
    const group = new Uint8Array(b.length);
    order.forEach((neuron, rank) => {
      const share = b.length > 1 ? rank / (b.length - 1) : 0;
      group[neuron] = Math.min(groups - 1, Math.floor(share * groups));
    });
    return group;
  }

  plateau.Run = Run;
  plateau.colourGroups = colourGroups;
})();
