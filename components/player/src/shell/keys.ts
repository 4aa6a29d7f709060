/** Light and dark, and the keys. */

import { show } from "./dash.ts";
import { closeSmall, openDialog, setSettings, setStages, settingsAreOpen, toggleStages } from "./float.ts";
import { startRuns } from "./form.ts";
import { dropNeuron } from "./hands.ts";
import { link, setView } from "./link.ts";
import { isForPage, lettersAreOn, memory, on, one, PANEL_KEYS, page } from "./page.ts";
import { enlarge, panelMeant, revealPanel } from "./panels.ts";
import { copyLink, isAlone, openShare } from "./share.ts";

const system = matchMedia("(prefers-color-scheme: dark)");

export function applyTheme(): void {
  const theme = link.view.theme || memory.get("plateau-theme") || (system.matches ? "dark" : "light");
  const { dataset } = document.documentElement;
  if (dataset.theme !== theme) dataset.theme = theme;
  const title = theme === "dark" ? "Light colours" : "Dark colours";
  show("theme-button", { title, "aria-label": title });
  page.events.emit("theme", theme);
}

function toggleTheme(): void {
  const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  memory.set("plateau-theme", theme);
  if (link.view.theme || memory.get("plateau-theme") !== theme) setView({ theme });
  applyTheme();
}

/** Who presents learns that no phone can follow before the projector shows it. */
function togglePresent(): void {
  if (!link.view.present && isAlone() && !("alone" in document.documentElement.dataset)) openDialog("#present-dialog");
  else setView({ present: !link.view.present });
}

function presentAlone(): void {
  document.documentElement.dataset.alone = "";
  one<HTMLDialogElement>("#present-dialog").close();
  togglePresent();
}

/** Esc closes the topmost thing; a dialog closes itself. */
function closeTopmost(): boolean {
  if (closeSmall(true)) return true;
  if (settingsAreOpen()) setSettings(false);
  else if (link.view.stages) setStages(false);
  else if (dropNeuron()) return true;
  else if (link.view.enlarged) setView({ enlarged: null });
  else if (link.view.present) setView({ present: null });
  else return false;
  return true;
}

const KEYS: Record<string, () => void> = {
  "?": () => openDialog("#keys-dialog"),
  f: () => enlarge(panelMeant()),
  s: toggleStages,
  r: () => {
    if (!one<HTMLButtonElement>("#run").disabled) startRuns();
  },
  c: copyLink,
  q: openShare,
  p: togglePresent,
  t: toggleTheme,
  j: () => page.timeline?.stepTo("plateau", -1),
  k: () => page.timeline?.stepTo("plateau", 1),
  u: () => page.timeline?.stepTo("fall", -1),
  i: () => page.timeline?.stepTo("fall", 1),
};

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented) return;
  if (event.key === "Escape") {
    if (!one("dialog[open]") && closeTopmost()) event.preventDefault();
    return;
  }
  if (!isForPage(event) || one("dialog[open]") || !lettersAreOn()) return;
  if (PANEL_KEYS.includes(event.key)) return revealPanel(PANEL_KEYS.indexOf(event.key));
  const act = KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

/** The keys of a single character were switched on or off. */
export const switchLetters = (on: string[]): void => memory.set("plateau-letters", on.length ? "on" : "off");

export function startKeys(): void {
  on("#copy-link", "click", copyLink);
  on("#share-button", "click", openShare);
  on("#present-button", "click", togglePresent);
  on("#present-anyway", "click", presentAlone);
  on("#theme-button", "click", toggleTheme);
  show("letters", { value: lettersAreOn() ? ["on"] : [] });
  system.addEventListener("change", applyTheme);
  page.events.on("view", ({ changed }) => changed.includes("theme") && applyTheme());
  document.addEventListener("keydown", onKey);
}
