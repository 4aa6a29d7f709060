/** What floats above the page: toast, bubble, menu, dialogs, drawers; and the way back from each by Esc. */

import { element } from "../view/emitter.ts";
import { onceShown, say, show } from "./dash.ts";
import { link, setView } from "./link.ts";
import { memory, on, one, page } from "./page.ts";

type MenuItem = { text: string; act: () => void } | null;

let toastTimer = 0;
let owner: HTMLElement | null = null;

/** Say something for a moment; what `stays` is there until the next is said. */
export function toast(text: string, stays = false): void {
  show("toast", { children: text, className: "toast shown" });
  clearTimeout(toastTimer);
  if (stays) return;
  toastTimer = window.setTimeout(() => {
    show("toast", { className: "toast" });
    toastTimer = window.setTimeout(() => say("toast", ""), 300);
  }, 3200);
}

/** The bubble and the menu are this file's own elements: they are measured and placed in the task that fills them, and Dash
 *  shows a property some 5 ms later (one call of set_props among the page's 979 components, of the main thread's time). */
function openAt(box: HTMLElement, anchor: HTMLElement): void {
  owner = anchor;
  anchor.setAttribute("aria-expanded", "true");
  box.hidden = false;
  const at = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = box;
  const below = at.bottom + 6 + height <= innerHeight - 8;
  box.style.left = `${Math.max(8, Math.min(at.left, innerWidth - width - 8))}px`;
  box.style.top = `${Math.max(8, below ? at.bottom + 6 : at.top - height - 6)}px`;
}

function showBubble(anchor: HTMLElement, text: string): void {
  const bubble = one("#bubble");
  const again = !bubble.hidden && owner === anchor;
  closeSmall();
  if (again) return;
  bubble.replaceChildren(text);
  openAt(bubble, anchor);
}

/** Items, null for a line; or a function that makes the rows itself. */
export function showMenu(anchor: HTMLElement, items: MenuItem[] | (() => HTMLElement[])): void {
  const menu = one("#menu");
  const again = !menu.hidden && owner === anchor;
  closeSmall();
  if (again) return;
  const own = typeof items === "function";
  menu.setAttribute("role", own ? "group" : "menu");
  menu.setAttribute("aria-label", anchor.getAttribute("aria-label") ?? anchor.textContent ?? "");
  menu.replaceChildren(...(own ? items() : items.map(menuRow)));
  openAt(menu, anchor);
  one("button, a, input", menu)?.focus();
}

function menuRow(item: MenuItem): HTMLElement {
  if (!item) return document.createElement("hr");
  const row = Object.assign(element("button", "", item.text), { type: "button" });
  row.setAttribute("role", "menuitem");
  row.addEventListener("click", () => {
    closeSmall();
    item.act();
  });
  return row;
}

export function closeSmall(refocus = false): boolean {
  const [bubble, menu] = [one("#bubble"), one("#menu")];
  const open = !bubble.hidden || !menu.hidden;
  bubble.hidden = menu.hidden = true;
  owner?.setAttribute("aria-expanded", "false");
  if (refocus) owner?.focus();
  owner = null;
  return open;
}

export const settingsAreOpen = (): boolean => document.documentElement.hasAttribute("data-settings");

export function setSettings(open: boolean, focus = true): void {
  document.documentElement.toggleAttribute("data-settings", open);
  show("settings-button", { "aria-expanded": String(open) });
  if (focus) one(open ? "#settings-close" : "#settings-button").focus();
}

export function setStages(open: boolean): void {
  setView({ stages: open });
  onceShown(() => one(open ? "#stages-close" : "#stages-button").focus());
}

export const toggleStages = (): void => setStages(!link.view.stages);

export function applyView(): void {
  const { view } = link;
  const { dataset } = document.documentElement;
  if (view.controls) dataset.controls = view.controls;
  else delete dataset.controls;
  show("lesson", { hidden: !view.lesson });
  show("stages", { hidden: !view.stages });
  show("stages-button", { "aria-expanded": String(Boolean(view.stages)) });
  document.documentElement.toggleAttribute("data-present", Boolean(view.present));
  document.documentElement.toggleAttribute("data-embed", Boolean(view.embed));
  document.documentElement.toggleAttribute("data-lesson", Boolean(view.lesson));
}

export const openDialog = (name: string): void => one<HTMLDialogElement>(name).showModal();

/** The introduction is shown until it is closed, before the first paint (assets/head.js). */
function setWelcomed(done: boolean): void {
  memory.set("plateau-welcomed", done ? "1" : "");
  document.documentElement.toggleAttribute("data-welcomed", done);
  if (!done) one<HTMLDialogElement>("#keys-dialog").close();
}

function addBoxes(): void {
  const bubble = Object.assign(element("div", "bubble"), { id: "bubble", hidden: true, role: "tooltip" });
  const menu = Object.assign(element("div", "menu"), { id: "menu", hidden: true, role: "menu" });
  one("#floating").append(bubble, menu);
}

export function startFloat(): void {
  addBoxes();
  document.addEventListener("click", (event) => {
    const target = event.target as HTMLElement;
    const hint = target.closest<HTMLElement>("[data-hint]");
    if (hint) {
      event.preventDefault();
      return showBubble(hint, hint.dataset.hint ?? "");
    }
    const close = target.closest<HTMLElement>("[data-close]");
    if (close) one<HTMLDialogElement>(`#${close.dataset.close}`).close();
    if (target.matches("dialog")) (target as HTMLDialogElement).close();
    if (owner && !target.closest("#menu, #bubble") && target.isConnected && !owner.contains(target)) closeSmall();
  });
  on("#settings-button", "click", () => setSettings(!settingsAreOpen()));
  on("#settings-close", "click", () => setSettings(false));
  on("#stages-button", "click", toggleStages);
  on("#stages-close", "click", () => setStages(false));
  on("#keys-button", "click", () => openDialog("#keys-dialog"));
  on("#welcome-close", "click", () => setWelcomed(true));
  on("#welcome-again", "click", () => setWelcomed(false));
  one("#menu").addEventListener("keydown", (event) => {
    const rows = [...one("#menu").querySelectorAll<HTMLElement>("[role=menuitem]")];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || !rows.length) return;
    event.preventDefault();
    rows[(rows.indexOf(document.activeElement as HTMLElement) + step + rows.length) % rows.length].focus();
  });
  page.events.on("view", ({ changed }) => {
    if (changed.some((key) => ["stages", "present", "embed", "lesson", "controls"].includes(key))) applyView();
  });
}
