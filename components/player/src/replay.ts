/** The start of a replay: a file from disk opens its own race at its own moment. */

import type { Parts } from "./draw/host.ts";
import { drag } from "./plugins/drag.ts";
import { forecast } from "./plugins/forecast.ts";
import { Replay } from "./store/source.ts";
import { mountParts } from "./view/mount.ts";
import { Player } from "./view/player.ts";

/** Title, summary and table of a panel, as the attributes of its place name them. */
function partsOf(place: HTMLElement): Parts {
  const named = (name: string): string | undefined => place.getAttribute(name) ?? undefined;
  return { title: named("aria-labelledby"), summary: named("aria-describedby"), table: named("aria-details") };
}

export function startReplay(): void {
  const opening = document.getElementById("replay-opening");
  if (!opening) return;
  const { race, moment } = JSON.parse(opening.textContent ?? "");
  const root = document.documentElement;
  root.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const player = new Player(new Replay(JSON.parse(document.getElementById("replay-data")!.textContent ?? "")));
  const by = (id: string): HTMLElement => document.getElementById(id)!;
  by("theme-button").addEventListener("click", () => {
    root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
  });
  mountParts(
    player,
    { tabs: by("method-tabs"), timeline: by("timeline"), story: by("explanation"), tables: by("run-tables") },
    new AbortController().signal,
    [forecast, drag],
  );
  for (const place of document.querySelectorAll<HTMLElement>(".plot[data-panel]"))
    player.board.register(place.dataset.panel!, place, partsOf(place)).furnish();
  player.open(race, { at: moment });
}
