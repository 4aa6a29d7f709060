/* The start of a replay: a file from disk opens its own race at its own moment. */
(function () {
  "use strict";
  const opening = JSON.parse(document.getElementById("replay-opening").textContent);
  const root = document.documentElement;
  root.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  document.getElementById("theme-button").addEventListener("click", () => {
    root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
  });
  window.plateau.player.open(opening.race, { moment: opening.moment });
})();
