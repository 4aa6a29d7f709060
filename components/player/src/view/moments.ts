/** The moment as a panel that Python draws is told it: once it rests, while the panel is on screen. */

import type { Player } from "./player.ts";

/** Milliseconds of rest before a moment is told, and before it is told again. */
const REST = 250;
const AGAIN = 2000;
/** Milliseconds between two moments of a run that is followed while it goes on: each is a request. */
const FOLLOWING = 3000;
/** Milliseconds after which an answer is lost. */
const LOST = 40_000;

export type Moment = {
  run: string;
  head: number | null;
  frame: number;
  epoch: number;
  neuron: number;
  theme: string;
  size: "screen" | "present";
  asked: number;
};

/** Tell what is shown, until the signal is aborted; `again` after a while also what was told before, `heard` when the
 *  answer is there. */
export function tellMoments(player: Player, element: HTMLElement, tell: (moment: Moment) => void, signal: AbortSignal) {
  let timer = 0;
  let lost = 0;
  let told = "";
  let toldAt = -Infinity;
  let asked = 0;
  const look = (rest = REST): void => {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      timer = 0;
      const run = player.selected;
      if (!run?.count || player.playing || !element.checkVisibility()) return;
      const { dataset } = document.documentElement;
      const moment = {
        run: run.id,
        head: run.isCut ? run.recorded : null,
        frame: run.askable(player.frameOf(run)),
        epoch: player.epoch,
        neuron: player.neuron === null ? 0 : player.neuron + 1,
        theme: dataset.theme ?? "light",
        size: "present" in dataset ? ("present" as const) : ("screen" as const),
      };
      if (JSON.stringify(moment) === told) return;
      told = JSON.stringify(moment);
      toldAt = performance.now();
      asked += 1;
      clearTimeout(lost);
      lost = window.setTimeout(again, LOST);
      tell({ ...moment, asked });
    }, rest);
  };
  const moved = (): void => {
    if (!player.following || !player.selected?.running) look();
    else if (!timer) look(Math.max(REST, toldAt + FOLLOWING - performance.now()));
  };
  const again = (): void => {
    told = "";
    look(AGAIN);
  };
  const sizes = new ResizeObserver(() => look());
  const themes = new MutationObserver(() => look());
  sizes.observe(element);
  themes.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme", "data-present"] });
  player.on("moment", moved, signal);
  for (const event of ["neuron", "selected"] as const) player.on(event, () => look(), signal);
  signal.addEventListener("abort", () => {
    sizes.disconnect();
    themes.disconnect();
    clearTimeout(timer);
    clearTimeout(lost);
  });
  return { again, heard: () => clearTimeout(lost) };
}
