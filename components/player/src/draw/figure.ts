/** Copies columns into the traces that the figures of the panels declare, and hands them to Plotly.
 *  It knows the language of components/panels/base.py, and no panel by name. */

import { futureColumns, futures, reach } from "../derive/forecast.ts";
import { histories } from "../derive/histories.ts";
import { kept, moments, stateAt } from "../derive/moments.ts";
import { escaped } from "../derive/places.ts";
import { counts } from "../derive/times.ts";
import type { Columns } from "../derive/view.ts";
import type { Run } from "../store/run.ts";
import type { Layout, PanelSpec, Trace } from "../store/template.ts";
import { nameAxes, setAxis } from "./axes.ts";
import { paintLive } from "./canvas.ts";
import { PanelError } from "./check.ts";
import type { Host } from "./host.ts";
import { placeLabels } from "./labels.ts";
import type { ShownScene } from "./scene.ts";

type Look = Record<string, unknown> & { colour: string; width?: number };
type Copy = { run: Run; group: number; look: Look };
type Filled = { data: Trace[]; live: Trace[]; used: unknown[]; moved: unknown[] };

const NOTHING = "Nothing to draw for this method.";
const LACKS: Record<string, string> = { solves: "solves no least-squares problems", gradients: "takes no gradients" };

/** Why a panel has nothing to show. */
export function emptiness(panel: PanelSpec, { selected, view }: ShownScene): string {
  const { x, empty } = panel.figure.layout.meta;
  if (x !== "time" || counts(selected, view)) return empty || NOTHING;
  return `${view.style.method(selected)} ${LACKS[view.x] ?? `has no ${view.style.spec!.times[view.x]}`}. Switch the axis to epochs.`;
}

/** The columns of a table for a run: null where there is nothing, undefined while the server is asked. */
export function columnsOf(table: string, run: Run, scene: ShownScene, group = 0): Columns | null | undefined {
  const { view } = scene;
  const history = histories[table];
  if (history) return run.cached([table, group, view.key].join("|"), () => history(run, view, group));
  if (table in futures) return futureColumns(table, run, view, group);
  const moment = moments[table];
  if (!moment) throw new Error(`no table called ${table}`);
  if (!run.count) return null;
  const frame = scene.frame(run);
  const state = stateAt(run, frame, view);
  const key = `table ${table}`;
  const found = kept(state, key, () => moment(run, view, frame));
  if (found === undefined) state.kept?.delete(key);
  return found;
}

/** One declared trace as the drawn ones: for every run, for every colour group, or for the selected run. */
function copies(trace: Trace, scene: ShownScene): Copy[] {
  const { selected, runs, previousRuns = [] } = scene;
  const { style } = scene.view;
  if (trace.meta.each === "run")
    return [...previousRuns, ...runs.filter((run) => run !== selected), selected].map((run) => {
      const look = style.look(run);
      return { run, group: 0, look: { width: run === selected ? 2.25 : 1.5, label: escaped(look.title), ...look } };
    });
  if (trace.meta.each === "group") return style.spec!.neurons.map((colour, group) => ({ run: selected, group, look: { colour } }));
  return [{ run: selected, group: 0, look: style.look(selected) }];
}

/** Set `marker.line.color` and the like inside a nested object. */
function assign(target: object, path: string, value: unknown): void {
  const keys = path.split(".");
  const last = keys.pop()!;
  let place = target as Record<string, unknown>;
  for (const key of keys) {
    place[key] ??= {};
    place = place[key] as Record<string, unknown>;
  }
  place[last] = value;
}

function filledTrace(trace: Trace, run: Run, columns: Columns, look: Look, scale: number): Trace {
  const drawn = structuredClone(trace);
  for (const [path, name] of Object.entries(trace.meta.bind)) {
    let value = columns[name] === undefined ? look[name] : columns[name];
    if (value === undefined) {
      const known = [...Object.keys(columns), ...Object.keys(look)].toSorted().join(", ");
      throw new PanelError(`Its column is "${name}", and the table "${trace.meta.table}" has ${known}.`);
    }
    if (path === "text" && typeof value === "string") value = [value];
    if (typeof value === "number" && /(size|width)$/.test(path)) value *= scale;
    assign(drawn, path, value);
  }
  drawn.meta = { ...trace.meta, run: run.id };
  return drawn;
}

/** The traces of a panel with their numbers; null when one of them still waits for the server.
 *  Those that are drawn directly are kept apart: they change with the moment, the others need not. */
function filled(panel: PanelSpec, scene: ShownScene): Filled | null {
  const result: Filled = { data: [], live: [], used: [], moved: [] };
  for (const trace of panel.figure.data) {
    const { direct, table } = trace.meta;
    for (const { run, group, look } of copies(trace, scene)) {
      const columns = columnsOf(table, run, scene, group);
      if (columns === undefined) return null;
      (direct ? result.moved : result.used).push(columns, look.colour, look.width, look.label);
      if (columns) (direct ? result.live : result.data).push(filledTrace(trace, run, columns, look, scene.view.style.spec!.scale || 1));
    }
  }
  return result;
}

function layoutOf(host: Pick<Host, "size" | "revision">, panel: PanelSpec, scene: ShownScene, data: Trace[]): Layout {
  const layout = structuredClone(panel.figure.layout);
  const { meta, xaxis, yaxis } = layout;
  const { size } = host;
  const measured = data.filter((trace) => trace.meta.ranged);
  const counted = (measured.length ? measured : data).flatMap((trace) => (trace.yaxis !== "y2" && trace.y ? [trace.y] : []));
  setAxis(xaxis, meta.x, scene.selected, scene.view, [], size);
  setAxis(yaxis, meta.y, scene.selected, scene.view, counted, size);
  nameAxes(layout, scene.selected, size);
  layout.uirevision = [scene.selected.id, host.revision].join(":");
  Object.assign(layout, size);
  if (scene.touch) layout.dragmode = false;
  return layout;
}

const same = (one: unknown[] | null, two: unknown[]): boolean =>
  one !== null && one.length === two.length && one.every((value, i) => value === two[i]);
/** Names of things inside a plot that has no room for them lie over each other. Who presents speaks of neurons by their
 *  numbers, and needs them in a low plot too. */
const ROOMY = 190;
const ROOMY_PRESENTED = 130;
const SILENT: Record<string, string> = { text: "none", "lines+text": "lines" };
const hasPoints = (trace: Trace): boolean => Boolean(trace.x?.length || trace.z?.length);

/** Plotly takes an empty text out of its place, and does not put a later one there: it needs places that it makes anew. */
function dropEmptyTexts(plot: PlotElement): void {
  for (const place of plot.querySelectorAll(".textpoint")) if (!place.firstChild) place.remove();
}

/** Hand the figure to Plotly; a panel that has nothing to show says so instead. */
function drawFigure(host: Host, panel: PanelSpec, scene: ShownScene, { data, live }: Filled): void {
  const { scale } = scene.view.style.spec!;
  const low = host.size.height < (scale > 1 ? ROOMY_PRESENTED : ROOMY) * scale;
  const shown = data.filter(hasPoints).map((trace) => (low && trace.meta.roomy ? { ...trace, mode: SILENT[trace.mode!] } : trace));
  const bare = !shown.some((trace) => trace.yaxis !== "y2");
  host.sayEmpty(bare ? emptiness(panel, scene) : "");
  host.panel = panel;
  if (!bare) {
    // what is predicted beyond the last frame needs room; elsewhere the axes must not move with it
    const beyond = reach(scene.view.forecast, scene.selected) !== null;
    const layout = layoutOf(host, panel, scene, beyond ? [...shown, ...live] : shown);
    placeLabels(shown, layout);
    dropEmptyTexts(host.plot!);
    host.ready = Plotly.react(host.plot!, shown, layout, scene.view.style.spec!.config);
  }
  host.element.classList.remove("pl-loading");
}

/** Bring a panel up to date with the scene. */
export function drawPanel(host: Host, panel: PanelSpec, scene: ShownScene): void {
  if (!host.visible || !host.plot) return;
  const result = filled(panel, scene);
  if (!result) return;
  const { theme, scale } = scene.view.style.spec!;
  const used = [...result.used, ...Object.values(host.size), scene.view.key, scene.selected.id, host.revision, theme, scale];
  const stale = !same(host.drawn, used);
  if (stale) drawFigure(host, panel, scene, result);
  if (stale || !same(host.moved, result.moved)) {
    host.live = result.live;
    paintLive(host);
  }
  host.drawn = used;
  host.moved = result.moved;
}

/** The figure of a panel for a place of another size: its traces, all with their numbers, and its layout. Null while one
 *  of them waits for the server. */
export function figureAt(panel: PanelSpec, scene: ShownScene, size: Host["size"]): { data: Trace[]; layout: Layout } | null {
  const result = filled(panel, scene);
  if (!result) return null;
  const data = [...result.data, ...result.live].filter(hasPoints);
  return { data, layout: layoutOf({ size, revision: 0 }, panel, scene, data) };
}
