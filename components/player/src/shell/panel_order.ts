/** Which panels the link names, in which order. */

import { link } from "./link.ts";
import { page } from "./page.ts";

export const names = (): string[] => page.spec.panels.map((panel) => panel.name);
export const titleOf = (name: string): string => page.spec.panels.find((panel) => panel.name === name)?.title ?? name;

export function panelOrder(): string[] {
  const known = (link.view.panels || "").split(",").filter((name) => names().includes(name));
  return known.length ? [...new Set(known)] : names();
}

/** In present mode those that were chosen, up to four; where nobody chose, the first three. */
export const panelsShown = (): string[] => (link.view.present ? panelOrder().slice(0, link.view.panels ? 4 : 3) : panelOrder());
