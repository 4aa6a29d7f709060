/** What the player tells. */

import type { TimeName } from "../derive/view.ts";
import type { ShownScene } from "../draw/scene.ts";
import type { Connection, RunStatus } from "../store/poll.ts";
import type { Run } from "../store/run.ts";

/** Why the moment is the one it is; the address bar rests while it plays or follows. */
export type Cause = "open" | "user" | "play" | "pause" | "live" | "follow";
type MomentTold = {
  epoch: number;
  frames: Record<string, number>;
  stage: number;
  stages: number;
  selected: string;
  run: string;
  cause: Cause;
  sentence: string;
  following: boolean;
  playing: boolean;
};
export type EditTold = { neuron: number; b: number[]; c: number[]; loss: number; loss_before: number; method: string };

/** The tables of a run are on screen, and what is on them is old; `head`, where the link's budget leaves out some, is how
 *  many of its frames they are about. */
type Which = { run: string; head: number | null; asked?: number };
export type Asked = {
  stages: Which & { count: number; end: number; status: string };
  record: Which & { running: boolean; forecasting: boolean };
};

export type PlayerEvents = Asked & {
  moment: MomentTold;
  status: RunStatus[];
  edit: EditTold | null;
  neuron: number | null;
  forecasting: boolean;
  selected: string;
  xaxis: TimeName;
  /** The part of the time axis that is looked at; null for all of it. */
  window: [number, number] | null;
  race: Run[];
  connection: Connection;
  /** A race is being opened; or it is there, and drawn. */
  busy: boolean;
  /** The figure of a panel that Python draws has come. */
  served: string;
  /** A drawing is done: `whole` when more than the moment has changed. */
  painted: { scene: ShownScene; whole: boolean };
};
