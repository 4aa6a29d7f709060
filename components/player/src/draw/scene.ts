/** What drawing needs to know, and what the panels tell whoever holds them. */

import type { View } from "../derive/view.ts";
import type { Run } from "../store/run.ts";
import type { Host } from "./host.ts";

/** What is highlighted in all panels at once; neuron and datum count from 0, `tables` are those of whole traces. */
export type Mark = { neuron: number | null; datum: number | null; time: number | null; tables: string[] };

export type Scene = {
  runs: Run[];
  /** What was on screen before: only the curves of it. */
  previousRuns?: Run[];
  selected: Run | null;
  view: View;
  epoch: number;
  frame: (run: Run) => number;
  touch: boolean;
  mark: Mark;
};

/** A scene in which a run is selected: only then is there anything to draw. */
export type ShownScene = Scene & { selected: Run };

/** What is under the pointer. */
export type Found = { neuron?: number; datum?: number; epoch?: number; time?: number; lines: Line[] };
/** A line of the tooltip; with a colour it has the sign of a curve. */
export type Line = string | { text: string; colour: string; dash: string };

/** Whoever holds the panels: the pointer's actions are reported to it. */
export type Holder = {
  scene: () => Scene;
  hovered: (host: Host, found: Found | null) => void;
  clicked: (found: Found) => void;
  unzoom: (host: Host) => void;
  zoomed: (window: [number, number]) => void;
  edit: (neuron: number, bias: number) => void;
};

export const isShown = (scene: Scene): scene is ShownScene => scene.selected !== null;
