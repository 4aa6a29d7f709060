/* Before the first paint: light or dark, so that nothing flashes. */
(function () {
  "use strict";
  const asked = new URLSearchParams(location.search).get("theme");
  let stored = null;
  try { stored = localStorage.getItem("plateau-theme"); } catch { /* private windows may refuse */ }
  const theme = ["light", "dark"].find((name) => name === asked) || stored || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  document.documentElement.dataset.theme = theme;
})();
