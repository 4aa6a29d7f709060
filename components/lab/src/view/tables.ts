/** The short tables above that of the stages: the plateaus of the run, and how the forecasts fared. */

import { deed, meant } from "../derive/forecast.ts";
import { plateauAt } from "../derive/plateaus.ts";
import { isShown, type ShownScene } from "../draw/scene.ts";
import { exact, number } from "../format.ts";
import type { Plateau, Run } from "../store/run.ts";
import { element } from "./emitter.ts";
import type { Player } from "./player.ts";

const EVERY = 250;
/** The record of a run that goes on is asked for anew no more often than this. */
const AGAIN = 10_000;
const NEAR = 0.01;

/** A forecast of the past, and what came of it. */
export type RecordRow = {
  stage: number;
  from_epoch: number;
  kind: string;
  at: number | null;
  neuron: number | null;
  datum: number | null;
  happened_kind: string;
  happened_at: number;
  happened_neuron: number;
  happened_datum: number;
};

/** The right one and, to an epoch and a hundredth, when; null where nothing was foretold. */
export function isRight(row: RecordRow): boolean | null {
  if (row.kind === "unknown") return null;
  const came = { epoch: row.happened_at, kind: row.happened_kind, neuron: row.happened_neuron, datum: row.happened_datum };
  return Boolean(meant(row, [came])) && Math.abs((row.at ?? Infinity) - came.epoch) <= 1 + NEAR * came.epoch;
}

type Cells = [string, ...string[]];

function tableOf(title: string, heads: string[], rows: { cells: Cells; go: () => void; key: string; mark?: string }[]): HTMLTableElement {
  const table = element("table", "pl-table");
  if (title) table.createCaption().textContent = title;
  table
    .createTHead()
    .insertRow()
    .append(...heads.map((head) => Object.assign(element("th", "", head), { scope: "col" })));
  const body = table.createTBody();
  for (const { cells, go, key, mark } of rows) {
    const row = body.insertRow();
    row.dataset.key = key;
    if (mark) row.className = mark;
    const jump = element("button", "pl-jump", cells[0]);
    jump.type = "button";
    jump.setAttribute("aria-label", `Go to ${heads[0].toLowerCase()} ${cells[0]}`);
    row.insertCell().append(jump);
    for (const text of cells.slice(1)) row.insertCell().textContent = text;
    row.addEventListener("click", go);
  }
  return table;
}

/** Why the loss stands still, short enough for a table. */
const REASONS: Record<string, string> = {
  floor: "at its floor",
  slow: "far above it, but slow",
  pinned: "pinned neurons hold it",
  dead: "every neuron is dead",
  step: "the steps are too large",
};

const plateauCells = (plateau: Plateau): Cells => [
  String(plateau.number),
  number(plateau.begin),
  plateau.open ? "goes on" : number(plateau.end),
  number(plateau.loss_end),
  String(plateau.stage_last - plateau.stage_first + 1),
  REASONS[plateau.why] ?? plateau.why,
];

const VERDICTS = new Map<boolean | null, string>([
  [true, "yes"],
  [false, "no"],
  [null, "–"],
]);

function recordCells(row: RecordRow, run: Run): Cells {
  const came = { kind: row.happened_kind, neuron: row.happened_neuron, datum: row.happened_datum };
  const right = isRight(row);
  const who = right ? "" : `${deed(came, run, true)}, `;
  const at = row.at === null ? "" : exact(row.at);
  return [String(row.stage + 1), deed(row, run, true), at, who + exact(row.happened_at), VERDICTS.get(right)!];
}

export class RunTables {
  private readonly player: Player;
  private readonly plateaus: HTMLElement;
  private keys: [string, string] = ["", ""];
  private timer = 0;
  private next = 0;

  constructor(player: Player, plateaus: HTMLElement, record: HTMLElement | null) {
    this.player = player;
    this.plateaus = plateaus;
    const show = (): void => {
      this.timer = 0;
      const scene = player.scene();
      if (!isShown(scene) || !plateaus.checkVisibility()) return;
      this.showPlateaus(scene);
      if (record) this.showRecord(scene.selected, record);
    };
    player.on("painted", () => {
      this.timer ||= window.setTimeout(show, EVERY);
    });
  }

  private showPlateaus({ selected: run, frame }: ShownScene): void {
    const key = JSON.stringify([run.id, run.plateaus]);
    if (key !== this.keys[0]) {
      this.keys[0] = key;
      const rows = run.plateaus.map((one) => ({
        cells: plateauCells(one),
        key: String(one.number),
        go: () => this.player.seek(one.begin),
      }));
      const title = rows.length ? "Plateaus" : "No plateau yet";
      this.plateaus.replaceChildren(tableOf(title, ["Plateau", "From", "To", "Loss", "Stages", "Why it stands still"], rows));
    }
    const current = String(plateauAt(run, frame(run))?.number ?? "");
    for (const row of this.plateaus.querySelectorAll<HTMLElement>("tbody tr"))
      row.dataset.key === current ? row.setAttribute("aria-current", "true") : row.removeAttribute("aria-current");
  }

  /** All forecasts of the run, so that one can bet against them. */
  private showRecord(run: Run, place: HTMLElement): void {
    place.hidden = !this.player.forecasting;
    if (place.hidden) return;
    if (performance.now() > this.next && (run.running || this.keys[1].endsWith("running"))) {
      this.next = performance.now() + AGAIN;
      run.answers.delete("forecasts");
    }
    const { rows, left = 0 } = run.remote<{ rows?: RecordRow[]; left?: number }>("forecasts") ?? {};
    if (!rows) return;
    const key = [run.id, rows.length, run.running ? "running" : ""].join();
    if (key === this.keys[1]) return;
    this.keys[1] = key;
    const right = rows.filter((row) => isRight(row)).length;
    const told = rows.filter((row) => isRight(row) !== null).length;
    const list = rows.map((row) => ({
      cells: recordCells(row, run),
      key: String(row.stage),
      go: () => this.player.seek(row.from_epoch),
      mark: isRight(row) === false ? "pl-wrong" : "",
    }));
    const more = left ? `; no time for ${left} later ${left === 1 ? "stage" : "stages"}` : "";
    const title = told ? `Forecasts: ${right} of ${told} right${more}` : "No forecasts of this method yet";
    const fold = element("details");
    fold.open = place.querySelector("details")?.open ?? false;
    fold.append(element("summary", "", title), tableOf("", ["Stage", "Predicted", "At", "Happened", "Right?"], list));
    place.replaceChildren(fold);
  }
}
