/** The settings live in Python (components/callbacks/form.py). Here is what the server cannot know: the order of
 *  what was done, since the next change may come before the last one is answered. */

import { backoff } from "../store/poll.ts";
import { configQuery, viewQuery } from "./link.ts";
import { type Entered, on, one, page } from "./page.ts";
import { type Answer, answered, begin, type Placed, refuse } from "./runs.ts";

/** "open": a link was opened or gone back to; "change": a control was changed; "draft": somebody is typing;
 *  the rest are buttons; "further": show what the server has after the link's budget. */
export type Cause = "open" | "change" | "draft" | "run" | "continue" | "further" | "stop";
export type Edit = [kind: string, name: string, value: unknown];

const BUTTONS: Record<string, [Cause, Edit[]]> = {
  stop: ["stop", []],
  continue: ["continue", []],
  dice: ["change", [["dice", "", null]]],
  "data-clear": ["change", [["points", "file", ""]]],
};
let serial = 0;
let timer = 0;
let unanswered = 0;
/** Done, but not in the confirmed link yet. */
let done: Edit[] = [];

/** Ask the server: about the confirmed link, and all that was done to it since. */
export function ask(cause: Cause, edits: Edit[] = [], drafts: Edit[] = []): void {
  done.push(...edits);
  serial += 1;
  // the controls come with the settings of the link in them: the first answer need not fill them again
  const shown = serial === 1 ? page.spec.shown : null;
  const question = { serial, cause, config: configQuery(), view: viewQuery(), edits: [...done, ...drafts], shown };
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
}

/** Another link: what was done to the last one is not meant for it. */
export function resolve(): void {
  done = [];
  const { shown, answer } = page.spec;
  if (serial || !answer || shown !== configQuery()) return ask("open");
  serial += 1;
  take({ ...answer, serial });
}

/** Run was pressed: until the answer is there, it cannot be pressed again. */
export function startRuns(): void {
  begin();
  ask("run");
}

function entered({ id, value, done: finished, enter }: Entered): void {
  const { type, name } = JSON.parse(id) as { type: string; name: string };
  if (type === "source" && !value) return;
  const edit: Edit = [type, name, type === "source" ? one<HTMLSelectElement>("#field-target-name").value : value];
  // own points have no moment at which they are finished: what can be read of them counts
  if (!finished && type !== "points") return ask("draft", [], [edit]);
  if (enter) begin();
  ask(enter ? "run" : "change", [edit]);
}

/** Show what is said of a component or an element, where it is not shown yet: each costs Dash a round of its page. */
function show([place, said]: Placed): void {
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
  if (answer.serial !== serial) return;
  clearTimeout(timer);
  unanswered = 0;
  if (answer.cause !== "draft") done = [];
  answered(answer);
  answer.shown?.forEach(show);
  for (const { field } of answer.errors)
    for (let fold = one(`#error-${field}`)?.closest("details"); fold; fold = fold.parentElement!.closest("details")) fold.open = true;
}

async function openFile(event: Event): Promise<void> {
  const input = event.target as HTMLInputElement;
  const file = input.files?.[0];
  const most = page.spec.limits.upload_bytes;
  if (file && file.size > most) refuse(`The file has ${file.size} bytes, at most ${most} are allowed.`);
  else if (file) ask("change", [["points", "file", await file.text()]]);
  input.value = "";
}

export function startForm(): void {
  on("#settings", "submit", (event) => event.preventDefault());
  on("#settings", "edit", (event) => entered((event as CustomEvent<Entered>).detail));
  on("#data-file", "change", openFile);
  for (const [name, [cause, edits]] of Object.entries(BUTTONS)) on(`#${name}`, "click", () => ask(cause, edits));
  for (const name of ["#run", "#overlay-run"]) on(name, "click", startRuns);
  page.events.on("config", resolve);
}
