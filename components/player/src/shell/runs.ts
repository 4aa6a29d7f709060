/** What the page shows of the settings' runs: which are open, what Run says, what is wrong. The server resolves,
 *  starts, stops and continues them (components/pages/lab/form_answer.py). */

import { count, seconds } from "../format.ts";
import type { RunStatus } from "../store/poll.ts";
import { say, show } from "./dash.ts";
import { setSettings, toast } from "./float.ts";
import { leave, leftBehind, leftLine, stopByName } from "./left.ts";
import { configQuery, confirm, link, setView } from "./link.ts";
import { type Answer, type Cause, one, page, player } from "./page.ts";
import type { Edit } from "./pending.ts";
import { showProgress } from "./progress.ts";
import { applyToPlayer } from "./viewed.ts";

let answer: Answer | null = null;
let starting = false;
let infos: RunStatus[] = [];
/** What takes longer than this, in milliseconds, says what it does. */
const SILENT = 300;
/** What a question is about, in words; "" while none is open. */
let asking = "";
/** Runs were opened, and nothing of them is drawn yet. */
let opening = false;
let isSlow = false;
let slowTimer = 0;
const WORKING = "Working out these settings…";
const ASKING: Partial<Record<Cause, string>> = { open: "Opening this link…", run: "Starting…", continue: "Starting…", stop: "Stopping…" };

const ask = (cause: Cause, edits: Edit[] = []): void => page.events.emit("ask", [cause, edits]);

/** What is being typed, and what was refused, does not get into the link: it is repeated until it is mended. */
export const staysOut = ({ cause, errors }: Answer): boolean =>
  cause === "draft" || (errors.length > 0 && (cause === "change" || cause === "run"));

/** It is being computed, perhaps beyond what the link shows of it, and this browser has started it. */
const isStoppable = (info: RunStatus): boolean => Boolean((info.whole ?? info).active) && (info.whole ?? info).mine !== false;

/** The server has answered a question about the settings. */
export function take(next: Answer): void {
  const { cause, errors, runs = [], started, refused, wait } = next;
  answer = next;
  starting = false;
  asking = "";
  if (!staysOut(next)) {
    const query = next.canonical ?? next.config;
    const longer = cause === "continue" || cause === "further";
    const push = longer || cause === "change" || cause === "run";
    confirm(query, { push: push && query !== configQuery(), keepMoment: longer });
  }
  if (cause !== "draft") note(""); // what was waited for has come, or does not come
  if (cause !== "draft" && !errors.length) {
    if (refused && (started || cause === "stop")) toast(refused);
    else if (refused) note(refused, cause !== "open");
    if (started && cause !== "open") setView({ at: null });
    if (started && cause === "run") setSettings(false, false);
    if (runs.every((run) => run.exists) || started) open();
    else setStale(true);
    if (started || cause === "stop") for (const run of runs) player.poke(run.id);
    if (wait) setTimeout(() => next === answer && ask("run"), 1000 * Math.max(1, wait));
  }
  showState();
}

function open(): void {
  setStale(false);
  opening = true;
  const shown = answer!.runs!.filter((run) => run.exists).map((run) => run.id);
  const gone = infos.filter((info) => isStoppable(info) && !shown.includes(info.id));
  leave(
    gone.map((info) => info.id),
    shown,
    showState,
  );
  const { at, focus, previous } = link.view;
  player.open(
    answer!.runs!.filter((run) => run.exists),
    { at: at ? Number(at) : null, selected: focus || null, keepsPrevious: answer!.cause !== "open", previous },
  );
  applyToPlayer(link.view);
}

/** Run was pressed: until the answer is there, it cannot be pressed again. */
export function begin(): void {
  starting = true;
  showState();
}

/** A question was asked; what takes a while says what it does. */
export function waitFor(cause: Cause): void {
  asking = cause === "draft" ? asking : (ASKING[cause] ?? WORKING);
  showWaiting();
}

/** What is waited for, in words. */
function waitedFor(): string {
  if (asking) return asking;
  const info = infos.find((info) => info.active);
  if (info?.reason) return info.reason;
  return info ? (info.status === "queued" ? "Waiting in the queue…" : "Starting…") : "Loading the run…";
}

/** Grey is what is not what was asked for; it is said why, once that takes a while. */
function showWaiting(): void {
  const waits = Boolean(asking) || opening;
  if (!waits) clearTimeout(slowTimer);
  else if (!slowTimer)
    slowTimer = window.setTimeout(() => {
      isSlow = true;
      showState();
    }, SILENT);
  if (!waits) [isSlow, slowTimer] = [false, 0];
  show("panels", { "data-waiting": opening || isSlow || undefined });
}

/** Stop all that is computed: of the settings as they are, of those that are still on screen, and what was left before. */
export async function stopRuns(): Promise<void> {
  const active = infos.filter(isStoppable);
  const named = stale ? active : [];
  if (active.length > named.length) ask("stop");
  const refused = await stopByName(named.map((info) => info.id));
  for (const { id } of named) player.poke(id);
  if (refused) toast(refused);
  showState();
}

// ---- saying what is ----------------------------------------------------------------------------------------

const hasErrors = (): boolean => Boolean(answer?.errors.length);

/** Something could not be done. */
export const refuse = (text: string): void => note(text, true);

function note(text: string, wrong = false): void {
  one("#run-note").replaceChildren(text);
  show("run-note", { className: wrong ? "run-note wrong" : "run-note" });
}

/** What is on screen is not what the settings say. */
let stale = false;

function setStale(on: boolean): void {
  stale = on;
  show("panels", { "data-stale": on || undefined });
}

function showState(): void {
  showWaiting();
  const wrong = hasErrors();
  const runs = answer?.runs ?? [];
  const active = infos.filter((info) => info.active);
  // what a slow answer will say of the settings is not known: what is on screen is of others
  const unknown = isSlow && asking === WORKING;
  const same = Boolean(answer) && !stale && !unknown && runs.every((run) => infos.some((info) => info.id === run.id));
  const running = same && active.length > 0;
  const complete = same && !running && runs.every((run) => run.complete);
  const underway = running && !runs.some((run) => run.wanting);
  const state = active.some((info) => info.status === "running") ? "running" : "queued";
  show("run-bar", { "data-state": starting || running ? state : "idle" });
  show("run", { disabled: wrong || starting || !answer || complete || underway });
  const texts: [boolean, string][] = [
    [starting, "Starting…"],
    [wrong, "Run"],
    [underway, "Running…"],
    [complete, "Up to date"],
    [same && runs.some((run) => run.state === "halted"), "Resume"],
  ];
  say("run-text", texts.find(([is]) => is)?.[1] ?? "Run");
  const costs = !wrong && !unknown && !complete && !underway && !starting && answer?.seconds !== undefined && !answer.instant;
  say("run-cost", costs ? seconds(answer!.seconds!) : "");
  // a changed setting does not take away the way to stop what is still computed
  for (const stop of ["stop", "stop-here"]) show(stop, { hidden: !leftBehind() && !infos.some(isStoppable) });
  show("pause", { hidden: !running });
  const idle = !running && !starting && same && !wrong;
  show("continue", { hidden: !idle || !infos.some((info) => info.may_continue) });
  showFurther(idle ? infos.filter((info) => info.whole) : []);
  showOverlay(wrong);
  showProgress(infos, same, running, [isSlow && (asking || !infos.length) ? waitedFor() : "", leftLine()].filter(Boolean));
}

/** Runs of which the server has more than the link's budget asks for. */
function showFurther(cut: RunStatus[]): void {
  show("further", { hidden: !cut.length });
  if (!cut.length) return;
  const whose = cut.length > 1 ? `${cut.length} runs were trained` : infos.length > 1 ? `${cut[0].title} was trained` : "Trained";
  const reached = count(Math.max(...cut.map((info) => info.whole?.epoch ?? 0)));
  say("further", `${whose} further, to ${reached} epochs: show all`);
}

/** Show all that there is of them: a budget is a method's. */
export function askFurther(): void {
  const budgets: Record<string, number> = {};
  for (const { method, whole } of infos) if (whole) budgets[method] = Math.max(budgets[method] ?? 0, whole.epochs!);
  ask(
    "further",
    Object.entries(budgets).map(([method, epochs]): Edit => ["budget", method, String(epochs)]),
  );
}

/** Over the panels: what is on screen is not what the settings say, or they cannot be run at all. */
function showOverlay(wrong: boolean): void {
  const waiting = stale && !starting && Boolean(answer);
  const refused = wrong && !player.runs.length ? answer!.refusal : "";
  show("overlay", { hidden: refused || isSlow ? false : !waiting || wrong, "data-slow": isSlow || undefined });
  show("overlay-run", { hidden: Boolean(refused) });
  show("overlay-out", { hidden: !refused });
  const unrun =
    waiting && answer?.seconds !== undefined ? `These settings have not been run yet. It takes ${seconds(answer.seconds)}.` : "";
  say("overlay-text", isSlow ? waitedFor() : refused || unrun);
}

export function listenRuns(): void {
  leave([], [], showState);
  player.on("painted", () => {
    if (!opening) return;
    opening = false;
    showState();
  });
  player.on("status", (runs) => {
    const before = infos.map((info) => info.status).join();
    infos = runs.filter((run) => run.status !== "loading");
    // one that ended without a frame will never be drawn
    opening &&= !runs.length || runs.some((run) => run.status === "loading" || run.active || run.frames > 0);
    if (before !== infos.map((info) => info.status).join()) note("");
    showState();
  });
}
