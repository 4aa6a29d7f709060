/** Puts the parts of a player into their places; a page may have all of them or some. */

import type { Player } from "./player.ts";
import { PanelRows } from "./rows.ts";
import { MethodTabs, StoryLine } from "./story.ts";
import { RunTables } from "./tables.ts";
import { Timeline } from "./timeline.ts";
import { attachTerms } from "./words.ts";

type Places = { tabs: HTMLElement; timeline: HTMLElement; story: HTMLElement; tables: HTMLElement | null };

/** Something that a player can do besides playing: it listens to the player until the signal is aborted, and the player
 *  does not know of it. */
export type Plugin = (player: Player, places: Places, signal: AbortSignal) => void;

/** They listen until the signal is aborted. */
export function mountParts(player: Player, places: Places, signal: AbortSignal, plugins: readonly Plugin[]): Timeline {
  new MethodTabs(player, places.tabs, signal);
  for (const plugin of plugins) plugin(player, places, signal);
  new StoryLine(player, places.story, signal);
  const tables = places.tables && new RunTables(player, places.tables, signal);
  new PanelRows(player, (scene) => tables?.show(scene), signal);
  attachTerms(player, signal);
  return new Timeline(player, places.timeline, signal);
}
