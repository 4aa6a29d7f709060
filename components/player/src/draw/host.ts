/** The place of one panel: Plotly's own element inside, canvas and overlay above it. */

import type { PanelSpec, Trace } from "./template.ts";

const LEAST = 60;

/** What can be drawn over a plot (draw/overlay.ts). */
export type Sign = "stage" | "curtain" | "datum" | "hover" | "cursor" | "halo" | "neuron" | "ring" | "lit";
export type Layer = { svg: SVGElement; tip: HTMLElement; dots: SVGElement[]; signs: Record<Sign, SVGElement> };

export class Host {
  readonly name: string;
  readonly element: HTMLElement;
  plot: PlotElement | null = null;
  panel: PanelSpec | null = null;
  size = { width: 0, height: 0 };
  visible = false;
  /** What the figure below and the traces above were last drawn from. */
  drawn: unknown[] | null = null;
  moved: unknown[] | null = null;
  live: Trace[] = [];
  revision = 0;
  bare = false;
  unheard = false;
  /** A graph component has given its plot the configuration already. */
  configured = false;
  ready: Promise<unknown> | null = null;
  layer: Layer | null = null;
  board: HTMLCanvasElement | null = null;
  /** Ends what listens on behalf of the panel. */
  readonly ended = new AbortController();
  private readonly empty = document.createElement("p");

  constructor(name: string, element: HTMLElement) {
    this.name = name;
    this.element = element;
    this.empty.className = "pl-empty";
    this.empty.hidden = true;
    element.classList.add("pl-loading");
    element.append(this.empty);
  }

  /** Draw into this element from now on: a graph component's own, or one made here. */
  adopt(plot: PlotElement): void {
    this.plot = plot;
    this.drawn = null;
    this.configured = true;
  }

  /** Where there is no graph component, an element of its own. */
  furnish(): void {
    const plot = document.createElement("div");
    plot.className = "pl-canvas";
    this.element.prepend(plot);
    this.adopt(plot);
    this.configured = false;
    this.unheard = true;
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
