/** The player: which runs are open, which moment is shown, and who is told when either changes. */

import { reach } from "../derive/forecast.ts";
import { ratesPath, stateAt } from "../derive/moments.ts";
import { sentenceOf } from "../derive/sentences.ts";
import { stageOf, timeAxis } from "../derive/times.ts";
import type { TimeName, View } from "../derive/view.ts";
import { timeTitle } from "../draw/axes.ts";
import { editedState, pushedBias } from "../draw/edits.ts";
import type { Host } from "../draw/host.ts";
import { type PictureSize, pictureOf, servedPictureOf } from "../draw/picture.ts";
import { type Found, type Holder, isShown, type Scene, type ShownScene } from "../draw/scene.ts";
import { type Connection, Poll, statusOf } from "../store/poll.ts";
import { type RaceEntry, Run } from "../store/run.ts";
import { type Source, server } from "../store/source.ts";
import { Style } from "../store/style.ts";
import { Board, type Drawing } from "./board.ts";
import { Emitter } from "./emitter.ts";
import type { Cause, PlayerEvents } from "./events.ts";

const TOLD_EVERY = 150;
const MOST_PREVIOUS = 3;

export class Player extends Emitter<PlayerEvents> implements Holder {
  runs: Run[] = [];
  private previousRuns: Run[] = [];
  selected: Run | null = null;
  epoch = 0;
  following = true;
  playing = false;
  neuron: number | null = null;
  forecasting = true;
  readonly style: Style;
  readonly view: View;
  /** A race was opened, and not all of it is there and drawn yet. */
  private busy = false;
  private cause: Cause = "open";
  private wanted: number | null = null;
  private lit: string[] = [];
  private hover: { by: object; found: Found } | null = null;
  private told = "";
  private toldAt = 0;
  private telling = 0;
  readonly board: Board;
  private readonly poll: Poll;
  private readonly ended = new AbortController();

  constructor(source: Source = server) {
    super();
    this.style = new Style(source);
    this.view = { x: "epoch", window: null, edit: null, zero: 0.3, range: [0, 1], key: "", timeTitle: "", runs: [], style: this.style };
    const painted = (scene: ShownScene, whole: boolean): void => {
      this.emit("painted", { scene, whole });
      this.tellMoment(scene);
    };
    this.board = new Board(
      this,
      this.style,
      () => this.updateView(),
      painted,
      () => this.settle(),
    );
    const listeners = {
      changed: (run: Run, fresh: boolean) => this.changed(run, fresh),
      answered: () => this.redraw("moment"),
      connected: (connection: Connection) => this.emit("connection", connection),
      isSelected: (run: Run) => run === this.selected,
    };
    this.poll = new Poll(source, listeners, this.ended.signal);
    const restyled = (): void => {
      for (const run of this.runs) run.forgetAll();
      this.redraw("all");
    };
    this.style.follow(restyled, this.ended.signal);
  }

  /** It leaves the page: nothing is asked for, drawn or told any more. */
  end(): void {
    clearTimeout(this.telling);
    this.ended.abort();
    this.board.end();
  }

  // ---- drawing ------------------------------------------------------------------------------------------

  redraw(what: Drawing): void {
    this.board.redraw(what);
  }

  /** A panel as a picture, in a size of its own or as large as it is on screen. */
  image(name: string, kind: "svg" | "png", size?: PictureSize): Promise<string> {
    const host = this.board.hosts.get(name);
    const plot = host?.plot ?? host?.servedPlot;
    const scene = this.scene();
    const panel = this.style.panel(name);
    if (!plot?._fullLayout || !isShown(scene)) return Promise.reject(new Error("this panel is not on screen"));
    const { width, height } = plot._fullLayout;
    const asked = size ?? { width, height, type: this.style.spec!.scale, dots: 2 };
    return panel ? pictureOf(panel, scene, kind, asked) : servedPictureOf(plot, scene, kind, asked);
  }

  frameOf = (run: Run): number => run.frameAt(this.epoch);

  scene(): Scene {
    const found = this.hover?.found;
    return {
      runs: this.runs.filter((run) => run.count),
      previousRuns: this.previousRuns.filter((run) => run.count),
      selected: this.selected?.count ? this.selected : null,
      view: this.view,
      epoch: this.epoch,
      frame: this.frameOf,
      touch: matchMedia("(pointer: coarse)").matches,
      mark: { neuron: found?.neuron ?? this.neuron, datum: found?.datum ?? null, time: found?.time ?? null, tables: this.lit },
    };
  }

  private updateView(): void {
    const { view, runs, selected } = this;
    Object.assign(view, timeAxis(this.loaded, view.x));
    view.range[1] = Math.max(view.range[1], (view.x === "epoch" && reach(view.forecast, selected)) || -Infinity);
    view.runs = [...runs.filter((run) => run === selected), ...runs.filter((run) => run !== selected)];
    view.timeTitle = timeTitle(this.loaded, view);
    view.key = [view.x, view.zero, view.range, view.window, view.runs.map((run) => run.id)].join("|");
  }

  private tellMoment({ selected, runs, frame, view }: ShownScene): void {
    const frames = Object.fromEntries(runs.map((run) => [run.id, frame(run)]));
    const key = JSON.stringify([frames, selected.name, this.epoch, this.following, this.playing]);
    if (key === this.told) return;
    this.told = key;
    const [stage, stages] = stageOf(selected, frame(selected));
    const { cause } = this;
    clearTimeout(this.telling);
    this.telling = window.setTimeout(
      () => {
        this.toldAt = performance.now();
        const { epoch, following, playing } = this;
        const sentence = sentenceOf(selected, frame(selected), view);
        const who = { selected: selected.name, run: selected.id };
        this.emit("moment", { ...who, epoch, frames, stage, stages, cause, following, playing, sentence });
      },
      Math.max(0, TOLD_EVERY - (performance.now() - this.toldAt)),
    );
  }

  /** All that was asked for when the race was opened is on screen, in every panel that is seen. */
  private settle(): void {
    if (!this.busy || !this.poll.settled || !this.runs.length || this.board.isWaiting) return;
    this.busy = false;
    this.emit("busy", false);
  }

  // ---- the moment ---------------------------------------------------------------------------------------

  private get loaded(): Run[] {
    return this.runs.filter((run) => run.count);
  }

  lastEpoch(): number {
    return Math.max(0, ...this.loaded.map((run) => run.value("epoch", run.last)));
  }

  /** The frames' own epochs are the moments: the latest frame of any run at or before an epoch. */
  private snapped(epoch: number): number {
    return Math.max(0, ...this.loaded.map((run) => run.value("epoch", run.frameAt(epoch))));
  }

  seek(epoch: number, cause: Cause = "user"): void {
    if (!this.loaded.length) {
      if (cause !== "live") this.wanted = epoch;
      return;
    }
    const next = this.snapped(Math.min(Math.max(0, epoch), this.lastEpoch()));
    if (cause !== "live") this.following = next >= this.lastEpoch();
    if (cause === "user") this.playing = false;
    this.wanted = null;
    if (next === this.epoch && cause !== "open") return this.redraw("marks");
    this.epoch = next;
    this.cause = cause;
    this.clearEdit();
    this.redraw("moment");
  }

  /** Say the moment again, for another reason: playing has come to rest on it. */
  rest(): void {
    this.playing = false;
    this.cause = "pause";
    this.told = "";
    this.redraw("moment");
  }

  follow(on: boolean): void {
    if (on) return this.seek(Infinity);
    this.following = false;
    this.redraw("moment");
  }

  /** Go to the moment that the link names, as far as the frames reach: more of them may be on their way. */
  private seekWanted(): void {
    const wanted = this.wanted!;
    const coming = this.runs.some((run) => run.running || (!run.count && run.status === "loading"));
    const reached = this.lastEpoch() >= wanted;
    this.seek(wanted, "open");
    this.following = wanted === Infinity;
    this.wanted = reached || !coming || wanted === Infinity ? null : wanted;
  }

  /** New frames or a new status of a run. */
  private changed(run: Run, fresh: boolean): void {
    if (fresh) {
      run.answers.delete(ratesPath(run.value("stage", run.last)));
      if (this.wanted !== null) this.seekWanted();
      else if (this.following) this.seek(Infinity, "live");
    }
    this.emit("status", this.runs.map(statusOf));
    this.board.redrawSoon();
  }

  // ---- the race -----------------------------------------------------------------------------------------

  /** Show some runs. What is loaded already stays; where it is `keepsPrevious` the curves of those that left stay too, in
   *  grey; `previous` names such a run that a link remembers. */
  open(
    race: RaceEntry[],
    { at = null as number | null, selected = null as string | null, keepsPrevious = false, previous = "" } = {},
  ): void {
    const known = new Map([...this.previousRuns, ...this.runs].map((run) => [run.id, run]));
    const seen = this.runs;
    const before = this.runs.map((run) => run.id).join();
    const name = selected ?? this.selected?.name;
    this.runs = race.map((entry) => known.get(entry.id) ?? new Run(entry));
    const changed = this.runs.filter((run, i) => run.enter(race[i]));
    for (const id of known.keys()) if (!race.some((entry) => entry.id === id)) this.poll.stop(id);
    const fresh = before !== this.runs.map((run) => run.id).join();
    if (fresh) this.keepPrevious(keepsPrevious ? seen : [], previous);
    this.selected = this.named(name) ?? this.runs[0] ?? null;
    if (fresh) {
      this.following = at === null;
      this.hover = null;
      this.busy = true;
      this.emit("busy", true);
      Object.assign(this.view, { window: null, edit: null });
    }
    this.wanted = at ?? (fresh ? Infinity : null);
    for (const run of changed) this.poll.poke(run.id);
    for (const run of this.runs) this.poll.start(run);
    this.style.load();
    if (this.wanted !== null && this.loaded.length) this.seekWanted();
    else if (changed.length) this.seek(this.following ? Infinity : this.epoch, "live");
    if (fresh) this.emit("race", this.runs);
    this.emit("status", this.runs.map(statusOf));
    this.redraw("all");
  }

  private keepPrevious(seen: Run[], previous: string): void {
    const isNew = (id: string): boolean => !this.runs.some((run) => run.id === id);
    const alike = (run: Run): boolean => run.count > 0 && run.entry.problem === this.runs[0]?.entry.problem;
    this.previousRuns = seen.filter((run) => isNew(run.id) && alike(run)).slice(0, MOST_PREVIOUS);
    if (previous && isNew(previous) && !this.previousRuns.some((run) => run.id === previous)) {
      const parent = new Run({ id: previous, method: "" });
      this.poll.start(parent);
      this.previousRuns.push(parent);
    }
    for (const run of this.previousRuns) run.previous = true;
  }

  /** Look at a run at once: it has just been started, stopped or continued. */
  poke(id: string): void {
    this.poll.poke(id);
  }

  /** A run by its name, or the first of a method: a link may be older than the lists in it. */
  private named(name?: string): Run | undefined {
    return this.runs.find((run) => run.name === name) ?? this.runs.find((run) => run.method === name);
  }

  select(name: string, silent = false): void {
    const run = this.named(name);
    if (!run || run === this.selected) return;
    this.selected = run;
    this.clearEdit();
    this.poll.look(run);
    if (!silent) this.emit("selected", run.name);
    this.redraw("all");
  }

  setAxis(x: TimeName): void {
    if (x === this.view.x) return;
    Object.assign(this.view, { x, window: null });
    this.emit("xaxis", x);
    this.redraw("all");
  }

  /** Leave the zoom of one panel; the time axis is shared, so the others follow. */
  unzoom(host: Host): void {
    host.revision += 1;
    this.zoomed(null);
  }

  zoomed(window: [number, number] | null, silent = false): void {
    this.view.window = window;
    if (!silent) this.emit("window", window);
    this.redraw("all");
  }

  // ---- the pointer --------------------------------------------------------------------------------------

  /** `by` is a panel, or a sentence that is being read. */
  hovered(by: object, found: Found | null): void {
    if (!found && this.hover?.by !== by) return;
    this.hover = found ? { by, found } : null;
    this.redraw("marks");
  }

  /** Light up all marks of a term of the glossary. */
  light(term: string): void {
    const tables = this.style.spec?.marks[term] ?? [];
    if (tables.join() === this.lit.join()) return;
    this.lit = tables;
    this.redraw("marks");
  }

  /** A click goes to the moment under it, and chooses the neuron under it, or lets go of it. */
  clicked(found: Found): void {
    const chosen = found.neuron === undefined || found.neuron === this.neuron ? null : found.neuron;
    if (chosen !== this.neuron) this.choose(chosen);
    if (found.epoch !== undefined) this.seek(found.epoch);
  }

  choose(neuron: number | null, silent = false): void {
    this.neuron = neuron;
    if (!silent) this.emit("neuron", neuron);
    this.redraw("marks");
  }

  /** Show what the theory says comes next, or not. */
  predict(on: boolean): void {
    if (on === this.forecasting) return;
    this.forecasting = on;
    this.emit("forecasting", on);
  }

  edit(neuron: number, bias: number): void {
    const run = this.selected;
    if (!run?.count || !run.data || !Number.isFinite(bias)) return;
    const frame = this.frameOf(run);
    this.playing = false;
    const edit = editedState(run, frame, this.view, neuron, bias)!;
    this.view.edit = edit;
    this.redraw("moment");
    const { b, c, loss } = edit;
    const loss_before = run.value("loss", frame);
    this.emit("edit", { neuron, b: Array.from(b), c: Array.from(c), loss, loss_before, method: run.method });
  }

  push(neuron: number, right: boolean): void {
    const run = this.selected;
    if (!run?.count || !run.data) return;
    const { b, pin } = stateAt(run, this.frameOf(run), this.view);
    const bias = pushedBias(run.data.x, b[neuron], pin[neuron], right);
    if (bias !== null) this.edit(neuron, bias);
  }

  clearEdit(): void {
    if (!this.view.edit) return;
    this.view.edit = null;
    this.emit("edit", null);
    this.redraw("moment");
  }

  /** The bias of a neuron as it is shown. */
  biasOf(neuron: number): number | null {
    const run = this.selected;
    return run?.count ? (stateAt(run, this.frameOf(run), this.view).b[neuron] ?? null) : null;
  }
}
