/** The link: one place that reads and writes the address bar.
 *
 *  A query has two halves. The configuration names a computation; a change of it is a new entry in the
 *  history. The view says how somebody looks at it; a change replaces the entry. Everything else in the page
 *  asks here what the link says, and is told when it changes. */

import { momentText } from "../format.ts";
import { propOf, show } from "./dash.ts";
import { page } from "./page.ts";

export type Texts = Record<string, string>;
type Patch = Record<string, string | number | boolean | null | undefined>;

const REST = 250;
let viewKeys = new Set<string>();
let timer = 0;

export const link = { config: "", view: {} as Texts };
/** The settings with what was changed by hand and is not answered yet: the address bar has it at once. */
let ahead = "";
/** The same as callbacks know it: the Store "link" has what the address says. */
type Linked = { query: string; config: string; view: Texts };
let told: Linked = { query: "", ...link };

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

const keyOf = (pair: string): string => {
  const key = unquote(pair.split("=")[0]);
  return page.spec.former_view[key] ?? key;
};

/** The configuration is the server's to read: here it is a text, of which the view keys are taken off. */
export function parse(search: string): { config: string; view: Texts } {
  const pairs = search.replace(/^\?/, "").split("&").filter(Boolean);
  const view = pairs.filter((pair) => viewKeys.has(keyOf(pair)));
  return {
    config: pairs.filter((pair) => !viewKeys.has(keyOf(pair))).join("&"),
    view: Object.fromEntries(view.map((pair) => [keyOf(pair), unquote(pair.slice(pair.indexOf("=") + 1))])),
  };
}

function join(config: string, view: Texts): string {
  const shown = Object.entries(view).filter(([key, value]) => value && value !== page.spec.view[key]);
  const pairs = [...config.split("&").filter(Boolean), ...shown.map(([key, value]) => `${key}=${quote(value)}`)];
  return pairs.toSorted((a, b) => Number(keyOf(a) > keyOf(b)) - Number(keyOf(a) < keyOf(b))).join("&");
}

export const configQuery = (): string => link.config;
export const viewQuery = (): string => join("", link.view);

/** A link without any setting means the first visit; the defaults themselves have to be said. */
export const fullQuery = (config: string, view: Texts): string => join(config || view.lesson ? config : page.spec.default_query, view);

/** The way to the Study page takes the settings along. */
function showStudy(): void {
  for (const name of ["bar", "menu"]) {
    const id = { type: "to-study", name };
    show(id, { href: `${propOf(id, "data-study")}&${link.config}` });
  }
}

function tell(query: string): void {
  told = structuredClone({ query, ...link });
  show("link", { data: told });
}

function write(push: boolean): void {
  clearTimeout(timer);
  timer = 0;
  const query = fullQuery(ahead || link.config, link.view);
  showStudy();
  address(query, push);
  tell(query);
}

function address(query: string, push: boolean): void {
  const path = location.pathname + (query ? `?${query}` : "");
  if (path !== location.pathname + location.search) history[push ? "pushState" : "replaceState"](null, "", path);
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
    if (text === "" || text === page.spec.view[key]) delete link.view[key];
    else link.view[key] = text;
  }
  if (!changed.length) return;
  clearTimeout(timer);
  if (push) write(true);
  else timer = window.setTimeout(() => write(false), REST);
  announce("view", changed);
}

/** A setting has another value, which is allowed: the address bar has it at once, the server spells it or refuses it.
 *  What of the view belongs to the last problem goes. */
export function anticipate(key: string, value: string): void {
  flush();
  const others = (ahead || link.config).split("&").filter((pair) => pair && keyOf(pair) !== key);
  const push = !ahead;
  ahead = [...others, `${key}=${quote(value)}`].join("&");
  const { at, neuron, previous, ...view } = link.view;
  address(fullQuery(ahead, view), push);
}

/** The server has refused what was anticipated. */
export function retract(): void {
  if (!ahead) return;
  ahead = "";
  write(false);
}

/** The link as the server confirms it. Another problem has other moments and neurons, and a place in the history. */
export function confirm(config: string, { push = false, keepMoment = false } = {}): void {
  const isThere = Boolean(ahead);
  if (push) {
    if (!isThere) flush();
    if (!keepMoment) for (const key of ["at", "neuron", "previous"]) delete link.view[key];
  }
  ahead = "";
  link.config = config;
  if (push || isThere || !timer) write(push && !isThere);
}

/** Somewhere else at once, problem and view together: a step of a lesson, a presenter's moment. */
export function go(config: string, view: Texts, { push = true } = {}): void {
  flush();
  ahead = "";
  link.config = config;
  link.view = Object.fromEntries(Object.entries(view).filter(([key, value]) => viewKeys.has(key) && value));
  write(push);
  announce("view");
  page.events.emit("config", null);
}

/** A callback has set the Store: the page goes there. Another query counts, else what it says of the two halves. */
export function linked(set: Partial<Linked> | null): void {
  if (!set || JSON.stringify(set) === JSON.stringify(told)) return;
  const { config = link.config, view = link.view } = set.query !== undefined && set.query !== told.query ? parse(set.query) : set;
  go(config, view);
}

export function startLink(): void {
  viewKeys = new Set(Object.keys(page.spec.view));
  Object.assign(link, parse(location.search));
  if (!link.config && !link.view.lesson) {
    const { config, view } = parse(page.spec.first_visit);
    Object.assign(link, { config, view: { ...view, ...link.view } });
    write(false);
  }
  tell(location.search.slice(1));
  showStudy();
  addEventListener("popstate", () => {
    clearTimeout(timer);
    timer = 0;
    const before = ahead || configQuery();
    ahead = "";
    Object.assign(link, parse(location.search));
    tell(location.search.slice(1));
    showStudy();
    announce("history");
    if (configQuery() !== before) page.events.emit("config", null);
  });
  addEventListener("pagehide", flush);
}
