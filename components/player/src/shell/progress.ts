/** The header line and the progress: what is running, how fast, how long still, why it ended. */

import type { RunStatus } from "../store/poll.ts";
import { element } from "../view/emitter.ts";
import { propOf, say, show } from "./dash.ts";
import { link } from "./link.ts";
import { on, one, player } from "./page.ts";
import { headline, lineOf } from "./progress_lines.ts";

const MANY = 3;
const PRODUCT = "Plateau Lab";
let online = true;
let shown: [infos: RunStatus[], same: boolean, running: boolean, more: string[]] = [[], false, false, []];

const leading = (infos: RunStatus[]): RunStatus =>
  infos.find((info) => info.status === "running") ??
  infos.find((info) => info.status === "queued") ??
  infos.find((info) => info.name === link.view.focus) ??
  infos[0];

/** `more` is what else there is to say beside Run. */
export function showProgress(infos: RunStatus[], same: boolean, running: boolean, more: string[]): void {
  shown = [infos, same, running, more];
  if (!infos.length) {
    say("run-status", player.runs.length ? "loading" : "");
    show("run-dot", { "data-state": "" });
    say("run-chip", "");
    if (more.length) sayBesideRun(more);
    return;
  }
  const info = leading(infos);
  const called = player.runs.find((run) => run.id === info.id)?.data?.title;
  show("run-chip", { children: called ?? "", title: infos.map((entry) => `${entry.title} ${entry.id}`).join("\n") });
  document.title = called ? `${called} · ${PRODUCT}` : PRODUCT;
  show("run-dot", { "data-state": online ? info.status : "failed" });
  say("run-status", headline(info, infos, online));
  const watching = Math.max(...infos.map((entry) => entry.watching ?? 0));
  say("watching", watching > 1 ? `${watching} watching` : "");
  const share = info.active ? Math.min(1, (info.epoch ?? 0) / (info.budget || 1)) : 1;
  show("progress", { style: { "--share": `${(100 * share).toFixed(1)}%` }, "aria-valuenow": String(Math.round(100 * share)) });
  const told = same ? infos.filter((entry) => (running ? entry.active : entry.reason)) : [];
  // of a large race only what is not routine: that a budget is used up shows in the picture
  const routine = (entry: RunStatus) => told.length > MANY && entry.outcome === "budget" && entry.status === "finished";
  const lines = told.filter((entry) => running || !routine(entry)).map((entry) => lineOf(entry, infos.length > 1, online));
  sayBesideRun([...more, ...lines]);
}

function sayBesideRun(lines: string[]): void {
  if (String(propOf("run-note", "className")).includes("wrong")) return;
  one("#run-note").replaceChildren(...lines.map((line) => element("span", "run-note-line", line)));
}

function labelPause(): void {
  say("pause", player.following || player.playing ? "Freeze charts" : "Follow live");
}

export function startProgress(): void {
  player.on("connection", ({ ok, message }) => {
    online = ok;
    const text = ok ? "" : message || "The server does not answer. What is here stays; trying again.";
    show("banner", { hidden: ok, children: text });
    showProgress(...shown);
  });
  on("#pause", "click", () => {
    if (player.playing || player.following) {
      player.rest();
      player.follow(false);
    } else player.follow(true);
    labelPause();
  });
  player.on("moment", labelPause);
}
