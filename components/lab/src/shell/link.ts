/** The link: one place that reads and writes the address bar.
 *
 *  A query has two halves. The configuration names a computation; a change of it is a new entry in the
 *  history. The view says how somebody looks at it; a change replaces the entry. Everything else in the page
 *  asks here what the link says, and is told when it changes. */

import { momentText } from "../format.ts";
import { page } from "./page.ts";
import { resolve } from "./runs.ts";

export type Texts = Record<string, string>;
type Patch = Record<string, string | number | boolean | null | undefined>;

const VIEW_DEFAULTS: Texts = { xaxis: "epoch" };
const REST = 250;
let viewKeys = new Set<string>();
let timer = 0;
let first = "";

export const link = { config: {} as Texts, view: {} as Texts };

const quote = (text: string): string =>
  encodeURIComponent(text)
    .replace(/%(2C|3B|3A|40|2F)/g, (code) => decodeURIComponent(code))
    .replace(/'/g, "%27");

/** A literal + means plus, as people type it in formulas. */
const unquote = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** A key that is given twice stays so: the server says what is wrong with it. */
export function parse(search: string): { config: Texts; view: Texts } {
  const config: Texts = {};
  const view: Texts = {};
  for (const pair of search.replace(/^\?/, "").split("&").filter(Boolean)) {
    const [key, ...rest] = pair.split("=").map(unquote);
    const half = viewKeys.has(key) ? view : config;
    const value = rest.join("=");
    half[key] = half === config && key in config ? `${config[key]}&${key}=${value}` : value;
  }
  return { config, view };
}

export function join(config: Texts, view: Texts = {}): string {
  const shown = Object.entries(view).filter(([key, value]) => value && value !== VIEW_DEFAULTS[key]);
  return [...Object.entries(config), ...shown]
    .sort((a, b) => (a[0] < b[0] ? -1 : 1))
    .map(([key, value]) => `${key}=${value.split(`&${key}=`).map(quote).join(`&${key}=`)}`)
    .join("&");
}

export const configQuery = (): string => join(link.config);

/** A link without any setting means the first visit; the defaults themselves have to be said. */
export const fullQuery = (config: Texts, view: Texts): string =>
  join(Object.keys(config).length || view.lesson ? config : { target: "f1" }, view);

function write(push: boolean): void {
  clearTimeout(timer);
  timer = 0;
  const query = fullQuery(link.config, link.view);
  const path = location.pathname + (query ? `?${query}` : "");
  if (path === location.pathname + location.search) return;
  history[push ? "pushState" : "replaceState"](null, "", path);
}

export const flush = (): void => {
  if (timer) write(false);
};

function announce(cause: "view" | "history", changed: string[] = [...viewKeys]): void {
  page.events.emit("view", { cause, changed });
}

const textOf = (value: Patch[string]): string =>
  value === null || value === undefined || value === false
    ? ""
    : value === true
      ? "1"
      : typeof value === "number"
        ? momentText(value)
        : value;

/** The browser counts writes to the history and objects to a hundred in thirty seconds: wait for the hand to rest. */
export function setView(patch: Patch, { push = false } = {}): void {
  const changed = [];
  for (const [key, value] of Object.entries(patch)) {
    const text = textOf(value);
    if (!viewKeys.has(key) || (link.view[key] || "") === text) continue;
    changed.push(key);
    if (text === "" || text === VIEW_DEFAULTS[key]) delete link.view[key];
    else link.view[key] = text;
  }
  if (!changed.length) return;
  clearTimeout(timer);
  if (push) write(true);
  else timer = window.setTimeout(() => write(false), REST);
  announce("view", changed);
}

/** Another problem has other moments and neurons. */
export function setConfig(config: Texts, { keepMoment = false } = {}): void {
  flush();
  if (join(config) === configQuery()) return;
  link.config = { ...config };
  if (!keepMoment) for (const key of ["at", "neuron"]) delete link.view[key];
  write(true);
}

/** The same problem in the server's spelling. */
export function respell(query: string): void {
  link.config = parse(query).config;
  if (!timer) write(false);
}

export const tidy = (): void => {
  if (!timer) write(false);
};

/** Somewhere else at once, problem and view together: a step of a lesson, a presenter's moment. */
export function go(config: Texts, view: Texts, { push = true } = {}): void {
  flush();
  const before = configQuery();
  link.config = { ...config };
  link.view = Object.fromEntries(Object.entries(view).filter(([key, value]) => viewKeys.has(key) && value));
  write(push);
  announce("view");
  if (configQuery() !== before) page.events.emit("config", null);
  else resolve("open", link.config);
}

/** What a page without any settings opens on. */
export function restart(): void {
  const { config, view } = parse(first);
  go(config, { ...view, ...link.view }, { push: false });
}

export function startLink(): void {
  viewKeys = new Set(page.spec.view);
  first = page.spec.first_visit;
  Object.assign(link, parse(location.search));
  if (!Object.keys(link.config).length && !link.view.lesson) {
    const { config, view } = parse(first);
    Object.assign(link, { config, view: { ...view, ...link.view } });
    write(false);
  }
  addEventListener("popstate", () => {
    clearTimeout(timer);
    timer = 0;
    const before = configQuery();
    Object.assign(link, parse(location.search));
    announce("history");
    if (configQuery() !== before) page.events.emit("config", null);
  });
  addEventListener("pagehide", flush);
}
