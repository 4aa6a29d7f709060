/** Sharing a moment: link, QR code, text, Python, and the code for another page. */

import { openDialog, toast } from "./float.ts";
import { defaultOf, methodsOf, targetOf } from "./form.ts";
import { configQuery, flush, fullQuery, link, setView, type Texts } from "./link.ts";
import { on, one, page, player } from "./page.ts";
import { panelOrder } from "./panels.ts";
import { audiencePath, momentNow } from "./present.ts";

const HEIGHTS: Record<number, number> = { 1: 360, 2: 480 };
const HIDDEN = { present: "", follow: "", stages: "", lesson: "", step: "", highlight: "", controls: "" };

/** The clipboard needs https or this machine; on a plain http link in a lecture hall the old way still works. */
export async function copyText(text: string, said: string): Promise<void> {
  flush();
  try {
    if (!navigator.clipboard || !isSecureContext) throw new Error("no clipboard");
    await navigator.clipboard.writeText(text);
  } catch {
    const area = Object.assign(document.createElement("textarea"), { value: text, className: "visually-hidden" });
    (one("dialog[open]") ?? document.body).append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    if (!done) {
      openShare();
      one<HTMLTextAreaElement>("#share-link").select();
      return toast("Copy the marked text.");
    }
  }
  toast(said);
}

/** A presenter's link is for the audience; anybody else's is for the moment, whoever they may be following. */
const sharedPath = (): string =>
  link.view.present ? audiencePath() : `${location.pathname}?${fullQuery(link.config, { ...link.view, follow: "" })}`;

/** The moment on screen belongs in the link even while the address bar still waits. */
function sharedLink(): string {
  const at = momentNow();
  if (at) setView({ at });
  flush();
  return location.origin + sharedPath();
}

export const copyLink = (): Promise<void> => copyText(sharedLink(), "Link copied");

function textOf(address: string): string {
  const { config } = link;
  const methods = methodsOf(config).map((name) => page.spec.methods[name].title);
  const what = config.data ? "own data" : (targetOf(config)?.title ?? config.target);
  const sentence = one("#explanation p")?.textContent?.trim() ?? "";
  return `${methods.join(" and ")} on ${what}, width ${config.width ?? defaultOf("width", config)}. ${sentence}\n${address}`;
}

function pythonOf(): string {
  const queries = player.runs.length ? player.runs.map((run) => run.query) : [configQuery()];
  return [
    "from core import RunConfig, train",
    "",
    "for query in (",
    ...queries.map((query) => `    ${JSON.stringify(query)},`),
    "):",
    "    for frame in train(RunConfig.from_query(query)):",
    "        print(frame.epoch, frame.loss)",
  ].join("\n");
}

const addressOf = (view: Texts): string => `${location.origin}${location.pathname}?${fullQuery(link.config, view)}`;
const escaped = (text: string): string => text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");

/** The code for an iframe with the panels on screen, or a single one of them. */
export function embedCode(panel = link.view.enlarged || ""): string {
  const view: Texts = { ...link.view, ...HIDDEN, at: momentNow() || link.view.at, embed: "1", enlarged: "", tab: "" };
  if (panel) view.panels = panel;
  const height = HEIGHTS[panel ? 1 : panelOrder().length] ?? 640;
  return `<iframe src="${escaped(addressOf(view))}" title="Plateau Lab" width="100%" height="${height}" style="border:0" loading="lazy"></iframe>`;
}

export function openShare(): void {
  const address = sharedLink();
  const texts = { link: address, text: textOf(address), embed: embedCode(), python: pythonOf() };
  for (const [name, text] of Object.entries(texts)) one<HTMLTextAreaElement>(`#share-${name}`).value = text;
  const src = `/qr.svg?path=${encodeURIComponent(sharedPath())}`;
  const image = Object.assign(document.createElement("img"), { src, alt: "QR code of the link" });
  image.addEventListener("error", () => {
    one("#qr-code").textContent = "The link is too long for a QR code.";
  });
  one("#qr-code").replaceChildren(image);
  if (!one<HTMLDialogElement>("#share-dialog").open) openDialog("#share-dialog");
}

/** In an iframe: the way to the same moment in the whole Lab. */
function updateWayBack(): void {
  const { lesson = "", step = "" } = link.view;
  const view = { ...link.view, ...HIDDEN, at: momentNow() || link.view.at, embed: "", lesson, step };
  one<HTMLAnchorElement>("#embed-open").href = addressOf(view);
}

export function startShare(): void {
  const said = { link: "Link copied", text: "Text copied", embed: "Embed code copied", python: "Python copied" };
  for (const [name, text] of Object.entries(said))
    on(`#share-copy-${name}`, "click", () => copyText(one<HTMLTextAreaElement>(`#share-${name}`).value, text));
  for (const cause of ["pointerdown", "focus", "click"]) on("#embed-open", cause, updateWayBack);
  player.on("race", updateWayBack);
  updateWayBack();
}
