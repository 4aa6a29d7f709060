/** Runs of this tab that left the screen while they were computed: they are named, and Stop ends them too, after the
 *  page was loaded anew as well. */

import type { RunInfo } from "../store/run.ts";
import { within } from "../store/source.ts";
import { ofTab } from "./page.ts";

/** Milliseconds between two looks. */
const EVERY = 3000;
const KEY = "plateau-left";
const left = new Set((ofTab.get(KEY) ?? "").split(",").filter(Boolean));
let timer = 0;

export const leftBehind = (): number => left.size;

/** What is said of them; nothing where there are none. */
export const leftLine = (): string =>
  left.size ? `${left.size > 1 ? `${left.size} earlier runs are` : "The run before is"} still being computed.` : "";

/** These runs leave the screen, those are on it; `changed` is called whenever one of them ends. */
export function leave(gone: string[], shown: string[], changed: () => void): void {
  for (const id of gone) left.add(id);
  for (const id of shown) left.delete(id);
  ofTab.set(KEY, [...left].join());
  clearTimeout(timer);
  if (left.size) timer = window.setTimeout(look, EVERY, changed);
}

/** Without being counted as somebody who looks: nobody sees what they compute, and the server lets such runs rest. */
async function look(changed: () => void): Promise<void> {
  for (const id of document.hidden ? [] : [...left]) {
    const response = await within(`/api/runs/${id}?watch=no`).catch(() => null);
    const isOver = response?.status === 404 || (response?.ok && !((await response.json()) as RunInfo).active);
    if (isOver) left.delete(id);
  }
  changed();
  leave([], [], changed);
}

/** Stop them and these others; what the server refuses, as a sentence. */
export async function stopByName(others: string[]): Promise<string> {
  let refused = "";
  for (const id of [...left, ...others]) {
    const response = await within(`/api/runs/${id}/stop`, { method: "POST" }).catch(() => null);
    if (response?.ok || response?.status === 404) left.delete(id);
    else refused = response ? ((await response.json()) as { error: string }).error : "The server does not answer.";
  }
  ofTab.set(KEY, [...left].join());
  return refused;
}
