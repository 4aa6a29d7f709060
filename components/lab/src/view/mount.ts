/** Puts the parts of a player into their places; a page may have all of them or some. */

import { Forecaster } from "./forecast.ts";
import type { Player } from "./player.ts";
import { PanelRows } from "./rows.ts";
import { StageTable } from "./stages.ts";
import { MethodTabs, StoryLine } from "./story.ts";
import { RunTables } from "./tables.ts";
import { Timeline } from "./timeline.ts";
import { attachTerms } from "./words.ts";

export type Places = { tabs: HTMLElement; timeline: HTMLElement; story: HTMLElement; stages: HTMLElement | null };

export function mountParts(player: Player, places: Places): Timeline {
  new MethodTabs(player, places.tabs);
  const forecaster = new Forecaster(player);
  new StoryLine(player, places.story, forecaster.line);
  const table = places.stages && new StageTable(player, places.stages);
  const plateaus = document.getElementById("plateau-table");
  if (plateaus) new RunTables(player, plateaus, document.getElementById("forecast-table"));
  new PanelRows(player, (scene) => table?.show(scene));
  attachTerms(player);
  return new Timeline(player, places.timeline);
}
