/** The words and numbers behind every picture: a summary for screen readers, and a table on demand.
 *
 *  They are written past Dash: the replay file has the same panels and no Dash, so the player fills places that every
 *  layout leaves empty. A summary changes with each moment of play; through set_props one would take 5 ms of the main thread. */

import { type CandidatesAnswer, candidatesPath, segmentsAt, stateAt, statusesAt } from "../derive/moments.ts";
import { placeText, slopeUnit, xName, yName } from "../derive/places.ts";
import { stageOf } from "../derive/times.ts";
import { columnsOf } from "../draw/figure.ts";
import type { Host } from "../draw/host.ts";
import { isShown, type ShownScene } from "../draw/scene.ts";
import { count, number } from "../format.ts";
import type { Data, Run } from "../store/run.ts";
import type { PanelSpec, RowsRule } from "../store/template.ts";
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
  const candidates = run.answers.get(candidatesPath(run.askable(frame))) as CandidatesAnswer | undefined;
  const chosen = candidates?.position && candidates.chosen !== null ? candidates.neuron[candidates.chosen] : null;
  return {
    title: scene.view.style.look(run).title,
    methods: scene.runs.map((one) => scene.view.style.look(one).title).join(", "),
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

const PLACES = new Set(["mean_x", "b", "datum", "from", "to"]);
const LOSSES = new Set(["loss", "floor"]);
const SLOPES = new Set(["c", "slope", "regression"]);

const isPlace = (table: string, name: string): boolean => PLACES.has(name) || (table === "candidates" && name === "x");

/** The title of a column, with what the data call its numbers. */
function titleOf(table: string, [name, title]: [string, string], data: Data | null): string {
  if (!data?.y_name) return title;
  if (isPlace(table, name)) return /\bx\b/.test(title) ? title.replace(/\bx\b/, () => xName(data)) : `${title} (${xName(data)})`;
  if (LOSSES.has(name)) return `${title} (${yName(data)}²)`;
  if (SLOPES.has(name)) return `${title} (${slopeUnit(data)})`;
  return title.replace(/\by\b/, () => yName(data));
}

function tableOf(panel: PanelSpec, rule: RowsRule, run: Run, scene: ShownScene): HTMLTableElement {
  const columns = columnsOf(rule.table, run, scene);
  const table = captioned(`${panel.title}, ${scene.view.style.look(run).title}`);
  const caption = table.caption!;
  if (!columns) {
    caption.textContent += ": nothing to show at this moment.";
    return table;
  }
  const head = table.createTHead().insertRow();
  head.append(...rule.columns.map((column) => Object.assign(element("th", "", titleOf(rule.table, column, run.data)), { scope: "col" })));
  const values = rule.columns.map(([name]) => columns[name] as ArrayLike<unknown>);
  const isDated = rule.columns.map(([name]) => Boolean(run.data?.dates) && isPlace(rule.table, name));
  const stride = Math.ceil(values[0].length / MOST_ROWS);
  const body = table.createTBody();
  for (let i = 0; i < values[0].length; i += stride) {
    const row = body.insertRow();
    for (const [k, column] of values.entries())
      row.insertCell().textContent = isDated[k] && Number.isFinite(column[i]) ? placeText(run.data, Number(column[i])) : cell(column[i]);
  }
  if (stride > 1) caption.textContent += `: one row in ${stride}; the whole is in the exports.`;
  return table;
}

/** What a figure that Python made draws: a table for each of its named traces, or for all where none has a name. Plotly
 *  has unpacked the columns that Python sends packed; a histogram has one only. */
function tablesOfPlot({ name, servedPlot: plot, parts }: Host): HTMLTableElement[] {
  const title = part(parts.title)?.textContent ?? name;
  const all = (plot?.data ?? []).map((trace, i) => ({ name: trace.name, x: plot?._fullData?.[i]?.x, y: plot?._fullData?.[i]?.y }));
  const named = all.filter((trace) => trace.name);
  const traces = (named.length ? named : all).filter(({ x, y }) => x?.length || y?.length);
  if (!traces.length) return [captioned(`${title}: nothing to show at this moment.`)];
  return traces.map((trace) => {
    const table = captioned([title, trace.name].filter(Boolean).join(", "));
    const columns = (["x", "y"] as const).flatMap((axis) => {
      const values = trace[axis];
      const head = plot!.layout?.[`${axis}axis`]?.title?.text ?? axis;
      return values?.length ? [{ values, head: head.replace(/<[^>]*>/g, "") }] : [];
    });
    table
      .createTHead()
      .insertRow()
      .append(...columns.map(({ head }) => Object.assign(element("th", "", head), { scope: "col" })));
    const body = table.createTBody();
    const { length } = columns[0].values;
    const stride = Math.ceil(length / MOST_ROWS);
    for (let i = 0; i < length; i += stride) {
      const row = body.insertRow();
      for (const { values } of columns) row.insertCell().textContent = cell(values[i]);
    }
    if (stride > 1) table.caption!.textContent += `: one row in ${stride}.`;
    return table;
  });
}

/** An element that belongs to a panel. */
const part = (id: string | undefined): HTMLElement | null => document.getElementById(id ?? "");

function captioned(text: string): HTMLTableElement {
  const table = element("table", "pl-table");
  table.createCaption().textContent = text;
  return table;
}

/** Summaries and open tables follow the moment, but not at every animation frame. */
export class PanelRows {
  private readonly player: Player;
  private timer = 0;

  constructor(player: Player, also: (scene: ShownScene) => void, signal: AbortSignal) {
    this.player = player;
    const soon = (): void => {
      this.timer ||= window.setTimeout(() => {
        this.timer = 0;
        const scene = player.scene();
        if (!isShown(scene)) return;
        this.summarise(scene);
        also(scene);
        for (const host of player.board.hosts.values()) this.fill(host, scene);
      }, EVERY);
    };
    player.on("painted", soon, signal);
    player.on("served", soon, signal);
    const clicked = (event: Event): void => {
      const button = (event.target as Element).closest<HTMLElement>(".panel-data");
      const host = [...player.board.hosts.values()].find(
        ({ parts }) => parts.table && parts.table === button?.getAttribute("aria-controls"),
      );
      if (host && button) this.toggle(host, button);
    };
    document.addEventListener("click", clicked, { signal });
  }

  private toggle(host: Host, button: HTMLElement): void {
    const place = part(host.parts.table)!;
    place.hidden = !place.hidden;
    button.setAttribute("aria-expanded", String(!place.hidden));
    const scene = this.player.scene();
    if (isShown(scene)) this.fill(host, scene);
  }

  private fill(host: Host, scene: ShownScene): void {
    const place = part(host.parts.table);
    if (!place || place.hidden) return;
    const top = place.scrollTop;
    place.replaceChildren(...this.tables(host, scene));
    place.scrollTop = top;
  }

  private tables(host: Host, scene: ShownScene): HTMLTableElement[] {
    if (host.parts.isServed) return tablesOfPlot(host);
    const panel = this.player.style.panel(host.name);
    if (!panel) return [];
    const rule = panel.figure.layout.meta.rows;
    if (!rule) return [];
    return (rule.each === "run" ? scene.runs : [scene.selected]).map((run) => tableOf(panel, rule, run, scene));
  }

  private summarise(scene: ShownScene): void {
    const known = factsOf(scene);
    for (const { name, parts } of this.player.board.hosts.values()) {
      const summary = this.player.style.spec!.summaries[name] ?? "";
      const text = summary.replace(/\{(\w+)\}/g, (brace, fact) => String(known[fact] ?? brace)).trim();
      if (text) write(part(parts.summary), text);
    }
  }
}
