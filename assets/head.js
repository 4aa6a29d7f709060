/* Before the first paint: light or dark, and whether the introduction was closed, so that nothing flashes. */
(function () {
  "use strict";
  const asked = new URLSearchParams(location.search).get("theme");
  let stored = null;
  try {
    stored = localStorage.getItem("plateau-theme");
    document.documentElement.toggleAttribute("data-welcomed", Boolean(localStorage.getItem("plateau-welcomed")));
  } catch { /* private windows may refuse */ }
  const theme = ["light", "dark"].find((name) => name === asked) || stored || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  document.documentElement.dataset.theme = theme;
  /* The button of the pages to read and of the Study page, before any other listener; the Lab has its own. */
  addEventListener("click", (event) => {
    if (!event.target.closest?.("#reading-theme")) return;
    const other = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    document.documentElement.dataset.theme = other;
    try { localStorage.setItem("plateau-theme", other); } catch { /* private windows may refuse */ }
  }, true);
  /* The Lab is printed as it is seen: on a page of the window's size, which the printer fits to its paper, and
     with the layout of the screen, since browsers ask the paper how wide the window is. */
  const frozen = new Map();
  addEventListener("beforeprint", () => {
    // a single picture brings its own page
    if (!document.documentElement.dataset.booted || document.getElementById("print-picture")) return;
    const sheet = document.getElementById("printed") || document.head.appendChild(Object.assign(document.createElement("style"), { id: "printed" }));
    const height = Math.max(innerHeight, document.body.scrollHeight);
    sheet.textContent = `@page { size: ${innerWidth}px ${height}px; margin: 0; } @media print { body { height: ${height}px; overflow: hidden; } }`;
    for (const { cssRules } of document.styleSheets)
      for (const { media } of cssRules) {
        if (!media?.mediaText.includes("width")) continue;
        frozen.set(media, media.mediaText);
        media.mediaText = matchMedia(media.mediaText).matches ? "all" : "not all";
      }
  });
  addEventListener("afterprint", () => {
    for (const [media, text] of frozen) media.mediaText = text;
    frozen.clear();
  });
})();
