/** What is said of a run that goes on, waits or has ended: one line in the header, one beside Run. */

import { number, prose, rate, secondsBetween } from "../format.ts";
import type { RunStatus } from "../store/poll.ts";

export function headline(info: RunStatus, infos: RunStatus[], online: boolean): string {
  const many = infos.length > 1 ? `${info.title} ` : "";
  if (!online && info.active) return "no contact with the server, trying again";
  if (info.status === "running") {
    const left = info.remaining ? `, ${secondsBetween(info.remaining)} left` : "";
    const begins = info.reason ? "warming up" : "starting";
    return info.rate ? `${many}running, ${rate(info.rate)} epochs/s${left}` : many + begins;
  }
  if (info.status === "queued") return info.position ? `${many}queued, number ${info.position}` : `${many}queued`;
  const states = new Set(infos.map((entry) => entry.status));
  return states.size === 1 ? info.status : infos.map((entry) => `${entry.title} ${entry.status}`).join(", ");
}

export function lineOf(info: RunStatus, many: boolean, online: boolean): string {
  const name = many ? `${info.title}: ` : "";
  const { epoch = 0, budget } = info;
  if (info.active && info.reason) return name + info.reason;
  if (info.status === "running" && budget) {
    const left = online && info.remaining ? ` · ${secondsBetween(info.remaining)} left` : "";
    return `${name}${online ? "" : "last seen: "}${number(epoch)} of ${number(budget)} epochs · ${Math.floor(100 * Math.min(1, epoch / budget))} %${left}`;
  }
  if (info.status === "queued") return `${name}waiting${info.position ? `, number ${info.position} in the queue` : ""}`;
  return name + prose(info.reason ?? "");
}
