/** Which player a panel belongs to: the one that it stands in. */

import React from "../react.ts";
import type { Player } from "../view/player.ts";
import type { Timeline } from "../view/timeline.ts";

/** A page without Dash has no React, and no components. */
export const PlayerContext = React?.createContext<Player | null>(null);

/** The element of a Player; scripts of the page reach it by `plateau_lab.getPlayer(id)`, as with dash-ag-grid's getApi. */
type PlayerElement = HTMLElement & { player?: Playing };
type Playing = { player: Player; timeline: Timeline };

export const offer = (element: HTMLElement, playing: Playing): void => {
  (element as PlayerElement).player = playing;
};

/** The player in an element of this id, once it is on the page. */
export const getPlayer = (id: string): Playing | undefined => (document.getElementById(id) as PlayerElement | null)?.player;
