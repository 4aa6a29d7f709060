/** Sharing a moment: what must be copied at once is copied here. */

import { copied } from "../view/clipboard.ts";
import { show } from "./dash.ts";
import { openDialog, toast } from "./float.ts";
import { flush, fullQuery, link, setView } from "./link.ts";
import { on, one, page, player } from "./page.ts";
import { panelOrder } from "./panel_order.ts";
import { audiencePath, momentNow } from "./present.ts";

const HIDDEN = { present: "", follow: "", stages: "", lesson: "", step: "", highlight: "", controls: "" };
let asked = 0;

async function copyText(text: string, said: string): Promise<void> {
  flush();
  if (await copied(text)) return toast(said);
  openShare();
  one<HTMLTextAreaElement>("#share-link").select();
  toast("Copy the marked text.");
}

/** A presenter's link is for the audience; anybody else's is for the moment, whoever they may be following. */
const sharedPath = (): string =>
  link.view.present ? audiencePath() : `${location.pathname}?${fullQuery(link.config, { ...link.view, follow: "" })}`;

const isLocal = (): boolean => /^(localhost|127\.|\[::1\])/.test(location.hostname);

/** No other device can open this page: the server listens to its own machine alone. */
export const isAlone = (): boolean => isLocal() && !page.spec.origin;

/** For others: a server that is opened on its own machine has another address in the network. */
const originFor = (): string => (isLocal() && page.spec.origin) || location.origin;

/** The moment on screen belongs in the link even while the address bar still waits. */
export function sharedAddress(): string {
  const at = momentNow();
  if (at) setView({ at });
  flush();
  return originFor() + sharedPath();
}

export const copyLink = (): Promise<void> => copyText(sharedAddress(), "Link copied");

/** Python makes the texts of a moment (components/pages/lab/callbacks/share.py). */
function askTexts(more: { panel?: string; copy?: boolean }): void {
  asked += 1;
  const address = sharedAddress();
  const at = momentNow() || link.view.at;
  const told = {
    address,
    path: sharedPath(),
    query: fullQuery(link.config, { ...link.view, at, panels: panelOrder().join() }),
    sentence: one("#explanation p")?.textContent?.trim() ?? "",
    runs: player.runs.map((run) => run.query),
    n: asked,
    ...more,
  };
  window.dash_clientside.set_props("sharing", { data: told });
}

/** The code for an iframe with one panel, to the clipboard. */
export const copyEmbed = (panel: string): void => askTexts({ panel, copy: true });

export function shared({ embed, copy }: { embed: string; copy: boolean | null }): boolean {
  if (copy) copyText(embed, "Embed code copied");
  return Boolean(copy);
}

export function openShare(): void {
  askTexts({});
  if (!one<HTMLDialogElement>("#share-dialog").open) openDialog("#share-dialog");
}

/** In an iframe: the way to the same moment in the whole Lab. */
function updateWayBack(): void {
  if (!link.view.embed) return;
  const { lesson = "", step = "" } = link.view;
  const view = { ...link.view, ...HIDDEN, at: momentNow() || link.view.at, embed: "", lesson, step };
  show("embed-open", { href: `${location.origin}${location.pathname}?${fullQuery(link.config, view)}` });
}

export function startShare(): void {
  const said = { link: "Link copied", text: "Text copied", embed: "Embed code copied", python: "Python copied", cite: "BibTeX copied" };
  for (const [name, text] of Object.entries(said))
    on(`#share-copy-${name}`, "click", () => copyText(one<HTMLTextAreaElement>(`#share-${name}`).value, text));
  for (const name of ["race", "moment"] as const) player.on(name, updateWayBack);
  page.events.on("view", updateWayBack);
  updateWayBack();
}
