/** Hands on: while paused, a bias can be dragged along the baseline of a panel that allows it.
 *  The network is redrawn with the moved bias; the page offers to start a run from there. */

import { stateAt } from "../derive/moments.ts";
import type { Host } from "../draw/host.ts";
import { nearestNeuron } from "../draw/hover.ts";
import { scalesOf } from "../draw/overlay.ts";
import { type Holder, isShown } from "../draw/scene.ts";
import type { Plugin } from "../view/mount.ts";

const REACH = 16;
const MEANT = 3;

/** The strip along the baseline in which biases can be taken by the hand. */
function attachDrag(host: Host, holder: Holder): void {
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

export const drag: Plugin = (player, _places, signal) => {
  const look = (): void => {
    for (const host of player.board.hosts.values())
      if (host.panel?.figure.layout.meta.drag && !host.element.querySelector(".pl-strip")) attachDrag(host, player);
  };
  player.on("painted", look, signal);
};
