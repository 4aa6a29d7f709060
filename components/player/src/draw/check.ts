/** Whether a panel asks for what there is, before it is drawn: its tables, axes, dots and what is under the pointer. */

import { COUNTS, isQuantity } from "../derive/census.ts";
import { futures } from "../derive/forecast.ts";
import { histories } from "../derive/histories.ts";
import { moments } from "../derive/moments.ts";
import { SCALARS } from "../store/run.ts";
import type { PanelSpec } from "../store/template.ts";
import { meanings } from "./axes.ts";
import { finders } from "./hover.ts";

/** A panel asks for something that is not there: a sentence for whoever wrote it. */
export class PanelError extends Error {}

function check(what: string, name: string | undefined, known: string[]): void {
  if (name !== undefined && !known.includes(name))
    throw new PanelError(`Its ${what} is "${name}", and there is no such thing; there are ${known.toSorted().join(", ")}.`);
}

export function checkPanel({ figure }: PanelSpec): void {
  const tables = [histories, moments, futures].flatMap((each) => Object.keys(each));
  const quantities = [...SCALARS, ...COUNTS];
  const { meta } = figure.layout;
  for (const trace of figure.data) {
    check("table", trace.meta.table, tables);
    check("dot", trace.meta.dot, quantities);
  }
  check("x axis", meta.x, Object.keys(meanings));
  check("y axis", meta.y, Object.keys(meanings));
  check("hover", meta.hover?.kind, Object.keys(finders));
  if (meta.hover?.kind === "curves" && !isQuantity(meta.hover.column ?? "")) check("hovered column", meta.hover.column ?? "", quantities);
  if (meta.hover?.kind === "neurons") check("hovered column", meta.hover.column ?? "", ["b", "c"]);
  check("table of rows", meta.rows?.table, tables);
}
