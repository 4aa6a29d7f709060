/** Sentences of the core on the page: their terms explain themselves, and what they name lights up in the panels. */

import type { About } from "../derive/sentences.ts";
import { element } from "./emitter.ts";
import type { Player } from "./player.ts";

/** While a text is read, with the pointer or the keyboard on it, what it is about is marked. */
export function attachReading(player: Player, place: HTMLElement, meant: () => About, signal: AbortSignal): void {
  const read = (): void => {
    if (player.selected?.count) player.hovered(place, { ...meant(), lines: [] });
  };
  const leave = (): void => {
    if (!place.matches(":hover, :focus")) player.hovered(place, null);
  };
  for (const name of ["pointerenter", "focus"]) place.addEventListener(name, read, { signal });
  for (const name of ["pointerleave", "blur"]) place.addEventListener(name, leave, { signal });
}

/** A term under the pointer or in focus lights up its marks, wherever it stands on the page. */
export function attachTerms(player: Player, signal: AbortSignal): void {
  const light = (event: Event): void => player.light((event.target as Element).closest<HTMLElement>("[data-term]")?.dataset.term ?? "");
  for (const name of ["pointerover", "focusin"]) document.addEventListener(name, light, { signal });
}

/** Write a sentence, each term of the glossary explained where it first stands. */
export function say(place: Element, text: string, terms: Record<string, string>): void {
  if (place.textContent === text) return;
  const words = Object.keys(terms);
  if (!words.length) {
    place.textContent = text;
    return;
  }
  const said = new Set<string>();
  const parts = text.split(new RegExp(`\\b(${words.join("|")})\\b`, "i")).map((part) => {
    const term = part.toLowerCase();
    if (!(term in terms) || said.has(term)) return part;
    said.add(term);
    const word = Object.assign(element("abbr", "pl-term", part), { title: terms[term] });
    word.dataset.term = term;
    return word;
  });
  place.replaceChildren(...parts);
}
