/** The start of the Lab page: once the layout stands, the parts take their places and the link is opened. */

import { getPlayer } from "../components/context.ts";
import { startFiles } from "./files.ts";
import { applyView, startFloat } from "./float.ts";
import { startFollow } from "./follow.ts";
import { startForecast } from "./forecast.ts";
import { resolve, startForm } from "./form.ts";
import { startHands } from "./hands.ts";
import { startImport } from "./import.ts";
import { applyTheme, startKeys } from "./keys.ts";
import { lessonOpens, startLesson } from "./lesson.ts";
import { startLink } from "./link.ts";
import { attach, page, player, type Specification } from "./page.ts";
import { applyPanels, startPanels } from "./panels.ts";
import { startPresent } from "./present.ts";
import { startProgress } from "./progress.ts";
import { listenRuns } from "./runs.ts";
import { startShare } from "./share.ts";
import { keepLink } from "./viewed.ts";

let booted = false;

export function boot(specification: Specification): boolean {
  if (booted) return true;
  booted = true;
  page.spec = specification;
  attach(getPlayer(specification.player)!);
  startLink();
  const starts = [startProgress, startFloat, startShare, startKeys, startPanels, startFiles, startForm, startImport, listenRuns];
  for (const start of [...starts, startHands, startLesson, startPresent, startFollow, startForecast, keepLink]) start();
  applyTheme();
  applyView();
  applyPanels();
  player.style.load();
  if (!lessonOpens()) resolve();
  document.documentElement.dataset.booted = "1";
  return true;
}
