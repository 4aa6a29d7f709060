/** A panel as a picture for slides or a paper: on white whatever the theme, with one legend that explains every mark, and
 *  without what belongs to the page (the run before, the forecast, the stages). */

import { count } from "../format.ts";
import type { Axis, PanelSpec, Spec, Trace } from "../store/template.ts";
import { figureAt } from "./figure.ts";
import type { ShownScene } from "./scene.ts";

/** Size in CSS pixels (96 to the inch), how large type and lines are compared with the screen's, and how many pixels of a
 *  PNG make one of them. */
export type PictureSize = { width: number; height: number; type: number; dots: number };
export const PICTURE_SIZES: Record<string, PictureSize> = {
  slide: { width: 1280, height: 720, type: 1.7, dots: 1.5 },
  column: { width: 321, height: 250, type: 0.8, dots: 4 },
};
const WHITE = "#ffffff";
/** The place in the legend of what is no curve of a run. */
const AFTER = 1000;
const LENGTHS = new Set(["size", "width", "standoff", "ticklen", "thickness", "l", "r", "t", "b", "gridwidth"]);

/** The same figure with other colours, and with type, lines and margins so many times as large. */
function restyled(part: unknown, colours: Map<string, string>, by: number, key = ""): unknown {
  if (typeof part === "string") return colours.get(part) ?? part;
  if (typeof part === "number") return LENGTHS.has(key) ? part * by : part;
  if (ArrayBuffer.isView(part) || part === null || typeof part !== "object") return part;
  if (Array.isArray(part)) return key === "x" || key === "y" || key === "z" ? part : part.map((one) => restyled(one, colours, by, key));
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [name, name === "meta" ? value : restyled(value, colours, by, name)]),
  );
}

/** From the colours on screen to those on white. */
function onWhite(light: Spec, scene: ShownScene): Map<string, string> {
  const now = scene.view.style.spec!;
  const pairs: [string, string][] = Object.entries(now.inks).map(([name, ink]) => [ink, light.inks[name]]);
  pairs.push(...now.neurons.map((colour, i): [string, string] => [colour, light.neurons[i]]));
  for (const [name, { colour }] of Object.entries(now.methods)) pairs.push([colour, light.methods[name].colour]);
  for (const { entry } of scene.runs) if (entry.colours) pairs.push([entry.colours[now.theme], entry.colours.light]);
  return new Map([...pairs, [now.inks.panel, WHITE]]);
}

/** What stays in a picture. The marks of one run among several would look like further runs. */
function keeps({ meta, mode }: Trace, alone: boolean, { omitted, single, legend }: Spec["pictures"]): boolean {
  const isSaidTwice = mode === "text" && meta.apart === "above" && meta.table in legend;
  return !omitted.includes(meta.table) && !isSaidTwice && (alone || !single.includes(meta.table));
}

/** Each curve is in the legend once by the name of its run, in the order of the runs; then every other sign once, by what it
 *  means. Signs on the lower edge are not cut off. */
function withNames(data: Trace[], scene: ShownScene): unknown[] {
  const named = new Set<string>();
  const { style } = scene.view;
  return data.map((trace) => {
    const place = scene.runs.findIndex((one) => one.id === trace.meta.run);
    const run = scene.runs[place];
    const sign = style.spec!.pictures.legend[trace.meta.table];
    const isCurve = trace.meta.each === "run" && Boolean(run);
    const name = isCurve ? style.look(run).title : sign;
    const isNew = Boolean(name) && !named.has(name) && trace.mode !== "text" && trace.meta.each !== "group";
    if (isNew) named.add(name);
    const edge = trace.yaxis === "y2" && trace.mode === "markers" ? { cliponaxis: false } : {};
    return { ...trace, ...edge, name: name ?? "", showlegend: isNew, legendrank: isCurve ? place : AFTER };
  });
}

/** A picture of a moment says which one. */
const momentTitle = (axis: Axis, scene: ShownScene): string => `${axis.title?.text ?? ""} (epoch ${count(scene.epoch)})`;

/** The picture as a data address. */
export async function pictureOf(panel: PanelSpec, scene: ShownScene, kind: "svg" | "png", size: PictureSize): Promise<string> {
  const { style } = scene.view;
  const by = size.type / style.spec!.scale;
  const own = { ...scene, previousRuns: [] };
  const figure = figureAt(panel, own, { width: size.width / by, height: size.height / by });
  if (!figure) throw new Error("it is still being computed");
  const light = await scene.view.style.ofTheme("light");
  const kept = figure.data.filter((trace) => keeps(trace, own.runs.length === 1, style.spec!.pictures));
  const data = withNames(kept, own);
  const layout = {
    ...figure.layout,
    showlegend: true,
    legend: { orientation: "h", x: 0, y: 1.02, xanchor: "left", yanchor: "bottom", font: { size: 12 } },
  };
  if (panel.kind === "moment") layout.xaxis = { ...layout.xaxis, title: { ...layout.xaxis.title, text: momentTitle(layout.xaxis, own) } };
  return imageOf(restyled({ data, layout }, onWhite(light, own), by) as Figure, kind, size);
}

/** The picture of a panel that Python draws: its figure as it is, on white. */
export async function servedPictureOf(plot: PlotElement, scene: ShownScene, kind: "svg" | "png", size: PictureSize): Promise<string> {
  const { data, layout } = plot;
  const light = await scene.view.style.ofTheme("light");
  return imageOf(restyled({ data, layout }, onWhite(light, scene), size.type / scene.view.style.spec!.scale) as Figure, kind, size);
}

type Figure = { data: unknown[]; layout: Record<string, unknown> };

function imageOf(styled: Figure, kind: "svg" | "png", size: PictureSize): Promise<string> {
  Object.assign(styled.layout, { paper_bgcolor: WHITE, plot_bgcolor: WHITE, width: size.width, height: size.height });
  return Plotly.toImage(styled, { format: kind, width: size.width, height: size.height, scale: kind === "png" ? size.dots : 1 });
}
