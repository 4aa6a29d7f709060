/** What the page shows of the settings' runs: which are open, what Run says, what is wrong. The server resolves,
 *  starts, stops and continues them (components/answers.py). */

import { count, seconds } from "../format.ts";
import type { RunStatus } from "../store/poll.ts";
import type { RaceEntry } from "../store/run.ts";
import { setSheet, toast } from "./float.ts";
import { applyToPlayer } from "./follow.ts";
import { ask, type Cause, type Edit } from "./form.ts";
import { configQuery, confirm, link, setView } from "./link.ts";
import { on, one, player } from "./page.ts";
import { isActive, showProgress } from "./progress.ts";

/** Properties of a component, which has a compound id, or of an element of the page. */
export type Placed = [place: string | object, said: Record<string, unknown>];
type FieldError = { field: string; error: string };
type Wanted = RaceEntry & { exists: boolean; complete: boolean; state: string };
export type Answer = {
  serial: number;
  cause: Cause;
  /** The link as it was asked for, and in the codec's spelling where it can be read. */
  config: string;
  canonical?: string;
  errors: FieldError[];
  /** All errors as one text. */
  refusal: string;
  runs?: Wanted[];
  seconds?: number;
  /** So cheap that it is not worth a word. */
  instant?: boolean;
  /** Runs were started; some were refused, and may be asked for again after so many seconds. */
  started?: boolean;
  refused?: string;
  wait?: number;
  /** What the controls show from now on. */
  shown?: Placed[];
};

let answer: Answer | null = null;
let starting = false;
let infos: RunStatus[] = [];

const isWanting = (run: Wanted): boolean => ["missing", "short"].includes(run.state);

/** The server has answered a question about the settings. */
export function answered(next: Answer): void {
  const { cause, errors, runs = [], started, refused, wait } = next;
  answer = next;
  starting = false;
  if (cause !== "draft") {
    const query = next.canonical ?? next.config;
    const longer = cause === "continue" || cause === "further";
    const push = longer || cause === "change" || cause === "run";
    confirm(query, { push: push && query !== configQuery(), keepMoment: longer });
  }
  if (cause !== "draft" && !errors.length) {
    if (refused && (started || cause === "stop")) toast(refused);
    else if (refused) note(refused, cause !== "open");
    else if (started) note("");
    if (started && cause !== "open") setView({ at: null });
    if (started && cause === "run") setSheet(false, false);
    if (runs.every((run) => run.exists) || started) open();
    else setStale(true);
    if (started || cause === "stop") for (const run of runs) player.poke(run.id);
    if (wait) setTimeout(() => next === answer && ask("run"), 1000 * Math.max(1, wait));
  }
  showState();
}

function open(): void {
  setStale(false);
  one("#panels").classList.add("waiting");
  const { at, focus, ghost } = link.view;
  player.open(
    answer!.runs!.filter((run) => run.exists),
    { at: at ? Number(at) : null, selected: focus || null, haunted: answer!.cause !== "open", ghost },
  );
  applyToPlayer(link.view);
}

/** Run was pressed: until the answer is there, it cannot be pressed again. */
export function begin(): void {
  starting = true;
  showState();
}

const continues = (info?: RunStatus): boolean =>
  info?.status === "stopped" || info?.status === "paused" || (info?.status === "finished" && info.outcome === "budget");

// ---- saying what is ----------------------------------------------------------------------------------------

const hasErrors = (): boolean => Boolean(answer?.errors.length);

/** Something could not be done. */
export const refuse = (text: string): void => note(text, true);

function note(text: string, wrong = false): void {
  one("#run-note").textContent = text;
  one("#run-note").classList.toggle("wrong", wrong);
}

const isStale = (): boolean => one("#panels").classList.contains("stale");
const setStale = (on: boolean): boolean => one("#panels").classList.toggle("stale", on);

function showState(): void {
  const wrong = hasErrors();
  const runs = answer?.runs ?? [];
  const active = infos.filter(isActive);
  const same = Boolean(answer) && !isStale() && runs.every((run) => infos.some((info) => info.id === run.id));
  const running = same && active.length > 0;
  const complete = same && !running && runs.every((run) => run.complete);
  const underway = running && !runs.some(isWanting);
  const state = active.some((info) => info.status === "running") ? "running" : "queued";
  one("#run-bar").dataset.state = starting || running ? state : "idle";
  one<HTMLButtonElement>("#run").disabled = wrong || starting || !answer || complete || underway;
  const texts: [boolean, string][] = [
    [starting, "Starting…"],
    [wrong, "Run"],
    [underway, "Running…"],
    [complete, "This run is on screen"],
    [same && runs.some((run) => run.state === "halted"), "Resume"],
  ];
  one("#run-text").textContent = texts.find(([is]) => is)?.[1] ?? "Run";
  const costs = !wrong && !complete && !underway && !starting && answer?.seconds !== undefined && !answer.instant;
  one("#run-cost").textContent = costs ? seconds(answer!.seconds!) : "";
  one("#stop").hidden = !running || !active.some((info) => info.mine !== false);
  one("#pause").hidden = !running;
  const idle = !running && !starting && same && !wrong;
  one("#continue").hidden = !idle || !infos.some(continues);
  showFurther(idle ? infos.filter((info) => info.whole) : []);
  showOverlay(wrong);
  showProgress(infos, same, running);
}

/** Runs of which the server has more than the link's budget asks for. */
function showFurther(cut: RunStatus[]): void {
  one("#further").hidden = !cut.length;
  if (!cut.length) return;
  const whose = cut.length > 1 ? `${cut.length} runs were trained` : infos.length > 1 ? `${cut[0].title} was trained` : "Trained";
  const reached = count(Math.max(...cut.map((info) => info.whole?.epoch ?? 0)));
  one("#further").textContent = `${whose} further, to ${reached} epochs: show all`;
}

/** Show all that there is of them: a budget is a method's. */
function askFurther(): void {
  const budgets: Record<string, number> = {};
  for (const { method, whole } of infos) if (whole) budgets[method] = Math.max(budgets[method] ?? 0, whole.epochs!);
  ask(
    "further",
    Object.entries(budgets).map(([method, epochs]): Edit => ["budget", method, String(epochs)]),
  );
}

/** Over the panels: what is on screen is not what the settings say, or they cannot be run at all. */
function showOverlay(wrong: boolean): void {
  const waiting = isStale() && !starting && Boolean(answer);
  const refused = wrong && !player.runs.length ? answer!.refusal : "";
  one("#overlay").hidden = refused ? false : !waiting || wrong;
  one("#overlay-run").hidden = Boolean(refused);
  one("#overlay-out").hidden = !refused;
  one("#overlay-text").textContent = refused
    ? refused
    : waiting && answer?.seconds !== undefined
      ? `These settings have not been run yet. It takes ${seconds(answer.seconds)}.`
      : "";
}

export function listenRuns(): void {
  on("#further", "click", askFurther);
  player.on("painted", () => one("#panels").classList.remove("waiting"));
  player.on("status", (runs) => {
    const before = infos.map((info) => info.status).join();
    infos = runs.filter((run) => run.status !== "loading");
    if (before !== infos.map((info) => info.status).join()) note("");
    showState();
  });
}
