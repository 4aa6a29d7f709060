/** Asking the server for what is new: one request in flight per run, once a second while it runs,
 *  nothing while the tab is hidden, ever more slowly while the server does not answer. */

import { type Data, type Run, type RunInfo, withArrays } from "./run.ts";
import { get, getFrames, isReplay, type JsonFrames, plain, SourceError, type StagesAnswer } from "./source.ts";

const EVERY = 1000;
/** A run that is under way is asked for so often that its curve never rests for a second. */
const LIVE = 800;
const LONGEST = 15000;
/** What was just asked for may be over before the next question, or not known yet to the process that
 *  answers: for so long after it a run is looked at as if it were running. */
const AFTER_ASKING = 2500;
const MOST_ANSWERS = 500;
const MOST_TRIES = 6;

export type Connection = { ok: boolean; message: string };
type Loop = { run: Run; busy: boolean; closed: boolean; timer: number; lively: number; failures: number; again: boolean };
type StagesState = { told: string; busy: boolean; next: number };

export const backoff = (failures: number): number => Math.min(LONGEST, EVERY * 2 ** Math.min(failures - 1, 5));

/** An answer that may come late, of a run that is still looked at. What got lost, or took a busy server too long, is
 *  asked again after a rest: nobody else would ask for a run that has ended. What is too dear to be answered at all
 *  costs the server a few tries. */
export async function patiently<Answer>(path: string, wanted: () => boolean, rest = backoff): Promise<Answer | null> {
  for (let tries = 1; wanted(); tries++) {
    try {
      return await get<Answer>(path);
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
export function answerInquiries(run: Run, answered: () => void): void {
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
      run.answers.set(path, await get(run.path(path)));
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

export class Poll {
  private readonly loops = new Map<string, Loop>();
  private readonly stages = new WeakMap<Run, StagesState>();
  /** Budgets whose last frames were asked for. */
  private readonly ends = new WeakMap<Run, number>();
  private failures = 0;
  /** Questions under way, other than those of the panels. */
  private asked = 0;
  private readonly changed: (run: Run, fresh: boolean) => void;
  private readonly answered: () => void;
  private readonly connected: (connection: Connection) => void;

  constructor(changed: (run: Run, fresh: boolean) => void, answered: () => void, connected: (connection: Connection) => void) {
    this.changed = changed;
    this.answered = answered;
    this.connected = connected;
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) return;
      for (const loop of this.loops.values()) if (loop.run.running || !loop.run.count || loop.failures) this.turn(loop);
    });
  }

  start(run: Run): void {
    if (this.loops.has(run.id)) return;
    answerInquiries(run, this.answered);
    const loop = { run, busy: false, closed: false, timer: 0, lively: 0, failures: 0, again: false };
    this.loops.set(run.id, loop);
    this.turn(loop);
  }

  stop(id: string): void {
    const loop = this.loops.get(id);
    if (!loop) return;
    loop.closed = true;
    clearTimeout(loop.timer);
    this.loops.delete(id);
  }

  /** Nothing is under way: what is on screen is all that the server had to say. */
  get settled(): boolean {
    return this.asked === 0;
  }

  /** Look now: after Run, Stop or Continue the status is known to be old. */
  poke(id: string): void {
    const loop = this.loops.get(id);
    if (!loop) return;
    loop.lively = performance.now() + AFTER_ASKING;
    if (loop.busy) loop.again = true;
    else this.turn(loop);
  }

  private async turn(loop: Loop): Promise<void> {
    clearTimeout(loop.timer);
    if (loop.busy || loop.closed || (document.hidden && loop.run.count)) return;
    loop.busy = true;
    this.asked += 1;
    let wait: number | null = null;
    try {
      const [fresh] = await Promise.all([fetchFrames(loop.run), loop.run.data ? null : this.fetchData(loop.run)]);
      this.announce(null);
      loop.failures = 0;
      if (!loop.closed) this.changed(loop.run, fresh > 0);
      if (!loop.closed) this.fetchStages(loop.run);
      if (!loop.closed) this.fetchEnd(loop.run);
      if (!isReplay()) wait = performance.now() < loop.lively ? EVERY / 4 : loop.run.running ? LIVE : null;
    } catch (error) {
      if (error instanceof SourceError && error.refused) {
        const status = error.status === 404 ? "missing" : "failed";
        loop.run.info = { id: loop.run.id, status, reason: error.message };
        if (!loop.closed) this.changed(loop.run, false);
      } else {
        loop.failures += 1;
        this.announce(error as Error);
        wait = backoff(loop.failures);
      }
    }
    loop.busy = false;
    this.asked -= 1;
    if (loop.again) {
      loop.again = false;
      wait = 0;
    }
    if (wait !== null && !loop.closed) loop.timer = window.setTimeout(() => this.turn(loop), wait);
  }

  private isWatched(run: Run): boolean {
    return this.loops.get(run.id)?.run === run;
  }

  private announce(error: Error | null): void {
    if (!error && !this.failures) return;
    this.failures = error ? this.failures + 1 : 0;
    // what went wrong in here is no news for the reader: the frames are asked for again
    this.connected({ ok: !error, message: error instanceof SourceError ? error.message : "" });
  }

  private async fetchData(run: Run): Promise<void> {
    run.data = withArrays(await get<Data>(run.path("data")));
    run.forgetAll();
    this.fetchBest(run);
  }

  /** The reference line may take the server a second: the pictures do not wait for it, and can do without. */
  private async fetchBest(run: Run): Promise<void> {
    this.asked += 1;
    const answer = await patiently<{ loss: number | null; proven: boolean }>(run.path("best"), () => this.isWatched(run));
    this.asked -= 1;
    if (answer && run.data) {
      run.data.best_known = answer.loss;
      run.data.is_proven = answer.proven;
      run.forget("best");
    }
    this.changed(run, false);
  }

  /** The moment in which a link's budget ends, of a run that went on. The pictures do not wait for it either. */
  private async fetchEnd(run: Run): Promise<void> {
    const budget = run.missingEnd;
    if (budget === null || this.ends.get(run) === budget) return;
    this.ends.set(run, budget);
    this.asked += 1;
    const isWanted = (): boolean => this.isWatched(run) && run.missingEnd === budget;
    const answer = await patiently<JsonFrames>(run.path(`end?epochs=${budget}`), isWanted);
    this.asked -= 1;
    if (answer && isWanted() && answer.recorded === run.count) run.take(plain(answer).columns, answer.recorded);
    // asked again by another link with this budget, or after the frames came anew
    if (run.missingEnd !== budget) this.ends.delete(run);
    this.changed(run, true);
  }

  /** The stage table is told by the core: while a run goes on it is asked for now and then, and the more
   *  rarely the longer it takes; the pictures do not wait for it. */
  private async fetchStages(run: Run): Promise<void> {
    const known = this.stages.get(run) ?? { told: "", busy: false, next: 0 };
    this.stages.set(run, known);
    const present = run.count > run.recorded ? run.value("epoch", run.last) : "";
    const state = run.ofAll(`${run.count ? run.value("stage", run.last) : -1} ${run.status} ${present}`);
    const started = performance.now();
    if (known.told === state || known.busy || (run.running && started < known.next)) return;
    known.busy = true;
    this.asked += 1;
    const path = run.ofAll("stages");
    const answer = await patiently<StagesAnswer>(run.path(path), () => this.isWatched(run));
    if (answer && path === run.ofAll("stages")) Object.assign(run, { stages: answer.stages, plateaus: answer.plateaus });
    if (answer) run.forget("plateaus");
    known.told = answer ? state : "";
    known.busy = false;
    this.asked -= 1;
    this.changed(run, false);
    const took = performance.now() - started;
    known.next = started + took + Math.max(3000, 10 * took);
    // it may have come to its end meanwhile, and nobody would ask again
    if (known.told && !run.running) this.fetchStages(run);
  }
}

/** New frames and, in the same answer, how the run is doing; a replay says that once. */
async function fetchFrames(run: Run): Promise<number> {
  let fresh = 0;
  for (;;) {
    const { recorded, version } = run;
    const answer = await getFrames(run.path("frames"), recorded - 1);
    if (answer.info) run.info = { ...answer.info, id: run.id };
    else run.info ??= await get<RunInfo>(run.path());
    // another budget meanwhile: these may not be the next frames any more
    if (run.version !== version) continue;
    try {
      fresh += run.take(answer.columns, answer.recorded);
      if (run.isCut) return fresh;
    } catch (error) {
      run.clear();
      throw error;
    }
    // Frames of wide networks come in parts.
    if (!answer.count || run.count >= answer.head) return fresh;
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
