/** From configuration to runs: what a link would cost, starting, stopping, continuing, and how far they are. */

import type { TimeName } from "../derive/times.ts";
import { seconds, spelled } from "../format.ts";
import type { RunStatus } from "../store/poll.ts";
import { post, type Reply } from "../store/source.ts";
import { setSheet, toast } from "./float.ts";
import { form, methodsOf, showForm } from "./form.ts";
import { configQuery, join, link, respell, setConfig, setView, type Texts, tidy } from "./link.ts";
import { all, on, one, page, player } from "./page.ts";
import { showProgress } from "./progress.ts";
import { drawPicture, type Picture } from "./target.ts";

/** "open": a link was opened or gone back to: show it, and start it when it is cheap.
 *  "change": a control was changed: show it when the server has it, else offer Run.
 *  "draft": somebody is typing: errors, cost and picture only. */
type Cause = "open" | "change" | "draft";
type FieldError = { field: string; error: string };
type Wanted = {
  id: string;
  method: string;
  query: string;
  epochs: number;
  exists: boolean;
  complete: boolean;
  state: string;
  seconds: number;
};
type Answer = {
  errors: FieldError[];
  canonical: string;
  runs: Wanted[];
  seconds: number;
  cheap: boolean;
  thumbnail?: Picture;
  /** Sentences about steps that are too large for the start. */
  cautions?: string[];
  /** The same with data counted in other units, where they are on another scale. */
  better?: { query: string; text: string } | null;
  draft: boolean;
};

const AGAIN = 1500;
let serial = 0;
let answer: Answer | null = null;
let starting = false;
let pending: Promise<void> = Promise.resolve();
let infos: RunStatus[] = [];

const isActive = (info: { status: string }): boolean => ["running", "queued"].includes(info.status);
const isWanting = (run: Wanted): boolean => ["missing", "short"].includes(run.state);

/** What would this be? */
export function resolve(cause: Cause, config: Texts): Promise<void> {
  pending = ask(cause, config);
  return pending;
}

async function ask(cause: Cause, config: Texts): Promise<void> {
  const mine = ++serial;
  const reply = await post("/api/resolve", { query: join(config, cause === "draft" ? {} : link.view) });
  if (mine !== serial) return;
  if (!reply.ok && !reply.body.errors) {
    if (reply.status === 0) setTimeout(() => mine === serial && resolve(cause, config), AGAIN);
    return note(reply.body.error || "The server refused this link.", true);
  }
  answer = { ...(reply.body as unknown as Answer), draft: cause === "draft" };
  if (answer.thumbnail) drawPicture(answer.thumbnail);
  showErrors(answer.errors);
  if (cause === "draft" || answer.errors.length) return;
  if (answer.canonical !== configQuery()) {
    respell(answer.canonical);
    showForm(link.config);
  }
  tidy();
  if (answer.runs.some(isWanting) && cause === "open" && answer.cheap) return begin(true);
  if (answer.runs.every((run) => run.exists)) open();
  else setStale(true);
  showState();
}

function open(): void {
  setStale(false);
  const { at, focus, neuron, xaxis = "epoch" } = link.view;
  player.setAxis(xaxis as TimeName, true);
  player.open(
    answer!.runs.filter((run) => run.exists),
    { at: at ? Number(at) : null, selected: focus || null },
  );
  if (neuron) player.choose(Number(neuron) - 1);
}

// ---- starting, stopping, continuing ------------------------------------------------------------------------

/** A press of Run may come before the answer to the last change: it means that change. */
export const startRuns = (): Promise<void> => pending.then(() => begin());

async function begin(quiet = false): Promise<void> {
  if (starting || hasErrors() || !answer) return;
  starting = true;
  showState();
  // the quick ones first: on one worker they are on screen while the long one still runs
  const wanted = answer;
  const replies = new Map<Wanted, Reply>();
  for (const run of wanted.runs.toSorted((a, b) => a.seconds - b.seconds)) replies.set(run, await post("/api/runs", { query: run.query }));
  starting = false;
  if (wanted !== answer) return showState();
  const refused = [...replies.values()].find((reply) => !reply.ok);
  if (refused && [...replies.values()].every((reply) => !reply.ok)) {
    setStale(!wanted.runs.every((run) => run.exists));
    note(refused.body.error || "The run could not be started.", !quiet);
    return showState();
  }
  for (const [run, reply] of replies) accept(run, reply);
  if (refused) toast(refused.body.error ?? "");
  for (const [run, reply] of replies) if (reply.status === 429) tryLater(wanted, run, reply.wait);
  setSheet(false, false);
  if (!quiet) setView({ at: null });
  open();
  for (const run of wanted.runs) player.poke(run.id);
  note("");
  showState();
}

function accept(run: Wanted, reply: Reply): boolean {
  if (reply.ok) Object.assign(run, { exists: true, complete: true, state: "complete", id: reply.body.id });
  return reply.ok;
}

/** A race may have more methods than one browser may run at a time: the rest go in as places get free. */
function tryLater(wanted: Answer, run: Wanted, wait: number): void {
  setTimeout(async () => {
    if (wanted !== answer) return;
    const reply = await post("/api/runs", { query: run.query });
    if (wanted !== answer) return;
    if (accept(run, reply)) open();
    else if (reply.status === 429) tryLater(wanted, run, reply.wait);
    else toast(reply.body.error ?? "");
    showState();
  }, 1000 * Math.max(1, wait));
}

async function stopRuns(): Promise<void> {
  for (const { id } of infos.filter(isActive)) {
    const reply = await post(`/api/runs/${id}/stop`, {});
    if (!reply.ok) toast(reply.body.error || "It could not be stopped.");
    player.poke(id);
  }
}

const continues = (info?: RunStatus): boolean =>
  info?.status === "stopped" || info?.status === "paused" || (info?.status === "finished" && info.outcome === "budget");

/** Ten times the budget of every run that the budget ended; the others have nothing left to gain. */
async function extendRuns(): Promise<void> {
  const budgets = methodsOf(link.config).map((method) => {
    const { epochs, highest } = page.spec.methods[method];
    const now = Number(answer?.runs.find((run) => run.method === method)?.epochs ?? epochs);
    return continues(infos.find((info) => info.method === method)) ? Math.min(now * 10, highest) : now;
  });
  const epochs = new Set(budgets).size === 1 ? spelled(budgets[0]) : budgets.map(spelled).join(",");
  setConfig({ ...link.config, epochs }, { keepMoment: true });
  showForm(link.config);
  await resolve("change", link.config);
  startRuns();
}

// ---- saying what is ----------------------------------------------------------------------------------------

const hasErrors = (): boolean => Boolean(answer?.errors.length) || Object.values(form.errors).some(Boolean);

/** Whether what is known of the link may be of another draft, or wrong. */
export const isDoubtful = (): boolean => hasErrors() || !answer || answer.draft;

export function showErrors(errors: FieldError[]): void {
  const texts: Texts = { ...form.errors, ...Object.fromEntries(errors.map(({ field, error }) => [field, error])) };
  const placed = new Set<string>();
  for (const place of all(".field-error:not(#error-query)")) {
    const name = place.id.replace("error-", "");
    const text = texts[name] || "";
    if (text) {
      placed.add(name);
      for (let fold = place.closest("details"); fold; fold = fold.parentElement!.closest("details")) fold.open = true;
    }
    if (place.textContent !== text) place.textContent = text;
    const inputs = `[data-field="${name}"] input:not([type=range]), #field-${name}${name === "data" ? ", #data-text" : ""}`;
    for (const input of all(inputs)) {
      if (text) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
    }
  }
  const rest = Object.entries(texts).filter(([name, text]) => text && !placed.has(name));
  one("#error-query").textContent = rest.map(([, text]) => text).join(" ");
  showState();
}

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
  ];
  one("#run-text").textContent = texts.find(([is]) => is)?.[1] ?? "Run";
  const costs = !wrong && !complete && !underway && !starting && answer?.seconds !== undefined;
  one("#run-cost").textContent = costs ? seconds(answer!.seconds) : "";
  one("#stop").hidden = !running || !active.some((info) => info.mine !== false);
  one("#pause").hidden = !running;
  one("#continue").hidden = running || starting || !same || wrong || !infos.some(continues);
  showOverlay(wrong);
  showCaution(wrong);
  showProgress(infos, same, running);
}

/** Beside Run: a step that is too large for the start, data on another scale. */
function showCaution(wrong: boolean): void {
  const better = wrong ? null : answer?.better;
  const texts = wrong ? [] : [...(better ? [better.text] : []), ...(answer?.cautions ?? [])];
  one("#caution").hidden = !texts.length;
  one("#caution-text").textContent = texts.join(" ");
  const link = one<HTMLAnchorElement>("#better-units");
  link.hidden = !better;
  if (better) link.href = `/?${better.query}`;
}

/** Over the panels: what is on screen is not what the settings say, or they cannot be run at all. */
function showOverlay(wrong: boolean): void {
  const waiting = isStale() && !starting && Boolean(answer);
  const refused = wrong && !player.runs.length && answer?.errors.length ? answer.errors : null;
  one("#overlay").hidden = refused ? false : !waiting || wrong;
  one("#overlay-run").hidden = Boolean(refused);
  one("#overlay-text").textContent = refused
    ? `These settings cannot be run: ${refused.map((entry) => entry.error).join("; ")}.`
    : waiting && answer?.seconds !== undefined
      ? `These settings have not been run yet. It takes ${seconds(answer.seconds)}.`
      : "";
}

export function listenRuns(): void {
  player.on("status", (runs) => {
    const before = infos.map((info) => info.status).join();
    infos = runs.filter((run) => run.status !== "loading");
    if (before !== infos.map((info) => info.status).join()) note("");
    showState();
  });
  on("#run", "click", startRuns);
  on("#overlay-run", "click", startRuns);
  on("#stop", "click", stopRuns);
  on("#continue", "click", extendRuns);
}
