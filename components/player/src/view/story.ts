/** The sentence for the chosen moment, and the tabs of the methods. */

import { endingOf, phaseAt } from "../derive/plateaus.ts";
import { type About, aboutAt, reasonsAt, sentenceOf, storyOf } from "../derive/sentences.ts";
import type { ShownScene } from "../draw/scene.ts";
import { number } from "../format.ts";
import type { Run } from "../store/run.ts";
import type { MethodLook } from "../store/template.ts";
import { element, write } from "./emitter.ts";
import type { Player } from "./player.ts";
import { attachReading, say } from "./words.ts";

const SPOKEN_EVERY = 1500;
const SPOKEN_AFTER = 400;

/** What happens and what ends it, and behind a fold why; screen readers hear a new stage. */
export class StoryLine {
  private readonly sentence: HTMLElement;
  private readonly ends: HTMLElement;
  private readonly when: HTMLElement;
  private readonly spoken: HTMLElement;
  private readonly details: HTMLDetailsElement;
  private readonly why: HTMLElement[];
  private readonly lessons: HTMLElement[];
  private meant: About = {};
  private lastSpoken = "";
  private spokenAt = 0;
  private timer = 0;

  /** `root` has the parts that components/player/parts.py makes. */
  constructor(player: Player, root: HTMLElement, signal: AbortSignal) {
    this.sentence = root.querySelector(".pl-sentence")!;
    this.ends = root.querySelector(".pl-ends")!;
    this.when = root.querySelector(".pl-when")!;
    this.spoken = root.querySelector(".pl-spoken")!;
    this.details = root.querySelector("details")!;
    this.why = [...this.details.querySelectorAll("p")];
    this.lessons = [...this.details.querySelectorAll<HTMLElement>("[data-why]")];
    attachReading(player, this.sentence, () => this.meant, signal);
    const fold = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || !this.details.open) return;
      event.stopPropagation();
      this.details.open = false;
    };
    this.details.addEventListener("keydown", fold, { signal });
    player.on("painted", ({ scene }) => this.show(scene), signal);
  }

  private show({ selected: run, frame, view }: ShownScene): void {
    const { terms } = view.style.spec!;
    const at = frame(run);
    const text = sentenceOf(run, at, view);
    say(this.sentence, text, terms);
    this.meant = aboutAt(run, at, view);
    const phase = phaseAt(run, at);
    say(this.ends, phase && !view.edit ? phase.ends : "", terms);
    write(this.when, phase && !view.edit ? endingOf(run, at) : "");
    const texts = reasonsAt(run, at);
    this.why.forEach((place, i) => {
      say(place, texts[i], terms);
      place.hidden = !texts[i];
    });
    for (const link of this.lessons) link.hidden = link.dataset.why !== phase?.why;
    this.details.hidden = !texts.some(Boolean);
    this.speak(phase ? `${text} ${phase.ends}` : storyOf(run, at)?.headline || text);
  }

  /** No more often than a voice can speak. */
  private speak(text: string): void {
    if (this.lastSpoken === text) return;
    clearTimeout(this.timer);
    const wait = Math.max(SPOKEN_AFTER, this.spokenAt + SPOKEN_EVERY - performance.now());
    this.timer = window.setTimeout(() => {
      this.lastSpoken = text;
      this.spokenAt = performance.now();
      this.spoken.textContent = text;
    }, wait);
  }
}

function swatch(look: MethodLook): SVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "pl-swatch");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
  for (const [name, value] of Object.entries({ x1: 0, x2: 26, y1: 5, y2: 5 })) line.setAttribute(name, String(value));
  line.style.stroke = look.colour;
  if (look.dash !== "solid") line.style.strokeDasharray = look.dash.replaceAll("px", "");
  svg.append(line);
  return svg;
}

/** The legend: one tab for each run, called by what tells it apart, with its loss at the moment; the chosen one is shown in the one-run panels. */
export class MethodTabs {
  private readonly player: Player;
  private readonly root: HTMLElement;
  private key = "";
  private losses = new Map<string, HTMLElement>();

  constructor(player: Player, root: HTMLElement, signal: AbortSignal) {
    this.player = player;
    this.root = root;
    root.setAttribute("role", "radiogroup");
    root.setAttribute("aria-label", "Run shown in the panels");
    player.on("painted", ({ scene }) => this.show(scene), signal);
  }

  private show(scene: ShownScene): void {
    const key = [...scene.runs.map((run) => run.id), this.player.style.spec?.theme, scene.selected.id].join();
    if (key !== this.key) {
      this.key = key;
      const focused = this.root.contains(document.activeElement);
      this.losses = new Map();
      this.root.replaceChildren(...scene.runs.map((run) => this.tab(run, scene)));
      const active = this.root.querySelector<HTMLElement>("[aria-checked=true]");
      if (focused) active?.focus();
    }
    for (const run of scene.runs) write(this.losses.get(run.id) ?? null, number(run.value("loss", scene.frame(run))));
  }

  private tab(run: Run, { runs, selected }: ShownScene): HTMLElement {
    const look = this.player.style.look(run);
    const tab = element("button", "pl-method");
    tab.type = "button";
    tab.setAttribute("role", "radio");
    tab.setAttribute("aria-checked", String(run === selected));
    tab.tabIndex = run === selected ? 0 : -1;
    const loss = element("span", "pl-loss");
    tab.append(swatch(look), element("span", "pl-name", look.title), loss);
    tab.onclick = () => this.player.select(run.name);
    tab.onkeydown = (event) => {
      const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!by || event.shiftKey) return;
      event.preventDefault();
      this.player.select(runs[(runs.indexOf(run) + by + runs.length) % runs.length].name);
    };
    this.losses.set(run.id, loss);
    return tab;
  }
}
