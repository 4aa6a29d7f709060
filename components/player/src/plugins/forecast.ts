/** The forecast: asked for when the moment has come to rest, held until it rests elsewhere, and said in a line. */

import { announced, forecastPath, isCurrent, outcome } from "../derive/forecast.ts";
import { type About, about } from "../derive/sentences.ts";
import type { Forecast, Told } from "../derive/view.ts";
import type { ShownScene } from "../draw/scene.ts";
import type { Run } from "../store/run.ts";
import { write } from "../view/emitter.ts";
import type { Plugin } from "../view/mount.ts";
import type { Player } from "../view/player.ts";
import { attachReading, say } from "../view/words.ts";

const REST = 300;
/** A run that is being computed is predicted anew no more often than this. */
const LIVE = 2500;
/** What takes longer says so. */
const SILENT = 300;
const WAITING = "Working out what comes next…";

class Forecaster {
  private readonly line: HTMLElement;
  private readonly text: HTMLElement;
  private readonly certain: HTMLElement;
  private readonly result: HTMLElement;
  private readonly player: Player;
  private wanted: { run: Run; path: string } | null = null;
  private key = "";
  private timer = 0;
  private next = 0;
  /** From when on it is said that an answer is waited for. */
  private slowAt = 0;
  /** The last answer about a run that goes on came when what it foresaw was over. */
  private isLate = false;
  private last = "";
  private meant: About = {};

  /** `root` has the parts that components/player/parts.py makes. */
  constructor(player: Player, root: HTMLElement, signal: AbortSignal) {
    this.player = player;
    this.line = root.querySelector(".pl-forecast")!;
    [this.text, this.result, this.certain] = this.line.querySelectorAll("span");
    attachReading(player, this.line, () => this.meant, signal);
    player.on("painted", ({ scene }) => this.look(scene), signal);
    const switched = (on: boolean): void => {
      this.key = "";
      this.wanted = null;
      if (!on) this.hold(null);
      player.redraw("moment");
    };
    player.on("forecasting", switched, signal);
  }

  /** Another moment: ask once it rests; of a run that goes on, now and then. */
  private look(scene: ShownScene): void {
    const { player } = this;
    const run = scene.selected;
    if (player.forecasting) {
      const live = this.isLive(run);
      this.isLate &&= live;
      const key = [run.id, scene.frame(run), player.playing].join();
      if (key !== this.key) {
        this.key = key;
        if (!live) clearTimeout(this.timer);
        if (!live || !this.timer)
          this.timer = window.setTimeout(() => this.ask(), live ? Math.max(0, this.next - performance.now()) : REST);
      }
      this.receive();
    }
    this.show(run);
  }

  private ask(): void {
    const { player } = this;
    const run = player.selected;
    this.timer = 0;
    if (!run?.count || !player.forecasting || player.playing || player.view.edit) return;
    // A server that takes longer than a run that goes on is asked anew is waited for: else no answer would ever be shown.
    if (this.wanted?.run === run && this.isLive(run)) return;
    this.next = performance.now() + LIVE;
    this.slowAt = performance.now() + SILENT;
    this.wanted = { run, path: pathAt(player, run) };
    this.receive();
    if (this.wanted) setTimeout(() => player.redraw("moment"), SILENT);
  }

  /** Take the answer if it is there. What got lost is asked for again, by the rules of the store. */
  private receive(): void {
    if (!this.wanted) return;
    const { run, path } = this.wanted;
    const told = run.remote<Forecast | { refused: string }>(path);
    if (!told) return;
    this.wanted = null;
    if (path !== pathAt(this.player, run)) this.key = ""; // it has gone on: the next one is asked for
    const forecast = "refused" in told ? null : { ...told, run: run.id };
    this.isLate = this.isLive(run) && forecast !== null && !isCurrent(forecast, run, this.player.frameOf(run));
    this.hold(this.isLate ? null : forecast);
  }

  private isLive = (run: Run): boolean => this.player.following && run.running;

  private hold(told: Told | null): void {
    const { player } = this;
    const before = player.view.forecast;
    const run = player.selected;
    const result = before && before.run === told?.run && run?.running && told.frame > before.frame && outcome(before, run, player.epoch);
    if (result) this.last = result.text;
    else if (before?.run !== told?.run || !run?.running) this.last = "";
    if (before === told || (before?.run === told?.run && before?.frame === told?.frame)) return;
    player.view.forecast = told;
    player.redraw("all");
  }

  private show(run: Run): void {
    const held = this.player.view.forecast;
    const told = held?.run === run.id ? held : null;
    const waits = this.isLate || (this.wanted?.run === run && performance.now() >= this.slowAt);
    const outdated = waits && !(told && isCurrent(told, run, this.player.frameOf(run)));
    this.line.hidden = !outdated && !told?.sentence;
    if (this.line.hidden) return;
    if (outdated || !told) {
      this.meant = {};
      this.certain.hidden = true;
      say(this.text, WAITING, this.player.style.spec!.terms);
      write(this.result, "");
      return;
    }
    const result = outcome(told, run, this.player.epoch);
    const { neuron, datum } = result?.event ?? told;
    this.meant = about(neuron, datum);
    say(this.text, result ? "" : announced(told, run), this.player.style.spec!.terms);
    this.certain.hidden = !told.certified;
    this.certain.title = told.certificate;
    this.result.classList.toggle("pl-wrong", result?.right === false);
    write(this.result, result?.text ?? this.last);
  }
}

const pathAt = (player: Player, run: Run): string => forecastPath(run.askable(player.frameOf(run)));

export const forecast: Plugin = (player, { story }, signal) => {
  new Forecaster(player, story, signal);
};
