/** Follow me. In present mode this browser publishes what it shows; whoever has opened its link goes along
 *  until they take over, and can come back at any time. */

import { momentText } from "../format.ts";
import { post, server } from "../store/source.ts";
import { say, show } from "./dash.ts";
import { isRevealed, reveal } from "./lesson.ts";
import { configQuery, fullQuery, go, link, parse, setView, type Texts } from "./link.ts";
import { on, page, player } from "./page.ts";
import { applyToPlayer } from "./viewed.ts";

type Answer = { serial: number; live: boolean; mine: boolean; playing: boolean; query: string; speed: number; revealed: boolean };
type Mode = "off" | "presenting" | "following" | "free";

const SAY_EVERY = 300;
const ASK_EVERY = 1000;
const BEAT_EVERY = 2000;
const REPEAT_AFTER = 60_000;
const DRIFT = 0.35;
const SHARED = ["panels", "tab", "enlarged", "xaxis", "zoom", "neuron", "focus", "highlight", "lesson", "step"];
const OWN = ["follow", "theme", "present", "embed"];
const TIMELINE_KEYS = ["ArrowLeft", "ArrowRight", "Home", "End", " "];
const HANDS = "#timeline, #run-tables, #method-tabs, #run-bar";
let mode: Mode = "off";
const setMode = (next: Mode): void => {
  mode = next;
  page.followed = mode === "following" ? followed() : "";
};
let mine = false;
let known = "";
let serial = 0;
let applying = false;
let saying = 0;
let asking = 0;
let said = "";
let saidAt = 0;
/** What the presenter's configuration was the last time; the server may have respelled ours since. */
let pending = "";

const followed = (): string => link.view.follow || "";
const presenting = (): boolean => Boolean(link.view.present) && (!followed() || mine);

// ---- the presenter ----------------------------------------------------------------------------------------

function tellAudience(): void {
  if (!presenting()) return;
  clearTimeout(saying);
  saying = window.setTimeout(() => publish(true), Math.max(0, saidAt + SAY_EVERY - performance.now()));
}

async function publish(live: boolean): Promise<void> {
  const { epoch, following, playing } = player;
  const kept = Object.fromEntries(SHARED.map((key) => [key, link.view[key] ?? ""]));
  const at = following && !playing ? "" : momentText(epoch);
  const picture = {
    query: fullQuery(link.config, { ...kept, at }),
    playing,
    speed: page.timeline?.speed ?? 1,
    live,
    revealed: isRevealed(),
  };
  const text = JSON.stringify(picture);
  if (text === said && performance.now() - saidAt < REPEAT_AFTER) return;
  said = text;
  saidAt = performance.now();
  const reply = await post("/api/presentations", picture);
  if (!reply.ok) {
    said = "";
    return;
  }
  mine = true;
  known = String(reply.body.presentation);
  if (live && link.view.present && followed() !== known) setView({ follow: known });
}

// ---- the audience -----------------------------------------------------------------------------------------

function showFollowing(text: string, { dot = "", again = false } = {}): void {
  show("follow-bar", { hidden: !text });
  say("follow-text", text);
  show("follow-dot", { "data-state": dot });
  show("follow-again", { hidden: !again });
  document.documentElement.toggleAttribute("data-following", Boolean(text) && !again);
}

async function ask(): Promise<void> {
  clearTimeout(asking);
  if (!followed() || presenting()) return;
  asking = window.setTimeout(ask, ASK_EVERY);
  if (document.hidden) return;
  const answer = await server.get<Answer>(`/api/presentations/${encodeURIComponent(followed())}`).catch(() => null); // the banner says so
  if (!answer || !followed()) return;
  if (answer.mine && !mine) {
    mine = true;
    known = followed();
    decide();
  }
  if (mode !== "following" || presenting()) return;
  if (!answer.serial) return showFollowing("The presenter is not here yet.", { dot: "queued" });
  const [text, dot] = answer.live ? ["Following the presenter", "running"] : ["The presenter has left present mode.", "finished"];
  showFollowing(text, { dot });
  if (answer.revealed) reveal();
  const fresh = answer.serial !== serial;
  if (!fresh && !answer.playing) return;
  serial = answer.serial;
  apply(answer, fresh);
}

function apply(answer: Answer, fresh: boolean): void {
  const { config, view } = parse(answer.query);
  applying = true;
  const canonical = (pending && parse(pending).config) || configQuery();
  if (fresh && config !== canonical) {
    go(config, { ...view, ...Object.fromEntries(OWN.map((key) => [key, link.view[key]])) });
    pending = answer.query;
  } else {
    if (fresh) {
      setView(Object.fromEntries(SHARED.map((key) => [key, view[key] || null])));
      applyToPlayer(view);
    }
    move(answer, view, fresh);
  }
  setTimeout(() => {
    applying = false;
  }, 0);
}

function move(answer: Answer, view: Texts, fresh: boolean): void {
  const epoch = view.at ? Number(view.at) : Infinity;
  if (!answer.playing) {
    player.playing = false;
    return player.seek(epoch, "follow");
  }
  const apart = Math.abs(Math.log10((player.epoch || 1) / (epoch || 1)));
  if (!fresh || (player.playing && apart < DRIFT)) return;
  player.playing = false;
  player.seek(epoch, "follow");
  page.timeline?.setSpeed(answer.speed || 1);
  page.timeline?.play();
}

function takeOver(): void {
  if (mode !== "following" || applying) return;
  setMode("free");
  showFollowing("You have taken over.", { again: true });
}

function resume(): void {
  setMode("following");
  serial = 0;
  pending = "";
  showFollowing("Following the presenter", { dot: "running" });
  ask();
}

// ---- which of the two -------------------------------------------------------------------------------------

function decide(): void {
  if (presenting()) {
    setMode("presenting");
    showFollowing("");
    return tellAudience();
  }
  if (mode === "presenting") {
    // left present mode: the audience is told, and the own link is an ordinary one again
    setMode("off");
    clearTimeout(saying);
    if (mine) publish(false);
    if (mine && followed() === known) setView({ follow: null });
    return showFollowing("");
  }
  if (!followed()) {
    setMode("off");
    return showFollowing("");
  }
  if (mode === "off") resume();
}

export function startFollow(): void {
  page.events.on("view", () => {
    decide();
    tellAudience();
  });
  page.events.on("lesson", tellAudience);
  player.on("race", tellAudience);
  player.on("selected", () => {
    tellAudience();
    takeOver();
  });
  player.on("moment", ({ cause }) => {
    tellAudience();
    if (cause === "user") takeOver();
  });
  setInterval(() => mode === "presenting" && player.playing && tellAudience(), BEAT_EVERY);
  // taking over is an action of the hand, not of the pictures: the timeline, its keys, the settings
  const within = (event: Event, places: string): boolean => Boolean((event.target as Element).closest?.(places));
  document.addEventListener("pointerdown", (event) => within(event, HANDS) && takeOver(), true);
  document.addEventListener(
    "keydown",
    (event) => {
      const typing = within(event, "input, select, textarea, button, a, dialog, [role=tablist]");
      if (TIMELINE_KEYS.includes(event.key) && !typing) takeOver();
    },
    true,
  );
  document.addEventListener("change", (event) => within(event, "#settings") && takeOver(), true);
  on("#follow-again", "click", resume);
  document.addEventListener("visibilitychange", () => !document.hidden && mode === "following" && ask());
  decide();
}
