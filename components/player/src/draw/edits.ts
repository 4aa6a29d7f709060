/** Hands on: while paused, a bias can be dragged along the baseline of a panel that allows it.
 *  The network is redrawn with the moved bias; the page offers to start a run from there. */

import { stateAt } from "../derive/moments.ts";
import { gaps, loss } from "../derive/segments.ts";
import type { View } from "../derive/view.ts";
import type { Run } from "../store/run.ts";
import { upperBound } from "../store/search.ts";
import type { Host } from "./host.ts";
import { nearestNeuron } from "./hover.ts";
import { scalesOf } from "./overlay.ts";
import { type Holder, isShown } from "./scene.ts";

const REACH = 16;
const MEANT = 3;

/** The shown network with one bias moved: a pinned neuron is free again once it is moved. */
export function editedState(run: Run, frame: number, view: View, neuron: number, bias: number): View["edit"] {
  const old = stateAt(run, frame, view);
  const { x, y, w, base } = run.data!;
  const [b, c, pin] = [Float64Array.from(old.b), Float64Array.from(old.c), Int32Array.from(old.pin)];
  b[neuron] = bias;
  pin[neuron] = -1;
  const gap = gaps(x, b);
  pin.forEach((datum, j) => {
    if (datum >= 0) gap[j] = datum + 1;
  });
  return { id: run.id, b, c, gap, pin, loss: loss(x, y, b, c, w, base), neuron };
}

/** Beyond the next datum on one side: the middle of the gap there, or a little beyond the last datum. */
export function pushedBias(x: ArrayLike<number>, bias: number, pin: number, right: boolean): number | null {
  const last = x.length - 1;
  const gap = upperBound(x, bias);
  const datum = pin >= 0 ? pin : right ? gap : gap - 1;
  if (datum < 0 || datum > last) return null;
  const step = (x[last] - x[0]) / Math.max(1, last);
  const beyond = right ? (datum < last ? x[datum + 1] : x[last] + step) : datum > 0 ? x[datum - 1] : x[0] - step;
  return (x[datum] + beyond) / 2;
}

/** The strip along the baseline in which biases can be taken by the hand. */
export function attachDrag(host: Host, holder: Holder): void {
  const strip = document.createElement("div");
  strip.className = "pl-strip";
  host.element.append(strip);
  const { signal } = host.ended;
  let dragged: { neuron: number; x: number; moved: boolean } | null = null;

  const under = (event: PointerEvent): { neuron: number; bias: number } | null => {
    const scene = holder.scene();
    const scale = scalesOf(host);
    if (!scale || !isShown(scene)) return null;
    const pixel = event.clientX - host.element.getBoundingClientRect().left;
    const { b } = stateAt(scene.selected, scene.frame(scene.selected), scene.view);
    return { neuron: nearestNeuron(Array.from(b, scale.x), pixel, REACH, scene.mark.neuron), bias: scale.toX(pixel) };
  };

  const take = (event: PointerEvent): void => {
    const found = under(event);
    if (!found || found.neuron < 0 || event.button) return;
    dragged = { neuron: found.neuron, x: event.clientX, moved: false };
    strip.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent): void => {
    const found = under(event);
    strip.classList.toggle("pl-grab", Boolean(dragged) || Boolean(found && found.neuron >= 0));
    if (!dragged || !found) return;
    if (Math.abs(event.clientX - dragged.x) > MEANT) dragged.moved = true;
    if (dragged.moved) holder.edit(dragged.neuron, found.bias);
  };
  const drop = (): void => {
    dragged = null;
  };
  strip.addEventListener("pointerdown", take, { signal });
  strip.addEventListener("pointermove", move, { signal });
  for (const name of ["pointerup", "pointercancel"]) strip.addEventListener(name, drop, { signal });
}
