/** Puts the parts of a player into their places; a page may have all of them or some. */

import type { Player } from "./player.ts";
import { PanelRows } from "./rows.ts";
import { StageTable } from "./stages.ts";
import { MethodTabs, StoryLine } from "./story.ts";
import { Timeline } from "./timeline.ts";

export type Places = { tabs: HTMLElement; timeline: HTMLElement; story: HTMLElement; stages: HTMLElement | null };

export function mountParts(player: Player, places: Places): Timeline {
  new MethodTabs(player, places.tabs);
  new StoryLine(player, places.story);
  const table = places.stages && new StageTable(player, places.stages);
  new PanelRows(player, (scene) => table?.show(scene));
  return new Timeline(player, places.timeline);
}
