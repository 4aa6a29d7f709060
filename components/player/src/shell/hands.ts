/** Hands on: the chosen neuron can be moved by number or pushed over its neighbouring data point, and a run
 *  started from the network on screen. The panels draw the moved network meanwhile. */

import { compared, spelled } from "../format.ts";
import type { EditTold } from "../view/events.ts";
import { toast } from "./float.ts";
import { setView } from "./link.ts";
import { on, one, page, player } from "./page.ts";

let chosen: number | null = null;
let edited: EditTold | null = null;

function show(): void {
  showChosen();
  const box = one("#hands-on");
  const bias = chosen === null ? null : player.biasOf(chosen);
  box.hidden = bias === null;
  if (chosen === null || bias === null) return;
  one("#hands-name").textContent = `Neuron ${chosen + 1} at b =`;
  const field = one<HTMLInputElement>("#hands-bias");
  if (document.activeElement !== field) field.value = spelled(Number(bias.toPrecision(6)));
  one("#hands-note").textContent = edited
    ? `The loss goes from ${compared(edited.loss_before, edited.loss).join(" to ")}.`
    : "Drag its cross, type a number, or push it over the next data point.";
  one<HTMLButtonElement>("#hands-start").disabled = !edited;
}

/** The list names the chosen neuron. Written only where it differs: an open list closes when it is written to. */
function showChosen(): void {
  const choice = one<HTMLSelectElement>("#neuron-choice");
  const value = chosen === null ? "" : String(chosen + 1);
  if (choice.value !== value) choice.value = value;
}

/** All neurons of the run in the panels, by number. */
function showChoice(): void {
  const choice = one<HTMLSelectElement>("#neuron-choice");
  const width = player.selected?.count ? player.selected.width : 0;
  while (choice.length > width + 1) choice.remove(choice.length - 1);
  while (choice.length <= width) choice.add(new Option(String(choice.length)));
  showChosen();
}

function start(): void {
  if (!edited) return;
  const { b, c } = edited;
  const parent = player.selected?.id;
  const end = player.on("race", () => {
    end();
    setView({ ghost: parent });
  });
  drop();
  page.events.emit("ask", ["run", [["network", "", { b, c }]]]);
}

function drop(): void {
  player.clearEdit();
  player.choose(null, true);
  chosen = edited = null;
  setView({ neuron: null });
  show();
}

/** Let go of the chosen neuron, if there is one. */
export function dropNeuron(): boolean {
  if (chosen === null) return false;
  drop();
  return true;
}

export function startHands(): void {
  const bias = one<HTMLInputElement>("#hands-bias");
  bias.addEventListener("change", () => {
    const value = Number(bias.value.trim().replace(/\u2212/g, "-") || Number.NaN);
    if (Number.isFinite(value) && chosen !== null) player.edit(chosen, value);
    else {
      toast("A bias is a number.");
      bias.value = chosen === null ? "" : spelled(Number(player.biasOf(chosen)?.toPrecision(6)));
    }
  });
  bias.addEventListener("keydown", (event) => event.key === "Enter" && bias.dispatchEvent(new Event("change")));
  on("#neuron-choice", "change", () => {
    const { value } = one<HTMLSelectElement>("#neuron-choice");
    player.choose(value ? Number(value) - 1 : null);
  });
  player.on("painted", showChoice);
  on("#hands-left", "click", () => chosen !== null && player.push(chosen, false));
  on("#hands-right", "click", () => chosen !== null && player.push(chosen, true));
  on("#hands-start", "click", start);
  on("#hands-drop", "click", drop);
  player.on("edit", (edit) => {
    edited = edit;
    if (edit) chosen = edit.neuron;
    show();
  });
  player.on("neuron", (neuron) => {
    chosen = neuron;
    if (neuron === null) edited = null;
    show();
  });
  player.on("moment", () => chosen !== null && !edited && show());
  player.on("race", () => {
    chosen = edited = null;
    show();
  });
}
