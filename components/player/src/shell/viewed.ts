/** The view of the link and the player, kept equal. */

import type { TimeName } from "../derive/view.ts";
import { momentText } from "../format.ts";
import { link, setView, type Texts } from "./link.ts";
import { page, player } from "./page.ts";

/** The player as a view of the link describes it. */
export function applyToPlayer(view: Texts): void {
  player.setAxis((view.xaxis || "epoch") as TimeName);
  const name = view.focus || player.runs[0]?.name;
  if (name) player.select(name, true);
  const zoom = view.zoom?.split(",").map(Number);
  player.zoomed(zoom ? [zoom[0], zoom[1]] : null, true);
  player.choose(view.neuron ? Number(view.neuron) - 1 : null);
}

/** The player says what is seen; the link keeps it. While it plays or follows, the address bar rests. */
export function keepLink(): void {
  player.on("moment", ({ cause, epoch, following }) => {
    if (cause === "user" || cause === "pause") setView({ at: following ? null : epoch });
  });
  player.on("selected", (name) => setView({ focus: name === player.runs[0]?.name ? null : name }));
  player.on("neuron", (neuron) => setView({ neuron: neuron === null ? null : neuron + 1 }));
  player.on("xaxis", (xaxis) => setView({ xaxis, zoom: null }));
  player.on("window", (window) => setView({ zoom: window?.map(momentText).join() }));
  page.events.on("view", ({ cause }) => {
    if (cause !== "history") return;
    applyToPlayer(link.view);
    if (link.view.at) player.seek(Number(link.view.at));
  });
}
