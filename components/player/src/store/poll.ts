/** Asking the server for what is new. A run that is opened is loaded by itself; from then on one request asks for all
 *  runs that are under way, about once a second, nothing while the tab is hidden, and ever more slowly while the server
 *  does not answer. */

import { type Data, type Run, type RunInfo, withArrays } from "./run.ts";
import { type Frames, type JsonFrames, plain, type Source, SourceError, type StagesAnswer } from "./source.ts";

const EVERY = 1000;
/** Runs that are under way are asked for so often. */
const LIVE = 1000;
/** One that is paused goes on by itself, when the server's disk has space again or a place is free. */
const PAUSED = 3000;
/** In one request, as the server allows (core/service/api.py). */
const MAX_RUNS = 16;
const LONGEST = 15000;
/** What was just asked for may be over before the next question, or not known yet to the process that
 *  answers: for so long after it a run is looked at as if it were running. */
const AFTER_ASKING = 2500;
const MOST_ANSWERS = 500;
const MOST_TRIES = 6;

export type Connection = { ok: boolean; message: string };
/** `due` is when the run is to be asked for next, in milliseconds of the page's clock. */
type Watched = { run: Run; due: number; busy: boolean; lively: number; failures: number; again: boolean };
type StagesState = { told: string; busy: boolean; next: number };

export const backoff = (failures: number): number => Math.min(LONGEST, EVERY * 2 ** Math.min(failures - 1, 5));

/** An answer that may come late, of a run that is still looked at. What got lost, or took a busy server too long, is
 *  asked again after a rest: nobody else would ask for a run that has ended. What is too expensive to be answered at all
 *  costs the server a few tries. */
export async function patiently<Answer>(source: Source, path: string, wanted: () => boolean, rest = backoff): Promise<Answer | null> {
  for (let tries = 1; wanted(); tries++) {
    try {
      return await source.get<Answer>(path);
    } catch (error) {
      if ((error instanceof SourceError && error.refused) || tries === MOST_TRIES) return null;
      await new Promise((resolve) => setTimeout(resolve, rest(tries)));
    }
  }
  return null;
}

/** Questions beside the frames, such as the candidates of an iteration: while one is under way, only the
 *  newest of the others is remembered, so that scrubbing does not queue up hundreds; and what got lost is
 *  asked again later, not at once. */
function answerInquiries(source: Source, run: Run, answered: () => void): void {
  let asking = false;
  let wanted: string | null = null;
  let failures = 0;
  let restUntil = 0;

  const inquire = async (path: string): Promise<void> => {
    if (performance.now() < restUntil) return;
    if (asking) {
      wanted = path;
      return;
    }
    asking = true;
    try {
      if (run.answers.size > MOST_ANSWERS) run.answers.clear();
      run.answers.set(path, await source.get(run.path(path)));
      failures = 0;
    } catch (error) {
      if (error instanceof SourceError && error.refused) run.answers.set(path, { refused: error.message });
      else failures += 1;
    }
    asking = false;
    if (failures && !run.answers.has(path)) {
      restUntil = performance.now() + backoff(failures);
      setTimeout(answered, backoff(failures) + 10);
      return;
    }
    const next = wanted;
    wanted = null;
    answered();
    if (next && !run.answers.has(next)) inquire(next);
  };
  run.inquire = inquire;
}

type Listeners = {
  /** Something is new of a run; `fresh` if it has other frames. */
  changed: (run: Run, fresh: boolean) => void;
  /** An inquiry beside the frames was answered. */
  answered: () => void;
  connected: (connection: Connection) => void;
  /** Whether somebody looks at the stages of a run while it is under way. */
  isSelected: (run: Run) => boolean;
};

export class Poll {
  private readonly watched = new Map<string, Watched>();
  private readonly stages = new WeakMap<Run, StagesState>();
  /** Budgets whose last frames were asked for. */
  private readonly ends = new WeakMap<Run, number>();
  private readonly source: Source;
  private readonly listeners: Listeners;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;
  /** Questions under way, other than those of the panels. */
  private asked = 0;

  constructor(source: Source, listeners: Listeners, signal: AbortSignal) {
    this.source = source;
    this.listeners = listeners;
    const looked = (): void => {
      for (const one of this.watched.values()) if (one.failures) one.due = 0;
      this.schedule();
    };
    document.addEventListener("visibilitychange", looked, { signal });
    signal.addEventListener("abort", () => {
      clearTimeout(this.timer);
      this.watched.clear();
    });
  }

  start(run: Run): void {
    if (this.watched.has(run.id)) return;
    answerInquiries(this.source, run, this.listeners.answered);
    this.watched.set(run.id, { run, due: 0, busy: false, lively: 0, failures: 0, again: false });
    this.turn();
  }

  stop(id: string): void {
    this.watched.delete(id);
  }

  /** Nothing is under way: what is on screen is all that the server had to say. */
  get settled(): boolean {
    const now = performance.now();
    return this.asked === 0 && !this.askable.some(({ due }) => due <= now);
  }

  /** Look now: after Run, Stop or Continue the status is known to be old. */
  poke(id: string): void {
    const one = this.watched.get(id);
    if (!one) return;
    one.lively = performance.now() + AFTER_ASKING;
    one.again = one.busy;
    one.due = 0;
    this.schedule();
  }

  /** Somebody looks at this run now: what is told of its stages may be old. */
  look(run: Run): void {
    if (this.isWatched(run) && run.info) this.fetchStages(run);
  }

  private isWatched(run: Run): boolean {
    return this.watched.get(run.id)?.run === run;
  }

  /** Of a hidden tab only what was never there is asked for. */
  private get askable(): Watched[] {
    return [...this.watched.values()].filter(({ run, busy }) => !busy && !(document.hidden && run.count));
  }

  private schedule(): void {
    clearTimeout(this.timer);
    const due = Math.min(...this.askable.map((one) => one.due));
    if (due < Infinity) this.timer = setTimeout(() => this.turn(), Math.max(0, due - performance.now()));
  }

  /** Ask for what is due: what is not here yet by itself, so that nothing waits for the slowest, the rest together. What
   *  would be due soon comes along. */
  private turn(): void {
    const now = performance.now();
    const due = this.askable.filter((one) => one.due <= now);
    const isNew = ({ run }: Watched): boolean => !run.info || !run.data;
    for (const one of due.filter(isNew)) this.ask([one], () => this.load(one.run));
    if (due.some((one) => !isNew(one))) {
      const together = this.askable.filter((one) => !isNew(one) && one.due < now + LIVE).slice(0, MAX_RUNS);
      this.ask(together, () => this.update(together));
    }
    this.schedule();
  }

  /** Ask, and decide when each of these runs is asked for again. */
  private async ask(those: Watched[], question: () => Promise<(Frames | SourceError)[]>): Promise<void> {
    for (const one of those) Object.assign(one, { busy: true, again: false });
    const versions = those.map(({ run }) => run.version);
    this.asked += 1;
    try {
      const answers = await question();
      this.announce(null);
      those.forEach((one, i) => {
        if (this.isWatched(one.run)) this.take(one, answers[i], versions[i]);
      });
    } catch (error) {
      for (const one of those) this.failed(one, error as Error);
    }
    this.asked -= 1;
    for (const one of those) {
      one.busy = false;
      if (one.again) one.due = 0;
    }
    this.schedule();
  }

  private async load(run: Run): Promise<[Frames]> {
    const [frames] = await Promise.all([this.source.frames(run.id, run.recorded - 1), run.data ? null : this.fetchData(run)]);
    return [frames];
  }

  private update(those: Watched[]): Promise<(Frames | SourceError)[]> {
    return this.source.framesOfSeveral(those.map(({ run }) => ({ id: run.id, after: run.recorded - 1 })));
  }

  private failed(one: Watched, error: Error): void {
    if (error instanceof SourceError && error.refused) {
      one.run.info = { id: one.run.id, status: error.status === 404 ? "missing" : "failed", reason: error.message };
      one.due = Infinity;
      if (this.isWatched(one.run)) this.listeners.changed(one.run, false);
    } else {
      one.failures += 1;
      one.due = performance.now() + backoff(one.failures);
      this.announce(error);
    }
  }

  /** New frames, and in the same answer how the run is doing. */
  private take(one: Watched, answer: Frames | SourceError, version: number): void {
    const { run } = one;
    if (answer instanceof SourceError) return this.failed(one, answer);
    if (answer.info) run.info = { ...answer.info, id: run.id };
    let fresh = 0;
    // another budget meanwhile: these may not be the next frames any more
    const isOld = run.version !== version;
    if (!isOld)
      try {
        fresh = run.take(answer.columns, answer.recorded);
      } catch (error) {
        run.clear();
        return this.failed(one, error as Error);
      }
    one.failures = 0;
    // frames of wide networks come in parts
    const isMore = !run.isCut && answer.count > 0 && run.count < answer.head;
    const now = performance.now();
    const rest = run.running ? LIVE : run.status === "paused" ? PAUSED : Infinity;
    const wait = isOld || isMore ? 0 : now < one.lively ? EVERY / 4 : rest;
    one.due = this.source.isLive ? now + wait : Infinity;
    this.listeners.changed(run, fresh > 0);
    this.fetchStages(run);
    this.fetchEnd(run);
  }

  private announce(error: Error | null): void {
    if (!error && !this.failures) return;
    this.failures = error ? this.failures + 1 : 0;
    // what went wrong in here is no news for the reader: the frames are asked for again
    this.listeners.connected({ ok: !error, message: error instanceof SourceError ? error.message : "" });
  }

  private async fetchData(run: Run): Promise<void> {
    run.data = withArrays(await this.source.get<Data>(run.path("data")));
    run.forgetAll();
    this.fetchBest(run);
  }

  /** The reference line may take the server a second: the pictures do not wait for it, and can do without. */
  private async fetchBest(run: Run): Promise<void> {
    this.asked += 1;
    const answer = await patiently<{ loss: number | null; proven: boolean }>(this.source, run.path("best"), () => this.isWatched(run));
    this.asked -= 1;
    if (answer && run.data) {
      run.data.best_known = answer.loss;
      run.data.is_proven = answer.proven;
      run.forget("best");
    }
    this.listeners.changed(run, false);
  }

  /** The moment in which a link's budget ends, of a run that went on. The pictures do not wait for it either. */
  private async fetchEnd(run: Run): Promise<void> {
    const budget = run.missingEnd;
    if (budget === null || this.ends.get(run) === budget) return;
    this.ends.set(run, budget);
    this.asked += 1;
    const isWanted = (): boolean => this.isWatched(run) && run.missingEnd === budget;
    const answer = await patiently<JsonFrames>(this.source, run.path(`end?epochs=${budget}`), isWanted);
    this.asked -= 1;
    if (answer && isWanted() && answer.recorded === run.count) run.take(plain(answer).columns, answer.recorded);
    // asked again by another link with this budget, or after the frames came anew
    if (run.missingEnd !== budget) this.ends.delete(run);
    this.listeners.changed(run, true);
  }

  /** The stage table is told by the core: while a run goes on it is asked for now and then if it is the selected one, and
   *  the more rarely the longer it takes; the pictures do not wait for it. */
  private async fetchStages(run: Run): Promise<void> {
    const known = this.stages.get(run) ?? { told: "", busy: false, next: 0 };
    this.stages.set(run, known);
    const present = run.count > run.recorded ? run.value("epoch", run.last) : "";
    const state = run.ofAll(`${run.count ? run.value("stage", run.last) : -1} ${run.status} ${present}`);
    const started = performance.now();
    if (known.told === state || known.busy) return;
    if (run.running && (started < known.next || !this.listeners.isSelected(run))) return;
    known.busy = true;
    this.asked += 1;
    const path = run.ofAll("stages");
    const answer = await patiently<StagesAnswer>(this.source, run.path(path), () => this.isWatched(run));
    if (answer && path === run.ofAll("stages")) Object.assign(run, { stages: answer.stages, plateaus: answer.plateaus });
    if (answer) run.forget("plateaus");
    known.told = answer ? state : "";
    known.busy = false;
    this.asked -= 1;
    this.listeners.changed(run, false);
    const took = performance.now() - started;
    known.next = started + took + Math.max(3000, 10 * took);
    // it may have come to its end meanwhile, and nobody would ask again
    if (known.told && !run.running) this.fetchStages(run);
  }
}

/** A run's status for the rest of the page. */
export type RunStatus = RunInfo & { name: string; query: string; title: string; method: string; budget: number | null; frames: number };

export function statusOf(run: Run): RunStatus {
  const info = run.told ?? { id: run.id, status: "loading" };
  const budget = info.epochs ?? null;
  const loss = run.count ? run.value("loss", run.last) : info.loss;
  const { id, name, method, entry, query } = run;
  return { ...info, loss, id, name, query, title: entry.title ?? method, method, status: run.status, budget, frames: run.count };
}
