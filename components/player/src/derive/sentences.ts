/** The sentence about a moment: the core's, with the numbers of the moment in their places. */

import { compared, fill, number } from "../format.ts";
import type { Run, Story } from "../store/run.ts";
import { plateauAt } from "./plateaus.ts";
import { stageOf } from "./times.ts";
import type { View } from "./view.ts";

export function storyOf(run: Run, frame: number): Story | null {
  const stage = run.value("stage", frame);
  const direct = run.stages[stage];
  return (direct?.stage === stage ? direct : run.stages.find((one) => one.stage === stage))?.story ?? null;
}

/** What is said of a moment: of the plateau that it lies in, else of the stage. */
export function sentenceOf(run: Run, frame: number, view: View): string {
  const loss = run.value("loss", frame);
  if (view.edit?.id === run.id)
    return `Neuron ${view.edit.neuron + 1} moved by hand: the loss is ${compared(view.edit.loss, loss).join(" instead of ")}.`;
  return plateauAt(run, frame)?.sentence ?? stageSentence(run, frame);
}

export function stageSentence(run: Run, frame: number): string {
  const loss = run.value("loss", frame);
  const told = storyOf(run, frame);
  if (told) return [told.headline, fill(told.moment, loss, run.value("floor", frame))].filter(Boolean).join(" ");
  const [stage, stages] = stageOf(run, frame);
  return `Stage ${stage} of ${stages}: the loss is ${number(loss)}.${run.stages.length ? "" : " What happened in it is being worked out."}`;
}
