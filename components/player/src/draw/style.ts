/** The figures and colours of the panels, as Python made them for the theme and the size of the page. */

import type { Run } from "../store/run.ts";
import { get } from "../store/source.ts";
import type { MethodLook, Spec } from "./template.ts";

const RETRY = 2000;
let path: string | null = null;
let source = "/api/panels";
let changed: (spec: Spec) => void = () => {};

export const style = {
  spec: null as Spec | null,
  inks: {} as Record<string, string>,
  neuron: (run: Run, j: number): string => style.spec!.neurons[run.group[j]],
  /** What the method of a run is called, however many runs there are of it. */
  method: ({ method }: Run): string => style.spec?.methods[method]?.title ?? method,
  /** What a run is called and looks like: as the server says, else as its method does. */
  look: ({ method, entry, ghost }: Run): MethodLook => {
    const own = style.spec?.methods[method] ?? { title: method, colour: style.inks.muted, dash: "solid" };
    const title = entry.title ?? own.title;
    if (ghost) return { title: "before", colour: style.inks.faint, dash: "3px,3px" };
    return { title, colour: entry.colours?.[style.spec?.theme ?? ""] ?? own.colour, dash: entry.dash ?? own.dash };
  },
};

/** The figures and colours of a theme, whichever is on screen. */
export const loadedSpec = async (theme: string): Promise<Spec> =>
  style.spec!.theme === theme ? style.spec! : get<Spec>(`${source}?theme=${theme}${style.spec!.scale === 1 ? "" : "&size=present"}`);

/** Load the figures that fit the page as it is; while the server does not answer, try again. */
export async function loadStyle(): Promise<void> {
  const { dataset } = document.documentElement;
  const wanted = `${source}?theme=${dataset.theme === "dark" ? "dark" : "light"}${"present" in dataset ? "&size=present" : ""}`;
  if (path === wanted) return;
  path = wanted;
  let spec: Spec;
  try {
    spec = await get<Spec>(wanted);
  } catch {
    if (path === wanted) path = null;
    setTimeout(loadStyle, RETRY);
    return;
  }
  if (path !== wanted) return;
  style.spec = spec;
  style.inks = spec.inks;
  changed(spec);
}

/** Keep the style equal to the page's theme and size from now on, and say when it has changed. A page with figures of its
 *  own names where they are. */
export function followStyle(listener: (spec: Spec) => void, from = source): void {
  changed = listener;
  source = from;
  const attributes = { attributes: true, attributeFilter: ["data-theme", "data-present"] };
  new MutationObserver(() => style.spec && loadStyle()).observe(document.documentElement, attributes);
}
