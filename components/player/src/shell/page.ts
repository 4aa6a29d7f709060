/** What the parts of the page share: the player, the specification, and how they find each other's elements. */

import type { RaceEntry } from "../store/run.ts";
import { Emitter } from "../view/emitter.ts";
import type { Player } from "../view/player.ts";
import type { Timeline } from "../view/timeline.ts";
import type { Edit } from "./pending.ts";

export type Specification = {
  /** The id of the player. */
  player: string;
  panels: { name: string; title: string }[];
  /** The keys of a view, and what each says where it is left out. */
  view: Record<string, string>;
  former_view: Record<string, string>;
  /** The settings as they are named where all are the defaults. */
  default_query: string;
  first_visit: string;
  /** Paths with places for the run and the race, and what they are. */
  exports: [string, string][];
  /** Where others reach the server, if it is not where this browser does. */
  origin: string;
  /** What to cite. */
  cite: string;
  limits: { upload_bytes: number };
  /** Of each slider its ends, whether it is logarithmic, and whether it goes by whole numbers. */
  sliders: Record<string, [low: number, high: number, isLogarithmic: boolean, isWhole: boolean]>;
  /** Of each setting that is one number its bounds, and of each that is a choice what can be chosen. */
  plain: Record<string, { low: number; high: number; whole: boolean; choices?: undefined } | { choices: string[] }>;
};

/** "open": a link was opened or gone back to; "change": a control was changed; "draft": somebody is typing;
 *  the rest are buttons; "further": show what the server has after the link's budget. */
export type Cause = "open" | "change" | "draft" | "run" | "continue" | "further" | "stop";

/** Properties of a component. */
type Placed = [place: string | object, said: Record<string, unknown>];
type FieldError = { field: string; error: string };
/** `wanting`: not all that was asked for is there. */
type Wanted = RaceEntry & { exists: boolean; complete: boolean; state: string; wanting: boolean };
export type Answer = {
  /** The number that went with the question. */
  version: number;
  cause: Cause;
  /** The link as it was asked for, and in the codec's spelling where it can be read. */
  config: string;
  canonical?: string;
  errors: FieldError[];
  /** All errors as one text. */
  refusal: string;
  runs?: Wanted[];
  seconds?: number;
  /** So cheap that it is not worth a word. */
  instant?: boolean;
  /** Runs were started; some were refused, and may be asked for again after so many seconds. */
  started?: boolean;
  refused?: string;
  wait?: number;
  /** What the controls show from now on. */
  shown: Placed[];
};

type ViewChange = { cause: "view" | "history"; changed: string[] };

/** The player of the page, once it is there. */
export let player: Player;

export function attach(playing: { player: Player; timeline: Timeline }): void {
  player = playing.player;
  page.timeline = playing.timeline;
}

export const page = {
  spec: null as unknown as Specification,
  timeline: null as Timeline | null,
  /** The presenter whom this browser follows: predictions are counted there, and answered when the presenter does. */
  followed: "",
  /** "view": how it is looked at has changed; "config": the settings are to be resolved; "ask": the server is to do
   *  something about them; "theme": light or dark; "lesson": its text has come. */
  events: new Emitter<{ view: ViewChange; config: null; ask: [cause: Cause, edits: Edit[]]; theme: string; lesson: null }>(),
};

/** An element that the layout is known to have. */
export const one = <Kind extends HTMLElement = HTMLElement>(selector: string, root: ParentNode = document): Kind =>
  root.querySelector<Kind>(selector)!;
export const all = <Kind extends HTMLElement = HTMLElement>(selector: string, root: ParentNode = document): Kind[] => [
  ...root.querySelectorAll<Kind>(selector),
];

export const on = (selector: string, name: string, act: (event: Event) => void): void => one(selector).addEventListener(name, act);

const TYPING = "input:not([type=checkbox]):not([type=radio]), select, textarea, [contenteditable], dialog[open]";

/** A key that is meant for the page: no modifier, nobody typing, no dialog open. */
export const isForPage = (event: KeyboardEvent): boolean =>
  !event.ctrlKey && !event.metaKey && !event.altKey && !(event.target as Element).closest?.(TYPING);

type Memory = { get: (name: string) => string | null; set: (name: string, value: string) => void };

const remembering = (kept: () => Storage): Memory => ({
  get(name) {
    try {
      return kept().getItem(name);
    } catch {
      return null; // private windows may refuse
    }
  },
  set(name, value) {
    try {
      kept().setItem(name, value);
    } catch {
      /* it is then forgotten with the page */
    }
  },
});
/** What this browser keeps, and what this tab does. */
export const memory = remembering(() => localStorage);
export const ofTab = remembering(() => sessionStorage);

/** The keys of the panels, in their order. */
export const PANEL_KEYS = "1234567890-";

/** Keys that are single characters can be switched off, for those who speak to their computer. */
export const lettersAreOn = (): boolean => memory.get("plateau-letters") !== "off";
