/** Positions, dates and names as the data have them: the file's own, not those of training. */

import { number } from "../format.ts";
import type { Data, Run } from "../store/run.ts";

const DAY = 86_400_000;
const MOST_DIGITS = 9;
type Step = [unit: "year" | "month" | "day" | "hour" | "minute", count: number, days: number];
const STEPS: Step[] = [
  ["minute", 1, 1 / 1440],
  ["minute", 10, 10 / 1440],
  ["hour", 1, 1 / 24],
  ["hour", 6, 0.25],
  ["day", 1, 1],
  ["day", 7, 7],
  ["month", 1, 30.4],
  ["month", 3, 91.3],
  ["month", 6, 182.6],
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500].map((count): Step => ["year", count, 365.25 * count]),
];

/** A name of somebody's for Plotly, which reads some HTML: it is text. */
export const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

export const xName = (data: Data | null | undefined): string => data?.x_name || (data?.dates ? "date" : "x");
export const yName = (data: Data | null | undefined): string => data?.y_name || "y";

/** What slopes are counted in; dates are counted in days. */
export const slopeUnit = (data: Data): string => `${yName(data)} per ${data.dates ? "day" : xName(data)}`;

/** Days since 1970 as a date; with the time of day where the days alone do not tell. */
export function dateText(days: number, time = false): string {
  const when = new Date(Math.round(days * 86_400) * 1000);
  if (Number.isNaN(when.getTime())) return number(days);
  const text = when.toISOString();
  return time ? `${text.slice(0, 10)} ${text.slice(11, 16)}` : text.slice(0, 10);
}

/** A position in the data's own units, with the digits that its span needs. */
export function placeText(data: Data | null | undefined, x: number): string {
  if (!data || !Number.isFinite(x)) return number(x);
  const { x: all } = data;
  const span = all[all.length - 1] - all[0];
  if (data.dates) return dateText(x, span < 20);
  const size = Math.max(Math.abs(all[0]), Math.abs(all[all.length - 1]));
  const more = span > 0 && size > span ? Math.ceil(Math.log10(size / span)) : 0;
  return number(x, Math.min(MOST_DIGITS, 3 + more));
}

/** A datum: with as many digits, three at least, as tell it from its neighbours, as in core.narrative.numbers. */
export function datumText(data: Data, datum: number): string {
  const beside = [data.x[datum - 1], data.x[datum + 1]].filter((x) => x !== undefined);
  const at = data.x[datum];
  if (data.dates) return dateText(at, beside.map((x) => dateText(x)).includes(dateText(at)));
  for (let digits = 3; digits < 18; digits++) {
    const text = number(at, digits);
    if (!beside.some((x) => number(x, digits) === text)) return text;
  }
  return number(at, 17);
}

export const datumNamed = (run: Run, datum: number): string => `${xName(run.data)} = ${datumText(run.data!, datum)}`;

function startOf(days: number, [unit, count]: Step): Date {
  const when = new Date(days * DAY);
  const [year, month] = [when.getUTCFullYear(), when.getUTCMonth()];
  const from = (y: number, m: number): Date => {
    const date = new Date(0);
    date.setUTCFullYear(y, m, 1);
    return date;
  };
  if (unit === "year") return from(Math.floor(year / count) * count, 0);
  if (unit === "month") return from(year, Math.floor(month / count) * count);
  const length = (unit === "day" ? 1 : unit === "hour" ? 1 / 24 : 1 / 1440) * count * DAY;
  return new Date(Math.floor((days * DAY) / length) * length);
}

function after(when: Date, [unit, count]: Step): Date {
  const next = new Date(when);
  if (unit === "year") next.setUTCFullYear(when.getUTCFullYear() + count);
  else if (unit === "month") next.setUTCMonth(when.getUTCMonth() + count);
  else next.setTime(when.getTime() + (unit === "day" ? 1 : unit === "hour" ? 1 / 24 : 1 / 1440) * count * DAY);
  return next;
}

/** Round dates between two days since 1970, at most `most` of them. */
export function dateTicks(from: number, to: number, most: number): { tickvals: number[]; ticktext: string[] } {
  const step = STEPS.find(([, , days]) => (to - from) / days <= most) ?? STEPS[STEPS.length - 1];
  const [unit] = step;
  const tickvals = [];
  for (let when = startOf(from, step); when.getTime() <= to * DAY; when = after(when, step))
    if (when.getTime() >= from * DAY) tickvals.push(when.getTime() / DAY);
  const cut = unit === "year" ? 4 : unit === "month" ? 7 : 10;
  const text = (days: number): string => (unit === "hour" || unit === "minute" ? dateText(days, true) : dateText(days).slice(0, cut));
  return { tickvals, ticktext: tickvals.map(text) };
}
