/* The Study page: light or dark, what is picked from the lists, and opening a run in the Lab. */
(function () {
  "use strict";
  const root = document.documentElement;
  const shade = () => { root.dataset.agThemeMode = root.dataset.theme; document.body.dataset.agThemeMode = root.dataset.theme; };
  document.addEventListener("change", (event) => {
    const name = event.target.id?.startsWith("pick-") ? event.target.id.slice(5) : "";
    if (name) { window.dash_clientside.set_props(`study-${name}`, { data: event.target.value }); }
  });
  window.dash_clientside = Object.assign({}, window.dash_clientside, {
    study: {
      theme: (clicks) => {
        if (clicks) {
          root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
          try { localStorage.setItem("plateau-theme", root.dataset.theme); } catch { /* private windows may refuse */ }
        }
        shade();
        return root.dataset.theme;
      },
      show: (_, ...chosen) => {
        // After React has put the entries of the list there.
        setTimeout(() => ["group", "level", "x", "y"].forEach((name, place) => {
          const list = document.getElementById(`pick-${name}`);
          if (list && chosen[place]) { list.value = chosen[place]; }
        }));
        return null;
      },
      open: (marker, step, cell, selected) => {
        const by = window.dash_clientside.callback_context.triggered[0]?.prop_id ?? "";
        const clicked = by.startsWith("study-scatter") ? marker : by.startsWith("study-reached") ? step : null;
        const link = clicked ? clicked.points?.[0]?.customdata : selected?.[0]?.lab;
        if (typeof link === "string" && link.startsWith("/?")) { location.assign(link); }
        return null;
      },
    },
  });
})();
