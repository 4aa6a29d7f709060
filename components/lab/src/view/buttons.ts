/** The small controls of the timeline. */

import { element } from "./emitter.ts";

const SIGNS = {
  play: "M5 3.2v9.6L13 8z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  back: "M3 3h2v10H3zM13 3v10L6 8z",
  next: "M11 3h2v10h-2zM3 3v10l7-5z",
  plateauBack: "M1 12h14v2H1zM11 3v7L5 6.5z",
  plateauNext: "M1 12h14v2H1zM5 3v7l6-3.5z",
  fallBack: "M1 7h5v6h9v2H4V9H1zM14 2v7L8 5.5z",
  fallNext: "M1 7h5v6h9v2H4V9H1zM9 2v7l6-3.5z",
};

/** A drawn sign: fonts differ in which of the media characters they have. */
export function sign(name: keyof typeof SIGNS): SVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [key, value] of [
    ["viewBox", "0 0 16 16"],
    ["class", "pl-sign"],
    ["aria-hidden", "true"],
  ])
    svg.setAttribute(key, value);
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", SIGNS[name]);
  svg.append(path);
  return svg;
}

export function button(name: string, label: string, content: Node | string, action: () => void): HTMLButtonElement {
  const made = element("button", `pl-button pl-${name}`);
  made.type = "button";
  made.append(content);
  made.title = label;
  made.setAttribute("aria-label", label);
  made.addEventListener("click", action);
  return made;
}

export function choice(label: string, options: [string, string][], act: (value: string) => void): HTMLSelectElement {
  const made = element("select", "pl-choice");
  made.setAttribute("aria-label", label);
  made.title = label;
  made.append(...options.map(([value, text]) => new Option(text, value)));
  made.addEventListener("change", () => act(made.value));
  return made;
}
