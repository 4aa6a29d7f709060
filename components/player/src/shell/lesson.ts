/** A lesson beside the Lab. Its text, its answers and where each step leads are Python's (components/pages/lab/callbacks/lesson.py);
 *  here is what tells it where the link stands and what a hand did there. */

import { fullQuery, go, link, parse, setView } from "./link.ts";
import { isForPage, lettersAreOn, on, one, page, player } from "./page.ts";

const MOVES: Record<string, number> = { n: 1, PageDown: 1, b: -1, PageUp: -1 };
let serial = 0;
let step = 1;
let told = "";

function tell(done: { moved?: boolean; option?: number[]; reveal?: boolean } = {}): void {
  const { lesson } = link.view;
  serial += 1;
  told = `${lesson}:${step}`;
  const query = fullQuery(link.config, link.view);
  window.dash_clientside.set_props("lesson-at", { data: { query, lesson, step, presentation: page.followed, n: serial, ...done } });
}

function move(by: number): void {
  step = Math.max(1, step + by);
  tell({ moved: true });
}

/** The link may name another step. True when the Lab has to wait for the lesson to know what to show. */
export function lessonOpens(): boolean {
  if (!link.view.lesson) return false;
  step = Number(link.view.step) || 1;
  if (told !== `${link.view.lesson}:${step}`) tell();
  return !link.config;
}

/** Where the lesson leads the Lab. */
export function lessonGoes({ query, push, href, n }: { query?: string; push?: boolean; href?: string; n: number }): boolean {
  if (n !== serial) return false;
  if (href) location.assign(href);
  if (query === undefined) return true;
  const { config, view } = parse(query);
  go(config, view, { push });
  if (!view.at) player.seek(Infinity, "open");
  if (!push) return true;
  one("#lesson-text").scrollTop = 0;
  scrollTo(0, 0); // on a phone the page scrolls
  one("#lesson-text").focus({ preventScroll: true });
  return true;
}

/** Whether the answer to the question on screen is shown. */
export const isRevealed = (): boolean => Boolean(link.view.lesson && one("#lesson-text [data-state=shown]"));

/** The presenter shows the answer. */
export function reveal(): void {
  if (link.view.lesson && one("#lesson-text .question") && !isRevealed()) tell({ reveal: true });
}

export function startLesson(): void {
  on("#lesson-back", "click", () => move(-1));
  on("#lesson-next", "click", () => move(1));
  on("#lesson-leave", "click", () => setView({ lesson: null, step: null, highlight: null, controls: null }, { push: true }));
  on("#lesson-text", "click", (event) => {
    const option = (event.target as Element).closest<HTMLElement>("[data-option]")?.dataset.option;
    if (option && !isRevealed()) tell({ option: option.split(",").map(Number) });
  });
  document.addEventListener("keydown", (event) => {
    const by = MOVES[event.key];
    if (!by || !link.view.lesson || !isForPage(event) || (event.key.length === 1 && !lettersAreOn())) return;
    event.preventDefault();
    move(by);
  });
  // the text is there a moment after Dash has answered: the pictures may now show more, and the audience is told
  const arrived = (): void => {
    document.documentElement.toggleAttribute("data-curtain", Boolean(link.view.lesson && one("#lesson-text [data-state=hides]")));
    one("#lesson-text .reveal:not([hidden])")?.scrollIntoView({ block: "nearest" });
    player.redraw("marks");
    page.events.emit("lesson", null);
  };
  new MutationObserver(arrived).observe(one("#lesson-text"), { childList: true, subtree: true, attributes: true });
  page.events.on("view", () => {
    lessonOpens();
    arrived();
  });
}
