/** The timeline: one log-epoch scrubber for all panels, with the stages of the selected run under it. */

import { landmarks, plateauAt, stepped } from "../derive/plateaus.ts";
import { upperBound } from "../derive/segments.ts";
import { spans, stageOf, stageStarts, type TimeName, timeAxis } from "../derive/times.ts";
import { decades } from "../draw/axes.ts";
import type { ShownScene } from "../draw/scene.ts";
import { style } from "../draw/style.ts";
import { count, number, powerLabel } from "../format.ts";
import { button, choice, sign } from "./buttons.ts";
import { element, write } from "./emitter.ts";
import type { Player } from "./player.ts";

const SPEEDS = [0.25, 0.5, 1, 2, 4];
const DECADES_PER_SECOND = 0.5;
const BAR = { top: 7, height: 12 };
export class Timeline {
  speed = 1;
  private readonly player: Player;
  private axis: { zero: number; range: [number, number] } = { zero: 0.3, range: [0, 1] };
  private clock = 0;
  private at = 0;
  private readonly play_ = button("play", "Play (space)", sign("play"), () => this.toggle());
  private readonly live = button("live", "Follow the run live (End)", "Live", () => this.player.follow(true));
  private readonly track = element("div", "pl-track");
  private readonly strip = element("canvas", "pl-stages");
  private readonly thumb = element("div", "pl-thumb");
  private readonly epoch = element("span");
  private readonly plateau = element("span");
  private readonly stage = element("span");
  private readonly pace: HTMLSelectElement;
  private readonly time: HTMLSelectElement;

  constructor(player: Player, root: HTMLElement) {
    this.player = player;
    const back = button("back", "Previous stage (shift ←)", sign("back"), () => this.stepStage(-1));
    const next = button("next", "Next stage (shift →)", sign("next"), () => this.stepStage(1));
    const marks = [
      button("plateau", "Previous plateau (j)", sign("plateauBack"), () => this.stepTo("plateau", -1)),
      button("plateau", "Next plateau (k)", sign("plateauNext"), () => this.stepTo("plateau", 1)),
      button("fall", "Previous fall of the loss (u)", sign("fallBack"), () => this.stepTo("fall", -1)),
      button("fall", "Next fall of the loss (i)", sign("fallNext"), () => this.stepTo("fall", 1)),
    ];
    this.pace = choice(
      "Speed",
      SPEEDS.map((value) => [String(value), `${value}×`]),
      (value) => {
        this.speed = Number(value);
      },
    );
    this.pace.value = "1";
    this.time = choice(
      "Horizontal axis",
      [
        ["epoch", "epochs"],
        ["seconds", "seconds"],
        ["solves", "solves"],
      ],
      (value) => player.setAxis(value as TimeName),
    );
    this.track.tabIndex = 0;
    for (const [name, value] of [
      ["role", "slider"],
      ["aria-label", "Epoch"],
      ["aria-orientation", "horizontal"],
      ["aria-valuemin", "0"],
    ])
      this.track.setAttribute(name, value);
    this.track.append(this.strip, this.thumb);
    const controls = element("div", "pl-controls");
    controls.append(back, this.play_, next, ...marks, this.pace, this.time, this.live);
    const read = element("output", "pl-read");
    read.append(this.epoch, this.plateau, " · ", this.stage);
    root.replaceChildren(controls, this.track, read);
    this.watchPointer();
    new ResizeObserver(() => player.redraw("all")).observe(this.track);
    player.on("painted", ({ scene, whole }) => this.show(scene, whole));
    document.addEventListener("keydown", (event) => this.onKey(event));
  }

  /** Position on the track, from 0 to 1, of an epoch; and back. */
  private shareOf(epoch: number): number {
    const [from, to] = this.axis.range;
    const share = (Math.log10(Math.max(epoch, this.axis.zero)) - from) / (to - from);
    return Math.min(1, Math.max(0, share));
  }

  private epochAt(share: number): number {
    const [from, to] = this.axis.range;
    return share <= 0.004 ? 0 : share >= 0.998 ? Infinity : 10 ** (from + share * (to - from));
  }

  private watchPointer(): void {
    const { track, player } = this;
    const go = (event: PointerEvent): void => {
      const box = track.getBoundingClientRect();
      player.seek(this.epochAt((event.clientX - box.left) / box.width));
    };
    track.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      track.setPointerCapture(event.pointerId);
      track.classList.add("pl-dragging");
      go(event);
      track.focus({ preventScroll: true });
    });
    track.addEventListener("pointermove", (event) => track.hasPointerCapture(event.pointerId) && go(event));
    for (const end of ["pointerup", "pointercancel"]) track.addEventListener(end, () => track.classList.remove("pl-dragging"));
  }

  /** Stages as alternating bands, decades as labels: drawn when frames come, not when scrubbing. */
  private paintStrip(scene: ShownScene): void {
    const { strip, track } = this;
    const [width, height] = [track.clientWidth, track.clientHeight];
    const ratio = window.devicePixelRatio || 1;
    Object.assign(strip, { width: width * ratio, height: height * ratio });
    const pen = strip.getContext("2d")!;
    pen.scale(ratio, ratio);
    pen.fillStyle = style.inks.line;
    pen.fillRect(0, BAR.top, width, BAR.height);
    pen.fillStyle = style.look(scene.selected).colour;
    spans(scene.selected, { x: "epoch", zero: this.axis.zero, window: null }).forEach((span, i) => {
      const from = this.shareOf(span.from) * width;
      pen.globalAlpha = i % 2 ? 0.3 : 0.55;
      pen.fillRect(from, BAR.top, this.shareOf(span.to) * width - from, BAR.height);
    });
    pen.globalAlpha = 1;
    const look = getComputedStyle(track);
    pen.font = `${Math.max(11, Math.round(0.78 * parseFloat(look.fontSize)))}px ${look.fontFamily}`;
    this.paintPlateaus(pen, scene, width);
    pen.fillStyle = style.inks.muted;
    pen.textBaseline = "top";
    pen.textAlign = "left";
    const under = BAR.top + BAR.height;
    pen.fillText("0", 0, under + 4);
    for (const power of decades(...this.axis.range, Math.max(2, Math.floor(width / 54)))) {
      const x = this.shareOf(10 ** power) * width;
      if (x < 14) continue;
      pen.fillRect(x, under, 0.5, 3);
      pen.textAlign = x > width - 16 ? "right" : "center";
      pen.fillText(powerLabel(power), Math.min(x, width), under + 4);
    }
  }

  /** A bar over each plateau, with its number in the strip where there is room. */
  private paintPlateaus(pen: CanvasRenderingContext2D, scene: ShownScene, width: number): void {
    pen.textBaseline = "middle";
    pen.textAlign = "center";
    for (const { begin, end, number: name } of scene.selected.plateaus) {
      const [from, to] = [this.shareOf(begin) * width, this.shareOf(end) * width];
      pen.fillStyle = style.inks.ink;
      pen.fillRect(from, BAR.top - 4, Math.max(2, to - from), 2);
      if (to - from < 12) continue;
      pen.lineWidth = 3;
      pen.strokeStyle = style.inks.panel;
      pen.strokeText(String(name), (from + to) / 2, BAR.top + BAR.height / 2 + 1);
      pen.fillText(String(name), (from + to) / 2, BAR.top + BAR.height / 2 + 1);
    }
  }

  private show(scene: ShownScene, whole: boolean): void {
    const { player, track } = this;
    if (whole) {
      this.axis = timeAxis(scene.runs, "epoch");
      this.paintStrip(scene);
    }
    const frame = scene.frame(scene.selected);
    const [stage, stages] = stageOf(scene.selected, frame);
    const now = count(player.epoch);
    this.thumb.style.left = `${100 * this.shareOf(player.epoch)}%`;
    const last = scene.selected.value("epoch", scene.selected.last);
    const over = !scene.selected.running && last < player.epoch;
    write(this.epoch, `epoch ${now}${over ? ` · ${style.look(scene.selected).title} ended at ${count(last)}` : ""}`);
    const plateau = plateauAt(scene.selected, frame);
    write(this.plateau, plateau ? ` · plateau ${plateau.number}/${scene.selected.plateaus.length}` : "");
    write(this.stage, `stage ${stage}/${stages}`);
    const label = player.playing ? "Pause (space)" : "Play (space)";
    if (this.play_.title !== label) {
      this.play_.replaceChildren(sign(player.playing ? "pause" : "play"));
      this.play_.title = label;
      this.play_.setAttribute("aria-label", label);
    }
    if (this.time.value !== player.view.x) this.time.value = player.view.x;
    this.live.hidden = !scene.runs.some((run) => run.running);
    this.live.setAttribute("aria-pressed", String(player.following));
    track.setAttribute("aria-valuemax", String(player.lastEpoch()));
    track.setAttribute("aria-valuenow", String(player.epoch));
    const loss = number(scene.selected.value("loss", frame));
    track.setAttribute("aria-valuetext", `epoch ${now}, stage ${stage} of ${stages}, loss ${loss}`);
  }

  /** One frame of the selected run on or back; where it has none left, of any other run. */
  step(by: 1 | -1): void {
    const { player } = this;
    const { epoch } = player;
    const nextOf = (run: Player["runs"][number]): number | null => {
      const here = run.frameAt(epoch);
      const next = by > 0 ? here + 1 : run.value("epoch", here) < epoch ? here : here - 1;
      return next >= 0 && next <= run.last ? run.value("epoch", next) : null;
    };
    const loaded = player.runs.filter((run) => run.count);
    const own = player.selected?.count ? nextOf(player.selected) : null;
    const others = loaded.map(nextOf).filter((next) => next !== null);
    if (own !== null) player.seek(own);
    else if (others.length) player.seek(by > 0 ? Math.min(...others) : Math.max(...others));
  }

  stepStage(by: 1 | -1): void {
    const { player } = this;
    const run = player.selected;
    if (!run?.count) return;
    const starts = stageStarts(run);
    const at = upperBound(starts, run.frameAt(player.epoch)) - 1;
    const atStart = run.value("epoch", starts[at]) === player.epoch;
    const next = by > 0 ? at + 1 : atStart ? at - 1 : at;
    player.seek(next >= starts.length ? Infinity : run.value("epoch", starts[Math.max(0, next)]));
  }

  /** Where the next plateau begins, or the loss starts to fall next; or the one before. */
  stepTo(what: "plateau" | "fall", by: 1 | -1): void {
    const { player } = this;
    const run = player.selected;
    const mark = run && stepped(landmarks(run, what), player.epoch, by);
    if (mark !== undefined && mark !== null) player.seek(mark);
  }

  /** Before the first frame there is nothing to play, and the moment that the link names still counts. */
  play(): void {
    const { player } = this;
    if (player.playing || !player.selected?.count) return;
    if (player.epoch >= player.lastEpoch()) player.seek(0, "play");
    player.playing = true;
    this.clock = performance.now();
    this.at = this.shareOf(player.epoch);
    requestAnimationFrame((clock) => this.move(clock));
    player.redraw("moment");
  }

  private move(clock: number): void {
    const { player } = this;
    if (!player.playing) return;
    const [from, to] = this.axis.range;
    this.at += (this.speed * DECADES_PER_SECOND * Math.max(0, clock - this.clock)) / 1000 / (to - from);
    this.clock = clock;
    player.seek(this.at >= 1 ? Infinity : this.epochAt(this.at), "play");
    if (this.at >= 1) player.rest();
    else requestAnimationFrame((next) => this.move(next));
  }

  toggle(): void {
    if (this.player.playing) this.player.rest();
    else this.play();
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    this.pace.value = String(speed);
  }

  private onKey(event: KeyboardEvent): void {
    if (!this.player.selected || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const focus = document.activeElement;
    if (focus?.closest('input, select, textarea, [contenteditable], [role="menu"], [role="tablist"], [role="dialog"], dialog')) return;
    const act = {
      ArrowLeft: () => (event.shiftKey ? this.stepStage(-1) : this.step(-1)),
      ArrowRight: () => (event.shiftKey ? this.stepStage(1) : this.step(1)),
      Home: () => this.player.seek(0),
      End: () => this.player.seek(Infinity),
      " ": () => this.toggle(),
    }[event.key];
    if (!act || (event.key === " " && focus?.matches("button, a, summary"))) return;
    event.preventDefault();
    act();
  }
}
