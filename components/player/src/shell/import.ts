/** Somebody's file before it is used: its first rows, what the server recognised in it, and which columns are meant.
 *  Nothing runs before Use; names and cells are text, never HTML. */

import { inTurn } from "../store/source.ts";
import { element } from "../view/emitter.ts";
import { propOf, say, show } from "./dash.ts";
import { openDialog } from "./float.ts";
import { all, on, one, page } from "./page.ts";
import { refuse } from "./runs.ts";

type Column = { name: string; kind: string; usable: boolean };
type Preview = {
  columns: Column[];
  head: string[][];
  rows: number;
  points: number;
  delimiter: string;
  decimal: string;
  encoding: string;
  header: boolean;
  x: number;
  y: number;
  weight: number | null;
  notes: string[];
};
type Kept = { data: string; units: string; labels: string; calendar?: string; notes: string[] };
const ROLES = ["x", "y", "weight"] as const;
const KINDS: Record<string, string> = { date: " (dates)", time: " (times)" };
const DELIMITERS: Record<string, string> = { comma: "commas", semicolon: "semicolons", tab: "tabs", bar: "bars", space: "spaces" };
const ACCEPTED = ".csv,.txt,.tsv,text/csv,text/plain";
/** Pasted texts of more than one line are tables. */
const IS_TABLE = /\S\s*[\r\n]+\s*\S/;

let content: Blob | null = null;
let called = "";
let serial = 0;

const select = (role: string): HTMLSelectElement => one<HTMLSelectElement>(`#import-${role}`);
const dialog = (): HTMLDialogElement => one<HTMLDialogElement>("#import-dialog");
const fail = (text: string): void => {
  say("import-error", text);
};

/** Ask about the content with these columns; an answer to an older question is passed over. */
async function sent<Answer>(more: Record<string, string>): Promise<Answer | null> {
  serial += 1;
  const mine = serial;
  const query = new URLSearchParams(more);
  const request = { method: "POST", headers: { "Content-Type": "text/csv" }, body: content };
  const isWanted = (): boolean => mine === serial && dialog().open;
  const before = String(propOf("import-found", "children"));
  const waits = (ahead: number): void => {
    if (isWanted()) say("import-found", ahead ? `Waiting: ${ahead} before yours…` : "Waiting for the server…");
  };
  let wrong = "";
  try {
    const response = await inTurn(`/api/data?${query}`, request, isWanted, waits);
    const answer = (await response.json()) as Answer & { error?: string };
    if (response.ok && isWanted()) return answer;
    wrong = answer.error ?? "The server could not read it.";
  } catch {
    wrong = "The server does not answer. Try again.";
  }
  if (!isWanted()) return null;
  say("import-found", before);
  fail(wrong.replace(/^data: /, ""));
  return null;
}

const counted = (count: number, what: string): string => `${count.toLocaleString("en-US")} ${what}${count === 1 ? "" : "s"}`;

/** What was recognised, in one line. */
function summary({ rows, head, delimiter, decimal, encoding, header }: Preview): string {
  const columns = counted(head[0]?.length ?? 0, "column");
  return [
    `${counted(rows, "row")}, ${columns}`,
    ...(delimiter === "none" ? [] : [`separated by ${DELIMITERS[delimiter] ?? delimiter}`]),
    decimal === "," ? "decimal comma" : "decimal point",
    header ? "names in the first row" : "no names",
    ...(encoding && encoding !== "UTF-8" ? [encoding] : []),
  ].join(" · ");
}

/** The first rows; a column says what it is used as. */
function fillTable(found: Preview): void {
  const { columns, head } = found;
  const counts = found.x === 0;
  const titles = [
    ...(counts ? [{ name: "row number", kind: "number", place: 0 }] : []),
    ...columns.map((column, i) => ({ ...column, place: i + 1 })),
  ];
  const roleOf = (place: number): string => ROLES.find((role) => found[role] === place) ?? "";
  const cell = (tag: "td" | "th", text: string, { kind, place }: (typeof titles)[number]): HTMLElement => {
    const made = element(tag, kind, text);
    if (roleOf(place)) made.dataset.role = roleOf(place);
    return made;
  };
  const top = document.createElement("tr");
  for (const title of titles) {
    const made = Object.assign(cell("th", title.name, title), { scope: "col" });
    if (made.dataset.role) made.prepend(element("span", "import-role", made.dataset.role));
    top.append(made);
  }
  const rows = head.map((texts, i) => {
    const row = document.createElement("tr");
    row.append(...[...(counts ? [String(i + 1)] : []), ...texts].map((text, k) => cell("td", text, titles[k])));
    return row;
  });
  const body = document.createElement("tbody");
  body.append(...rows);
  const above = document.createElement("thead");
  above.append(top);
  one("#import-head").replaceChildren(above, body);
}

/** Of a wide table the columns that are used stay in sight, at the side where they are. */
function keepInSight(): void {
  const used = [...one("#import-head").querySelectorAll<HTMLElement>("th[data-role]")].slice(0, 2);
  const widths = used.map((title) => title.offsetWidth);
  for (const [i, { dataset }] of used.entries())
    for (const cell of all(`#import-head [data-role="${dataset.role}"]`)) {
      cell.style.left = `${i ? widths[0] : 0}px`;
      cell.style.right = `${i ? 0 : (widths[1] ?? 0)}px`;
    }
}

function showPreview(found: Preview): void {
  say("import-found", summary(found));
  fillTable(found);
  keepInSight();
  const usable = found.columns.map((column, i) => ({ ...column, place: i + 1 })).filter((column) => column.usable);
  for (const role of ROLES) {
    const options = usable.map(({ name, kind, place }) => new Option(name + (KINDS[kind] ?? ""), String(place)));
    if (role === "x") options.push(new Option("row number", "0"));
    if (role === "weight") options.unshift(new Option("none", ""));
    select(role).replaceChildren(...options);
    select(role).value = String(found[role] ?? "");
  }
  const notes = found.notes.map((note) => element("li", "", note));
  one("#import-notes").replaceChildren(...notes);
  say("import-use", `Use ${counted(found.points, "point")}`);
}

const chosen = (): Record<string, string> => Object.fromEntries(ROLES.map((role) => [role, select(role).value]));

/** Whether there is something to use. */
async function preview(columns: Record<string, string> = {}): Promise<boolean> {
  fail("");
  show("import-use", { disabled: true });
  const found = await sent<Preview>({ ...columns, preview: "1" });
  if (!found) return false;
  showPreview(found);
  show("import-use", { disabled: false });
  return true;
}

async function use(): Promise<void> {
  show("import-use", { disabled: true });
  const kept = await sent<Kept>({ ...chosen(), name: called });
  if (!kept) return;
  dialog().close();
  const { data, units, labels, calendar, notes } = kept;
  page.events.emit("ask", ["change", [["dataset", "", { data, units, labels, calendar, notes }]]]);
}

/** Look at a file, or at a text that was pasted. */
async function open(blob: Blob, name: string): Promise<void> {
  const most = page.spec.limits.upload_bytes;
  if (blob.size > most) return refuse(`The file has ${blob.size} bytes, at most ${most} are allowed.`);
  [content, called] = [blob, name];
  say("import-dialog-title", name);
  for (const part of ["#import-head", "#import-notes", ...ROLES.map((role) => `#import-${role}`)]) one(part).replaceChildren();
  say("import-found", "Reading…");
  say("import-use", "Use");
  openDialog("#import-dialog");
  if (await preview()) one("#import-use").focus();
  else if (propOf("import-found", "children") === "Reading…") say("import-found", "");
}

/** While a file is dragged over the page, it says where it may be let go. */
function dragged(event: DragEvent): void {
  if (!event.dataTransfer?.types.includes("Files")) return;
  event.preventDefault();
  document.documentElement.dataset.dropping = "";
}

const leave = (): void => {
  delete document.documentElement.dataset.dropping;
};

function dropped(event: DragEvent): void {
  leave();
  const file = event.dataTransfer?.files[0];
  if (!file) return;
  event.preventDefault();
  void open(file, file.name);
}

function pasted(event: ClipboardEvent): void {
  const text = event.clipboardData?.getData("text/plain") ?? "";
  if (!IS_TABLE.test(text)) return;
  event.preventDefault();
  void open(new Blob([text]), "pasted data");
}

export function startImport(): void {
  const input = Object.assign(document.createElement("input"), { type: "file", id: "data-file", accept: ACCEPTED, hidden: true });
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (file) void open(file, file.name);
    input.value = "";
  });
  document.body.append(input);
  on("#data-open", "click", () => input.click());
  on("#source-part-data", "paste", (event) => pasted(event as ClipboardEvent));
  on("#lab", "dragover", (event) => dragged(event as DragEvent));
  on("#lab", "dragleave", (event) => {
    if (!(event as DragEvent).relatedTarget) leave();
  });
  on("#lab", "drop", (event) => dropped(event as DragEvent));
  for (const role of ROLES) on(`#import-${role}`, "change", () => void preview(chosen()));
  on("#import-use", "click", () => void use());
  on("#import-cancel", "click", () => dialog().close());
}
