// The figures of the panels, as Python made them for the theme and the size of the page.
(function () {
  "use strict";

  const { source, style } = plateau;
  const RETRY = 2000;
  const appearance = { changed: () => {} };

  /** Load the figures that fit the page as it is; while the server does not answer, try again. */
  appearance.load = async () => {
    const { dataset } = document.documentElement;
    const theme = dataset.theme === "dark" ? "dark" : "light";
    const path = "/api/panels?theme=" + theme + ("present" in dataset ? "&size=present" : "");
    if (style.path === path) return;
    style.path = path;
    let spec;
    try {
      spec = await source.get(path);
    } catch (error) {
      if (style.path === path) style.path = null;
      setTimeout(appearance.load, RETRY);
      return;
    }
    if (style.path !== path) return;
    style.spec = spec;
    style.inks = spec.inks;
    appearance.changed(spec);
  };

  new MutationObserver(() => style.spec && appearance.load()).observe(document.documentElement, {
    attributes: true, attributeFilter: ["data-theme", "data-present"],
  });

  plateau.appearance = appearance;
})();
