/** The settings live in Python (components/pages/lab/callbacks/form.py). Here is what the server cannot know: the order of
 *  what was done, since the next change may come before the last one is answered. */

import { backoff } from "../store/poll.ts";
import { nothing, outputs, propOf, show, spelled, triggers, type Value } from "./dash.ts";
import { anticipate, configQuery, retract, viewQuery } from "./link.ts";
import { type Answer, all, type Cause, on, one, page } from "./page.ts";
import { type Edit, Pending } from "./pending.ts";
import { askFurther, begin, refuse, staysOut, stopRuns, take, waitFor } from "./runs.ts";

/** Milliseconds after a key until what is typed is looked at, and after a stroke until a drawing is sent. */
const TYPED = 220;
const DRAWN = 1000;
const EMPTY = { m: 0, rows: [], editable: true };
const SKETCH = { type: "points", name: "sketch" };
const pending = new Pending();
/** What the controls show of the confirmed link, by their ids. */
const shown = new Map<string, Value>();
let unanswered = 0;
let lost = 0;
let resting = 0;
/** The slider in the hand. */
let slider = "";

/** Ask the server: about the confirmed link, and all that was done to it since. */
function ask(cause: Cause, ...edits: Edit[]): void {
  clearTimeout(resting);
  clearTimeout(lost);
  for (const edit of edits) pending.note(edit);
  if (cause !== "draft") pending.finish();
  const question = { ...pending.next(), cause, config: configQuery(), view: viewQuery() };
  if (cause === "change" || cause === "run") writeAhead(question.edits);
  lost = window.setTimeout(
    () => {
      unanswered += 1;
      refuse("The server does not answer; trying again.");
      ask(cause);
    },
    4 * backoff(unanswered + 1),
  );
  show("question", { data: question });
  waitFor(cause);
}

/** Single numbers and choices that their declaration allows are in the address at once. */
function writeAhead(edits: Edit[]): void {
  const isPlain = ([kind, name, value]: Edit): boolean => {
    const allowed = kind === "field" && page.spec.plain[name];
    if (!allowed || typeof value !== "string" || !value.trim()) return false;
    if (allowed.choices) return allowed.choices.includes(value);
    const number = Number(value);
    return number >= allowed.low && number <= allowed.high && (!allowed.whole || Number.isInteger(number));
  };
  if (edits.every(isPlain)) for (const [, name, value] of edits) anticipate(name, (value as string).trim());
}

/** Ask when the hand rests. */
function askLater(cause: Cause, rest: number): void {
  clearTimeout(resting);
  resting = window.setTimeout(() => ask(cause), rest);
}

/** Another link: what was done to the last one is not meant for it. */
export function resolve(): void {
  pending.forget();
  ask("open");
}

/** Run was pressed: until the answer is there, it cannot be pressed again. */
export function startRuns(): void {
  begin();
  ask("run");
}

const PRESSED: Record<string, () => void> = {
  run: startRuns,
  "overlay-run": startRuns,
  continue: () => ask("continue"),
  further: askFurther,
  stop: stopRuns,
  "stop-here": stopRuns,
  dice: () => ask("change", ["dice", "", null]),
  "data-clear": () => {
    emptyPad();
    ask("change", ["points", "file", ""]);
  },
};

/** In which order things are done that Dash tells together. */
const ORDER = ["value", "n_edits", "n_blur", "n_submit", "n_clicks"];

/** The callback of all controls and buttons. */
export function entered(): void {
  for (const { id, prop, value } of triggers().toSorted((a, b) => ORDER.indexOf(a.prop) - ORDER.indexOf(b.prop))) {
    if (prop === "n_clicks") PRESSED[id]();
    else if (prop === "value") changed(id, value);
    else if (prop === "n_edits") changed(id, propOf(id, "csv"));
    else left(id, prop === "n_submit");
  }
}

const partsOf = (id: string): { type: string; name: string } => JSON.parse(id);
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Somebody writes into a control, or slides the slider beside it. */
function isHeld(type: string, name: string): boolean {
  return document.activeElement?.id === spelled({ type, name }) || slider === `${type} ${name}`;
}

function changed(id: string, value: unknown): void {
  const { type, name } = partsOf(id);
  if (isSame(value, shown.get(id)) && !pending.has(type, name)) return; // an answer has written it
  if (type === "source") return changeSource(String(value));
  if (type === "methods") value = all<HTMLInputElement>("#methods input:checked").map((chip) => chip.value);
  const isTyping = (type === "field" || type === "budget") && isHeld(type, name);
  const edit: Edit = [type, type === "methods" ? "" : name, value];
  // own points have no moment at which they are finished: what can be read of them counts
  if (type !== "points" && !isTyping) return ask("change", edit);
  pending.note(edit, isTyping);
  askLater(isTyping ? "draft" : "change", name === "sketch" ? DRAWN : TYPED);
}

/** Another source of the target: its controls are there at once, so that one can draw before the server has answered. */
function changeSource(source: string): void {
  for (const name of ["gallery", "formula", "data"]) show(`source-part-${name}`, { hidden: name !== source });
  if (source === "data") emptyPad();
  ask("change", ["source", source, propOf({ type: "gallery", name: "name" }, "value")]);
}

/** An empty pad, at once: what is drawn before the server has answered must not be added to older points. */
const emptyPad = (): void => show(SKETCH, { picture: EMPTY });

/** A control was left, or Enter pressed in it. */
function left(id: string, isEntered: boolean): void {
  const { type, name } = partsOf(id);
  if (isEntered) return startRuns();
  if (pending.has(type, name, true)) ask("change");
  else if (!pending.has(type, name) && shown.has(id)) show(id, { value: shown.get(id) });
}

/** A control is finished, which Dash tells some time later; or a slider is held, or let go of: then its value is meant. */
function touched(event: Event): void {
  const { type, id, value } = event.target as HTMLInputElement;
  if (!id.startsWith("{")) return;
  const { name, type: kind } = partsOf(id);
  if (type !== "range") return event.type === "change" ? writeAhead([...pending.edits, [kind, name, value]]) : undefined;
  slider = event.type === "input" ? name : "";
  const [of, key] = name.split(" ");
  if (!slider && pending.has(of, key, true)) ask("change");
}

/** The callback of the answer; one to an older question than the last is passed over. The link comes first. */
export function answered(answer: Answer): unknown {
  if (!pending.isCurrent(answer)) return nothing();
  clearTimeout(lost);
  unanswered = 0;
  if (!staysOut(answer)) pending.confirm();
  else if (answer.cause !== "draft") retract();
  take(answer);
  // a hand opens and closes a fold without Dash: it takes one that was closed for open, and setting that again does nothing
  for (const { field } of answer.errors)
    for (let fold = one(`#error-${field}`)?.closest("details"); fold; fold = fold.parentElement!.closest("details")) fold.open = true;
  const said = new Map(answer.shown.map(([place, props]) => [spelled(place), props]));
  // Dash would write what this gives back a moment later, over what is typed until then
  for (const [id, { value }] of said) if (value !== undefined) fill(id, value, answer.cause);
  return outputs((id, prop) => (id.startsWith("{") && !pending.mayShow(partsOf(id).type) ? undefined : said.get(id)?.[prop]));
}

/** Write into a control, unless it was touched since, or somebody is writing into it. */
function fill(id: string, value: Value, cause: Cause): void {
  const { type, name } = partsOf(id);
  shown.set(id, value);
  if (pending.mayShow(type) && (cause === "open" || !isHeld(type, name))) show(id, { value });
}

export function startForm(): void {
  on("#settings", "submit", (event) => event.preventDefault());
  for (const name of ["input", "change"]) on("#settings", name, touched);
  page.events.on("config", resolve);
  page.events.on("ask", ([cause, edits]) => ask(cause, ...edits));
}
