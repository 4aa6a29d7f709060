/** Present mode: a few panels, keys only, and in the corner what Python knows of the audience (components/pages/lab/callbacks/presentation.py). */

import { momentText } from "../format.ts";
import { show } from "./dash.ts";
import { toast } from "./float.ts";
import { fullQuery, link, setView, type Texts } from "./link.ts";
import { isForPage, lettersAreOn, PANEL_KEYS, page, player } from "./page.ts";
import { panelsShown } from "./panel_order.ts";

let on = false;
let before: string | null = null;

/** The moment on screen as the link spells it; nothing while the newest frames are followed. */
export const momentNow = (): string => (!player.following && Number.isFinite(player.epoch) ? momentText(player.epoch) : "");

/** The link for the audience: the same moment, without the present mode. */
export function audiencePath(): string {
  const theirs: Texts = { ...link.view, at: momentNow(), present: "", theme: "", panels: before ?? link.view.panels };
  return `${location.pathname}?${fullQuery(link.config, theirs)}`;
}

function apply(): void {
  const now = Boolean(link.view.present);
  if (now === on) return;
  on = now;
  show("presentation-beat", { disabled: !on });
  show("panels", { tabIndex: on ? 0 : -1 }); // without its buttons it is scrolled by keys itself
  if (on) {
    before = link.view.panels || "";
    (document.activeElement as HTMLElement | null)?.blur?.();
    toast("Present mode. p or Esc leaves it, ? lists the keys.");
  } else {
    setView({ panels: before || null });
    before = null;
  }
}

/** A number puts a panel in the last place; the number of a panel on screen makes it the only one, and back. */
function choosePanel(index: number): void {
  const name = page.spec.panels[index]?.name;
  if (!name) return;
  const shown = panelsShown();
  if (link.view.enlarged || shown.includes(name)) setView({ enlarged: link.view.enlarged === name ? null : name });
  else setView({ panels: [...shown.slice(0, -1), name].join() });
}

function nextMethod(): void {
  const names = player.runs.map((run) => run.name);
  player.select(names[(names.indexOf(player.selected?.name ?? "") + 1) % names.length]);
}

/** Before the other listeners: in present mode some keys mean something else. */
function onKey(event: KeyboardEvent): void {
  if (!on || !isForPage(event)) return;
  if (PANEL_KEYS.includes(event.key) && lettersAreOn()) choosePanel(PANEL_KEYS.indexOf(event.key));
  else if (event.key === "m" && lettersAreOn() && player.runs.length) nextMethod();
  else if (["PageDown", "PageUp"].includes(event.key) && !link.view.lesson) page.timeline?.stepStage(event.key === "PageDown" ? 1 : -1);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

export function startPresent(): void {
  document.addEventListener("keydown", onKey, true);
  page.events.on("view", apply);
  apply();
}
