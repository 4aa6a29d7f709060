/** The tables of plateaus, forecasts and stages, which Python makes (components/pages/lab/callbacks/tables.py): they are
 *  asked for when they are on screen and old, a row leads to its moment, and the current ones are marked. Their places
 *  are told by data-part: "stages", "record", and "working" for what stands there until the first is in. */

import type { ShownScene } from "../draw/scene.ts";
import type { Run } from "../store/run.ts";
import type { Asked, PlayerEvents } from "./events.ts";
import type { Player } from "./player.ts";

/** The record of a run that goes on is asked for anew no more often than this. */
const AGAIN = 10_000;
/** A server that is too busy to make them within half a minute leaves the tables as they are: ask once more. */
const LOST = 35_000;

export class RunTables {
  private readonly player: Player;
  private readonly root: HTMLElement;
  private readonly asked = new Map<keyof Asked, { key: string; at: number }>();

  constructor(player: Player, root: HTMLElement, signal: AbortSignal) {
    this.player = player;
    this.root = root;
    const sizes = new ResizeObserver(() => player.redraw("moment"));
    const changes = new MutationObserver(() => player.redraw("moment"));
    sizes.observe(root);
    changes.observe(root, { childList: true, subtree: true });
    signal.addEventListener("abort", () => {
      sizes.disconnect();
      changes.disconnect();
    });
    const go = (event: Event): void => {
      const row = (event.target as Element).closest<HTMLElement>("tr[data-start]");
      if (row) player.seek(Number(row.dataset.start));
    };
    root.addEventListener("click", go, { signal });
  }

  show({ selected: run, frame }: ShownScene): void {
    if (!this.root.checkVisibility()) return;
    this.tell(run);
    const sign = this.root.querySelector<HTMLElement>("[data-part=working]");
    if (sign) sign.hidden = this.has("stages", run.id);
    for (const table of this.root.querySelectorAll<HTMLElement>("table")) {
      table.hidden = table.dataset.run !== run.id;
      if (!table.hidden) mark(table, run.value("epoch", frame(run)));
    }
  }

  /** Whether a part has the table of a run. */
  private has(part: keyof Asked, run: string): boolean {
    return this.root.querySelector(`[data-part=${part}] [data-run="${run}"]`) !== null;
  }

  private tell(run: Run): void {
    const { stages, plateaus, status, running } = run;
    const which = { run: run.id, head: run.isCut ? run.recorded : null };
    if (stages.length) this.ask("stages", { ...which, count: stages.length, end: plateaus.at(-1)?.end ?? 0, status });
    this.ask("record", { ...which, running, forecasting: this.player.forecasting }, running ? AGAIN : Infinity);
  }

  /** Ask for what is to stand in a place: when it is to be something else, and again after a while. */
  private ask<Name extends keyof Asked>(name: Name, told: Asked[Name], after = Infinity): void {
    const [key, now] = [JSON.stringify(told), performance.now()];
    const known = this.asked.get(name);
    if (known?.key === key && now < known.at + (this.has(name, told.run) ? after : Math.min(after, LOST))) return;
    this.asked.set(name, { key, at: now });
    told.asked = now;
    this.player.emit(name, told as PlayerEvents[Name]);
    setTimeout(() => this.player.redraw("moment"), LOST);
  }
}

/** The last row that begins at or before an epoch, unless it has ended by then, is the current one. */
function mark(table: HTMLElement, epoch: number): void {
  const rows = [...table.querySelectorAll<HTMLElement>("tr[data-start]")];
  const last = rows.findLast(({ dataset }) => Number(dataset.start) <= epoch);
  const current = last && epoch <= Number(last.dataset.end ?? Infinity) ? last : null;
  for (const row of rows) if (row !== current) row.removeAttribute("aria-current");
  if (!current || current.hasAttribute("aria-current")) return;
  current.setAttribute("aria-current", "true");
  current.scrollIntoView({ block: "nearest" });
}
