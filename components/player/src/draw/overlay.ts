/** A light layer over each plot: the cursor, dots on the curves, what is highlighted, a tooltip.
 *  Scrubbing moves these few elements and leaves the heavy figure below alone. */

import { quantity } from "../derive/census.ts";
import { namedAt } from "../derive/forecast.ts";
import { BASELINE, COUNTS, stateAt } from "../derive/moments.ts";
import { phaseAt } from "../derive/plateaus.ts";
import { counts, SMALLEST, shown, stageStarts, times } from "../derive/times.ts";
import type { Run } from "../store/run.ts";
import { upperBound } from "../store/search.ts";
import type { Host, Layer, Sign } from "./host.ts";
import { isShown, type Mark, type Scene, type ShownScene } from "./scene.ts";

/** Pixels above a moment that its note needs. */
const NOTE_ROOM = 44;
/** Pixels of the line of counts, above its middle. */
const COUNTS_ROOM = 11;
/** The width of one of its letters, at least as wide as any, as it is and on a projector. */
const NOTE_LETTER = 7;
const LARGE_NOTE_LETTER = 11;
const SVG = "http://www.w3.org/2000/svg";
const SIGNS = {
  stage: "rect",
  curtain: "rect",
  datum: "line",
  hover: "line",
  cursor: "line",
  halo: "path",
  neuron: "path",
  ring: "circle",
  lit: "path",
  note: "text",
  place: "circle",
  name: "text",
} as const satisfies Record<Sign, string>;

function make(parent: Element, tag: string, name: string): SVGElement {
  const element = document.createElementNS(SVG, tag);
  element.setAttribute("class", name);
  parent.append(element);
  return element;
}

function set(element: SVGElement, attributes: Record<string, string | number>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.style.display = "";
}

function hide(element: SVGElement): void {
  element.style.display = "none";
}

export function attachOverlay(host: Host): void {
  const svg = make(host.element, "svg", "pl-overlay");
  svg.setAttribute("aria-hidden", "true");
  const signs = Object.fromEntries(Object.entries(SIGNS).map(([name, tag]) => [name, make(svg, tag, `pl-${name}`)]));
  const tip = document.createElement("div");
  tip.className = "pl-tip";
  tip.hidden = true;
  host.element.append(tip);
  host.layer = { svg, tip, dots: [], signs: signs as Record<Sign, SVGElement> };
  clear(host.layer);
}

function clear(layer: Layer): void {
  Object.values(layer.signs).forEach(hide);
  layer.dots.forEach(hide);
  layer.svg.classList.remove("pl-upright");
}

/** Pixel scales of a drawn panel, and its plot area. */
export function scalesOf(host: Host) {
  const { xaxis, yaxis } = host.plot?._fullLayout ?? {};
  if (!xaxis || !yaxis || host.bare) return null;
  const box = { left: xaxis._offset, top: yaxis._offset, width: xaxis._length, height: yaxis._length };
  return {
    box,
    x: (value: number) => box.left + xaxis.d2p(value),
    y: (value: number) => box.top + yaxis.d2p(value),
    toX: (pixel: number) => xaxis.p2d(pixel - box.left),
    toY: (pixel: number) => yaxis.p2d(pixel - box.top),
    holdsX: (pixel: number) => pixel >= box.left - 0.5 && pixel <= box.left + box.width + 0.5,
    holdsY: (pixel: number) => pixel >= box.top - 0.5 && pixel <= box.top + box.height + 0.5,
  };
}

export type Scales = NonNullable<ReturnType<typeof scalesOf>>;

function vertical(element: SVGElement, scale: Scales, pixel: number): void {
  if (!scale.holdsX(pixel)) return hide(element);
  set(element, { x1: pixel, x2: pixel, y1: scale.box.top, y2: scale.box.top + scale.box.height });
}

function horizontal(element: SVGElement, scale: Scales, pixel: number): void {
  if (!scale.holdsY(pixel)) return hide(element);
  set(element, { y1: pixel, y2: pixel, x1: scale.box.left, x2: scale.box.left + scale.box.width });
}

/** Where a run stands on the time axis at the chosen moment. */
function timeOf(run: Run, scene: Scene): number {
  if (scene.view.x === "epoch") return scene.epoch > 0 ? scene.epoch : scene.view.zero;
  return times(run, scene.view)[scene.frame(run)];
}

function showMoment(host: Host, layer: Layer, scene: ShownScene, scale: Scales): void {
  const { selected, view } = scene;
  showDots(host, layer, scene, scale);
  if (!counts(selected, view)) return;
  const now = scale.x(timeOf(selected, scene));
  vertical(layer.signs.cursor, scale, now);
  showCurtain(layer, scale, now);
  const starts = stageStarts(selected);
  const index = upperBound(starts, scene.frame(selected)) - 1;
  const time = times(selected, view);
  const left = Math.max(scale.box.left, scale.x(time[starts[index]]));
  const end = index + 1 < starts.length ? time[starts[index + 1]] : time[selected.last];
  const right = Math.min(scale.box.left + scale.box.width, scale.x(end));
  if (right - left > 1) set(layer.signs.stage, { x: left, width: right - left, y: scale.box.top, height: scale.box.height });
}

/** Who is asked what comes next must not see it yet. */
function showCurtain(layer: Layer, scale: Scales, now: number): void {
  const from = Math.max(scale.box.left, now + 1);
  const width = scale.box.left + scale.box.width - from;
  if (document.documentElement.hasAttribute("data-curtain") && width > 0)
    set(layer.signs.curtain, { x: from, width: width + 2, y: scale.box.top - 4, height: scale.box.height + 4 });
}

function showDots(host: Host, layer: Layer, scene: ShownScene, scale: Scales): void {
  const traces = (host.plot?.data ?? []).filter((trace) => trace.meta?.dot);
  while (layer.dots.length < traces.length) layer.dots.push(make(layer.svg, "circle", "pl-dot"));
  traces.forEach((trace, i) => {
    const run = scene.runs.find((one) => one.id === trace.meta.run);
    if (!run || !counts(run, scene.view)) return;
    const frame = scene.frame(run);
    const x = scale.x(times(run, scene.view)[frame]);
    const y = scale.y(Math.max(SMALLEST, quantity(run, trace.meta.dot!, frame)));
    if (!Number.isFinite(y) || !scale.holdsX(x) || !scale.holdsY(y)) return;
    set(layer.dots[i], { cx: x, cy: y, r: run === scene.selected ? 4.5 : 3.5 });
    if (run === scene.selected && trace.meta.dot === "loss") showNote(layer, scene, scale, x, y);
    layer.dots[i].style.fill = scene.view.style.look(run).colour;
  });
}

const noteLetter = (): number => (document.documentElement.hasAttribute("data-present") ? LARGE_NOTE_LETTER : NOTE_LETTER);

/** On a plateau an arrow at the moment, and why the loss stands still, where there is room to the right: a loss falls,
 *  so that curves and their numbers leave this corner free. */
function showNote(layer: Layer, { selected, frame, view }: ShownScene, { box }: Scales, x: number, y: number): void {
  const why = phaseAt(selected, frame(selected))?.why;
  const text = why && view.style.spec!.standstills[why];
  if (!text) return;
  const fits = (note: string): boolean => x + noteLetter() * (note.length + 3) < box.left + box.width;
  const note = [`plateau: ${text}`, text].find(fits);
  if (!note) return;
  const below = y - box.top < NOTE_ROOM;
  set(layer.signs.note, { x: x + 6, y: below ? y + 26 : y - 30 });
  layer.signs.note.textContent = `${below ? "↖" : "↙"} ${note}`;
}

function showNeuron(layer: Layer, scene: ShownScene, scale: Scales, neuron: number, column: "b" | "c"): void {
  const { selected: run, view } = scene;
  const time = times(run, view);
  const values = run.column[column];
  const { left, top, width, height } = scale.box;
  let path = "";
  for (const frame of shown(run, view, 400)) {
    const x = Math.min(left + width, Math.max(left, scale.x(time[frame])));
    const y = Math.min(top + height, Math.max(top, scale.y(values[frame * run.width + neuron])));
    path += `${path ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`;
  }
  set(layer.signs.halo, { d: path });
  set(layer.signs.neuron, { d: path });
  layer.signs.neuron.style.stroke = scene.view.style.neuron(run, neuron);
}

function showPlace(host: Host, layer: Layer, scene: ShownScene, scale: Scales, { neuron, datum }: Mark): void {
  const run = scene.selected;
  if (neuron !== null) {
    const x = scale.x(stateAt(run, scene.frame(run), scene.view).b[neuron]);
    if (scale.holdsX(x)) {
      const { top, height } = scale.box;
      set(layer.signs.neuron, { d: `M${x} ${top}V${top + height * (1 - BASELINE)}` });
      layer.signs.neuron.style.stroke = scene.view.style.neuron(run, neuron);
      layer.svg.classList.add("pl-upright");
    }
  }
  if (datum !== null && run.data) showDatum(host, layer, run, scale, datum);
}

function showDatum(host: Host, layer: Layer, run: Run, scale: Scales, datum: number): void {
  const x = scale.x(run.data!.x[datum]);
  vertical(layer.signs.datum, scale, x);
  const y = scale.y(run.data!.y[datum]);
  const responds = host.panel?.figure.layout.meta.y === "response";
  if (responds && scale.holdsX(x) && scale.holdsY(y)) set(layer.signs.ring, { cx: x, cy: y, r: 7 });
}

/** Whom the words of the moment name, while nothing else is pointed at: a ring around it, and its number beside it. */
function showNamed(host: Host, layer: Layer, scene: ShownScene, scale: Scales): void {
  const { selected: run, view, epoch, frame } = scene;
  const { neuron, datum } = namedAt(run, frame(run), epoch, view);
  if (neuron === undefined || neuron >= run.width) return;
  const { kind, column } = host.panel!.figure.layout.meta.hover ?? {};
  const { left, top, width, height } = scale.box;
  const state = stateAt(run, frame(run), view);
  const isPlace = kind === "place";
  const x = scale.x(isPlace ? state.b[neuron] : timeOf(run, scene));
  const y = isPlace ? top + height * (1 - BASELINE) : scale.y(state[column as "b" | "c"][neuron]);
  if (scale.holdsX(x) && scale.holdsY(y)) {
    set(layer.signs.place, { cx: x, cy: y, r: 7 });
    layer.signs.place.style.stroke = view.style.neuron(run, neuron);
    const text = `neuron ${neuron + 1}`;
    const long = text.length * noteLetter() + 12;
    // numbers of neurons stand at the left edge, and counts of dead ones above the baseline at the right
    const before = isPlace ? x - long > left : x + long > left + width;
    if (isPlace || x - left > long) {
      set(layer.signs.name, {
        x: before ? x - 12 : x + 12,
        y: isPlace ? y + 4 : Math.max(y - 11, top + 12),
        "text-anchor": before ? "end" : "start",
      });
      layer.signs.name.textContent = text;
    }
  }
  if (datum === undefined || !run.data) return;
  if (isPlace) {
    showDatum(host, layer, run, scale, datum);
    layer.signs.datum.setAttribute("y2", String(top + height * (1 - COUNTS) - COUNTS_ROOM)); // they stay readable
  } else if (column === "b") horizontal(layer.signs.datum, scale, scale.y(run.data.x[datum]));
}

/** All marks of some tables, outlined: lines along their course, signs by a ring around each. */
function showLit(host: Host, layer: Layer, scale: Scales, tables: string[]): void {
  const { top, height } = scale.box;
  let path = "";
  for (const trace of [...(host.plot?.data ?? []), ...host.live]) {
    if (!trace.x || !trace.y || !tables.includes(trace.meta?.table)) continue;
    let pen = "M";
    for (let i = 0; i < trace.x.length; i++) {
      const x = scale.x(trace.x[i]);
      const y = trace.yaxis === "y2" ? top + (1 - trace.y[i]) * height : scale.y(trace.y[i]);
      const seen = scale.holdsX(x) && scale.holdsY(y);
      if (trace.mode?.includes("lines")) path += Number.isFinite(x + y) && seen ? `${pen}${x.toFixed(1)} ${y.toFixed(1)}` : "";
      else if (seen) path += `M${x - 5} ${y}a5 5 0 1 0 10 0a5 5 0 1 0 -10 0`;
      pen = seen ? "L" : "M";
    }
  }
  if (path) set(layer.signs.lit, { d: path });
}

/** Bring one panel's layer up to date. */
export function refreshOverlay(host: Host, scene: Scene): void {
  const { layer, panel } = host;
  if (!panel || !layer || !host.visible || !isShown(scene)) return;
  clear(layer);
  const scale = scalesOf(host);
  if (!scale) return;
  const { meta } = panel.figure.layout;
  const { mark, selected } = scene;
  if (meta.cursor) showMoment(host, layer, scene, scale);
  if (mark.tables.length) showLit(host, layer, scale, mark.tables);
  const { kind, column } = meta.hover ?? {};
  const neuron = mark.neuron !== null && mark.neuron < selected.width ? mark.neuron : null;
  const faded = neuron !== null && kind === "neurons";
  host.element.classList.toggle("pl-faded", faded);
  if (faded) showNeuron(layer, scene, scale, neuron, column as "b" | "c");
  if (kind === "neurons" && column === "b" && mark.datum !== null && selected.data)
    horizontal(layer.signs.datum, scale, scale.y(selected.data.x[mark.datum]));
  if (kind === "place" && selected.data) showPlace(host, layer, scene, scale, { ...mark, neuron });
  if (mark.neuron === null && mark.datum === null && (kind === "neurons" || meta.y === "response")) showNamed(host, layer, scene, scale);
  if (meta.cursor && mark.time !== null) vertical(layer.signs.hover, scale, scale.x(mark.time));
}
