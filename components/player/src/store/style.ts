/** The figures and colours of the panels, as Python made them for the theme and the size of the page. */

import type { Run } from "./run.ts";
import type { Source } from "./source.ts";
import type { MethodLook, PanelSpec, Spec } from "./template.ts";

const RETRY = 2000;

export class Style {
  spec: Spec | null = null;
  private readonly source: Source;
  private readonly path: string;
  private wanted: string | null = null;
  private changed: () => void = () => {};

  /** `path` is where the figures of the page are. */
  constructor(source: Source, path = "/api/panels") {
    this.source = source;
    this.path = path;
  }

  get inks(): Record<string, string> {
    return this.spec?.inks ?? {};
  }

  panel(name: string): PanelSpec | undefined {
    return this.spec?.panels.find((panel) => panel.name === name);
  }

  /** Colour group of a neuron: neighbours by initial bias share one, or get neighbouring ones. */
  group(run: Run, j: number): number {
    const groups = this.spec!.neurons.length;
    return Math.min(groups - 1, Math.floor(run.place[j] * groups));
  }

  neuron(run: Run, j: number): string {
    return this.spec!.neurons[this.group(run, j)];
  }

  /** What the method of a run is called, however many runs there are of it. */
  method({ method }: Run): string {
    return this.spec?.methods[method]?.title ?? method;
  }

  /** What a run is called and looks like: as the server says, else as its method does. */
  look({ method, entry, previous }: Run): MethodLook {
    const own = this.spec?.methods[method] ?? { title: method, colour: this.inks.muted, dash: "solid" };
    const title = entry.title ?? own.title;
    if (previous) return { title: "before", colour: this.inks.faint, dash: "3px,3px" };
    return { title, colour: entry.colours?.[this.spec?.theme ?? ""] ?? own.colour, dash: entry.dash ?? own.dash };
  }

  /** The figures and colours of a theme, whichever is on screen. */
  async ofTheme(theme: string): Promise<Spec> {
    const now = this.spec!;
    return now.theme === theme ? now : this.source.get<Spec>(`${this.path}?theme=${theme}${now.scale === 1 ? "" : "&size=present"}`);
  }

  /** Load the figures that fit the page as it is; while the server does not answer, try again. */
  async load(): Promise<void> {
    const { dataset } = document.documentElement;
    const wanted = `${this.path}?theme=${dataset.theme === "dark" ? "dark" : "light"}${"present" in dataset ? "&size=present" : ""}`;
    if (this.wanted === wanted) return;
    this.wanted = wanted;
    let spec: Spec;
    try {
      spec = await this.source.get<Spec>(wanted);
    } catch {
      if (this.wanted === wanted) this.wanted = null;
      setTimeout(() => this.load(), RETRY);
      return;
    }
    if (this.wanted !== wanted) return;
    this.spec = spec;
    this.changed();
  }

  /** Keep equal to the page's theme and size from now on, and say when it has changed. */
  follow(changed: () => void, signal: AbortSignal): void {
    this.changed = changed;
    const attributes = { attributes: true, attributeFilter: ["data-theme", "data-present"] };
    const themes = new MutationObserver(() => this.spec && this.load());
    themes.observe(document.documentElement, attributes);
    signal.addEventListener("abort", () => themes.disconnect());
  }
}
