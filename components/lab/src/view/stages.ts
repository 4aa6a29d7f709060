/** The table of stages, which Python makes: it is asked for when it is on screen and old, a row leads to its
 *  stage, and the current one is marked. */

import type { ShownScene } from "../draw/scene.ts";
import type { Player } from "./player.ts";

export class StageTable {
  private readonly player: Player;
  private readonly root: HTMLElement;
  private key = "";

  constructor(player: Player, root: HTMLElement) {
    this.player = player;
    this.root = root;
    new ResizeObserver(() => player.redraw("moment")).observe(root);
    new MutationObserver(() => player.redraw("moment")).observe(root, { childList: true });
    root.addEventListener("click", (event) => {
      const row = (event.target as Element).closest<HTMLElement>("tr[data-start]");
      if (row) player.seek(Number(row.dataset.start));
    });
  }

  show({ selected: run, frame }: ShownScene): void {
    if (!this.root.offsetParent) return;
    const told = { run: run.id, count: run.stages.length, status: run.status };
    const key = JSON.stringify(told);
    if (key !== this.key && told.count) this.player.emit("stages", told);
    this.key = key;
    const current = String(run.value("stage", frame(run)));
    for (const table of this.root.querySelectorAll<HTMLElement>("table")) table.hidden = table.dataset.run !== run.id;
    const row = this.root.querySelector(`[data-run="${run.id}"] tr[data-stage="${current}"]`);
    for (const other of this.root.querySelectorAll("tr[aria-current]")) if (other !== row) other.removeAttribute("aria-current");
    if (!row || row.hasAttribute("aria-current")) return;
    row.setAttribute("aria-current", "true");
    row.scrollIntoView({ block: "nearest" });
  }
}
