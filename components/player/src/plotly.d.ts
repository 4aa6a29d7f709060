/** The part of plotly.js that the Lab uses; the script itself stands beside the bundle (assets/vendor). */

interface PlotAxis {
  _offset: number;
  _length: number;
  range: [number, number];
  d2p(value: number): number;
  p2d(pixel: number): number;
}

interface PlotFullLayout {
  xaxis?: PlotAxis;
  yaxis?: PlotAxis;
  width: number;
  height: number;
  font: { family: string };
}

interface PlotElement extends HTMLElement {
  data?: import("./store/template.ts").Trace[];
  layout?: import("./store/template.ts").Layout;
  _fullData?: { x?: ArrayLike<number>; y?: ArrayLike<number> }[];
  _fullLayout?: PlotFullLayout;
  on?(name: string, listener: (change: Record<string, number>) => void): void;
}

declare const Plotly: {
  react(element: HTMLElement, data: unknown[], layout: unknown, config?: unknown): Promise<unknown>;
  purge(element: HTMLElement): void;
  relayout(element: HTMLElement, change: Record<string, number>): Promise<unknown>;
  toImage(figure: { data: unknown[]; layout: unknown }, options: Record<string, unknown>): Promise<string>;
};
