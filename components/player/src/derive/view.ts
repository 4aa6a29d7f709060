/** How runs are looked at, and what the tables of columns are made of. */

import type { NetworkState, Run, Scalar } from "../store/run.ts";
import type { Style } from "../store/style.ts";

/** A table: columns by name, or single values for a whole trace. */
export type Columns = Record<string, unknown>;

/** Something that a neuron does; neuron and datum count from 0. */
export type Event = { epoch: number; kind: string; neuron: number | null; datum: number | null };
export type Forecast = {
  frame: number;
  frame_epoch: number;
  kind: string;
  epoch: number | null;
  neuron: number | null;
  datum: number | null;
  certified: boolean;
  sentence: string;
  /** Why the stage must end, where that is certain. */
  certificate: string;
  events: Event[];
  future: { epoch: number[]; loss: number[]; b: number[][]; c: number[][] };
};
/** A forecast, and of which run it is. */
export type Told = Forecast & { run: string };

/** What a time axis counts: a column of the frames. Which are offered is told by Python (components/common/view.py). */
export type TimeName = Scalar;
export type Span = { from: number; to: number; frame: number };
export type TimeScale = { x: TimeName; zero: number; window: [number, number] | null };

/** How the runs are looked at: the shared time axis and what was edited by hand. */
export type View = TimeScale & {
  range: [number, number];
  key: string;
  timeTitle: string;
  /** How everything looks. */
  style: Style;
  runs: Run[];
  edit: (NetworkState & { id: string; neuron: number }) | null;
  /** The stretch of x that is shown; the data's own if absent. */
  domain?: [number, number] | null;
  /** What is predicted of one of the runs. */
  forecast?: Told | null;
};
