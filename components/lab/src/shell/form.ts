/** The settings live in Python (components/callbacks/form.py). Here is what the server cannot know: the order of
 *  what was done, since the next change may come before the last one is answered. */

import { backoff } from "../store/poll.ts";
import { configQuery, viewQuery } from "./link.ts";
import { on, one, page } from "./page.ts";
import { type Answer, answered, begin, refuse } from "./runs.ts";

/** "open": a link was opened or gone back to; "change": a control was changed; "draft": somebody is typing;
 *  the rest are buttons. */
export type Cause = "open" | "change" | "draft" | "run" | "continue" | "stop";
type Edit = [kind: string, name: string, value: unknown];
type Told = { value: unknown; done: boolean; enter?: boolean };

const BUTTONS: Record<string, [Cause, Edit[]]> = {
  run: ["run", []],
  "overlay-run": ["run", []],
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

/** A question for the server: the confirmed link, and all that was done to it since. */
function question(cause: Cause, drafts: Edit[] = []): object {
  serial += 1;
  // the controls come with the settings of the link in them: the first answer need not fill them again
  const shown = serial === 1 ? page.spec.shown : null;
  const asked = { serial, cause, config: configQuery(), view: viewQuery(), edits: [...done, ...drafts], shown };
  clearTimeout(timer);
  timer = window.setTimeout(
    () => {
      unanswered += 1;
      refuse("The server does not answer; trying again.");
      ask(cause);
    },
    4 * backoff(unanswered + 1),
  );
  return asked;
}

export function ask(cause: Cause, edits: Edit[] = []): void {
  done.push(...edits);
  window.dash_clientside.set_props("ask", { data: question(cause) });
}

/** Another link: what was done to the last one is not meant for it. */
export function resolve(): void {
  done = [];
  ask("open");
}

/** The clientside callback on every control: what was touched, as a question. */
export function edited(): object {
  const { triggered } = window.dash_clientside.callback_context as { triggered: { prop_id: string; value: unknown }[] };
  const drafts: Edit[] = [];
  let cause: Cause = "draft";
  for (const { prop_id, value } of triggered) {
    const id = prop_id.slice(0, prop_id.lastIndexOf("."));
    if (id in BUTTONS) {
      cause = BUTTONS[id][0];
      done.push(...BUTTONS[id][1]);
      continue;
    }
    const { type, name } = JSON.parse(id) as { type: string; name: string };
    const told = value as Told | null;
    if (!told) continue;
    if (type === "source" && !told.value) continue;
    const gallery = one<HTMLSelectElement>("#field-target-name").value;
    const edit: Edit = [type, name, type === "source" ? gallery : told.value];
    // own points have no moment at which they are finished: what can be read of them counts
    const isDone = told.done || type === "points";
    (isDone ? done : drafts).push(edit);
    if (told.enter) cause = "run";
    else if (isDone && cause === "draft") cause = "change";
  }
  if (cause === "run") begin();
  return question(cause, drafts);
}

/** The answer is there; an older one than the last question is passed over by Dash or here. */
export function take(answer: Answer): boolean {
  if (answer.serial !== serial) return false;
  clearTimeout(timer);
  unanswered = 0;
  if (answer.cause !== "draft") done = [];
  for (const { field } of answer.errors)
    for (let fold = one(`#error-${field}`)?.closest("details"); fold; fold = fold.parentElement!.closest("details")) fold.open = true;
  answered(answer);
  return true;
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
  on("#data-file", "change", openFile);
  page.events.on("config", resolve);
}
