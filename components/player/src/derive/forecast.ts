/** What the flow says comes next: the answer of the server, when it came true, and the columns of its curves. */

import { exact, secondsBetween } from "../format.ts";
import type { Run } from "../store/run.ts";
import { upperBound } from "../store/search.ts";
import { datumNamed } from "./places.ts";
import { type About, about, aboutAt } from "./sentences.ts";
import { SMALLEST } from "./times.ts";
import type { Columns, Event, Forecast, Told, View } from "./view.ts";

export const forecastPath = (frame: number): string => `forecast?frame=${frame}`;
const CHANGES = ["crossed", "pinned", "released", "moved", "relocated", "hopping", "settled"];
const MOST_DECADES = 1;

/** Does it say that something will change, and when? */
const isDated = (told: Forecast): told is Forecast & { epoch: number } => told.epoch !== null && CHANGES.includes(told.kind);

/** What the run did next, as far as its frames reach: everything that happened at the same epoch. */
export function happened(run: Run, frame: number): Event[] {
  return run.cached(`happened|${frame}`, () => {
    const next = run.changes.findIndex((changes, k) => k > frame && changes.length > 0);
    if (next >= 0) {
      const all = run.changes[next].map(([neuron, kind, datum, epoch]) => ({ neuron, kind, datum: datum < 0 ? null : datum, epoch }));
      return all.filter((one) => one.epoch === all[0].epoch);
    }
    const end = { epoch: run.value("epoch", run.last), kind: "trained", neuron: null, datum: null };
    return run.isTrained ? [end] : [];
  });
}

/** The one of several events that a forecast means; none where it was wrong. */
const meant = (told: Omit<Event, "epoch">, events: Event[]): Event | undefined =>
  events.find((one) => (one.neuron === null ? one.kind === told.kind : one.neuron === told.neuron && one.datum === told.datum));

const VERBS: Record<string, string> = {
  crossed: "crosses",
  pinned: "is pinned at",
  released: "comes free from",
  moved: "is moved over",
  relocated: "is moved",
  hopping: "begins to hop over",
  settled: "no longer hops over",
};

/** "neuron 7 crosses x = 0.313". */
function eventText({ kind, neuron, datum }: Omit<Event, "epoch">, run: Run): string {
  if (neuron === null) return kind === "trained" ? "the run is fully trained" : kind;
  const where = datum !== null && datum >= 0 && run.data ? ` ${datumNamed(run, datum)}` : "";
  return `neuron ${neuron + 1} ${VERBS[kind] ?? kind}${where}`;
}

/** What became of it, in the run's own frames: nothing yet, or the comparison, told at an epoch. */
export function outcome(told: Forecast, run: Run, now = -1): { right: boolean; text: string; event: Event } | null {
  const events = happened(run, told.frame);
  if (!events.length || !(isDated(told) || told.kind === "trained")) return null;
  const found = meant(told, events);
  const when = isDated(told) ? exact(told.epoch) : "";
  const head = (found ?? events[0]).epoch > now ? "Next" : `Forecast of epoch ${exact(run.value("epoch", told.frame))}`;
  if (found) {
    const at = exact(found.epoch);
    const predicted = !when || when === at ? "as predicted" : `predicted for ${when}`;
    const text = `${head}: ${eventText(found, run)} at epoch ${at} (${predicted}).`;
    return { right: true, text, event: found };
  }
  const came = `${eventText(events[0], run)} at epoch ${exact(events[0].epoch)}`;
  const text = `${head}: ${came}. Predicted: ${eventText(told, run)}${when && ` at ${when}`}.`;
  return { right: false, text, event: events[0] };
}

/** Whom the words of a moment name: who is next by the forecast, else whom the sentence is about. */
export function namedAt(run: Run, frame: number, epoch: number, view: View): About {
  const { forecast } = view;
  const next = forecast?.run === run.id ? (outcome(forecast, run, epoch)?.event ?? forecast) : null;
  return next && (next.epoch ?? 0) > epoch ? about(next.neuron, next.datum) : aboutAt(run, frame, view);
}

/** Whether it speaks of what comes after a moment: it was made no later, and nothing has changed since. */
export function isCurrent(told: Forecast, run: Run, frame: number): boolean {
  const now = run.value("epoch", frame);
  const [next] = happened(run, told.frame);
  return told.frame <= frame && !(next?.epoch <= now) && !(isDated(told) && told.epoch <= now);
}

/** What it says now: of a run that is being computed also how long it takes to get there. */
export function announced(told: Forecast, run: Run): string {
  if (!isDated(told)) return told.sentence;
  const left = wait(told, run);
  return `Next: ${told.sentence}${left && ` The run gets there ${left}.`}`;
}

/** How long a computing run takes to get there. */
function wait(told: Forecast, run: Run): string {
  const { remaining, epochs = 0 } = run.info ?? {};
  if (!isDated(told) || !run.running || !remaining) return "";
  const now = Math.max(run.value("epoch", run.last), run.info?.epoch ?? 0);
  const share = (told.epoch - now) / (epochs - now);
  return share > 0 && epochs > now ? `in ${secondsBetween([share * remaining[0], share * remaining[1]])}` : "";
}

/** How far the time axis must reach for a forecast beyond the last frame of a run that goes on: an exponent, or null.
 *  Of one that has ended the axis stays, so that nothing jumps when somebody scrubs to its end. */
export function reach(told: Told | null | undefined, run: Run | null): number | null {
  if (!told || !run?.running || !run.count || told.run !== run.id || !isDated(told)) return null;
  const last = run.value("epoch", run.last);
  const end = told.future.epoch[told.future.epoch.length - 1];
  return told.epoch > last && last > 0 ? Math.log10(Math.min(end, last * 10 ** MOST_DECADES)) : null;
}

const timeOf = (epoch: number, view: View): number => (epoch > 0 ? epoch : view.zero);

/** The value of a sampled curve at an epoch. */
function between(epochs: number[], values: number[], at: number): number {
  const i = Math.min(Math.max(1, upperBound(epochs, at)), epochs.length - 1);
  const share = (at - epochs[i - 1]) / (epochs[i] - epochs[i - 1] || 1);
  return values[i - 1] + Math.min(1, Math.max(0, share)) * (values[i] - values[i - 1]);
}

type Future = (told: Told, run: Run, view: View, group: number) => Columns | null;

const events =
  (...kinds: string[]): Future =>
  (told, run, view) => {
    const { epoch, loss, b, c } = told.future;
    const list = told.events.filter((one) => kinds.includes(one.kind) && one.neuron !== null);
    const at = (values: number[], one: Event): number => between(epoch, values, one.epoch);
    return {
      x: list.map((one) => timeOf(one.epoch, view)),
      loss: list.map((one) => Math.max(SMALLEST, at(loss, one))),
      b: list.map((one) => (one.datum !== null && one.datum >= 0 && run.data ? run.data.x[one.datum] : at(b[one.neuron!], one))),
      c: list.map((one) => at(c[one.neuron!], one)),
      colour: list.map((one) => view.style.neuron(run, one.neuron!)),
    };
  };

/** Curves of all neurons of a colour that data can still move. */
function neurons(told: Told, run: Run, view: View, group: number): Columns | null {
  const { epoch, b, c } = told.future;
  const gap = run.row("gap", told.frame);
  const m = run.data?.x.length ?? Infinity;
  const own = b.map((_, j) => j).filter((j) => view.style.group(run, j) === group && gap[j] < m);
  if (!own.length) return null;
  const x = [...epoch.map((one) => timeOf(one, view)), NaN];
  const joined = (rows: number[][]): number[] => own.flatMap((j) => [...rows[j], NaN]);
  return { x: own.flatMap(() => x), b: joined(b), c: joined(c) };
}

/** Tables of the forecast that is held; along other axes than epochs it knows nothing. */
export const futures: Record<string, Future> = {
  future_loss: ({ future }, _run, view) => ({
    x: future.epoch.map((one) => timeOf(one, view)),
    loss: future.loss.map((value) => Math.max(SMALLEST, value)),
  }),
  future_neurons: neurons,
  future_events: events(...CHANGES),
  future_crossings: events("crossed", "released", "moved", "relocated"),
  future_pins: events("pinned"),
};

export function futureColumns(table: string, run: Run, view: View, group: number): Columns | null {
  const told = view.forecast;
  if (told?.run !== run.id || view.x !== "epoch" || told.future.epoch.length < 2) return null;
  const key = ["future", table, group, told.frame, view.zero].join("|");
  return run.extra(key, () => futures[table](told, run, view, group));
}
