/** All panels of the page: where they stand, and when which of them is drawn. */

import { paintLive } from "../draw/canvas.ts";
import { checkPanel, PanelError } from "../draw/check.ts";
import { drawPanel } from "../draw/figure.ts";
import { Host, type Parts } from "../draw/host.ts";
import { attachHover } from "../draw/hover.ts";
import { attachOverlay, refreshOverlay } from "../draw/overlay.ts";
import { attachPinch } from "../draw/pinch.ts";
import { type Holder, isShown, type ShownScene } from "../draw/scene.ts";
import type { Style } from "../store/style.ts";
import type { PanelSpec } from "../store/template.ts";

import { guarded } from "./emitter.ts";

export type Drawing = "marks" | "moment" | "all";
const RANK: Record<Drawing, number> = { marks: 0, moment: 1, all: 2 };
const REST = 3;

export class Board {
  readonly hosts = new Map<string, Host>();
  private readonly holder: Holder;
  private readonly style: Style;
  private readonly prepare: () => void;
  private readonly painted: (scene: ShownScene, whole: boolean) => void;
  private readonly rested: () => void;
  private pending: Drawing | null = null;
  private restUntil = 0;
  private resting = 0;
  private drawing = false;
  private waiting = false;
  private readonly sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) for (const host of this.hosts.values()) if (host.element === target) host.measure();
    this.redraw("all");
  });

  /** `prepare` is called before everything is drawn, `painted` after more than the marks was, `rested` once
   *  everything is drawn and nothing waits to be drawn again. */
  constructor(holder: Holder, style: Style, prepare: () => void, painted: (scene: ShownScene, whole: boolean) => void, rested: () => void) {
    this.holder = holder;
    this.style = style;
    this.prepare = prepare;
    this.painted = painted;
    this.rested = rested;
  }

  /** A panel is here from now on: drawn by the player, or by Python. */
  register(name: string, place: HTMLElement, parts: Parts = {}): Host {
    const host = new Host(name, place, parts);
    this.hosts.set(name, host);
    if (parts.isServed) return host;
    attachOverlay(host);
    attachHover(host, this.holder);
    attachPinch(host, this.holder);
    host.measure();
    this.sizes.observe(place);
    this.redraw("all");
    return host;
  }

  private get drawnHosts(): Host[] {
    return [...this.hosts.values()].filter((host) => !host.parts.isServed);
  }

  /** The panel has left the page. */
  release(host: Host): void {
    this.sizes.unobserve(host.element);
    host.end();
    if (this.hosts.get(host.name) === host) this.hosts.delete(host.name);
  }

  end(): void {
    clearTimeout(this.resting);
    this.sizes.disconnect();
    for (const host of this.hosts.values()) host.ended.abort();
    this.hosts.clear();
  }

  private listen(host: Host, plot: PlotElement): void {
    const redrawn = () => {
      paintLive(host);
      refreshOverlay(host, this.holder.scene());
    };
    plot.on?.("plotly_relayout", (change) => {
      const isTime = host.panel?.figure.layout.meta.x === "time";
      if ("xaxis.range[0]" in change && isTime) this.holder.zoomed([10 ** change["xaxis.range[0]"], 10 ** change["xaxis.range[1]"]]);
      redrawn();
    });
    plot.on?.("plotly_relayouting", redrawn);
  }

  private panelOf(host: Host): PanelSpec | null {
    return this.style.panel(host.name) ?? host.panel;
  }

  /** A panel that cannot be drawn says so, and the others are drawn. */
  private drawGuarded(host: Host, scene: ShownScene): void {
    const panel = this.panelOf(host);
    if (host.broken && host.broken === panel) return;
    try {
      if (panel && panel !== host.panel) checkPanel(panel);
      this.draw(host, scene);
    } catch (error) {
      reportError(error);
      host.drawn = [];
      host.element.classList.remove("pl-loading");
      const isAsked = error instanceof PanelError;
      if (isAsked) host.broken = panel;
      host.sayEmpty(`This panel could not be drawn. ${isAsked ? error.message : "Reload the page to try again."}`);
    }
  }

  private draw(host: Host, scene: ShownScene): void {
    const panel = this.panelOf(host);
    if (!panel) return;
    drawPanel(host, panel, scene);
    // an element made here knows events once Plotly has drawn into it
    if (host.unheard && host.plot?.on) {
      host.unheard = false;
      this.listen(host, host.plot);
    }
  }

  /** Draw in the next animation frame: "all" the panels, the "moment" or only the "marks" over them. */
  redraw(what: Drawing): void {
    if (this.pending === null) requestAnimationFrame(() => this.paint());
    if (this.pending === null || RANK[what] > RANK[this.pending]) this.pending = what;
  }

  private paint(): void {
    const what = this.pending;
    this.pending = null;
    if (!this.style.spec) return;
    const started = performance.now();
    if (what === "all") this.prepare();
    const scene = this.holder.scene();
    // the pictures of the last run stay until the first frame of the next, and say so
    for (const host of this.drawnHosts) host.element.classList.toggle("pl-old", !isShown(scene) && host.drawn !== null);
    if (isShown(scene) && what !== "marks")
      for (const host of this.drawnHosts) if (what === "all" || this.panelOf(host)?.kind === "moment") this.drawGuarded(host, scene);
    for (const host of this.drawnHosts) guarded(() => refreshOverlay(host, scene));
    if (what === "all") this.restAfter(started);
    if (what === "marks" || !isShown(scene)) return;
    this.painted(scene, what === "all");
    if (what === "moment") this.tellRest();
  }

  private tellRest(): void {
    if (!this.drawing && !this.resting && this.pending !== "all") this.rested();
  }

  /** A panel on screen has no plot yet, or waits for an answer. */
  get isWaiting(): boolean {
    return this.drawnHosts.some((host) => host.visible && !host.drawn);
  }

  /** New frames redraw the histories, but never take more than a quarter of the browser's time. */
  redrawSoon(): void {
    this.waiting = this.drawing;
    if (this.drawing) return;
    clearTimeout(this.resting);
    this.resting = window.setTimeout(
      () => {
        this.resting = 0;
        this.redraw("all");
      },
      Math.max(0, this.restUntil - performance.now()),
    );
  }

  /** Plotly goes on drawing after it has returned: rest for longer than all of it took. */
  private async restAfter(started: number): Promise<void> {
    this.drawing = true;
    await Promise.allSettled(this.drawnHosts.map((host) => host.ready));
    this.drawing = false;
    this.restUntil = performance.now() + REST * (performance.now() - started);
    if (this.waiting) this.redrawSoon();
    else this.tellRest();
  }
}
