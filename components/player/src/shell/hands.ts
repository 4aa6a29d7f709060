/** Hands on: the chosen neuron can be moved by number or pushed over its neighbouring data point, and a run
 *  started from the network on screen. The panels draw the moved network meanwhile. */

import { compared, spelled } from "../format.ts";
import type { EditTold } from "../view/events.ts";
import { propOf, say, show } from "./dash.ts";
import { toast } from "./float.ts";
import { setView } from "./link.ts";
import { on, one, page, player } from "./page.ts";

let chosen: number | null = null;
let edited: EditTold | null = null;

function showHands(): void {
  showChoice();
  const bias = chosen === null ? null : player.biasOf(chosen);
  show("hands-on", { hidden: bias === null });
  if (chosen === null || bias === null) return;
  say("hands-name", `Neuron ${chosen + 1} at b =`);
  if (document.activeElement !== one("#hands-bias")) sayBias(bias);
  const told = edited && `The loss goes from ${compared(edited.loss_before, edited.loss).join(" to ")}.`;
  say("hands-note", told ?? "Drag its cross, type a number, or push it over the next data point.");
  show("hands-start", { disabled: !edited });
}

const sayBias = (bias: number): void => show("hands-bias", { value: spelled(Number(bias.toPrecision(6))) });

/** All neurons of the run in the panels, by number, and the chosen one. */
function showChoice(): void {
  const width = player.selected?.count ? player.selected.width : 0;
  const numbers = Array.from({ length: width }, (_, i) => String(i + 1));
  const options = [["", "none"], ...numbers.map((number) => [number, number])];
  show("neuron-choice", { options, value: chosen === null ? "" : String(chosen + 1) });
}

/** A neuron of the list was chosen. */
export function chooseNeuron(value: string): void {
  const neuron = value ? Number(value) - 1 : null;
  if (neuron !== chosen) player.choose(neuron);
}

/** Another bias was typed, and Enter pressed or the field left. */
export function moveNeuron(): void {
  const bias = chosen === null ? null : player.biasOf(chosen);
  if (chosen === null || bias === null) return;
  const text = String(propOf("hands-bias", "value") ?? "").trim();
  const value = Number(text.replace(/\u2212/g, "-") || Number.NaN);
  if (text === spelled(Number(bias.toPrecision(6)))) return;
  if (Number.isFinite(value)) return player.edit(chosen, value);
  toast("A bias is a number.");
  sayBias(bias);
}

function start(): void {
  if (!edited) return;
  const { b, c } = edited;
  const parent = player.selected?.id;
  const end = player.on("race", () => {
    end();
    setView({ previous: parent });
  });
  drop();
  page.events.emit("ask", ["run", [["network", "", { b, c }]]]);
}

function drop(): void {
  player.clearEdit();
  player.choose(null, true);
  chosen = edited = null;
  setView({ neuron: null });
  showHands();
}

/** Let go of the chosen neuron, if there is one. */
export function dropNeuron(): boolean {
  if (chosen === null) return false;
  drop();
  return true;
}

export function startHands(): void {
  player.on("painted", showChoice);
  on("#hands-left", "click", () => chosen !== null && player.push(chosen, false));
  on("#hands-right", "click", () => chosen !== null && player.push(chosen, true));
  on("#hands-start", "click", start);
  on("#hands-drop", "click", drop);
  player.on("edit", (edit) => {
    edited = edit;
    if (edit) chosen = edit.neuron;
    showHands();
  });
  player.on("neuron", (neuron) => {
    chosen = neuron;
    if (neuron === null) edited = null;
    showHands();
  });
  player.on("moment", () => chosen !== null && !edited && showHands());
  player.on("race", () => {
    chosen = edited = null;
    showHands();
  });
}
