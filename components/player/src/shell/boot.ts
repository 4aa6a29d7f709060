/** The start of the Lab page: once the layout stands, the parts take their places and the link is opened. */

import { loadStyle } from "../draw/style.ts";
import { momentText } from "../format.ts";
import { startFiles } from "./files.ts";
import { applyView, startFloat } from "./float.ts";
import { applyToPlayer, startFollow } from "./follow.ts";
import { startForecast } from "./forecast.ts";
import { resolve, startForm } from "./form.ts";
import { startHands } from "./hands.ts";
import { startImport } from "./import.ts";
import { applyTheme, startKeys } from "./keys.ts";
import { lessonOpens, startLesson } from "./lesson.ts";
import { link, setView, startLink } from "./link.ts";
import { page, player, type Specification } from "./page.ts";
import { applyPanels, startPanels } from "./panels.ts";
import { startPresent } from "./present.ts";
import { startProgress } from "./progress.ts";
import { listenRuns } from "./runs.ts";
import { startShare } from "./share.ts";

let booted = false;

/** The player says what is seen; the link keeps it. While it plays or follows, the address bar rests. */
function keepLink(): void {
  player.on("moment", ({ cause, epoch, following }) => {
    if (cause === "user" || cause === "pause") setView({ at: following ? null : epoch });
  });
  player.on("selected", (name) => setView({ focus: name === player.runs[0]?.name ? null : name }));
  player.on("neuron", (neuron) => setView({ neuron: neuron === null ? null : neuron + 1 }));
  player.on("xaxis", (xaxis) => setView({ xaxis, zoom: null }));
  player.on("window", (window) => setView({ zoom: window?.map(momentText).join() }));
  page.events.on("view", ({ cause }) => {
    if (cause !== "history") return;
    applyToPlayer(link.view);
    if (link.view.at) player.seek(Number(link.view.at));
  });
}

export function boot(specification: Specification): boolean {
  if (booted) return true;
  booted = true;
  page.spec = specification;
  startLink();
  const starts = [startProgress, startFloat, startShare, startKeys, startPanels, startFiles, startForm, startImport, listenRuns];
  for (const start of [...starts, startHands, startLesson, startPresent, startFollow, startForecast, keepLink]) start();
  applyTheme();
  applyView();
  applyPanels();
  loadStyle();
  if (!lessonOpens()) resolve();
  document.documentElement.dataset.booted = "1";
  return true;
}
