/** A slider and the number beside it, kept equal. */

import { outputs, propOf, triggers } from "./dash.ts";
import { page } from "./page.ts";

type Scale = [low: number, high: number, isLogarithmic: boolean, isWhole: boolean];
const STEPS = 1000;

function placeOf(value: number, [low, high, isLogarithmic]: Scale): number {
  const share = isLogarithmic ? Math.log(Math.max(value, low) / low) / Math.log(high / low) : (value - low) / (high - low);
  return Math.round(STEPS * Math.min(1, Math.max(0, share || 0)));
}

function textAt(place: number, [low, high, isLogarithmic, isWhole]: Scale): string {
  const share = place / STEPS;
  const value = Number((isLogarithmic ? low * (high / low) ** share : low + share * (high - low)).toPrecision(isLogarithmic ? 2 : 3));
  return String(isWhole ? Math.max(low, Math.min(high, Math.round(value))) : value);
}

const slider = (name: string): object => ({ type: "slider", name });

/** The callback of all sliders and of what stands beside them. */
export function slid(): unknown {
  const texts = new Map<string, string>();
  const places = new Map<string, number>();
  for (const { id } of triggers()) {
    const { type, name } = JSON.parse(id) as { type: string; name: string };
    const scale = page.spec?.sliders[type === "slider" ? name : `${type} ${name}`];
    if (!scale) continue;
    if (type === "slider") {
      const place = Number(propOf(slider(name), "value"));
      texts.set(name, textAt(place, scale));
      places.set(name, place);
    } else places.set(`${type} ${name}`, placeOf(Number(propOf({ type, name }, "value")), scale));
  }
  return outputs((id, prop) => {
    const { type, name } = JSON.parse(id) as { type: string; name: string };
    if (type !== "slider") return texts.get(`${type} ${name}`);
    const place = places.get(name);
    return place === undefined ? undefined : prop === "style" ? { "--fill": `${(100 * place) / STEPS}%` } : place;
  });
}
