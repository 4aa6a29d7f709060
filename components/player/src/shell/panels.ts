/** Which panels stand where: up to three tiles of their own, the rest behind tabs in the fourth; one enlarged; order. */

import { element } from "../view/emitter.ts";
import { onceShown, show } from "./dash.ts";
import { askPicture, download, saveLosses } from "./files.ts";
import { showMenu, toast } from "./float.ts";
import { configQuery, link, setView } from "./link.ts";
import { all, on, one, page, player } from "./page.ts";
import { names, panelOrder, panelsShown, titleOf } from "./panel_order.ts";
import { copyEmbed } from "./share.ts";

const section = (name: string): HTMLElement => one(`#panel-${name}`);

export function applyPanels(): void {
  const { view } = link;
  const enlarged = names().includes(view.enlarged) ? view.enlarged : "";
  const order = enlarged ? [enlarged] : panelsShown();
  const own = order.length <= 4 ? order : order.slice(0, 3);
  const tabbed = order.length <= 4 ? [] : order.slice(3);
  const front = tabbed.includes(view.tab) ? view.tab : tabbed[0];
  show("panels", { "data-count": String(Math.min(4, order.length)), "data-enlarged": enlarged ? "" : undefined });
  for (const name of names()) placePanel(name, own.indexOf(name) + 1, tabbed.includes(name), name === front, enlarged === name);
  drawTabs(tabbed, front);
  onceShown(showHighlighted);
}

/** On a phone the panels of a lesson are a strip: it shows the one that the step speaks of. */
function showHighlighted(): void {
  const strip = one("#panels");
  const name = (link.view.highlight || "").split(",").find((one) => names().includes(one) && !section(one).hidden);
  if (!name || !link.view.lesson || strip.scrollWidth <= strip.clientWidth) return;
  const panel = section(name);
  strip.scrollTo({ left: panel.offsetLeft - (strip.clientWidth - panel.offsetWidth) / 2, behavior: "instant" });
}

function placePanel(name: string, slot: number, tabbed: boolean, front: boolean, enlarged: boolean): void {
  const isHighlighted = (link.view.highlight || "").split(",").includes(name);
  show(`panel-${name}`, {
    hidden: (!slot && !tabbed) || (tabbed && !front),
    className: ["panel", tabbed && "tabbed", isHighlighted && "highlighted"].filter(Boolean).join(" "),
    ...(slot || tabbed ? { "data-slot": String(slot || 4) } : {}),
    role: tabbed ? "tabpanel" : undefined,
    "aria-labelledby": `${tabbed ? "tab" : "title"}-${name}`,
  });
  show(`enlarge-${name}`, {
    title: enlarged ? "Back to all panels" : "Enlarge",
    "aria-pressed": String(enlarged),
    "aria-label": enlarged ? `Back to all panels from ${titleOf(name)}` : `Enlarge ${titleOf(name)}`,
  });
}

function drawTabs(tabbed: string[], front: string): void {
  const bar = one("#panel-tabs");
  show("panel-tabs", { hidden: !tabbed.length });
  const focused = bar.contains(document.activeElement);
  bar.replaceChildren(
    ...tabbed.map((name) => {
      const title = titleOf(name);
      const tab = Object.assign(element("button", "", title.split(" ")[0]), { type: "button", id: `tab-${name}`, title } as const);
      tab.setAttribute("role", "tab");
      tab.setAttribute("aria-label", title);
      tab.setAttribute("aria-selected", String(name === front));
      tab.setAttribute("aria-controls", `panel-${name}`);
      tab.tabIndex = name === front ? 0 : -1;
      tab.addEventListener("click", () => setView({ tab: name }));
      return tab;
    }),
  );
  const active = one("[aria-selected=true]", bar);
  if (active && focused) active.focus();
  onceShown(() => {
    if (active && bar.scrollWidth > bar.clientWidth) bar.scrollLeft = active.offsetLeft - bar.offsetLeft - 24;
  });
}

export const enlarge = (name: string): void => setView({ enlarged: link.view.enlarged === name ? null : name });

const setOrder = (order: string[]): void => setView({ panels: order.join() === names().join() ? null : order.join(",") });

function hidePanel(name: string): void {
  const rest = panelOrder().filter((other) => other !== name);
  if (!rest.length) return toast("One panel has to stay.");
  setView({ enlarged: null });
  setOrder(rest);
  toast(`${titleOf(name)} is hidden. It is under Panels.`);
}

function movePanel(name: string, step: number): void {
  const order = panelOrder();
  const index = order.indexOf(name);
  order.splice(index, 1);
  order.splice(index + step, 0, name);
  setOrder(order);
}

/** The panel somebody means by a key: the one in focus, or under the pointer. */
export function panelMeant(): string {
  const place = document.activeElement?.closest<HTMLElement>(".panel") ?? one(".panel:hover");
  return place?.dataset.panel ?? (link.view.enlarged || panelOrder()[0]);
}

export function revealPanel(index: number): void {
  const name = panelOrder()[index];
  if (!name) return;
  if (index >= 3 && panelOrder().length > 4) setView({ tab: name });
  if (link.view.enlarged) setView({ enlarged: name });
  onceShown(() => section(name).scrollIntoView({ block: "nearest" }));
}

function menuRows(): HTMLElement[] {
  const shown = panelOrder();
  return [...shown, ...names().filter((name) => !shown.includes(name))].map((name, index) => {
    const row = element("div", "menu-row");
    const label = document.createElement("label");
    const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: shown.includes(name) });
    label.append(box, titleOf(name));
    box.addEventListener("change", () => {
      if (box.checked) setOrder([...panelOrder(), name]);
      else hidePanel(name);
      redrawMenu();
    });
    row.append(label);
    for (const [step, sign, word] of [
      [-1, "↑", "earlier"],
      [1, "↓", "later"],
    ] as const) {
      const disabled = !shown.includes(name) || !shown[index + step];
      const button = Object.assign(element("button", "", sign), { type: "button" as const, disabled });
      button.setAttribute("aria-label", `${titleOf(name)} ${word}`);
      button.addEventListener("click", () => {
        movePanel(name, step);
        redrawMenu(`${titleOf(name)} ${word}`);
      });
      row.append(button);
    }
    return row;
  });
}

function redrawMenu(focus?: string): void {
  one("#menu").replaceChildren(...menuRows());
  if (focus) (one(`#menu [aria-label="${focus}"]:not(:disabled)`) ?? one("#menu input")).focus();
}

function moreMenu(button: HTMLElement, name: string): void {
  const run = player.selected ?? player.runs[0];
  const ids = player.runs.map((entry) => entry.id).join();
  const race = `runs=${ids}&at=${link.view.at ?? ""}&link=${encodeURIComponent(configQuery())}`;
  const files = page.spec.exports.map(([path, text]) => ({
    text,
    act: () => download(path.replace("{run}", run?.id ?? "").replace("{race}", race)),
  }));
  const losses = { text: "Losses of this race (CSV)", act: saveLosses };
  const hasNumbers = !one(".panel-data", section(name)).hidden;
  const picture = { text: "Save the picture…", act: () => askPicture(name) };
  const place = panelOrder().indexOf(name);
  const moves = link.view.enlarged
    ? []
    : [
        null,
        ...(place > 0 ? [{ text: "Move earlier", act: () => movePanel(name, -1) }] : []),
        ...(place < panelOrder().length - 1 ? [{ text: "Move later", act: () => movePanel(name, 1) }] : []),
        { text: "Hide this panel", act: () => hidePanel(name) },
      ];
  const code = { text: "Copy the code to embed it", act: () => copyEmbed(name) };
  showMenu(button, [...(run ? [losses] : []), ...(hasNumbers ? [picture] : []), code, ...(run ? [null, ...files] : []), ...moves]);
}

export function startPanels(): void {
  const grid = one("#panels");
  grid.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLElement>("[data-action]");
    const name = button?.dataset.panel;
    if (!button || !name) return;
    const { action } = button.dataset;
    if (action === "enlarge") enlarge(name);
    if (action === "more") moreMenu(button, name);
  });
  grid.addEventListener("dblclick", (event) => {
    const target = event.target as Element;
    const panel = target.closest(".panel-head")?.closest<HTMLElement>(".panel");
    if (panel?.dataset.panel && !target.closest("button")) enlarge(panel.dataset.panel);
  });
  one("#panel-tabs").addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const tabs = all("#panel-tabs button");
    const next = tabs[(tabs.indexOf(document.activeElement as HTMLElement) + step + tabs.length) % tabs.length];
    setView({ tab: next.id.replace("tab-", "") });
    one(`#${next.id}`).focus();
  });
  on("#panels-button", "click", (event) => showMenu(event.currentTarget as HTMLElement, menuRows));
  page.events.on("view", ({ changed }) => {
    if (changed.some((key) => ["panels", "tab", "enlarged", "present", "lesson", "highlight"].includes(key))) applyPanels();
  });
}
