/** The sentence about a moment: the core's, with the numbers of the moment in their places. */

import { compared, fill, number } from "../format.ts";
import type { Run, Stage, Story } from "../store/run.ts";
import { phaseAt } from "./plateaus.ts";
import { stageOf } from "./times.ts";
import type { View } from "./view.ts";

function stageAt(run: Run, frame: number): Stage | undefined {
  const stage = run.value("stage", frame);
  const direct = run.stages[stage];
  return direct?.number === stage ? direct : run.stages.find((one) => one.number === stage);
}

export const storyOf = (run: Run, frame: number): Story | null => stageAt(run, frame)?.story ?? null;

/** The neuron and the datum that a sentence is about, counted from 0. They come with it as numbers: a sentence is
 *  never read for them, so that it may be in any language. */
export type About = { neuron?: number; datum?: number };

export const about = (neuron?: number | null, datum?: number | null): About => ({
  ...((neuron ?? -1) >= 0 && { neuron: neuron! }),
  ...((datum ?? -1) >= 0 && { datum: datum! }),
});

/** Whom the sentence of a moment is about. */
export function aboutAt(run: Run, frame: number, view: View): About {
  if (view.edit?.id === run.id) return about(view.edit.neuron);
  const phase = phaseAt(run, frame);
  if (phase) return about(phase.neuron, phase.datum);
  const [, neuron, , datum] = stageAt(run, frame)?.changes?.[0] ?? [];
  return about(neuron, datum);
}

/** What happens at a moment: on the plateau that it lies in, else in the stage. */
export function sentenceOf(run: Run, frame: number, view: View): string {
  const loss = run.value("loss", frame);
  if (view.edit?.id === run.id)
    return `Neuron ${view.edit.neuron + 1} moved by hand: the loss is ${compared(view.edit.loss, loss).join(" instead of ")}.`;
  const phase = phaseAt(run, frame);
  return phase ? fill(phase.sentence, loss, run.value("floor", frame)) : stageSentence(run, frame);
}

/** What stands behind "Why?": on a plateau the numbers, and the stage; elsewhere what holds the loss back. */
export function reasonsAt(run: Run, frame: number): string[] {
  const phase = phaseAt(run, frame);
  const story = storyOf(run, frame);
  const state = [story?.change, story?.state].filter(Boolean).join(" ");
  return phase ? [phase.detail, stageSentence(run, frame), state] : [story?.why ?? "", state, ""];
}

function stageSentence(run: Run, frame: number): string {
  const loss = run.value("loss", frame);
  const story = storyOf(run, frame);
  if (story) return [story.headline, fill(story.moment, loss, run.value("floor", frame))].filter(Boolean).join(" ");
  const [stage, stages] = stageOf(run, frame);
  return `Stage ${stage} of ${stages}: the loss is ${number(loss)}.${run.stages.length ? "" : " Analysing this stage…"}`;
}
