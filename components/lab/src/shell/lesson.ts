/** A lesson beside the Lab: one step at a time, each with the link that the Lab then shows; predict, then see. */

import { say, vote } from "./follow.ts";
import { go, link, parse, restart, setView, type Texts } from "./link.ts";
import { all, isForPage, lettersAreOn, on, one, page, player } from "./page.ts";

const OWN = ["theme", "present", "follow", "embed"];
const MOVES: Record<string, number> = { n: 1, PageDown: 1, b: -1, PageUp: -1 };
let shown = "";
let opening = false;

const sections = (): HTMLElement[] => all("#lesson-text .lesson-step");
const section = (step: number): HTMLElement | undefined => sections().find((place) => Number(place.dataset.step) === step);
const current = (): number => Math.min(Math.max(1, sections().length), Number(link.view.step) || 1);

/** True when a lesson has to arrive before the Lab knows what to show. */
export function lessonOpens(): boolean {
  apply();
  if (!link.view.lesson) return false;
  opening = !link.config;
  ask();
  return opening;
}

function ask(): void {
  if (shown === link.view.lesson) return;
  shown = link.view.lesson;
  window.dash_clientside.set_props("lesson-name", { data: shown });
}

/** Dash has answered; React puts the text into the page a moment later. */
export function lessonArrived(): void {
  const wait = (tries: number): void => {
    if (!one("#lesson-text").children.length && tries) {
      requestAnimationFrame(() => wait(tries - 1));
      return;
    }
    apply();
    if (!opening) return;
    opening = false;
    const start = section(current());
    if (!start) return restart();
    const { config, view } = parse(start.dataset.query ?? "");
    go(config, { ...view, ...link.view }, { push: false });
  };
  wait(120);
}

function goTo(step: number): void {
  const place = section(step);
  // after the last step, the next lesson
  if (step > sections().length) one("#lesson-text .lesson-end a")?.click();
  if (!place) return;
  const { config, view } = parse(place.dataset.query ?? "");
  const own: Texts = Object.fromEntries(OWN.map((key) => [key, link.view[key]]));
  go(config, { ...view, ...own, lesson: link.view.lesson, step: String(step) });
  if (!view.at) player.seek(Infinity, "open");
  one("#lesson-text").scrollTop = 0;
  one("#lesson-text").focus({ preventScroll: true });
}

function apply(): void {
  const { view } = link;
  const root = document.documentElement;
  root.toggleAttribute("data-lesson", Boolean(view.lesson));
  if (view.controls) root.dataset.controls = view.controls;
  else delete root.dataset.controls;
  one("#lesson").hidden = !view.lesson;
  const marked = (view.highlight || "").split(",");
  for (const panel of all(".panel")) panel.classList.toggle("highlighted", marked.includes(panel.dataset.panel ?? ""));
  if (view.lesson) showStep(current(), sections().length);
  showReady();
}

function showStep(step: number, steps: number): void {
  for (const place of sections()) place.hidden = Number(place.dataset.step) !== step;
  const end = one("#lesson-text .lesson-end");
  if (end) end.hidden = step < steps;
  one("#lesson-place").textContent = steps ? `${step} of ${steps}` : "";
  one("#lesson").style.setProperty("--done", steps ? `${(100 * step) / steps}%` : "0%");
  one<HTMLButtonElement>("#lesson-back").disabled = step <= 1;
  one("#lesson-next").textContent = step < steps ? "Next" : "Go on";
}

function showReady(): void {
  const open = link.view.lesson ? section(current())?.querySelector<HTMLElement>(".question:not([data-answered])") : null;
  one("#lesson-next").classList.toggle("primary", !open);
  document.documentElement.toggleAttribute("data-curtain", Boolean(open?.dataset.query));
  player.redraw("marks");
}

function answer(option: HTMLElement): void {
  const question = option.closest<HTMLElement>(".question")!;
  if (question.hasAttribute("data-answered")) return;
  const options = all(".option", question);
  for (const other of options) other.setAttribute("aria-pressed", String(other === option));
  if (!vote(`${link.view.lesson}:${current()}`, options.indexOf(option))) reveal(question);
}

const asked = (): HTMLElement | null => section(current())?.querySelector<HTMLElement>(".question") ?? null;

/** Whether the answer to the question on screen is shown. */
export const isRevealed = (): boolean => Boolean(link.view.lesson && asked()?.hasAttribute("data-answered"));

/** Show the answer, and how it compares with the own prediction if there was one. */
export function reveal(question = asked()): void {
  if (!question || question.hasAttribute("data-answered")) return;
  question.dataset.answered = "1";
  const chosen = one("[aria-pressed=true]", question);
  for (const other of all(".option", question)) {
    other.setAttribute("aria-disabled", "true");
    other.classList.toggle("right", other.dataset.right === "1");
    other.classList.toggle("wrong", other === chosen && other.dataset.right !== "1");
  }
  one(".verdict", question).textContent = chosen ? (chosen.dataset.right === "1" ? "Yes." : "Not quite.") : "";
  const told = one(".reveal", question);
  told.hidden = false;
  told.setAttribute("role", "status");
  told.scrollIntoView({ block: "nearest" });
  showReady();
  say();
  if (!question.dataset.query) return;
  const { config, view } = parse(question.dataset.query);
  go(config || link.config, { ...link.view, ...view }, { push: false });
}

export function startLesson(): void {
  on("#lesson-back", "click", () => goTo(current() - 1));
  on("#lesson-next", "click", () => goTo(current() + 1));
  on("#lesson-leave", "click", () => setView({ lesson: null, step: null, highlight: null, controls: null }, { push: true }));
  on("#lesson-text", "click", (event) => {
    const option = (event.target as Element).closest<HTMLElement>(".option");
    if (option) answer(option);
  });
  document.addEventListener("keydown", (event) => {
    const by = MOVES[event.key];
    if (!by || !link.view.lesson || !isForPage(event) || (event.key.length === 1 && !lettersAreOn())) return;
    event.preventDefault();
    goTo(current() + by);
  });
  page.events.on("view", () => {
    apply();
    if (link.view.lesson) ask();
  });
}
