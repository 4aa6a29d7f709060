/** The timeline: one log-epoch scrubber for all panels, with the stages of the selected run under it. */

import { landmarks, plateauAt, stepped } from "../derive/plateaus.ts";
import { spans, stageOf, stageStarts, timeAxis } from "../derive/times.ts";
import type { TimeName } from "../derive/view.ts";
import { decades } from "../draw/axes.ts";
import type { ShownScene } from "../draw/scene.ts";
import { count, number, powerLabel } from "../format.ts";
import { upperBound } from "../store/search.ts";
import { write } from "./emitter.ts";
import type { Player } from "./player.ts";

const DECADES_PER_SECOND = 0.5;
const BAR = { top: 7, height: 12 };

/** Whether a key moves what is in focus: a table that somebody reads. */
function scrolls(focus: Element | null, key: string): boolean {
  const place = focus?.closest('[tabindex="0"], .drawer-body');
  if (!place) return false;
  const sideways = key.startsWith("Arrow");
  const room = sideways ? place.scrollWidth - place.clientWidth : place.scrollHeight - place.clientHeight;
  return room > 1 && ["auto", "scroll"].includes(getComputedStyle(place)[sideways ? "overflowX" : "overflowY"]);
}

export class Timeline {
  speed = 1;
  private readonly player: Player;
  private axis: { zero: number; range: [number, number] } = { zero: 0.3, range: [0, 1] };
  private clock = 0;
  private at = 0;
  private readonly play_: HTMLElement;
  private readonly live: HTMLElement;
  private readonly extra: HTMLElement;
  private readonly root: HTMLElement;
  private readonly track: HTMLElement;
  private readonly strip: HTMLCanvasElement;
  private readonly read: HTMLElement[];
  private readonly pace: HTMLSelectElement;
  private readonly time: HTMLSelectElement;

  /** `root` has the parts that components/player/parts.py makes. */
  constructor(player: Player, root: HTMLElement, signal: AbortSignal) {
    this.player = player;
    this.root = root;
    const part = <Kind extends HTMLElement>(name: string): Kind => root.querySelector<Kind>(`.pl-${name}`)!;
    this.play_ = part("play");
    this.live = part("live");
    this.extra = part("extra");
    this.track = part("track");
    this.strip = part<HTMLCanvasElement>("stages");
    this.read = [...part("read").querySelectorAll("span")];
    this.pace = part<HTMLSelectElement>("pace");
    this.time = part<HTMLSelectElement>("time");
    this.setSpeed(1);
    this.pace.addEventListener("change", () => this.setSpeed(Number(this.pace.value)), { signal });
    this.time.addEventListener("change", () => player.setAxis(this.time.value as TimeName), { signal });
    const act = (event: Event): void => this.act((event.target as Element).closest<HTMLElement>("[data-act]")?.dataset ?? {});
    root.addEventListener("click", act, { signal });
    this.watchPointer(signal);
    const sizes = new ResizeObserver(() => player.redraw("all"));
    sizes.observe(this.track);
    signal.addEventListener("abort", () => sizes.disconnect());
    player.on("painted", ({ scene, whole }) => this.show(scene, whole), signal);
    document.addEventListener("keydown", (event) => this.onKey(event), { signal });
  }

  private act({ act, by }: DOMStringMap): void {
    const way = by === "1" ? 1 : -1;
    if (act === "extra") this.extra.setAttribute("aria-expanded", String(this.root.toggleAttribute("data-extra")));
    else if (act === "play") this.toggle();
    else if (act === "live") this.player.follow(true);
    else if (act === "stage") this.stepStage(way);
    else if (act === "plateau" || act === "fall") this.stepTo(act, way);
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

  private watchPointer(signal: AbortSignal): void {
    const { track, player } = this;
    const go = (event: PointerEvent): void => {
      const box = track.getBoundingClientRect();
      player.seek(this.epochAt((event.clientX - box.left) / box.width));
    };
    const take = (event: PointerEvent): void => {
      if (event.button) return;
      track.setPointerCapture(event.pointerId);
      track.classList.add("pl-dragging");
      go(event);
      track.focus({ preventScroll: true });
    };
    track.addEventListener("pointerdown", take, { signal });
    track.addEventListener("pointermove", (event) => track.hasPointerCapture(event.pointerId) && go(event), { signal });
    const drop = (): void => track.classList.remove("pl-dragging");
    for (const end of ["pointerup", "pointercancel"]) track.addEventListener(end, drop, { signal });
  }

  /** Stages as alternating bands, decades as labels: drawn when frames come, not when scrubbing. */
  private paintStrip(scene: ShownScene): void {
    const { strip, track } = this;
    const [width, height] = [track.clientWidth, track.clientHeight];
    const ratio = window.devicePixelRatio || 1;
    Object.assign(strip, { width: width * ratio, height: height * ratio });
    const pen = strip.getContext("2d")!;
    pen.scale(ratio, ratio);
    pen.fillStyle = this.player.style.inks.line;
    pen.fillRect(0, BAR.top, width, BAR.height);
    pen.fillStyle = this.player.style.look(scene.selected).colour;
    spans(scene.selected, { x: "epoch", zero: this.axis.zero, window: null }).forEach((span, i) => {
      const from = this.shareOf(span.from) * width;
      pen.globalAlpha = i % 2 ? 0.3 : 0.55;
      pen.fillRect(from, BAR.top, this.shareOf(span.to) * width - from, BAR.height);
    });
    pen.globalAlpha = 1;
    const look = getComputedStyle(track);
    pen.font = `${Math.round(0.86 * parseFloat(look.fontSize))}px ${look.fontFamily}`;
    this.paintPlateaus(pen, scene, width);
    pen.fillStyle = this.player.style.inks.muted;
    pen.textBaseline = "top";
    pen.textAlign = "left";
    const under = BAR.top + BAR.height;
    // the panels may count something else; the moments are epochs all the same
    const origin = scene.view.x === "epoch" ? "0" : "epoch 0";
    pen.fillText(origin, 0, under + 4);
    const room = pen.measureText(origin).width + 9;
    for (const power of decades(...this.axis.range, Math.max(2, Math.floor(width / 54)))) {
      const x = this.shareOf(10 ** power) * width;
      if (x < room) continue;
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
      pen.fillStyle = this.player.style.inks.ink;
      pen.fillRect(from, BAR.top - 4, Math.max(2, to - from), 2);
      if (to - from < 12) continue;
      const word = `plateau ${name}`;
      const text = to - from > 3 * pen.measureText(word).width ? word : String(name);
      pen.lineWidth = 3;
      pen.strokeStyle = this.player.style.inks.panel;
      pen.strokeText(text, from + (to - from) / 3, BAR.top + BAR.height / 2 + 1);
      pen.fillText(text, from + (to - from) / 3, BAR.top + BAR.height / 2 + 1);
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
    track.style.setProperty("--now", `${100 * this.shareOf(player.epoch)}%`);
    const last = scene.selected.value("epoch", scene.selected.last);
    const over = !scene.selected.running && last < player.epoch;
    write(this.read[0], `epoch ${now}${over ? ` · ${this.player.style.look(scene.selected).title} ended at ${count(last)}` : ""}`);
    const plateau = plateauAt(scene.selected, frame);
    write(this.read[1], plateau ? `plateau ${plateau.number}/${scene.selected.plateaus.length} · ` : "");
    write(this.read[2], `stage ${stage}/${stages}`);
    const label = player.playing ? "Pause (space)" : "Play (space)";
    if (this.play_.title !== label) {
      this.play_.querySelector(".icon")!.className = `icon icon-${player.playing ? "pause" : "play"}`;
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
    if (!act || (event.key === " " && focus?.matches("button, a, summary")) || scrolls(focus, event.key)) return;
    event.preventDefault();
    act();
  }
}
