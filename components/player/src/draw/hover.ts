/** What is under the pointer: a neuron, a datum, a moment. It is highlighted in every panel at once. */

import { quantity } from "../derive/census.ts";
import { stateAt } from "../derive/moments.ts";
import { datumNamed, datumText, placeText, xName, yName } from "../derive/places.ts";
import { evaluate, levels, statusOf } from "../derive/segments.ts";
import { counts, times } from "../derive/times.ts";
import { count, number } from "../format.ts";
import type { NetworkState, Run } from "../store/run.ts";
import { nearest, upperBound } from "../store/search.ts";
import type { HoverRule } from "../store/template.ts";
import type { Host } from "./host.ts";
import { type Scales, scalesOf } from "./overlay.ts";
import { type Found, type Holder, isShown, type Line, type ShownScene } from "./scene.ts";

const NEAR = 14;
const GAP = 4;
/** Pixels that a hand or a finger may shake in a click. */
const STILL = { mouse: 4, touch: 10 };
const DOUBLE = 350;
type Point = { x: number; y: number };
type Finder = (scene: ShownScene, scale: Scales, at: Point, rule: HoverRule) => Found | null;

/** The frame of a run under a pixel of a time axis. */
const frameUnder = (run: Run, scale: Scales, pixel: number, scene: ShownScene): number =>
  Math.max(0, upperBound(times(run, scene.view), scale.toX(pixel)) - 1);

/** The neuron whose sign is nearest to the pointer, if one is near. */
export function nearestNeuron(places: ArrayLike<number>, pixel: number, reach: number, preferred: number | null = null): number {
  let neuron = -1;
  let best = reach;
  for (let j = 0; j < places.length; j++) {
    const distance = Math.abs(places[j] - pixel);
    if (distance < best || (distance === best && j === preferred)) [best, neuron] = [distance, j];
  }
  return neuron;
}

const curves: Finder = (scene, scale, at, { column: name = "loss" }) => {
  const frame = frameUnder(scene.selected, scale, at.x, scene);
  const lines = scene.runs
    .filter((run) => counts(run, scene.view))
    .map((run) => {
      const { title, colour, dash } = scene.view.style.look(run);
      return { text: `${title}  ${number(quantity(run, name, frameUnder(run, scale, at.x, scene)))}`, colour, dash };
    });
  const epoch = scene.selected.value("epoch", frame);
  const floor = scene.selected.value("floor", frame);
  const more = name === "loss" && Number.isFinite(floor) ? [`floor of the stage  ${number(floor)}`] : [];
  return { epoch, time: scale.toX(at.x), lines: [`epoch ${count(epoch)}`, ...lines, ...more] };
};

function neuronLines(run: Run, state: NetworkState, neuron: number): string[] {
  const { b, c, gap, pin } = state;
  const told = {
    live: "free",
    left: "left of all data",
    dead: "dead",
    hopping: run.data ? `hops over ${datumNamed(run, -2 - pin[neuron])}` : "hops",
    pinned: run.data ? `pinned at ${datumNamed(run, pin[neuron])}` : "pinned",
  }[statusOf(gap[neuron], pin[neuron], run.data?.x.length ?? Infinity)];
  return [`neuron ${neuron + 1}, ${told}`, `b = ${placeText(run.data, b[neuron])},  c = ${number(c[neuron])}`];
}

const neurons: Finder = (scene, scale, at, { column }) => {
  const run = scene.selected;
  const frame = frameUnder(run, scale, at.x, scene);
  const epoch = run.value("epoch", frame);
  const found: Found = { epoch, time: scale.toX(at.x), lines: [`epoch ${count(epoch)}`] };
  const neuron = nearestNeuron(Array.from(run.row(column as "b" | "c", frame), scale.y), at.y, NEAR);
  if (neuron >= 0) {
    found.neuron = neuron;
    const [b, c, gap, pin] = [run.row("b", frame), run.row("c", frame), run.row("gap", frame), run.row("pin", frame)];
    found.lines.unshift(...neuronLines(run, { b, c, gap, pin, loss: run.value("loss", frame) }, neuron));
  } else if (column === "b" && run.data) {
    const datum = nearest(run.data.x, scale.toY(at.y));
    if (Math.abs(scale.y(run.data.x[datum]) - at.y) < 5) {
      found.datum = datum;
      found.lines.unshift(`data point ${datumNamed(run, datum)}`);
    }
  }
  return found;
};

const place: Finder = (scene, scale, at) => {
  const run = scene.selected;
  const state = stateAt(run, scene.frame(run), scene.view);
  if (at.y > scale.box.top + 0.86 * scale.box.height) {
    const neuron = nearestNeuron(Array.from(state.b, scale.x), at.x, NEAR);
    if (neuron >= 0) return { neuron, lines: neuronLines(run, state, neuron) };
  }
  if (!run.data) return null;
  const datum = nearest(run.data.x, scale.toX(at.x));
  const [x, y] = [run.data.x[datum], run.data.y[datum]];
  if (Math.abs(scale.x(x) - at.x) > NEAR) return null;
  const height = evaluate(state.b, state.c, x, run.data.base);
  return { datum, lines: [datumNamed(run, datum), `${yName(run.data)} = ${number(y, 4)}`, `f(x) = ${number(height, 4)}`] };
};

const level: Finder = (scene, scale, at) => {
  const run = scene.selected;
  const { data } = run;
  const frame = frameUnder(run, scale, at.x, scene);
  const l = Math.round(scale.toY(at.y));
  if (l < 0 || l > run.width || !data) return null;
  const { from, to } = levels(run.row("gap", frame), data.x.length)[l];
  const epoch = run.value("epoch", frame);
  const where = to > from ? `, ${xName(data)} from ${datumText(data, from)} to ${datumText(data, to - 1)}` : "";
  const lines = [`l = ${l}: ${to - from} ${to - from === 1 ? "point" : "points"}${where}`, `epoch ${count(epoch)}`];
  return { epoch, time: scale.toX(at.x), lines };
};

export const finders: Record<HoverRule["kind"], Finder> = { curves, neurons, place, levels: level };

function findUnder(host: Host, holder: Holder, event: PointerEvent): { at: Point; found: Found } | null {
  const scene = holder.scene();
  const rule = host.panel?.figure.layout.meta.hover;
  const scale = scalesOf(host);
  if (!rule || !scale || !isShown(scene)) return null;
  const bounds = host.element.getBoundingClientRect();
  const at = { x: event.clientX - bounds.left, y: event.clientY - bounds.top };
  if (!scale.holdsX(at.x) || !scale.holdsY(at.y)) return null;
  const found = finders[rule.kind](scene, scale, at, rule);
  return found && { at, found };
}

function lineElement(line: Line): HTMLElement {
  const element = Object.assign(document.createElement("div"), { textContent: typeof line === "string" ? line : line.text });
  if (typeof line === "string") return element;
  const sign = Object.assign(document.createElement("i"), { className: "pl-tip-sign" });
  sign.style.borderTopColor = line.colour;
  sign.style.borderTopStyle = line.dash === "solid" ? "solid" : "dashed";
  element.prepend(sign);
  return element;
}

type Rectangle = { left: number; top: number };

/** Of the corners of the plot the one where the tooltip hides the least of the curves, and not the pointer. */
function freestCorner(host: Host, scale: Scales, at: Point, width: number, height: number): Rectangle | null {
  const { box } = scale;
  const [left, right] = [box.left + GAP, box.left + box.width - width - GAP];
  const [top, bottom] = [box.top + GAP, box.top + box.height - height - GAP];
  if (right < left || bottom < top) return null;
  const corners = [
    { left: right, top },
    { left, top: bottom },
    { left, top },
    { left: right, top: bottom },
  ];
  const holds = (corner: Rectangle, x: number, y: number, by: number) =>
    x > corner.left - by && x < corner.left + width + by && y > corner.top - by && y < corner.top + height + by;
  const free = corners.filter((corner) => !holds(corner, at.x, at.y, NEAR));
  const hidden = free.map(() => 0);
  for (const trace of host.plot?.data ?? [])
    if (trace.meta?.dot && trace.x && trace.y)
      for (let i = 0; i < trace.x.length; i++) {
        const [x, y] = [scale.x(trace.x[i]), scale.y(trace.y[i])];
        free.forEach((corner, k) => {
          if (holds(corner, x, y, 0)) hidden[k] += 1;
        });
      }
  return free.length ? free[hidden.indexOf(Math.min(...hidden))] : null;
}

function showTip(host: Host, at: Point, lines: Line[]): void {
  const { tip } = host.layer!;
  tip.replaceChildren(...lines.map(lineElement));
  tip.hidden = false;
  const scale = scalesOf(host);
  const curves = host.panel?.figure.layout.meta.hover?.kind === "curves";
  const corner = curves && scale ? freestCorner(host, scale, at, tip.offsetWidth, tip.offsetHeight) : null;
  if (corner) {
    tip.style.left = `${corner.left}px`;
    tip.style.top = `${corner.top}px`;
    return;
  }
  const right = at.x > host.element.clientWidth / 2;
  const room = host.element.clientHeight - tip.offsetHeight - 4;
  tip.style.left = `${right ? at.x - tip.offsetWidth - 14 : at.x + 14}px`;
  tip.style.top = `${Math.max(2, Math.min(room, at.y - tip.offsetHeight / 2))}px`;
}

function moved(host: Host, holder: Holder, event: PointerEvent): void {
  const result = event.buttons ? null : findUnder(host, holder, event);
  if (!result) return left(host, holder);
  showTip(host, result.at, result.found.lines);
  holder.hovered(host, result.found);
}

function left(host: Host, holder: Holder): void {
  host.layer!.tip.hidden = true;
  holder.hovered(host, null);
}

/** Watch the pointer over a panel: what it is over, a click, a double click. A finger is over what it has tapped,
 *  until it taps elsewhere. */
export function attachHover(host: Host, holder: Holder): void {
  const { element } = host;
  const { signal } = host.ended;
  let down: Point | null = null;
  let queued: PointerEvent | null = null;
  let clickedAt = -1000;
  const move = (event: PointerEvent): void => {
    if (event.pointerType === "touch") return;
    if (!queued)
      requestAnimationFrame(() => {
        const latest = queued!;
        queued = null;
        moved(host, holder, latest);
      });
    queued = event;
  };
  element.addEventListener("pointermove", move, { signal });
  element.addEventListener("pointerleave", (event) => event.pointerType === "touch" || left(host, holder), { signal });
  const taken = (event: PointerEvent): boolean => Boolean((event.target as Element).closest(".pl-empty, a, button"));
  // Plotly covers the page while a button is down, so the release is seen by the window only
  element.addEventListener(
    "pointerdown",
    (event) => {
      down = taken(event) ? null : { x: event.clientX, y: event.clientY };
    },
    { capture: true, signal },
  );
  window.addEventListener(
    "pointerdown",
    (event) => {
      if (event.pointerType === "touch" && !element.contains(event.target as Node)) left(host, holder);
    },
    { capture: true, signal },
  );
  window.addEventListener(
    "pointerup",
    (event) => {
      const touched = event.pointerType === "touch";
      const still = down && Math.hypot(event.clientX - down.x, event.clientY - down.y) < STILL[touched ? "touch" : "mouse"];
      down = null;
      if (!still || event.button) return;
      // when the hand did it: a busy page hears of it later
      const again = event.timeStamp - clickedAt < DOUBLE;
      clickedAt = event.timeStamp;
      const result = again ? null : findUnder(host, holder, event);
      if (again) holder.unzoom(host);
      else if (result) holder.clicked(result.found);
      if (!touched) return;
      if (!result) return left(host, holder);
      showTip(host, result.at, result.found.lines);
      holder.hovered(host, result.found);
    },
    { capture: true, signal },
  );
}
