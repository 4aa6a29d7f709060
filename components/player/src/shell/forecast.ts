/** The switch of the forecast. It is on in the Lab, and off beside a lesson, whose questions it would answer. */

import { show } from "./dash.ts";
import { link, setView } from "./link.ts";
import { on, page, player } from "./page.ts";

const isUsual = (): boolean => !link.view.lesson;

function apply(): void {
  player.predict(link.view.forecast ? link.view.forecast === "1" : isUsual());
  show("forecast-button", { "aria-pressed": String(player.forecasting) });
}

export function startForecast(): void {
  on("#forecast-button", "click", () => {
    const wanted = !player.forecasting;
    setView({ forecast: wanted === isUsual() ? null : wanted ? "1" : "0" });
  });
  page.events.on("view", apply);
  apply();
}
