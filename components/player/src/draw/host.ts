/** The place of one panel: Plotly's own element inside, canvas and overlay above it. */

import type { PanelSpec, Trace } from "../store/template.ts";

const LEAST = 60;

/** What can be drawn over a plot (draw/overlay.ts). */
export type Sign = "stage" | "curtain" | "datum" | "hover" | "cursor" | "halo" | "neuron" | "ring" | "lit" | "note" | "place" | "name";
export type Layer = { svg: SVGElement; tip: HTMLElement; dots: SVGElement[]; signs: Record<Sign, SVGElement> };

/** What belongs to a panel: whether Python draws it, and the ids of its title, its summary and its table. */
export type Parts = { isServed?: boolean; title?: string; summary?: string; table?: string };

export class Host {
  readonly name: string;
  readonly element: HTMLElement;
  readonly parts: Parts;
  plot: PlotElement | null = null;
  panel: PanelSpec | null = null;
  /** A figure that cannot be drawn: it is not tried again. */
  broken: PanelSpec | null = null;
  size = { width: 0, height: 0 };
  visible = false;
  /** What the figure below and the traces above were last drawn from. */
  drawn: unknown[] | null = null;
  moved: unknown[] | null = null;
  live: Trace[] = [];
  revision = 0;
  bare = false;
  unheard = false;
  ready: Promise<unknown> | null = null;
  layer: Layer | null = null;
  board: HTMLCanvasElement | null = null;
  /** Ends what listens on behalf of the panel. */
  readonly ended = new AbortController();
  private readonly empty = document.createElement("p");

  constructor(name: string, element: HTMLElement, parts: Parts = {}) {
    this.name = name;
    this.element = element;
    this.parts = parts;
    if (parts.isServed) return;
    this.empty.className = "pl-empty";
    this.empty.hidden = true;
    element.classList.add("pl-loading");
    element.append(this.empty);
  }

  /** An element to draw into. */
  furnish(): void {
    this.plot = document.createElement("div");
    this.plot.className = "pl-canvas";
    this.element.prepend(this.plot);
    this.unheard = true;
  }

  /** The panel leaves the page, or is drawn anew under another name. */
  end(): void {
    this.ended.abort();
    if (this.parts.isServed) return;
    if (this.plot) Plotly.purge(this.plot);
    this.element.replaceChildren();
  }

  /** The plot of a panel that Python draws, if it has one. */
  get servedPlot(): PlotElement | null {
    return this.element.querySelector<PlotElement>(".js-plotly-plot");
  }

  /** A panel without a size is hidden: it is not drawn until it has one. To be asked when the browser has laid out
   *  the page; between two changes of it every question costs a layout. */
  measure(): void {
    this.size = { width: this.element.clientWidth, height: this.element.clientHeight };
    this.visible = this.size.width > LEAST && this.size.height > LEAST;
  }

  sayEmpty(text: string): void {
    this.bare = Boolean(text);
    this.empty.textContent = text;
    this.empty.hidden = !text;
    this.element.classList.toggle("pl-bare", this.bare);
  }
}
