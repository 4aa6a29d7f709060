/** The settings live in Python (components/pages/lab/callbacks/form.py). Here is what the server cannot know: the order of
 *  what was done, since the next change may come before the last one is answered. */

import { backoff } from "../store/poll.ts";
import { configQuery, viewQuery } from "./link.ts";
import { type Answer, all, type Cause, type Entered, on, one, type Placed, page } from "./page.ts";
import { type Edit, Pending } from "./pending.ts";
import { answered, begin, refuse, staysOut, stopRuns, waitFor } from "./runs.ts";

const BUTTONS: Record<string, [Cause, Edit[]]> = {
  continue: ["continue", []],
  dice: ["change", [["dice", "", null]]],
  "data-clear": ["change", [["points", "file", ""]]],
};
/** Milliseconds after the last change of a drawing until it is sent, and run. */
const DRAWN = 1000;
const pending = new Pending();
const SKETCH = { type: "points", name: "sketch" };
let timer = 0;
let drawing = 0;
let unanswered = 0;

/** Ask the server: about the confirmed link, and all that was done to it since. */
function ask(cause: Cause, edits: Edit[] = [], drafts: Edit[] = []): void {
  clearTimeout(drawing);
  const asked = pending.next(edits, drafts);
  // the controls come with the settings of the link in them: the first answer need not fill them again
  const shown = asked.serial === 1 ? page.spec.shown : null;
  const question = { ...asked, cause, config: configQuery(), view: viewQuery(), shown };
  clearTimeout(timer);
  timer = window.setTimeout(
    () => {
      unanswered += 1;
      refuse("The server does not answer; trying again.");
      ask(cause, [], drafts);
    },
    4 * backoff(unanswered + 1),
  );
  window.dash_clientside.set_props("form", { question });
  waitFor(cause);
}

/** Another link: what was done to the last one is not meant for it. */
export function resolve(): void {
  clearTimeout(drawing);
  pending.forget();
  const { shown, answer } = page.spec;
  if (pending.serial || !answer || shown !== configQuery()) return ask("open");
  take({ ...answer, serial: pending.next().serial });
}

/** Run was pressed: until the answer is there, it cannot be pressed again. */
export function startRuns(): void {
  begin();
  ask("run");
}

function entered({ id, value, done: finished, enter, held }: Entered): void {
  const { type, name } = JSON.parse(id) as { type: string; name: string };
  if (held) return hold([type, name, value]);
  if (type === "source" && !value) return;
  if (type === "source") showSource(name);
  const edit: Edit = [type, name, type === "source" ? one<HTMLSelectElement>("#field-target-name").value : value];
  // own points have no moment at which they are finished: what can be read of them counts
  if (!finished && type !== "points") return ask("draft", [], [edit]);
  if (enter) begin();
  ask(enter ? "run" : "change", [edit]);
}

/** Somebody goes on drawing: it is sent when the hand rests. */
function hold(edit: Edit): void {
  pending.hold(edit);
  clearTimeout(drawing);
  drawing = window.setTimeout(() => ask("change"), DRAWN);
}

/** An empty pad, at once: what is drawn before the server has answered must not be added to older points. */
const emptyPad = (): void => show([SKETCH, { picture: { m: 0, rows: [], editable: true } }]);

/** Another source of the target: its controls are there at once, so that one can draw before the server has answered. */
function showSource(name: string): void {
  for (const part of all("#settings [data-source]")) part.hidden = part.dataset.source !== name;
  if (name === "data") emptyPad();
}

/** Show what is said of a component or an element, where it is not shown yet: each costs Dash a round of its page. */
function show([place, said]: Placed): void {
  if (typeof place !== "string" && !pending.mayShow((place as { type: string }).type)) return;
  const element = typeof place === "string" ? (one(`#${place}`) as unknown as Record<string, unknown>) : null;
  const known = element ?? window.dash_component_api.getLayout(place)!.props;
  const named = Object.entries(said).map(([name, value]): [string, unknown] => [
    element && name === "children" ? "textContent" : name,
    value,
  ]);
  const news = Object.fromEntries(named.filter(([name, value]) => JSON.stringify(known[name]) !== JSON.stringify(value)));
  if (element) Object.assign(element, news);
  else if (Object.keys(news).length) window.dash_clientside.set_props(place, news);
}

/** The answer is there; one to an older question than the last is passed over. The link comes first. */
export function take(answer: Answer): void {
  if (!pending.isCurrent(answer)) return;
  clearTimeout(timer);
  unanswered = 0;
  if (!staysOut(answer)) pending.confirm();
  answered(answer);
  answer.shown?.forEach(show);
  for (const { field } of answer.errors)
    for (let fold = one(`#error-${field}`)?.closest("details"); fold; fold = fold.parentElement!.closest("details")) fold.open = true;
}

export function startForm(): void {
  on("#settings", "submit", (event) => event.preventDefault());
  on("#settings", "edit", (event) => entered((event as CustomEvent<Entered>).detail));
  for (const [name, [cause, edits]] of Object.entries(BUTTONS)) on(`#${name}`, "click", () => ask(cause, edits));
  on("#data-clear", "click", emptyPad);
  for (const name of ["#stop", "#stop-here"]) on(name, "click", stopRuns);
  for (const name of ["#run", "#overlay-run"]) on(name, "click", startRuns);
  page.events.on("config", resolve);
  page.events.on("ask", ([cause, edits]) => ask(cause, edits));
}
