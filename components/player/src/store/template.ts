/** The language of components/panels/base.py, in which the figures of the panels ask for numbers. */

type TraceMeta = {
  table: string;
  bind: Record<string, string>;
  each?: "run" | "group";
  ranged?: boolean;
  dot?: string;
  direct?: boolean;
  roomy?: boolean;
  apart?: "beside" | "above";
  run?: string;
};

type Line = { color?: string; width?: number; dash?: string; cap?: CanvasLineCap };
export type Trace = {
  type: string;
  name?: string;
  meta: TraceMeta;
  mode?: string;
  x?: ArrayLike<number>;
  y?: ArrayLike<number>;
  z?: ArrayLike<number>[];
  xaxis?: string;
  yaxis?: string;
  opacity?: number;
  line?: Line;
  marker?: { symbol?: string; size?: number | number[]; color?: string | string[]; line?: Line & { color?: string | string[] } };
  text?: string[];
  textposition?: string | string[];
  textfont?: { size?: number; color?: string };
  cliponaxis?: boolean;
};

export type Axis = {
  type?: string;
  range?: number[];
  uirevision?: string;
  title?: { text: string };
  tickmode?: string;
  tickvals?: number[];
  ticktext?: string[];
};

export type HoverRule = { kind: "curves" | "neurons" | "place" | "levels"; column?: string };
export type RowsRule = { table: string; columns: [string, string][]; each?: "run" };
type LayoutMeta = {
  x?: string;
  y?: string;
  cursor?: boolean;
  hover?: HoverRule;
  rows?: RowsRule;
  drag?: boolean;
  empty?: string;
  loss?: boolean;
  slope?: boolean;
};

export type Layout = {
  meta: LayoutMeta;
  xaxis: Axis;
  yaxis: Axis;
  margin: { t: number; l: number; r: number; b: number };
  [key: string]: unknown;
};

type Figure = { data: Trace[]; layout: Layout };

export type PanelSpec = { name: string; title: string; kind: "history" | "moment"; figure: Figure };
export type MethodLook = { title: string; colour: string; dash: string };

export type Spec = {
  theme: string;
  scale: number;
  panels: PanelSpec[];
  /** Of every panel, those that Python draws too: a sentence for those who do not see it. */
  summaries: Record<string, string>;
  methods: Record<string, MethodLook>;
  neurons: string[];
  inks: Record<string, string>;
  times: Record<string, string>;
  terms: Record<string, string>;
  /** For each reason of a standstill a few words. */
  standstills: Record<string, string>;
  /** The tables that hold the marks of a term. */
  marks: Record<string, string[]>;
  config: Record<string, unknown>;
  /** Of exported pictures: tables that are left out, those that a single run alone has, what a sign means. */
  pictures: { omitted: string[]; single: string[]; legend: Record<string, string> };
};
