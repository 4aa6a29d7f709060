/** The table of stages of the selected run: a row leads to its stage, the current one is marked. */

import type { ShownScene } from "../draw/scene.ts";
import { style } from "../draw/style.ts";
import { number } from "../format.ts";
import type { Run, Stage } from "../store/run.ts";
import { element } from "./emitter.ts";
import type { Player } from "./player.ts";

const VERBS: Record<string, string> = {
  crossed: "crossed",
  pinned: "pinned at",
  released: "released from",
  moved: "moved over",
  relocated: "relocated",
};

/** What began a stage, short enough for a table. */
const began = (stage: Stage, run: Run): string =>
  (stage.changes ?? [])
    .map(([, neuron, kind, datum]) => `${neuron + 1} ${VERBS[kind]}${datum >= 0 && run.data ? ` ${number(run.data.x[datum])}` : ""}`)
    .join(", ");

const COLUMNS: [string, (stage: Stage, run: Run) => string][] = [
  ["Stage", (stage) => String(stage.stage + 1)],
  ["From", (stage) => number(stage.start)],
  ["Length", (stage) => number(stage.end - stage.start)],
  ["Floor Q₀", (stage) => number(stage.floor)],
  ["Rate", (stage) => number(stage.rate, 2)],
  ["What began it", began],
];

export class StageTable {
  private readonly player: Player;
  private readonly root: HTMLElement;
  private key = "";

  constructor(player: Player, root: HTMLElement) {
    this.player = player;
    this.root = root;
    new ResizeObserver(() => player.redraw("moment")).observe(root);
  }

  show({ selected: run, frame }: ShownScene): void {
    if (!this.root.offsetParent) return;
    const key = [run.id, run.version, run.stages.length].join();
    if (key !== this.key) {
      this.key = key;
      this.root.replaceChildren(this.table(run));
    }
    const current = String(run.value("stage", frame(run)));
    for (const row of this.root.querySelectorAll<HTMLElement>("tr[aria-current]"))
      if (row.dataset.stage !== current) row.removeAttribute("aria-current");
    const row = this.root.querySelector(`tr[data-stage="${current}"]`);
    if (!row || row.hasAttribute("aria-current")) return;
    row.setAttribute("aria-current", "true");
    row.scrollIntoView({ block: "nearest" });
  }

  private table(run: Run): HTMLTableElement {
    const table = element("table", "pl-table");
    const caption = table.createCaption();
    caption.className = "visually-hidden";
    caption.textContent = `Stages of ${style.method(run.method).title}`;
    const head = table.createTHead().insertRow();
    head.append(...COLUMNS.map(([title]) => Object.assign(element("th", "", title), { scope: "col" })));
    const body = table.createTBody();
    for (const stage of run.stages) {
      const row = body.insertRow();
      row.dataset.stage = String(stage.stage);
      const [first, ...rest] = COLUMNS.map(([, cell]) => cell(stage, run));
      const jump = element("button", "pl-jump", first);
      jump.type = "button";
      jump.setAttribute("aria-label", `Jump to stage ${first}`);
      row.insertCell().append(jump);
      for (const text of rest) row.insertCell().textContent = text;
      row.addEventListener("click", () => this.player.seek(stage.start));
    }
    return table;
  }
}
