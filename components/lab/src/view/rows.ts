/** The words and numbers behind every picture: a summary for screen readers, and a table on demand. */

import { type CandidatesAnswer, candidatesPath, segmentsAt, stateAt, statusesAt } from "../derive/moments.ts";
import { stageOf } from "../derive/times.ts";
import { columnsOf } from "../draw/figure.ts";
import { isShown, type ShownScene } from "../draw/scene.ts";
import { style } from "../draw/style.ts";
import type { PanelSpec, RowsRule } from "../draw/template.ts";
import { count, number } from "../format.ts";
import type { Run } from "../store/run.ts";
import { element, write } from "./emitter.ts";
import type { Player } from "./player.ts";

const MOST_ROWS = 250;
const EVERY = 250;

/** What the summaries of the panels can name in braces. */
export function factsOf(scene: ShownScene): Record<string, string | number> {
  const { selected: run, view } = scene;
  const frame = scene.frame(run);
  const state = stateAt(run, frame, view);
  const statuses = statusesAt(run, state);
  const of = (status: string): number => statuses.filter((one) => one === status).length;
  const [stage, stages] = stageOf(run, frame);
  const segments = segmentsAt(run, frame, view);
  const candidates = run.answers.get(candidatesPath(frame)) as CandidatesAnswer | undefined;
  const chosen = candidates?.position && candidates.chosen !== null ? candidates.neuron[candidates.chosen] : null;
  return {
    title: style.look(run).title,
    methods: scene.runs.map((one) => style.look(one).title).join(", "),
    stage,
    stages,
    epoch: count(scene.epoch),
    loss: number(state.loss),
    floor: number(run.value("floor", frame)),
    stationarity: number(run.value("stationarity", frame)),
    prediction_error: number(run.value("prediction_error", frame)),
    points: run.data?.x.length ?? "",
    live: statuses.length - of("dead"),
    dead: of("dead"),
    pinned: of("pinned"),
    c_min: number(Math.min(...state.c)),
    c_max: number(Math.max(...state.c)),
    empty: segments ? segments.u.filter((size) => size === 0).length : "",
    levels: run.width + 1,
    trained: run.isTrained ? "It is fully trained." : "",
    candidates: candidates?.position?.length ?? "No",
    chosen: chosen === null || chosen === undefined ? "" : `Neuron ${chosen + 1} is chosen.`,
  };
}

const cell = (value: unknown): string => (typeof value === "number" ? number(value, 4) : String(value ?? "–"));

function tableOf(panel: PanelSpec, rule: RowsRule, run: Run, scene: ShownScene): HTMLTableElement {
  const columns = columnsOf(rule.table, run, scene);
  const table = element("table", "pl-table");
  const caption = table.createCaption();
  caption.textContent = `${panel.title}, ${style.look(run).title}`;
  if (!columns) {
    caption.textContent += ": nothing to show at this moment.";
    return table;
  }
  const head = table.createTHead().insertRow();
  head.append(...rule.columns.map(([, title]) => Object.assign(element("th", "", title), { scope: "col" })));
  const values = rule.columns.map(([name]) => columns[name] as ArrayLike<unknown>);
  const stride = Math.ceil(values[0].length / MOST_ROWS);
  const body = table.createTBody();
  for (let i = 0; i < values[0].length; i += stride) {
    const row = body.insertRow();
    for (const column of values) row.insertCell().textContent = cell(column[i]);
  }
  if (stride > 1) caption.textContent += `: one row in ${stride}; the whole is in the exports.`;
  return table;
}

/** Summaries and open tables follow the moment, but not at every animation frame. */
export class PanelRows {
  private readonly player: Player;
  private timer = 0;

  constructor(player: Player, also: (scene: ShownScene) => void) {
    this.player = player;
    player.on("painted", () => {
      this.timer ||= window.setTimeout(() => {
        this.timer = 0;
        const scene = player.scene();
        if (!isShown(scene)) return;
        this.summarise(scene);
        also(scene);
        for (const panel of style.spec?.panels ?? []) this.fill(panel, scene);
      }, EVERY);
    });
    document.addEventListener("click", (event) => {
      const button = (event.target as Element).closest<HTMLElement>(".panel-data");
      const panel = button && style.spec?.panels.find((one) => one.name === button.dataset.panel);
      if (panel) this.toggle(panel, button);
    });
  }

  private toggle(panel: PanelSpec, button: HTMLElement): void {
    const place = document.getElementById(`table-${panel.name}`);
    if (!place) return;
    place.hidden = !place.hidden;
    button.setAttribute("aria-expanded", String(!place.hidden));
    const scene = this.player.scene();
    if (isShown(scene)) this.fill(panel, scene);
  }

  private fill(panel: PanelSpec, scene: ShownScene): void {
    const place = document.getElementById(`table-${panel.name}`);
    const rule = panel.figure.layout.meta.rows;
    if (!place || place.hidden || !rule) return;
    const top = place.scrollTop;
    const runs = rule.each === "run" ? scene.runs : [scene.selected];
    place.replaceChildren(...runs.map((run) => tableOf(panel, rule, run, scene)));
    place.scrollTop = top;
  }

  private summarise(scene: ShownScene): void {
    const known = factsOf(scene);
    for (const panel of style.spec?.panels ?? []) {
      const text = panel.summary.replace(/\{(\w+)\}/g, (brace, name) => String(known[name] ?? brace)).trim();
      write(document.getElementById(`summary-${panel.name}`), text);
    }
  }
}
