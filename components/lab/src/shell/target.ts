/** The target: gallery, formula or own points, and the small picture of the data under it.
 *
 *  In "My data" the picture is an editor: a click adds a point, a click on a point takes it away.
 *  The text area holds the same points and is the way for the keyboard. */

import { post } from "../store/source.ts";
import { check, commit, form, patch } from "./form.ts";
import type { Texts } from "./link.ts";
import { all, on, one, page } from "./page.ts";
import { showErrors } from "./runs.ts";

type Source = "gallery" | "formula" | "data";
export type Picture = { m: number; x: number[]; y: number[]; curve: { x: number[]; y: (number | null)[] } | null };

const SVG = "http://www.w3.org/2000/svg";
const SEND_AFTER = 400;
let source: Source = "gallery";
let points: [number, number][] = [];
let frame: { x0: number; x1: number; y0: number; y1: number } | null = null;
let timer = 0;
let latest: Picture | null = null;
let sent = { data: "", text: "" };

const dataText = (): HTMLTextAreaElement => one<HTMLTextAreaElement>("#data-text");
const formula = (): HTMLInputElement => one<HTMLInputElement>("#field-target");
const gallery = (): HTMLSelectElement => one<HTMLSelectElement>("#field-target-name");

function setSource(name: Source): void {
  source = name;
  for (const part of all("#settings [data-source]")) part.hidden = part.dataset.source !== name;
  one<HTMLInputElement>(`#source-${name}`).checked = true;
  one("#thumbnail").classList.toggle("editable", name === "data");
}

export function showTarget(config: Texts): void {
  const name = config.target ?? page.spec.fields.target.default;
  setSource(config.data ? "data" : name in page.spec.targets ? "gallery" : "formula");
  form.errors.data = "";
  if (source === "gallery") {
    gallery().value = name;
    one("#target-watch").textContent = page.spec.targets[name].watch;
  } else if (source === "formula") {
    if (document.activeElement !== formula()) formula().value = name;
  } else showPoints(config.data);
}

function showPoints(data: string): void {
  if (data.startsWith("@")) {
    points = [];
    dataText().value = data === sent.data ? sent.text : "";
    dataText().placeholder = "An uploaded set of points. Paste here to replace it.";
    return;
  }
  const pairs = data.split(";").filter(Boolean);
  points = pairs.map((pair) => pair.split(":").map(Number) as [number, number]);
  if (document.activeElement !== dataText()) dataText().value = pairs.map((pair) => pair.replace(":", ", ")).join("\n");
  dataText().placeholder = "";
}

// ---- the picture -------------------------------------------------------------------------------------------

function make(parent: Element, name: string, attributes: Record<string, string | number>): Element {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  parent.append(node);
  return node;
}

const widen = (low: number, high: number): [number, number] =>
  high > low ? [low - 0.06 * (high - low), high + 0.06 * (high - low)] : [low - 1, high + 1];

export function drawPicture(picture?: Picture): void {
  latest = picture ?? latest;
  const box = one("#thumbnail");
  const [width, height] = [box.clientWidth || 270, box.clientHeight || 84];
  const editing = source === "data";
  const own = editing && (points.length || !form.draft.data);
  const x = own ? points.map((point) => point[0]) : (latest?.x ?? []);
  const y = own ? points.map((point) => point[1]) : (latest?.y ?? []);
  const curve = editing ? null : latest?.curve;
  const least = editing ? [-1, 1] : [];
  const xs = [...x, ...(curve?.x ?? []), ...least];
  const ys = [...y, ...(curve?.y ?? []), ...least].filter((value) => value !== null);
  const [x0, x1] = widen(Math.min(...xs), Math.max(...xs));
  const [y0, y1] = widen(Math.min(...ys), Math.max(...ys));
  frame = { x0, x1, y0, y1 };
  const px = (value: number): number => Number((((value - x0) / (x1 - x0)) * width).toFixed(1));
  const py = (value: number): number => Number((height - ((value - y0) / (y1 - y0)) * height).toFixed(1));
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("aria-hidden", "true");
  if (y0 < 0 && y1 > 0) make(svg, "line", { class: "axis", x1: 0, x2: width, y1: py(0), y2: py(0) });
  if (curve) make(svg, "path", { class: "curve", d: pathOf(curve, px, py) });
  const size = editing ? 4 : x.length > 60 ? 1.2 : 2;
  x.forEach((value, i) => {
    const place = { x: px(value) - size, y: py(y[i]) - size, width: 2 * size, height: 2 * size };
    make(svg, "rect", { class: "datum", "data-index": i, ...place });
  });
  if (editing && !x.length) make(svg, "text", { class: "say", x: width / 2, y: height / 2 }).textContent = "Click to add points";
  box.replaceChildren(svg);
  box.setAttribute("aria-label", `Picture of ${own ? x.length : (latest?.m ?? 0)} data points`);
}

function pathOf(curve: NonNullable<Picture["curve"]>, px: (x: number) => number, py: (y: number) => number): string {
  const steps = curve.x.map((x, i) => {
    const y = curve.y[i];
    return y === null ? "" : `${i && curve.y[i - 1] !== null ? "L" : "M"}${px(x)} ${py(y)}`;
  });
  return steps.join("");
}

// ---- own points --------------------------------------------------------------------------------------------

const nice = (value: number, range: number): number => Number(value.toFixed(Math.max(0, 3 - Math.ceil(Math.log10(range)))));

function onPicture(event: MouseEvent): void {
  if (source !== "data" || !frame) return;
  const place = one("#thumbnail").getBoundingClientRect();
  const { x0, x1, y0, y1 } = frame;
  const x = x0 + ((event.clientX - place.left) / place.width) * (x1 - x0);
  const y = y1 - ((event.clientY - place.top) / place.height) * (y1 - y0);
  const { index } = (event.target as SVGElement).dataset;
  if (index !== undefined && points.length) points.splice(Number(index), 1);
  else points.push([nice(x, x1 - x0), nice(y, y1 - y0)]);
  points.sort((a, b) => a[0] - b[0]);
  dataText().value = points.map((point) => point.join(", ")).join("\n");
  drawPicture();
  send();
}

/** Two points are the least that makes data; until then the link keeps what it had. */
async function send(): Promise<void> {
  const text = dataText().value;
  if (!text.trim()) {
    points = [];
    drawPicture();
    return refuse("Add at least two points.");
  }
  const { ok, body } = await post("/api/points", { csv: text });
  if (!ok || body.error) return refuse(body.error || "These data were not accepted.");
  one("#data-notes").textContent = ((body.notes as string[] | undefined) ?? []).join("; ");
  form.errors.data = "";
  sent = { data: String(body.data), text };
  patch({ data: sent.data, target: null, points: null, sampling: null, domain: null });
  commit();
}

function refuse(text: string): void {
  form.errors.data = text.replace(/^data: /, "");
  showErrors([]);
}

async function openFile(event: Event): Promise<void> {
  const input = event.target as HTMLInputElement;
  const file = input.files?.[0];
  const most = page.spec.limits.upload_bytes;
  if (file && file.size > most) refuse(`The file has ${file.size} bytes, at most ${most} are allowed.`);
  else if (file) {
    dataText().value = await file.text();
    send();
  }
  input.value = "";
}

// ---- choices -----------------------------------------------------------------------------------------------

function choose(name: Source): void {
  const { draft } = form;
  const { targets, fields } = page.spec;
  setSource(name);
  form.errors.data = "";
  if (name === "gallery") {
    changeTarget(draft.target in targets ? draft.target : gallery().value || fields.target.default);
  } else if (name === "formula") {
    const known = targets[draft.target ?? fields.target.default];
    const text = draft.data ? "sin(pi*x)" : known?.formula || (known ? "sin(pi*x)" : draft.target);
    formula().value = text;
    changeTarget(text, known?.defaults);
    formula().focus();
  } else {
    points = [];
    dataText().value = "";
    drawPicture({ x: [], y: [], curve: null, m: 0 });
    refuse("Add at least two points.");
  }
}

/** A formula taken over from the gallery keeps the settings that came with it. */
function changeTarget(text: string, keep: Texts = {}): void {
  const kept = Object.fromEntries(Object.entries(keep).map(([key, value]) => [key, form.draft[key] ?? value]));
  patch({ target: text, data: null, biases: null, coefficients: null, ...kept });
  commit();
}

function onFormula(event: Event): void {
  event.stopPropagation();
  const text = formula().value.trim();
  patch({ target: text || null, data: null });
  form.errors.target = text ? "" : "Write a formula in x, such as sin(pi*x).";
  check();
}

export function startTarget(): void {
  on("#source", "change", (event) => {
    event.stopPropagation();
    choose((event.target as HTMLInputElement).value as Source);
  });
  on("#field-target-name", "change", (event) => {
    event.stopPropagation();
    changeTarget(gallery().value);
  });
  on("#field-target", "input", onFormula);
  on("#field-target", "change", (event) => {
    event.stopPropagation();
    if (formula().value.trim()) changeTarget(formula().value.trim());
  });
  one("#thumbnail").addEventListener("click", onPicture);
  on("#data-text", "input", () => {
    clearTimeout(timer);
    timer = window.setTimeout(send, SEND_AFTER);
  });
  on("#data-file", "change", openFile);
  on("#data-clear", "click", () => {
    dataText().value = "";
    send();
    dataText().focus();
  });
  new ResizeObserver(() => drawPicture()).observe(one("#thumbnail"));
  page.events.on("theme", () => drawPicture());
}
